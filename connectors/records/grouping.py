"""Records grouped into works as sources answer."""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping
from typing import NamedTuple, TypeVar

from connectors.paper import Paper, WorkId
from connectors.records.matching import first_author, same_work
from connectors.records.merging import merge

T = TypeVar("T")


class Added(NamedTuple):
    """The work that a new record belongs to, its merged paper, and the works that the record joined to it."""

    work: WorkId
    paper: Paper
    absorbed: tuple[WorkId, ...]


class Works:
    """Records grouped into works as they arrive; which records form a work does not depend on their order."""

    def __init__(self, before: Mapping[WorkId, Paper] | None = None, absorbed: Iterable[WorkId] = ()) -> None:
        """Start with the works `before` of an earlier session, by number. No new work gets the number of a work in
        `absorbed`."""
        self._records: dict[WorkId, Paper] = {}
        self._leader: dict[WorkId, WorkId] = {}
        self._merged: dict[WorkId, Paper] = {}
        self._by_key: dict[Hashable, list[WorkId]] = defaultdict(list)
        self._next = max((*(before or ()), *absorbed), default=-1) + 1
        for number, paper in (before or {}).items():
            self._enter(number, paper)

    def add(self, paper: Paper) -> Added:
        """Add a record, and return the work that it belongs to now."""
        number = WorkId(self._next)
        self._next += 1
        candidates = sorted({candidate for key in _asked_keys(paper) for candidate in self._by_key.get(key, ())})
        self._enter(number, paper)
        absorbed = []
        for match in candidates:
            if same_work(self._records[match], paper):
                absorbed += self._join(match, number)
        work = self._work(number)
        return Added(work, self._merged[work], tuple(old_number for old_number in absorbed if old_number != number))

    def learn(self, work: WorkId, paper: Paper) -> None:
        """Store `paper` as the merged record of `work`."""
        self._enter(work, paper)

    def _enter(self, number: WorkId, paper: Paper) -> None:
        self._records[number] = paper
        self._leader[number] = number
        self._merged[number] = paper
        first = first_author(paper)
        for key in (*paper.identifiers, *(((first, paper.year), (first,)) if first else (paper,))):
            self._by_key[key].append(number)

    def _work(self, number: WorkId) -> WorkId:
        while self._leader[number] != number:
            number = self._leader[number]
        return number

    def _join(self, work: WorkId, second_work: WorkId) -> list[WorkId]:
        first, second = sorted((self._work(work), self._work(second_work)))
        if first == second:
            return []
        self._leader[second] = first
        self._merged[first] = merge(self._merged[first], self._merged.pop(second))
        return [second]


def grouped(records: Iterable[tuple[Paper, T]]) -> list[tuple[Paper, list[T]]]:
    """Merge the records of each work. Return the works in the order of their first records, each with the values paired
    with its records."""
    works = Works()
    merged: dict[WorkId, Paper] = {}
    values_by_work: dict[WorkId, list[T]] = {}
    for record, identifier in records:
        work, merged[work], absorbed = works.add(record)
        values_by_work.setdefault(work, []).append(identifier)
        for old_number in absorbed:
            del merged[old_number]
            values_by_work[work] += values_by_work.pop(old_number)
    return [(merged[work], values_by_work[work]) for work in sorted(merged)]


def _asked_keys(paper: Paper) -> list[Hashable]:
    """Return the keys of possible records of the same work: identifiers, and first author within one year."""
    first = first_author(paper)
    if not first:
        return [*paper.identifiers, paper]
    if paper.year is None:
        return [*paper.identifiers, (first,)]
    return [*paper.identifiers, *((first, year) for year in (None, paper.year - 1, paper.year, paper.year + 1))]
