"""What a search is at any moment: the fold of its events, nothing else."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from agents.run.events import (
    AbstractFilled,
    CandidatesChosen,
    Counts,
    Event,
    FeedbackWithdrawn,
    Finished,
    FoundBy,
    PaperFound,
    PaperJudged,
    PapersAssessed,
    PapersRanked,
    QueriesEvolved,
    QueryPlanned,
    QuestionUnderstood,
    Ranked,
    ReferencesFollowed,
    RunStarted,
    SourceAnswered,
    SourceState,
    Spent,
    StageChanged,
    Warned,
    WorksJoined,
)
from connectors.paper import Paper

THRESHOLD = 0.5
"""From this judgement on a paper counts as relevant (SPAR's runs use it; its paper names none)."""


@dataclass(frozen=True, slots=True)
class FoundPaper:
    """A work and every way it was found."""

    paper: Paper
    found_by: tuple[FoundBy, ...] = ()


@dataclass(frozen=True, slots=True)
class SourceTally:
    """What a source did in the run."""

    state: SourceState = "ok"
    asked: int = 0
    found: int = 0
    seconds: float = 0.0
    error: str | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SearchState:
    """A search so far. `apply` gives the state after one more event; no clock, no input or output."""

    started: RunStarted | None = None
    stage: StageChanged | None = None
    understood: QuestionUnderstood | None = None
    planned: tuple[QueryPlanned, ...] = ()
    answered: frozenset[tuple[str, str]] = frozenset()
    found: Mapping[int, FoundPaper] = field(default_factory=dict)
    joined: Mapping[int, int] = field(default_factory=dict)
    sources: Mapping[str, SourceTally] = field(default_factory=dict)
    assessed: Mapping[int, float] = field(default_factory=dict)
    candidates: tuple[CandidatesChosen, ...] = ()
    judged: Mapping[int, PaperJudged] = field(default_factory=dict)
    followed: tuple[ReferencesFollowed, ...] = ()
    evolved: tuple[QueriesEvolved, ...] = ()
    ranking: tuple[Ranked, ...] = ()
    spent: tuple[Spent, ...] = ()
    warnings: tuple[str, ...] = ()
    finished: Finished | None = None

    def apply(self, event: Event) -> "SearchState":
        match event:
            case RunStarted():
                return replace(self, started=event)
            case StageChanged():
                return replace(self, stage=event, finished=None)  # a person may ask more of a search that had ended
            case QuestionUnderstood():
                return replace(self, understood=event)
            case QueryPlanned():
                return replace(self, planned=(*self.planned, event))
            case SourceAnswered(source, query):
                tallies = {**self.sources, source: _tallied(self.sources, event)}
                return replace(self, sources=tallies, answered=self.answered | {(source, query)})
            case PaperFound(work, paper, found_by):
                ways = self.found[work].found_by if work in self.found else ()
                ways = ways if found_by in ways else (*ways, found_by)
                return replace(self, found={**self.found, work: FoundPaper(paper, ways)})
            case WorksJoined(kept, gone):
                return self._join(kept, gone)
            case AbstractFilled(work, paper):
                return replace(self, found={**self.found, work: replace(self.found[work], paper=paper)})
            case PapersAssessed(scores):
                return replace(self, assessed=dict(scores))
            case CandidatesChosen():
                return replace(self, candidates=(*self.candidates, event))
            case PaperJudged(work):
                return replace(self, judged={**self.judged, work: event})
            case FeedbackWithdrawn(work):
                return replace(self, judged={one: judged for one, judged in self.judged.items() if one != work})
            case ReferencesFollowed():
                return replace(self, followed=tuple(dict.fromkeys((*self.followed, event))))
            case QueriesEvolved():
                return replace(self, evolved=(*self.evolved, event))
            case PapersRanked(ranking):
                return replace(self, ranking=ranking)
            case Spent():
                return replace(self, spent=(*self.spent, event))
            case Warned(sentence):
                return replace(self, warnings=(*self.warnings, sentence))
            case Finished():
                return replace(self, finished=event)

    @property
    def papers(self) -> dict[int, Paper]:
        """Every work found, by its number."""
        return {work: found.paper for work, found in self.found.items()}

    def work(self, number: int) -> int:
        """The work that `number` means today: itself, or the one it was joined to."""
        while number in self.joined:
            number = self.joined[number]
        return number

    def relevance(self, work: int) -> float:
        """The judgement of `work`, else its built-in assessment as it stands now."""
        judged = self.judged.get(work)
        if judged and (judged.by != "built-in" or work not in self.assessed):
            return judged.score
        return self.assessed.get(work, 0.0)

    @property
    def opinions(self) -> dict[int, bool]:
        """The works that the person wants more of (True) or not (False)."""
        return {work: one.score >= THRESHOLD for work, one in self.judged.items() if one.by == "person"}

    def ranked(self, work: int) -> Ranked | None:
        """The entry of `work` in the ranking."""
        return next((one for one in self.ranking if one.work == work), None)

    @property
    def included(self) -> tuple[Ranked, ...]:
        """The works of the ranking that count as relevant."""
        return tuple(one for one in self.ranking if one.relevance >= THRESHOLD)

    @property
    def shown(self) -> tuple[Ranked, ...]:
        """What the answer shows: the relevant works, then the next best, as many as were asked for."""
        rest = tuple(one for one in self.ranking if one.relevance < THRESHOLD)
        return (*self.included, *rest)[: self.started.limit if self.started else None]

    @property
    def counts(self) -> Counts:
        """PRISMA's numbers as they stand."""
        identified = sum(len(one.found_by) for one in self.found.values())
        return Counts(identified, identified - len(self.found), len(self.found), len(self.included))

    @property
    def cost(self) -> Spent:
        """What the language model cost in all; the price is known if it is known of every step."""
        prices = [one.usd for one in self.spent]
        known = [price for price in prices if price is not None]
        return Spent(
            "all",
            sum(one.calls for one in self.spent),
            sum(one.input_tokens for one in self.spent),
            sum(one.output_tokens for one in self.spent),
            round(sum(known), 6) if known and len(known) == len(prices) else None,
            sum(one.remembered for one in self.spent),
        )

    @property
    def failed_sources(self) -> dict[str, str]:
        """The sources that failed or answered in part, with their sentences."""
        return failures(self.sources)

    def _join(self, kept: int, gone: int) -> "SearchState":
        ways = (*self.found[kept].found_by, *self.found[gone].found_by)
        found = {work: one for work, one in self.found.items() if work != gone}
        judged = {work: one for work, one in self.judged.items() if work != gone}
        if gone in self.judged and (kept not in judged or self.judged[gone].by == "person"):
            judged[kept] = replace(self.judged[gone], work=kept)
        return replace(
            self,
            found={**found, kept: replace(found[kept], found_by=tuple(dict.fromkeys(ways)))},
            joined={**self.joined, gone: kept},
            judged=judged,
            assessed={work: score for work, score in self.assessed.items() if work != gone},
        )


def failures(tallies: Mapping[str, SourceTally]) -> dict[str, str]:
    """The sources among `tallies` that failed or answered in part, with their sentences."""
    return {
        name: tally.error or "answered only in part."
        for name, tally in tallies.items()
        if tally.state in ("failed", "partial")
    }


def fold(events: Iterable[Event]) -> SearchState:
    """The state after `events`."""
    state = SearchState()
    for event in events:
        state = state.apply(event)
    return state


def _together(one: SourceState, other: SourceState) -> SourceState:
    """What a source has been in two answers: a question it was spared says nothing, and good and bad is in part."""
    if "skipped" in (one, other):
        return other if one == "skipped" else one
    return one if one == other else "partial"


def _tallied(sources: Mapping[str, SourceTally], event: SourceAnswered) -> SourceTally:
    so_far = sources.get(event.source)
    if so_far is None:
        return SourceTally(
            event.state, int(event.state != "skipped"), event.found, event.seconds, event.error, event.notes
        )
    state = _together(so_far.state, event.state)
    return SourceTally(
        state,
        so_far.asked + int(event.state != "skipped"),
        so_far.found + event.found,
        max(so_far.seconds, event.seconds),
        event.error or so_far.error,
        tuple(dict.fromkeys((*so_far.notes, *event.notes))),
    )
