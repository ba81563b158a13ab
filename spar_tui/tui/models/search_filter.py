"""Filter the works of a search. No clock and no terminal."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from agents.search.events import Decision
from agents.search.state import SearchState
from agents.search.state import is_relevant as counts_as_relevant
from cache.conditions.filters import Filter, Kept, chosen, subject_of
from cache.conditions.table import Subject
from connectors.paper import Paper, WorkId


@dataclass(frozen=True, slots=True)
class _Made:
    """What a filter checks, and what that was made from."""

    paper: Paper
    kept: Kept | None
    in_search: frozenset[str]
    subject: Subject


class Sieve:
    """Filters the works of a search in progress; reuses the subjects of unchanged works."""

    def __init__(self) -> None:
        self._made: dict[WorkId, _Made] = {}

    def __call__(
        self, state: SearchState, order: Sequence[WorkId], kept: Mapping[WorkId, Kept], wanted: Filter
    ) -> Sequence[WorkId]:
        """Return the works of `order` that match `wanted`; `kept` has the shelf's data on saved works."""
        return chosen(order, wanted, lambda work: self._subject(state, work, kept.get(work)))

    def _subject(self, state: SearchState, work: WorkId, kept: Kept | None) -> Subject:
        paper, in_search = state.found[work].paper, states_in(state, work)
        before = self._made.get(work)
        # Compared by identity: comparing papers would take longer than making the subject.
        if before is None or before.paper is not paper or (before.kept, before.in_search) != (kept, in_search):
            before = self._made[work] = _Made(paper, kept, in_search, subject_of(paper, kept, in_search))
        return before.subject


def states_in(state: SearchState, work: WorkId) -> frozenset[str]:
    """Return the search's states of a work: whether it is relevant, and the person's decision."""
    decided = state.screened.get(work)
    return _states(is_relevant(state, work), decided.decision if decided else None)


@cache
def _states(relevant: bool, decision: Decision | None) -> frozenset[str]:
    judged: frozenset[str] = frozenset({"relevant"} if relevant else ())
    return judged | {decision} if decision else judged


def is_relevant(state: SearchState, work: WorkId) -> bool:
    """Whether the work was judged or assessed, and is relevant."""
    judged = state.judgement(work) is not None or work in state.assessed
    return judged and counts_as_relevant(state.relevance(work))
