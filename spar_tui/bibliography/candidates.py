"""Find the works that an imported entry may belong to, with blocking keys, so that each entry is compared with few
works.

An entry belongs to a work with a common identifier; or to one whose entries have its title and contradict it in nothing
(`one_work`); or to one known only from sources whose title is nearly the same (`same_work`).
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain, islice

from cache import papers
from cache.store import PaperId, Store
from connectors.identifiers import Identifier
from connectors.paper import Paper
from connectors.records.matching import first_author, numbers_in, similar_keys, title_key
from spar_tui.bibliography.one_work import Description

MOST_COMPARED = 20
"""Maximum number of works with the same title and first author that an entry is compared with, and of entries per work.
If there are more, compare those that share its rarest values: comparing all would take quadratic time."""


Describe = Callable[[], Description]
"""Returns the description of an entry, made on the first call: most entries are never compared."""


class Block:
    """Works or entries with the same title and first author, indexed by their values."""

    def __init__(self) -> None:
        self._members: dict[int, None] = {}
        self._described: list[tuple[int, Describe]] = []
        self._by_value: dict[tuple[str, str], dict[int, None]] = defaultdict(dict)

    def add(self, member: int, describe: Describe | None) -> None:
        """Add a member; without a description it may match anything."""
        self._members[member] = None
        if describe is not None:
            self._described.append((member, describe))
        if len(self._members) > MOST_COMPARED:
            for number, described in self._described:
                for value in described().values():
                    self._by_value[value][number] = None
            self._described.clear()

    def near(self, describe: Describe) -> list[int]:
        """Return the members that may match the description: all, or the ones that share its rarest values if there are
        more than `MOST_COMPARED`."""
        if len(self._members) <= MOST_COMPARED:
            return [*self._members]
        sharing = sorted((self._by_value[value] for value in describe().values() if value in self._by_value), key=len)
        nearest: dict[int, None] = {}
        for member in chain(*(islice(members, MOST_COMPARED) for members in (*sharing, self._members))):
            if len(nearest) < MOST_COMPARED:
                nearest[member] = None
        return [*nearest]


@dataclass
class _Author:
    """The works of one first author."""

    listed: dict[str, Block] = field(default_factory=lambda: defaultdict(Block))
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
        self._names = set[Identifier]()
        self._last = papers.last_number(store)

    def read_new(self, entries: Iterable[Paper]) -> None:
        """Add the works that others have saved since the last call, and note which identifiers of the next `entries`
        are in use."""
        self._names |= papers.in_use(self._store, (name for paper in entries for name in paper.identifiers))
        for work in papers.titled(self._store, after=self._last):
            self._last = work.number
            if work.first_author in self._authors and work.number not in self._own:
                _note(self._authors[work.first_author], work)

    def of(self, paper: Paper, describe: Describe) -> list[PaperId]:
        """Return the works that an entry may belong to, oldest first."""
        similar_papers = islice(self._alike(paper, describe), MOST_COMPARED)
        names = [name for name in paper.identifiers if name in self._names]
        return sorted({*(papers.bearers(self._store, names) if names else ()), *similar_papers})

    def add(self, number: PaperId, paper: Paper, describe: Describe) -> None:
        """Record that the entry `paper` belongs to work `number`."""
        self._own.add(number)
        self._names.update(paper.identifiers)
        if (name := first_author(paper)) in self._authors and (key := title_key(paper.title)):
            self._authors[name].listed[key].add(number, describe)

    def _alike(self, paper: Paper, describe: Describe) -> Iterator[PaperId]:
        name, key = first_author(paper), title_key(paper.title)
        if not name or not key:  # only an identifier can match it
            return
        author = self._authors.get(name) or self._read(name)
        if key in author.listed:
            yield from map(PaperId, author.listed[key].near(describe))
        for unlisted_key, number in author.unlisted.get(numbers_in(key), ()) if author.unlisted else ():
            if similar_keys(key, unlisted_key):
                yield number

    def _read(self, name: str) -> _Author:
        author = self._authors[name] = _Author()
        for work in papers.titled(self._store, first_author=name):
            _note(author, work)
        return author


def _note(author: _Author, work: papers.TitledWork) -> None:
    if work.listed:  # entries are read only for works with the same title
        author.listed[work.key].add(work.number, None)
    else:
        author.unlisted[numbers_in(work.key)].append((work.key, work.number))
