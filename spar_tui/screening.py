"""The papers of a search, grouped by who decided on them; the log counts these groups, and exports write them."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from agents.search.events import Decision
from agents.search.question.matching import is_no_match
from agents.search.state import SearchState, is_relevant
from connectors.paper import WorkId

NO_FULL_TEXT = "no full text"
"""The reason for a report that was sought but not retrieved."""
REASONS = ("wrong subject", "wrong kind of study", NO_FULL_TEXT, "not in English", "duplicate")
"""Reasons for exclusion that are always offered."""
NO_REASON = "no reason given"
MARKS: Mapping[Decision, str] = {"included": "IN", "excluded": "OUT", "later": "LATER"}
"""Label of a paper in a list, by the decision on it."""


@dataclass(frozen=True, slots=True)
class Screening:
    """Counts of a screening: of `every` record, those included, excluded by reason (most frequent first), put off."""

    every: int
    included: int
    reasons: Mapping[str, int]
    later: int

    @property
    def excluded(self) -> int:
        return sum(self.reasons.values())

    @property
    def screened(self) -> int:
        """Number of works included or excluded; postponed works do not count."""
        return self.included + self.excluded

    @property
    def seen(self) -> int:
        """Number of works with any decision, also a postponement."""
        return self.screened + self.later

    @property
    def progress(self) -> str:
        """`12 of 62 · 5 in · 3 out · 4 later`"""
        return f"{self.seen:,} of {self.every:,} · {self.included:,} in · {self.excluded:,} out · {self.later:,} later"


def screening(state: SearchState, works: Iterable[WorkId] | None = None) -> Screening:
    """Count the decisions on `works`, or on all works of the search."""
    among = set(state.works if works is None else map(state.work, works))
    decided = [verdict for work in among if (verdict := state.screened.get(work))]
    many = Counter(verdict.decision for verdict in decided)
    reasons = Counter(verdict.reason or NO_REASON for verdict in decided if verdict.decision == "excluded")
    by_number = sorted(reasons.items(), key=lambda entry: (-entry[1], entry[0]))
    return Screening(len(among), many["included"], dict(by_number), many["later"])


def works_decided(state: SearchState, decision: Decision) -> list[WorkId]:
    """Return the works with this decision in ranking order; works without a rank come last."""
    decided = (work for work, verdict in state.screened.items() if verdict.decision == decision)
    return ranked_first(state, [work for work in decided if work in state.found])


def reasons_offered(state: SearchState) -> tuple[str, ...]:
    """Return the reasons that a digit selects: the standard ones, then this search's own, most frequent first."""
    return tuple(dict.fromkeys([*REASONS, *(reason for reason in screening(state).reasons if reason != NO_REASON)]))[:9]


def next_open(state: SearchState, works: Sequence[WorkId], start: int) -> WorkId | None:
    """Return the next of `works` without a decision, from index `start` on and around; then the next postponed one;
    None if all are decided."""
    around = [*works[start:], *works[:start]]
    undecided = (work for work in around if work not in state.screened)
    later = (work for work in around if (verdict := state.screened.get(work)) and verdict.decision == "later")
    return next(undecided, next(later, None))


@dataclass(frozen=True, slots=True)
class ScreenedRecords:
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
    """The works, of any set, that the program itself judged relevant."""

    @property
    def relevant(self) -> tuple[WorkId, ...]:
        """The works that a person included, and those that the program kept."""
        return (*self.included, *self.kept)

    @property
    def screened(self) -> int:
        """Number of works that a person decided on."""
        return len(self.included) + len(self.excluded)


def ranked_first(state: SearchState, works: Iterable[WorkId]) -> list[WorkId]:
    """Sort `works` by rank; works without a rank come last."""
    rank = {candidate.work: number for number, candidate in enumerate(state.ranking)}
    return sorted(works, key=lambda work: (rank.get(work, len(rank)), work))


def selection(state: SearchState) -> ScreenedRecords:
    """Return the works of a search, grouped by who decided on them."""
    inside, outside = works_decided(state, "included"), works_decided(state, "excluded")
    decided, relevant = {*inside, *outside}, {candidate.work for candidate in state.included}
    by_judgement: list[WorkId] = []
    dismissed: list[WorkId] = []
    ineligible: list[WorkId] = []
    for work in ranked_first(state, state.found):
        judgement = state.feedback.get(work)
        if work in decided:
            continue
        if work in relevant or (judgement and is_relevant(judgement.score)):
            by_judgement.append(work)
        else:
            (dismissed if judgement else ineligible).append(work)
    question = state.started.question if state.started else ""

    def is_kept(work: WorkId) -> bool:
        """Whether the program judged a work relevant before a person decided on it."""
        if work not in state.feedback:
            return work in by_judgement
        return is_relevant(state.relevance_by_program(work)) and not is_no_match(question, state.found[work])

    by_program = filter(is_kept, (*inside, *outside, *by_judgement, *dismissed))
    sets = (inside, outside, by_judgement, dismissed, ineligible, ranked_first(state, by_program))
    return ScreenedRecords(*map(tuple, sets))
