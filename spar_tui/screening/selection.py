"""The papers of a search by who decided on them: the log counts these sets, and exports write them."""

from collections.abc import Iterable
from dataclasses import dataclass

from agents.search.question.matching import is_no_match
from agents.search.state import SearchState, is_relevant
from connectors.paper import WorkId
from spar_tui.screening.decisions import works_decided


@dataclass(frozen=True, slots=True)
class Selection:
    """Every work of a search in exactly one set, in the order of the ranking; works without a rank come last.

    A person `included` or `excluded` works one by one. Of the others, the program `kept` some; a person called some
    `dismissed` ones not relevant while the search ran; the rest is `ineligible` by the program's judgement.
    """

    included: tuple[WorkId, ...]
    excluded: tuple[WorkId, ...]
    kept: tuple[WorkId, ...]
    dismissed: tuple[WorkId, ...]
    ineligible: tuple[WorkId, ...]
    kept_by_program: tuple[WorkId, ...]
    """The works of any set that the program itself judged relevant."""

    @property
    def relevant(self) -> tuple[WorkId, ...]:
        """What a person included and, where no person decided, what the program kept."""
        return (*self.included, *self.kept)

    @property
    def screened(self) -> int:
        """How many works a person decided on."""
        return len(self.included) + len(self.excluded)


def ranked_first(state: SearchState, works: Iterable[WorkId]) -> list[WorkId]:
    """Sort `works` by their places in the ranking; works without a rank come last."""
    place = {one.work: number for number, one in enumerate(state.ranking)}
    return sorted(works, key=lambda work: (place.get(work, len(place)), work))


def selection(state: SearchState) -> Selection:
    """Return the works of a search by who decided on them."""
    included, excluded = works_decided(state, "included"), works_decided(state, "excluded")
    decided, relevant = {*included, *excluded}, {one.work for one in state.included}
    kept: list[WorkId] = []
    dismissed: list[WorkId] = []
    ineligible: list[WorkId] = []
    for work in ranked_first(state, state.found):
        said = state.feedback.get(work)
        if work in decided:
            continue
        if work in relevant or (said and is_relevant(said.score)):
            kept.append(work)
        else:
            (dismissed if said else ineligible).append(work)
    by_program = [
        work
        for work in (*included, *excluded, *kept, *dismissed)
        if (_judged_relevant(state, work) if work in state.feedback else work in kept)
    ]
    sets = (included, excluded, kept, dismissed, ineligible, ranked_first(state, by_program))
    return Selection(*map(tuple, sets))


def _judged_relevant(state: SearchState, work: WorkId) -> bool:
    """Whether the program judged a work relevant on which a person decided."""
    question = state.started.question if state.started else ""
    return is_relevant(state.relevance_by_program(work)) and not is_no_match(question, state.found[work])
