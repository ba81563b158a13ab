"""The events of a search, apart from those of every run (SPAR §3)."""

from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING, Literal

from agents.run.events import Direction, Ending, JudgedBy, Link, ReadQuery, RunEvent
from agents.taste.records import Ground, HistoryPaper
from connectors.paper import WorkId

if TYPE_CHECKING:
    from cache.conditions.filters import Filter

Decision = Literal["included", "excluded", "later"]
"""Decision of a person who screened the records one by one."""
Stage = Literal["understanding", "retrieving", "judging", "references", "judging references", "evolving", "reranking"]


@dataclass(frozen=True, slots=True)
class RunStarted:
    """The first event of a search: the person's question and options. `today` is the day when it was asked."""

    question: str
    sources: tuple[str, ...]
    since: date | None = None
    until: date | None = None
    limit: int = 20
    mode: str = "fast"
    seed: int = 0
    today: date = date(1, 1, 1)
    model: str | None = None


@dataclass(frozen=True, slots=True)
class StageChanged:
    """The search enters `stage` of `round` (from 1); all earlier stages are done."""

    stage: Stage
    round: int


@dataclass(frozen=True, slots=True)
class QuestionUnderstood:
    """How the question was read (SPAR §3.1), and `by` whom. The first of `queries` is the question itself.

    `source_reasons` says why a source is asked. `refined_because` is "" if the question needed no other queries.
    `meaning` and `needs` are as in `SearchIntent`. A paper may be from any of `venues`; earlier versions stored them as
    one text, `venue`. `others` are further conditions, written as a filter: `-type:review cited:..99`.
    """

    queries: tuple[str, ...]
    sources: tuple[str, ...]
    since: date | None = None
    until: date | None = None
    intent: str | None = None
    domain: str | None = None
    by: JudgedBy = "built-in"
    recent: bool = False
    authors: tuple[str, ...] = ()
    venue: str | None = None
    min_citations: int | None = None
    open_access: bool = False
    papers: tuple[str, ...] = ()
    source_reasons: tuple[tuple[str, str], ...] = ()
    refined_because: str = ""
    read_queries: tuple[ReadQuery, ...] = ()
    meaning: str = ""
    needs: tuple[str, ...] = ()
    venues: tuple[str, ...] = ()
    renowned: bool = False
    others: str = ""

    @property
    def all_venues(self) -> tuple[str, ...]:
        """The venues, also from events of earlier versions."""
        if self.venues or not self.venue:
            return self.venues
        from cache.conditions.venue_names import venues_in  # imported late: it loads the whole question parser

        return venues_in(self.venue)

    @property
    def limits(self) -> tuple[str, ...]:
        """The question's conditions in words: `since 2020-01-01`, `in NeurIPS or ICLR`."""
        limits = [f"since {self.since}"] if self.since else []
        limits += [f"until {self.until}"] if self.until else []
        limits += [f"by {' or '.join(self.authors)}"] if self.authors else []
        limits += [f"in {' or '.join(self.all_venues)}"] if self.all_venues else []
        limits += [f"cited at least {self.min_citations:,} times"] if self.min_citations else []
        limits += ["open access"] if self.open_access else []
        limits += [f"with {term.phrase}" if term.row.has else term.phrase for term in self.other_conditions.terms]
        return tuple(limits)

    @property
    def outside(self) -> str:
        """The dates that the question excludes, in words: `before 2020-01-01 or after 2024-12-31`; "" for none."""
        before = [f"before {self.since}"] if self.since else []
        return " or ".join([*before, *([f"after {self.until}"] if self.until else [])])

    @property
    def other_conditions(self) -> "Filter":
        """The conditions in `others`."""
        from cache.conditions.filters import Filter, FilterScope, parsed  # imported late: few questions have any

        return parsed(self.others, FilterScope("in a question", "", ("paper",))) if self.others else Filter()


@dataclass(frozen=True, slots=True)
class PapersAssessed:
    """The built-in probability of relevance of every work within bounds; replaces any earlier assessment.

    `compared` is the number of works compared with the question by meaning, `by` the encoder's label.
    """

    scores: tuple[tuple[WorkId, float], ...]
    compared: int = 0
    by: str = ""


@dataclass(frozen=True, slots=True)
class CandidatesChosen:
    """The works that the judge gets in this step, best first."""

    works: tuple[WorkId, ...]
    step: int


