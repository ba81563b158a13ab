"""What a person decided of the records of a search, one by one: counted and said. No clock and no terminal."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from agents.search.events import Decision
from agents.search.state import SearchState
from connectors.paper import WorkId

NO_FULL_TEXT = "no full text"
"""The reason that says that the report was sought and not retrieved."""
REASONS = ("wrong subject", "wrong kind of study", NO_FULL_TEXT, "not in English", "duplicate")
"""Reasons to exclude a paper that are always offered."""
NO_REASON = "no reason given"
MARKS: Mapping[Decision, str] = {"included": "IN", "excluded": "OUT", "later": "LATER"}
"""What stands in a list before a paper that was decided on."""


@dataclass(frozen=True, slots=True)
class Screening:
    """How many of `every` record were included, excluded for each of `reasons` (the commonest first), and put off."""

    every: int
    included: int
    reasons: Mapping[str, int]
    later: int

    @property
    def excluded(self) -> int:
        return sum(self.reasons.values())

    @property
    def screened(self) -> int:
        """Those that are decided: what was left for later is not."""
        return self.included + self.excluded

    @property
    def seen(self) -> int:
        """Those of which the person said anything."""
        return self.screened + self.later

    @property
    def progress(self) -> str:
        """`12 of 62 · 5 in · 3 out · 4 later`"""
        return f"{self.seen:,} of {self.every:,} · {self.included:,} in · {self.excluded:,} out · {self.later:,} later"


def screening(state: SearchState, works: Iterable[WorkId] | None = None) -> Screening:
    """What was decided of `works`, or of all that were found."""
    among = set(state.works if works is None else map(state.work, works))
    decided = [one for work in among if (one := state.screened.get(work))]
    many = Counter(one.decision for one in decided)
    reasons = Counter(one.reason or NO_REASON for one in decided if one.decision == "excluded")
    ordered = sorted(reasons.items(), key=lambda entry: (-entry[1], entry[0]))
    return Screening(len(among), many["included"], dict(ordered), many["later"])


def works_decided(state: SearchState, decision: Decision) -> list[WorkId]:
    """The works of which that was decided, as ranked; those that are not ranked come last."""
    place = {one.work: number for number, one in enumerate(state.ranking)}
    works = [work for work, one in state.screened.items() if one.decision == decision and work in state.found]
    return sorted(works, key=lambda work: (place.get(work, len(place)), work))


def reasons_offered(state: SearchState) -> tuple[str, ...]:
    """Reasons to choose from by a digit: the ready ones, then the person's own of this search, the commonest first."""
    return tuple(dict.fromkeys([*REASONS, *(one for one in screening(state).reasons if one != NO_REASON)]))[:9]


def next_open(state: SearchState, works: Sequence[WorkId], start: int) -> WorkId | None:
    """The next of `works` without a decision, from the place `start` on and round; then the next one that was left for
    later; None if all are decided."""
    around = [*works[start:], *works[:start]]
    undecided = (work for work in around if work not in state.screened)
    later = (work for work in around if (one := state.screened.get(work)) and one.decision == "later")
    return next(undecided, next(later, None))
