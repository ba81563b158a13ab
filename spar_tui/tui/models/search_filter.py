"""Which works of a search a filter asks for, out of its state. No clock and no terminal."""

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
    """What a filter looks at, and what that was made of."""

    paper: Paper
    kept: Kept | None
    in_search: frozenset[str]
    subject: Subject


class Sieve:
    """Filters the works of a search that goes on; what is looked at of a work that is as it was was made before."""

    def __init__(self) -> None:
        self._made: dict[WorkId, _Made] = {}

    def __call__(
        self, state: SearchState, order: Sequence[WorkId], kept: Mapping[WorkId, Kept], wanted: Filter
    ) -> Sequence[WorkId]:
        """Those of `order` that `wanted` asks for; `kept` is what the shelf says of those that are saved."""
        return chosen(order, wanted, lambda work: self._subject(state, work, kept.get(work)))

    def _subject(self, state: SearchState, work: WorkId, kept: Kept | None) -> Subject:
        paper, in_search = state.found[work].paper, states_in(state, work)
        before = self._made.get(work)
        # Compared by identity: to compare papers would take longer than to make it.
        if before is None or before.paper is not paper or (before.kept, before.in_search) != (kept, in_search):
            before = self._made[work] = _Made(paper, kept, in_search, subject_of(paper, kept, in_search))
        return before.subject


def states_in(state: SearchState, work: WorkId) -> frozenset[str]:
    """What the search says of the work: whether it is relevant, and what the person decided."""
    decided = state.screened.get(work)
    return _states(is_relevant(state, work), decided.decision if decided else None)


@cache
def _states(relevant: bool, decision: Decision | None) -> frozenset[str]:
    judged: frozenset[str] = frozenset({"relevant"} if relevant else ())
    return judged | {decision} if decision else judged


def is_relevant(state: SearchState, work: WorkId) -> bool:
    """Whether the work was judged or assessed, and found relevant."""
    judged = state.judgement(work) is not None or work in state.assessed
    return judged and counts_as_relevant(state.relevance(work))
