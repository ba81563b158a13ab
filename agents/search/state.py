"""What a search is at any moment: the fold of its events, nothing else."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from agents.events import (
    AbstractFilled,
    Counts,
    Event,
    Finished,
    FoundBy,
    PaperFound,
    PapersRanked,
    QuestionUnderstood,
    Ranked,
    RunStarted,
    SourceAnswered,
    SourceState,
    Warned,
    WorksJoined,
)
from connectors.paper import Paper


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
    understood: QuestionUnderstood | None = None
    found: Mapping[int, FoundPaper] = field(default_factory=dict)
    sources: Mapping[str, SourceTally] = field(default_factory=dict)
    ranking: tuple[Ranked, ...] = ()
    warnings: tuple[str, ...] = ()
    finished: Finished | None = None

    def apply(self, event: Event) -> "SearchState":
        match event:
            case RunStarted():
                return replace(self, started=event)
            case QuestionUnderstood():
                return replace(self, understood=event)
            case SourceAnswered():
                return replace(self, sources={**self.sources, event.source: _tallied(self.sources, event)})
            case PaperFound(work, paper, found_by):
                ways = self.found[work].found_by if work in self.found else ()
                return replace(self, found={**self.found, work: FoundPaper(paper, (*ways, found_by))})
            case WorksJoined(kept, gone):
                return replace(self, found=_joined(self.found, kept, gone))
            case AbstractFilled(work, paper):
                return replace(self, found={**self.found, work: replace(self.found[work], paper=paper)})
            case PapersRanked(ranking):
                return replace(self, ranking=ranking)
            case Warned(sentence):
                return replace(self, warnings=(*self.warnings, sentence))
            case Finished():
                return replace(self, finished=event)
        return self

    @property
    def counts(self) -> Counts:
        """PRISMA's numbers as they stand."""
        identified = sum(len(one.found_by) for one in self.found.values())
        return Counts(identified, identified - len(self.found), len(self.found), len(self.ranking))

    @property
    def failed_sources(self) -> dict[str, str]:
        """The sources that failed or answered in part, with their sentences."""
        return failures(self.sources)


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


def _tallied(sources: Mapping[str, SourceTally], event: SourceAnswered) -> SourceTally:
    so_far = sources.get(event.source)
    if so_far is None:
        return SourceTally(
            event.state, int(event.state != "skipped"), event.found, event.seconds, event.error, event.notes
        )
    state = event.state if so_far.state == event.state else "partial"
    return SourceTally(
        state,
        so_far.asked + 1,
        so_far.found + event.found,
        max(so_far.seconds, event.seconds),
        event.error or so_far.error,
        (*so_far.notes, *event.notes),
    )


def _joined(found: Mapping[int, FoundPaper], kept: int, gone: int) -> dict[int, FoundPaper]:
    ways = (*found[kept].found_by, *found[gone].found_by)
    return {**{work: one for work, one in found.items() if work != gone}, kept: replace(found[kept], found_by=ways)}
