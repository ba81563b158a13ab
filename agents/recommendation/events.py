"""What happens in a recommendation, told as small frozen records: the messages of ARAG's blackboard (§2.3).

Papers of the person's history go by their numbers in the library, candidates by their numbers in the run.
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
"""How a candidate came into the recall set: near to the history in the library, linked to a paper of it, new in a
watch, on the starter shelf, or named by a live source."""
Alignment = Literal["supports", "neutral", "contradicts"]


@dataclass(frozen=True, slots=True)
class RecommendationStarted:
    """The first event: what was asked for. `today` is the day that ages are counted from.

    It starts from the papers `start` (by their numbers in the library), those with `tag`, the landmarks of `field`, or
    the whole history if there is none of these. What was known at the moment `new_since` is left out.
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
    """A line of the person's profile: their own, or what was understood from the `papers` of their history."""

    facet: Facet
    text: str
    papers: tuple[int, ...] = ()
    by: JudgedBy = "built-in"
    number: int | None = None
    """The number of a line that the person has written."""


@dataclass(frozen=True, slots=True)
class ContextRead:
    """The user context u = (C_lt, C_st) of ARAG §2.1: the weightiest papers of the history, those of the session that
    is going on, those that the person does not want, the person's own lines, and the history in groups of one subject
    each, the weightiest first. `papers` counts the whole history."""

    history: tuple[HistoryPaper, ...]
    papers: int
    session: tuple[int, ...] = ()
    unwanted: tuple[HistoryPaper, ...] = ()
    lines: tuple[ProfileLine, ...] = ()
    groups: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Recalled:
    """A candidate: its similarity to the history (a cosine), and how it came in. `number` is its number in the library,
    None if it is not there."""

    work: WorkId
    similarity: float
    ways: tuple[Way, ...] = ()
    number: int | None = None


@dataclass(frozen=True, slots=True)
class CandidatesRecalled:
    """The recall set I⁰ (ARAG §2.2.1), best first; `known` counts the papers that it was chosen from."""

    candidates: tuple[Recalled, ...]
    known: int


@dataclass(frozen=True, slots=True)
class InterestsUnderstood:
    """S_user (ARAG §2.2.4): what the person seems to like, dislike and expect; `now` is what they seem to be after in
    this session, "" if nothing tells."""

    lines: tuple[ProfileLine, ...]
    now: str = ""
    by: JudgedBy = "built-in"


@dataclass(frozen=True, slots=True)
class CandidateAligned:
    """s_NLI(i, u) of ARAG §2.2.2: how well a candidate fits the person's history, from 0 to 1, and what that rests on.

    What it shares with its grounds is told later, if it is shown (`GroundsLookedUp`). `named` are those papers of the
    history that it rests on and that the user context does not name. `against` is the paper the person does not want
    that speaks most against it. `reason` is the model's sentence; it is `unproven` if the words that it quotes do not
    stand in the candidate. `rests_on` are the papers of the history, wanted or not, that the model names for it; what
    they share with the candidate is told by `grounds` alone.
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
    """What some of the accepted candidates have in common, and how much that matters to the person, from 0 to 1."""

    name: str
    works: tuple[WorkId, ...]
    salience: float


@dataclass(frozen=True, slots=True)
class ContextSummarized:
    """S_ctx (ARAG §2.2.3): what the accepted candidates I⁺ are about, with the person's interests as prior and the
    alignment as salience. `common` says of each candidate how much of it all of them share, from 0 to 1.
    `text` is what the model says of them, "" by rule."""

    accepted: tuple[WorkId, ...]
    threshold: float
    themes: tuple[Theme, ...] = ()
    common: tuple[tuple[WorkId, float], ...] = ()
    by: JudgedBy = "built-in"
    text: str = ""


@dataclass(frozen=True, slots=True)
class Placed:
    """A candidate's place: its final score, and why it stands there beyond its alignment, "" if nothing else does. What
    a model says of that is `unproven`."""

    work: WorkId
    score: float
    why: str = ""
    unproven: bool = False


@dataclass(frozen=True, slots=True)
class CandidatesRanked:
    """π and the explanation trace (ARAG §2.2.5): a permutation of the recall set, best first."""

    ranking: tuple[Placed, ...]
    by: JudgedBy = "built-in"


@dataclass(frozen=True, slots=True)
class GroundsLookedUp:
    """What a paper that is shown shares with what it rests on: its `grounds`, in place of those that it was aligned
    with."""

    work: WorkId
    grounds: tuple[Ground, ...] = ()


@dataclass(frozen=True, slots=True)
class RecommendationFinished:
    """The last event; `seconds` are those since it began, or since it was taken up again."""

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
