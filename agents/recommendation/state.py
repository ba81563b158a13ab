"""What a recommendation is at any moment: the fold of its events, nothing else."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from agents.recommendation.events import (
    CandidateAligned,
    CandidatesRanked,
    CandidatesRecalled,
    ContextRead,
    ContextSummarized,
    GroundsLookedUp,
    HistoryPaper,
    InterestsUnderstood,
    Placed,
    RecommendationEvent,
    RecommendationFinished,
    RecommendationStarted,
)
from agents.run.findings import Findings
from connectors.paper import WorkId


@dataclass(frozen=True, slots=True)
class RecommendationState:
    """A recommendation so far. `findings` is what sources found and what it cost."""

    started: RecommendationStarted | None = None
    findings: Findings = field(default_factory=Findings)
    context: ContextRead | None = None
    recalled: CandidatesRecalled | None = None
    understood: InterestsUnderstood | None = None
    aligned: Mapping[WorkId, CandidateAligned] = field(default_factory=dict)
    summarized: ContextSummarized | None = None
    ranked: CandidatesRanked | None = None
    finished: RecommendationFinished | None = None

    def apply(self, event: RecommendationEvent) -> "RecommendationState":
        match event:
            case RecommendationStarted():
                return replace(self, started=event)
            case ContextRead():
                return replace(self, context=event)
            case CandidatesRecalled():
                return replace(self, recalled=event)
            case InterestsUnderstood():
                return replace(self, understood=event)
            case CandidateAligned(work):
                return replace(self, aligned={**self.aligned, work: event})
            case GroundsLookedUp(work, grounds):
                aligned = replace(self.aligned[work], grounds=grounds)
                return replace(self, aligned={**self.aligned, work: aligned})
            case ContextSummarized():
                return replace(self, summarized=event)
            case CandidatesRanked():
                return replace(self, ranked=event)
            case RecommendationFinished():
                return replace(self, finished=event)
            case _:
                return replace(self, findings=self.findings.apply(event))

    @property
    def candidates(self) -> list[WorkId]:
        """The recall set, the nearest first."""
        works = (candidate.work for candidate in self.recalled.candidates) if self.recalled else ()
        return list(dict.fromkeys(map(self.findings.work, works)))

    @property
    def supports(self) -> Mapping[WorkId, Mapping[int, float]]:
        """What part of each candidate's score rests on which papers of the history, as far as its grounds tell."""
        return {
            work: {ground.number: ground.support for ground in aligned.grounds}
            for work, aligned in self.aligned.items()
        }

    @property
    def history(self) -> Mapping[int, HistoryPaper]:
        """The papers of the history that reasons can name, wanted and unwanted, by their numbers in the library."""
        if self.context is None:
            return {}
        further = (paper for aligned in self.aligned.values() for paper in aligned.named)
        return {paper.number: paper for paper in (*further, *self.context.unwanted, *self.context.history)}

    @property
    def shown(self) -> list[Placed]:
        """What is recommended, best first: as many as were asked for, none that speaks against the person's history."""
        if self.ranked is None or self.started is None:
            return []
        wanted = [placed for placed in self.ranked.ranking if not self.contradicts(placed.work)]
        return wanted[: self.started.limit]

    def contradicts(self, work: WorkId) -> bool:
        """Whether a candidate speaks against the person's history."""
        return work in self.aligned and self.aligned[work].alignment == "contradicts"
