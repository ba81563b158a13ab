"""The errors of Zotero, each with what the person can do."""

from connectors.errors import BadResponse, NotFound, SourceUnavailable, Unauthorized

NAME = "Zotero"


class NotRunning(SourceUnavailable):
    """No program listens at Zotero's address."""


class ApiOff(Unauthorized):
    """Zotero runs, but its local API is off, which is the default."""


class KeyRefused(Unauthorized):
    """The key for writing is used up or unknown."""


class Denied(Unauthorized):
    """The person refused in Zotero's dialog, or did not answer it."""


class NoSuchCollection(NotFound):
    """No collection has the name, or several have."""


class Moved(BadResponse):
    """The data read are inconsistent, because the library changed meanwhile."""
