"""What can go wrong with a corpus, each with one clear sentence.

CacheError(sentence)
  CorpusError
    ExtraMissing   the packages that it needs are not installed
    NoCorpus       there is none at this place
    NotACorpus     something else lies there
    TooNewCorpus   a newer spar wrote it
    NotIndexed     it was not built to the end, so it cannot be searched yet
    BeingBuilt     another process writes to it
    OtherVectors   it has the vectors of another model
    NoVectors      whoever makes vectors made none; the sentence says why
    NoRoom         there is no room; what was committed before is safe
    Unreachable    the folder or the bucket cannot be read or written
"""

from cache.errors import CacheError


class CorpusError(CacheError):
    """The corpus could not do what was asked."""


class ExtraMissing(CorpusError):
    def __init__(self, package: str) -> None:
        super().__init__(
            f"A corpus needs the extra `corpus` ({package} is not installed); `spar doctor` prints the command that "
            "adds it."
        )


class NoCorpus(CorpusError):
    def __init__(self, place: str) -> None:
        super().__init__(f"There is no corpus at {place}; `spar corpus build FILE…` makes one.")


class NotACorpus(CorpusError):
    def __init__(self, place: str, what: str) -> None:
        super().__init__(f"{place} is not a corpus of spar ({what}); it was left as it is: choose another place.")


class TooNewCorpus(CorpusError):
    def __init__(self, place: str, found: int, known: int) -> None:
        super().__init__(
            f"The corpus {place} was written by a newer spar (version {found}, this spar knows {known}); it was left "
            "as it is: upgrade spar."
        )


class NotIndexed(CorpusError):
    def __init__(self, place: str) -> None:
        super().__init__(
            f"The corpus {place} cannot be searched yet: it was not built to the end. Let `spar corpus build` end, or "
            "run `spar corpus compact`."
        )


class BeingBuilt(CorpusError):
    def __init__(self, place: str) -> None:
        super().__init__(f"Another process writes to the corpus {place}; nothing was changed: wait until it has ended.")


class OtherVectors(CorpusError):
    def __init__(self, place: str, there: str, asked: str) -> None:
        super().__init__(
            f"The corpus {place} has vectors by {there}; those by {asked} are not mixed with them, and none was added: "
            "go on with that model, or build another corpus."
        )


class NoVectors(CorpusError):
    pass


class NoRoom(CorpusError):
    def __init__(self, place: str) -> None:
        super().__init__(
            f"There is no room left for the corpus {place}; what was committed before is safe: make room and run the "
            "same command again."
        )


class Unreachable(CorpusError):
    def __init__(self, place: str, reason: str) -> None:
        super().__init__(f"The corpus {place} cannot be used ({reason}).")
