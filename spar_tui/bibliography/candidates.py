"""Which works an entry may be of, by blocking keys: an import compares each entry with few works of the many.

An entry is of a work with which it shares an identifier; or of one whose entries have its title, and neither another
DOI nor another year (`one_work`); or of one that only sources told of, whose title is nearly its own (`same_work`).
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from cache import papers
from cache.store import PaperId, Store
from connectors.paper import Paper
from connectors.records.matching import first_author, numbers_in, similar_keys, title_key

Key = TypeVar("Key")
Value = TypeVar("Value")
_Block = dict[str, dict[int | None, list[PaperId]]]
"""Works of one title, by the DOI and the year of their entries, "" and None where there is none or it is not known."""


@dataclass
class _Author:
    """The works of one first author."""

    listed: dict[str, _Block] = field(default_factory=dict)
    """Those of entries, by title."""
    unlisted: dict[tuple[str, ...], list[tuple[str, PaperId]]] = field(default_factory=lambda: defaultdict(list))
    """Those that only sources told of, by the numbers in their titles."""


class Candidates:
    """The works that the entries of one import may be of.

    The works of a first author are read when the first entry of theirs comes, and kept up by `add` and, with works
    that others add meanwhile, by `read_new`.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._authors: dict[str, _Author] = {}
        self._own = set[PaperId]()
        self._last = papers.last_number(store)

    def read_new(self) -> None:
        """Note the works that others have added since this was called last."""
        for work in papers.titled(self._store, after=self._last):
            self._last = work.number
            if work.first_author in self._authors and work.number not in self._own:
                _note(self._authors[work.first_author], work)

    def of(self, paper: Paper) -> list[PaperId]:
        """The works that an entry may be of, the oldest first."""
        return sorted({*papers.bearers(self._store, paper.identifiers), *self._alike(paper)})

    def add(self, number: PaperId, paper: Paper) -> None:
        """Note that an entry, read as `paper`, is of work `number`."""
        self._own.add(number)
        if (name := first_author(paper)) in self._authors and (key := title_key(paper.title)):
            block = self._authors[name].listed.setdefault(key, {})
            block.setdefault(paper.identifier("doi") or "", {}).setdefault(paper.year, []).append(number)

    def _alike(self, paper: Paper) -> Iterator[PaperId]:
        name, key = first_author(paper), title_key(paper.title)
        if not name or not key:  # only an identifier can tell
            return
        author = self._authors.get(name) or self._read(name)
        block = author.listed.get(key, {})
        for years in _possible(block, paper.identifier("doi") or "", ""):
            for numbers in _possible(years, paper.year, None):
                yield from numbers
        for other, number in author.unlisted.get(numbers_in(key), ()):
            if similar_keys(key, other):
                yield number

    def _read(self, name: str) -> _Author:
        author = self._authors[name] = _Author()
        for work in papers.titled(self._store, first_author=name):
            _note(author, work)
        return author


def _note(author: _Author, work: papers.Titled) -> None:
    if work.listed:  # what its entries say is read only where the title is the same
        author.listed.setdefault(work.key, {}).setdefault("", {}).setdefault(None, []).append(work.number)
    else:
        author.unlisted[numbers_in(work.key)].append((work.key, work.number))


def _possible(block: Mapping[Key, Value], key: Key, unknown: Key) -> Iterable[Value]:
    """What stands under `key` or under `unknown`; all, where `key` itself is unknown."""
    if key == unknown:
        return block.values()
    return [block[name] for name in (unknown, key) if name in block]
