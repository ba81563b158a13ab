"""Records of papers as the person has edited and merged them in the library. No terminal."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, TypeVar

from cache import merges
from cache import papers as library
from cache.store import PaperId, Store
from connectors.paper import Paper, WorkId
from connectors.records.corrections import corrected_fields

K = TypeVar("K")
S = TypeVar("S", bound=Any)


def is_of_person(store: Store, number: PaperId, stored: Paper, shown: Paper) -> bool:
    """Whether the person has edited paper `number`, whose record is `stored`, or merged another into it; or has undone
    the edits of the record `shown`."""
    return bool(corrected_fields(stored) or corrected_fields(shown)) or merges.is_merged(store, number)


def records_of_person(store: Store, papers: Mapping[K, Paper]) -> dict[K, Paper]:
    """Return the library's record of each of `papers` that the person has edited or merged there. A merged paper has
    the record of the paper it was merged into. Blocks; raises `CacheError`."""
    numbers = dict(zip(papers, library.numbers_of(store, list(papers.values())), strict=True))
    stored = library.numbered(store, {number for number in numbers.values() if number is not None})
    return {
        key: stored[number]
        for key, number in numbers.items()
        if number in stored and is_of_person(store, number, stored[number], papers[key])
    }


def with_records(state: S, records: Mapping[WorkId, Paper]) -> S:
    """Return the state of a run with `records` in place of the papers that it found."""
    findings = state.findings
    found = {
        work: replace(findings.found[work], paper=paper) for work, paper in records.items() if work in findings.found
    }
    if not found:
        return state
    changed: Any = replace(findings, found=findings.found.update(found))
    edited: S = changed if findings is state else replace(state, findings=changed)
    return edited