@dataclass(frozen=True, slots=True)
class PaperJudged:
    """A judgement from 0 to 1 with its reason. `quote` is copied verbatim from the title or abstract, or from the
    `page` of the paper's PDF.

    `unsupported` marks a score that counts less for want of such a quote. `needs` are the needs of the question that
    the paper helps with, numbered from 1. `best` marks a paper that the model is sure is among the best of its label,
    `by_words` one of which the model saw only the words, not the text.
    """

    work: WorkId
    score: float
    reason: str = ""
    quote: str = ""
    by: JudgedBy = "built-in"
    unsupported: bool = False
    needs: tuple[int, ...] = ()
    page: int | None = None
    best: bool = False
    by_words: bool = False

    @property
    def proven(self) -> bool:
        """Whether the reason has support: a quote if it is a model's, counted words if it is a rule's."""
        return self.by != "model" or (bool(self.quote) and not self.by_words)


@dataclass(frozen=True, slots=True)
class FeedbackWithdrawn:
    """The person's judgement of a work no longer counts."""

    work: WorkId


@dataclass(frozen=True, slots=True)
class PaperScreened:
    """A person's decision on a work that they screened, and why; None withdraws the decision. It is also their
    judgement: included works are relevant, excluded ones are not."""

    work: WorkId
    decision: Decision | None
    reason: str = ""

    @property
    def judgement(self) -> PaperJudged | None:
        """The judgement that the decision implies; None if it is left open."""
        if self.decision is None or self.decision == "later":
            return None
        text = f"You {self.decision} it{f': {self.reason}' if self.reason else ''}"
        return PaperJudged(self.work, float(self.decision == "included"), text, by="person")


@dataclass(frozen=True, slots=True)
class ReportEdited:
    """A person's additions to the report of the search, by PRISMA-S item; they replace all earlier ones."""

    answers: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class ReferencesFollowed:
    """The links of a seed paper were followed: number of papers listed, and number of new works among them.

    A request for the papers citing any of several seeds lists only the first of them.
    """

    seed: WorkId
    link: Link
    round: int
    listed: int
    new: int
    sources: tuple[str, ...] = ()
    error: str | None = None


@dataclass(frozen=True, slots=True)
class EvolvedQuery:
    """A new query in one direction (SPAR A.2), with the relevant `work` from which it is drawn, if any. `chosen`
    queries are sent next. `keywords` are its words for sources that search better with keywords."""

    query: str
    direction: Direction
    work: WorkId | None = None
    chosen: bool = False
    keywords: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class QueriesEvolved:
    """New queries after `round`."""

    round: int
    queries: tuple[EvolvedQuery, ...]
    by: JudgedBy = "built-in"


@dataclass(frozen=True, slots=True)
class Ranked:
    """A work in the answer: `score` sets the order, `relevance` is to the question; both from 0 to 1.

    `why` names what moved it besides relevance.
    """

    work: WorkId
    score: float
    relevance: float
    why: str = ""


@dataclass(frozen=True, slots=True)
class PapersRanked:
    """The order of the answer; works missing here were screened and left out."""

    ranking: tuple[Ranked, ...]
    by: JudgedBy = "built-in"


@dataclass(frozen=True, slots=True)
class PersonalPlace:
    """A shown work that the person's taste moved from rank `before` (from 1) to rank `after`. `taste` is how well it
    fits the taste, from 0 to 1; `grounds` and `against` are the papers of the history behind that."""

    work: WorkId
    before: int
    after: int
    taste: float
    grounds: tuple[Ground, ...] = ()
    against: Ground | None = None


@dataclass(frozen=True, slots=True)
class PersonallyRanked:
    """The shown works in the order of the person's taste, each with the score of its new rank.

    `places` explains the moves; works from which the taste is read have none, and keep their ranks. `history` are the
    papers behind it. `known` is the number of papers and profile lines that say something of the person; if 0, nothing
    moves.
    """

    ranking: tuple[Ranked, ...] = ()
    places: tuple[PersonalPlace, ...] = ()
    history: tuple[HistoryPaper, ...] = ()
    known: int = 0


@dataclass(frozen=True, slots=True)
class Counts:
    """The counts of PRISMA 2020: records identified, duplicates removed, works screened, works included."""

    identified: int = 0
    duplicates: int = 0
    screened: int = 0
    included: int = 0


@dataclass(frozen=True, slots=True)
class Finished:
    """The last event; `seconds` is the time since the search began or was resumed."""

    counts: Counts = field(default_factory=Counts)
    seconds: float = 0.0
    ending: Ending = "complete"


Event = (
    RunStarted
    | StageChanged
    | QuestionUnderstood
    | PapersAssessed
    | CandidatesChosen
    | PaperJudged
    | FeedbackWithdrawn
    | PaperScreened
    | ReportEdited
    | ReferencesFollowed
    | QueriesEvolved
    | PapersRanked
    | PersonallyRanked
    | Finished
    | RunEvent
)
