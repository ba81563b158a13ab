"""The contents of a bibliography: its entries, and problems of those that cannot be used."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from cache.originals import Original
from connectors.paper import Paper


class InvalidSyntax(ValueError):
    """The syntax of a file is invalid; some of its records may be valid."""


@dataclass(frozen=True, slots=True)
class FoundEntry:
    """An entry at `line` (from 1) with its citation key, "" without a usable one. `details` are the parts of
    `cache.shelf_texts.DETAILS`; `files` are paths as in the file; `original` is the whole entry as written; `address`
    is its unchecked URL. `aliases` are further citation keys. `text` is the printed reference in a document, from which
    a program parsed the fields; "" for an entry with fields.
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
        """Return the file's type for the entry, in lower case."""
        return self.original.type.lower() if self.original else ""


@dataclass(frozen=True, slots=True)
class Problem:
    """A fault of the entry at `line`, which was skipped unless `taken`; `of_key` if another entry has its key, and
    `to_end` if nothing after it can be read."""

    line: int
    name: str
    reason: str
    taken: bool = False
    of_key: bool = False
    to_end: bool = False


@dataclass(frozen=True, slots=True)
class FileEntries:
    """The entries and problems of one file, in its order."""

    entries: tuple[FoundEntry, ...] = ()
    problems: tuple[Problem, ...] = ()
