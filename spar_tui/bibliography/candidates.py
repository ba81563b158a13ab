"""Find the works that an imported entry may belong to, with blocking keys, so that each entry is compared with few
works.

An entry belongs to a work with a common identifier; or to one whose entries have its title and neither another DOI nor
another year (`one_work`); or to one known only from sources whose title is nearly the same (`same_work`).
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
"""Works with one title, by the DOI and the year of their entries; "" and None if there is none."""


@dataclass
class _Author:
    """The works of one first author."""

    listed: dict[str, _Block] = field(default_factory=dict)
    """Works with entries, by title."""
    unlisted: dict[tuple[str, ...], list[tuple[str, PaperId]]] = field(default_factory=lambda: defaultdict(list))
    """Works known only from sources, by the numbers in their titles."""


class Candidates:
    """Finds the works that the entries of one import may belong to.

    Reads the works of a first author with that author's first entry. `add` adds works of this import, `read_new` works
    that others have added.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._authors: dict[str, _Author] = {}
        self._own = set[PaperId]()
        self._last = papers.last_number(store)

    def read_new(self) -> None:
        """Add the works that others have saved since the last call."""
        for work in papers.titled(self._store, after=self._last):
            self._last = work.number
            if work.first_author in self._authors and work.number not in self._own:
                _note(self._authors[work.first_author], work)

    def of(self, paper: Paper) -> list[PaperId]:
        """Return the works that an entry may belong to, oldest first."""
        return sorted({*papers.bearers(self._store, paper.identifiers), *self._alike(paper)})

    def add(self, number: PaperId, paper: Paper) -> None:
        """Record that the entry `paper` belongs to work `number`."""
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
        for other, number in author.unlisted.get(numbers_in(key), ()) if author.unlisted else ():
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
    """Return the values under `key` and under `unknown`; all of them if `key` itself is unknown."""
    if key == unknown:
        return block.values()
    return [block[name] for name in (unknown, key) if name in block]
