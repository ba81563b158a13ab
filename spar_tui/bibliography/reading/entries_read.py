"""What was found in a bibliography: entries that can be taken, and what is wrong with the others."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from cache.originals import Original
from connectors.paper import Paper


@dataclass(frozen=True, slots=True)
class FoundEntry:
    """An entry at `line` (from 1) with its own citation key, "" if it has none that can be used.

    `details` are the parts of `cache.shelf.DETAILS`; `files` are paths as the file gives them, `original` the
    whole entry as it stands there; `address` is its URL before anything checked it. `aliases` are further keys that the
    entry is cited by. `text` is the reference as a document prints it, "" for an entry that has fields of its own: what
    was read from it is a program's reading.
    """

    line: int
    key: str
    paper: Paper
    tags: tuple[str, ...] = ()
    note: str = ""
    files: tuple[str, ...] = ()
    details: Mapping[str, str] = field(default_factory=dict)
    original: Original | None = None
    address: str = ""
    aliases: tuple[str, ...] = ()
    text: str = ""

    @property
    def type(self) -> str:
        """What the file calls the entry, in lower case."""
        return self.original.type.lower() if self.original else ""


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with the entry at `line`; it was not taken, unless `taken`."""

    line: int
    name: str
    reason: str
    taken: bool = False


@dataclass(frozen=True, slots=True)
class Found:
    """All that was found in one file, in its order."""

    entries: tuple[FoundEntry, ...] = ()
    problems: tuple[Problem, ...] = ()
