"""The events of a recommendation, as small frozen records: the messages of ARAG's blackboard (§2.3).

Papers of the history are named by their numbers in the library, candidates by their numbers in the run.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from typing import Literal

from agents.run.events import Ending, JudgedBy, RunEvent
from agents.run.findings import Findings
from agents.taste.records import Ground as Ground
from agents.taste.records import HistoryPaper as HistoryPaper
from connectors.paper import WorkId

Facet = Literal["like", "dislike", "expect"]
Way = Literal["near", "linked", "watched", "starter", "source"]
"""How a candidate was recalled: near the history in the library, linked to a paper of the history, found by a watch, on
the starter shelf, or named by a live source."""
Alignment = Literal["supports", "neutral", "contradicts"]


@dataclass(frozen=True, slots=True)
class RecommendationStarted:
    """The first event: the options of the run. Ages are counted from `today`.

    The run starts from the papers `start` (library numbers), the papers with `tag`, the landmarks of `field`, or else
    the whole history. Papers that were known at the time `new_since` are left out.
    """

    sources: tuple[str, ...]
    limit: int
    seed: int = 0
    today: date = date(1, 1, 1)
    model: str | None = None
    start: tuple[int, ...] = ()
    tag: str | None = None
    field: str | None = None
    new_since: datetime | None = None


@dataclass(frozen=True, slots=True)
class ProfileLine:
    """A line of the person's profile: written by the person, or inferred from the `papers` of their history."""

    facet: Facet
    text: str
    papers: tuple[int, ...] = ()
    by: JudgedBy = "built-in"
    number: int | None = None
    """Number of a line that the person wrote."""


@dataclass(frozen=True, slots=True)
class ContextRead:
    """The user context u = (C_lt, C_st) of ARAG §2.1: the heaviest papers of the history, those of the current session,
    unwanted papers, the person's own lines, and the history in groups by subject, heaviest first. `papers` is the size
    of the whole history."""

    history: tuple[HistoryPaper, ...]
    papers: int
    session: tuple[int, ...] = ()
    unwanted: tuple[HistoryPaper, ...] = ()
    lines: tuple[ProfileLine, ...] = ()
    groups: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Recalled:
    """A candidate: its cosine similarity to the history, and how it was recalled. `number` is its number in the
    library, None if it is not there."""

    work: WorkId
    similarity: float
    ways: tuple[Way, ...] = ()
    number: int | None = None


@dataclass(frozen=True, slots=True)
class CandidatesRecalled:
    """The recall set I⁰ (ARAG §2.2.1), best first, chosen from `known` papers."""

    candidates: tuple[Recalled, ...]
    known: int


@dataclass(frozen=True, slots=True)
class InterestsUnderstood:
    """S_user (ARAG §2.2.4): the person's likes, dislikes and expectations; `now` is their aim in this session, "" if
    unknown."""

    lines: tuple[ProfileLine, ...]
    now: str = ""
    by: JudgedBy = "built-in"


@dataclass(frozen=True, slots=True)
class CandidateAligned:
    """s_NLI(i, u) of ARAG §2.2.2: how well a candidate fits the person's history, from 0 to 1, and its grounds.

    If the candidate is shown, `GroundsLookedUp` adds what it shares with its grounds. `named` are papers in `grounds`
    and `against` that the user context does not name. `against` is the unwanted paper that speaks most against it.
    `reason` is the model's sentence; it is `unproven` if its quote is not in the candidate. `rests_on` are the papers
    of the history, wanted or not, that the model cites for it; only `grounds` says what they share with it.
    """

    work: WorkId
    score: float
    alignment: Alignment = "neutral"
    grounds: tuple[Ground, ...] = ()
    against: Ground | None = None
    unmet: str = ""
    reason: str = ""
    quote: str = ""
    unproven: bool = False
    by: JudgedBy = "built-in"
    named: tuple[HistoryPaper, ...] = ()
    rests_on: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Theme:
    """A subject of some accepted candidates, and its importance to the person, from 0 to 1."""

    name: str
    works: tuple[WorkId, ...]
    salience: float


@dataclass(frozen=True, slots=True)
class ContextSummarized:
    """S_ctx (ARAG §2.2.3): the subjects of the accepted candidates I⁺, with the person's interests as prior and the
    alignment as salience. `common` is each candidate's support by the accepted ones, from 0 to 1. `text` is the model's
    summary, "" by rule."""

    accepted: tuple[WorkId, ...]
    threshold: float
    themes: tuple[Theme, ...] = ()
    common: tuple[tuple[WorkId, float], ...] = ()
    by: JudgedBy = "built-in"
    text: str = ""


@dataclass(frozen=True, slots=True)
class RankedCandidate:
    """A candidate in the ranking: its final score, and the reason for its rank beyond its alignment, "" if none. A
    model's reason is `unproven`."""

    work: WorkId
    score: float
    why: str = ""
    unproven: bool = False


@dataclass(frozen=True, slots=True)
class CandidatesRanked:
    """π and the explanation trace (ARAG §2.2.5): a permutation of the recall set, best first."""

    ranking: tuple[RankedCandidate, ...]
    by: JudgedBy = "built-in"


@dataclass(frozen=True, slots=True)
class GroundsLookedUp:
    """The `grounds` of a shown paper with what it shares with each; they replace the grounds of its alignment."""

    work: WorkId
    grounds: tuple[Ground, ...] = ()


@dataclass(frozen=True, slots=True)
class RecommendationFinished:
    """The last event; `seconds` is the time since the run began or was resumed."""

    seconds: float = 0.0
    ending: Ending = "complete"


RecommendationEvent = (
    RecommendationStarted
    | ContextRead
    | CandidatesRecalled
    | InterestsUnderstood
    | CandidateAligned
    | ContextSummarized
    | CandidatesRanked
    | GroundsLookedUp
    | RecommendationFinished
    | RunEvent
)


@dataclass(frozen=True, slots=True)
class RecommendationState:
    """A recommendation so far. `findings` has the results of sources, and the costs."""

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
        """How much each paper of the history supports each candidate's score, according to its grounds."""
        return {
            work: {ground.number: ground.support for ground in aligned.grounds}
            for work, aligned in self.aligned.items()
        }

    @property
    def history(self) -> Mapping[int, HistoryPaper]:
        """The papers of the history that reasons can name, wanted and unwanted, by library number."""
        if self.context is None:
            return {}
        further = (paper for aligned in self.aligned.values() for paper in aligned.named)
        return {paper.number: paper for paper in (*further, *self.context.unwanted, *self.context.history)}

    @property
    def shown(self) -> list[RankedCandidate]:
        """The recommended papers, best first: as many as were requested, none that contradicts the history."""
        if self.ranked is None or self.started is None:
            return []
        entries = [entry for entry in self.ranked.ranking if not self.contradicts(entry.work)]
        return entries[: self.started.limit]

    def contradicts(self, work: WorkId) -> bool:
        """Whether a candidate contradicts the person's history."""
        return work in self.aligned and self.aligned[work].alignment == "contradicts"
