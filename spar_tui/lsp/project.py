"""The works that a document can cite: those in bibliographies around it, and other papers of the shelf."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from rapidfuzz import process

from cache import papers, shelf
from cache.citation_keys import ByKey
from cache.store import Store
from connectors.paper import Paper
from connectors.records.letters import folded
from spar_tui.bibliography.citation_key import DEFAULT_PRESET, key_pattern, keys_for
from spar_tui.bibliography.reading.entries_read import FileEntries
from spar_tui.bibliography.reading.files import found_in_bytes, read_bytes
from spar_tui.errors import UserError

MOST_FILES = 50
MOST_OFFERED = 40
"""Maximum number of completions; the editor asks again after every letter."""


class Bibliography(NamedTuple):
    """A .bib file and its contents."""

    file: Path
    raw: bytes
    found: FileEntries


@dataclass(frozen=True, slots=True)
class Citable:
    """A work that can be cited by its `key`. `file` is its bibliography; None for a paper of the shelf, which has a
    `number` there."""

    key: str
    paper: Paper
    file: Path | None = None
    line: int = 0
    number: int | None = None


class ReadBibliographies:
    """Cache of parsed bibliographies. A file is parsed again after it changed."""

    def __init__(self) -> None:
        self._read: dict[Path, tuple[tuple[int, int], Bibliography]] = {}

    def of(self, document: Path) -> list[Bibliography]:
        """Return the bibliographies in the folder of `document`, in its subfolders and in the parent folder. Files that
        cannot be read are left out."""
        folder = document.parent
        files = islice((file for pattern in ("*.bib", "*/*.bib", "../*.bib") for file in sorted(folder.glob(pattern))),
                       MOST_FILES)  # fmt: skip
        return [bibliography for file in files if (bibliography := self.read(file))]

    def read(self, file: Path) -> Bibliography | None:
        """Return the bibliography in `file`, or None if it cannot be read."""
        try:
            state = file.stat()
            version = (state.st_mtime_ns, state.st_size)
            if (entry := self._read.get(file)) and entry[0] == version:
                return entry[1]
            raw = read_bytes(file)
            bibliography = Bibliography(file, raw, found_in_bytes(raw, file.name))
        except (OSError, UserError):
            return None
        self._read[file] = (version, bibliography)
        return bibliography


def entries_by_key(bibliographies: Sequence[Bibliography]) -> ByKey[Citable]:
    """Return the entries by key. If several have the same key, the first one is used."""
    return ByKey(
        (key, Citable(key, entry.paper, bibliography.file, entry.line))
        for bibliography in bibliographies
        for entry in bibliography.found.entries
        for key in (entry.key, *entry.aliases)
        if key
    )


def found_entries(bibliographies: Sequence[Bibliography]) -> FileEntries:
    """Return the entries of all bibliographies together."""
    return FileEntries(tuple(entry for bibliography in bibliographies for entry in bibliography.found.entries))


def offered(prefix: str, entries: ByKey[Citable], store: Store, near: Sequence[int]) -> list[Citable]:
    """Return at most `MOST_OFFERED` works: entries of bibliographies with all words of `prefix` in key, title, authors,
    venue or year, then such saved papers, then the papers `near` in meaning. Raises `CacheError`."""
    words = folded(prefix).split()
    own = list({(entry.file, entry.line): entry for entry in reversed(list(entries.exact.values()))}.values())[::-1]
    there = {number for number in papers.numbers_of(store, [citable.paper for citable in own]) if number is not None}
    rows = [row for row in shelf.rows(store) if row.number not in there]
    matching = [
        citable for citable in own
        if _has(words, citable.key, citable.paper.title, *(author.name for author in citable.paper.authors),
                citable.paper.venue, str(citable.paper.year or ""))
    ]  # fmt: skip
    on_shelf = [row.number for row in rows if _has(words, row.title, *row.authors, row.venue, str(row.year or ""))]
    on_shelf += [number for number in near if number in {row.number for row in rows} and number not in on_shelf]
    room = max(0, MOST_OFFERED - len(matching))
    by_number = papers.numbered(store, on_shelf[:room])
    keys = keys_for(store, by_number, key_pattern(DEFAULT_PRESET))
    citables = [Citable(keys[number], paper, number=number) for number, paper in by_number.items()]
    return [*matching[:MOST_OFFERED], *citables]


def near_keys(key: str, entries: ByKey[Citable], most: int = 3) -> Iterator[str]:
    """Yield the keys of `entries` with the most similar spelling."""
    matches = process.extract(key, list(entries.exact), processor=str.casefold, limit=most, score_cutoff=70)
    yield from (spelling for spelling, _, _ in matches)


def _has(words: Sequence[str], *texts: str) -> bool:
    text = folded(" ".join(texts))
    return all(word in text for word in words)
