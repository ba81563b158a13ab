"""Why Zotero did not do what was asked, told apart, each with what the person can do."""

from connectors.errors import BadResponse, NotFound, SourceUnavailable, Unauthorized

NAME = "Zotero"


class NotRunning(SourceUnavailable):
    """Nobody listens at Zotero's address."""


class ApiOff(Unauthorized):
    """Zotero runs, and its local API is switched off, as it is at first."""


class KeyRefused(Unauthorized):
    """The key for writing is used up or unknown."""


class Denied(Unauthorized):
    """The person said no in Zotero's dialog, or it was not answered."""


class NoSuchCollection(NotFound):
    """No collection has the name, or several have."""


class Moved(BadResponse):
    """What was read does not fit together, for the library changed meanwhile."""
