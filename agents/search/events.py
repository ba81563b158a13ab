"""What happens in a search besides what happens in every run (SPAR §3)."""

from dataclasses import dataclass, field
from datetime import date
from typing import Literal

from agents.run.events import Direction, Ending, JudgedBy, Link, ReadQuery, RunEvent
from agents.taste.records import Ground, HistoryPaper
from connectors.paper import WorkId

Decision = Literal["included", "excluded", "later"]
"""What a person decided who read the records one by one."""
Stage = Literal["understanding", "retrieving", "judging", "references", "judging references", "evolving", "reranking"]


@dataclass(frozen=True, slots=True)
class RunStarted:
    """The first event of a search: the person's words and options. `today` is what "last year" is counted from."""

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
    """The search turns to `stage` of `round` (from 1); everything that comes before it is done."""

    stage: Stage
    round: int


@dataclass(frozen=True, slots=True)
class QuestionUnderstood:
    """How the question was read (SPAR §3.1); `by` says who read it. The first of `queries` is the question itself.

    `source_reasons` says of a source why it is asked. `refined_because` is empty where the question was good as it is.
    `meaning` and `needs` are as in `Wanted`. In any of `venues` a paper may have appeared; earlier versions wrote them
    in one text, `venue`.
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

    @property
    def all_venues(self) -> tuple[str, ...]:
        """The venues, whichever version has read them."""
        if self.venues or not self.venue:
            return self.venues
        from cache.conditions.venue_names import venues_in  # which loads all that reads questions

        return venues_in(self.venue)

    @property
    def limits(self) -> tuple[str, ...]:
        """The question's bounds in words: `since 2020-01-01`, `in NeurIPS or ICLR`."""
        limits = [f"since {self.since}"] if self.since else []
        limits += [f"until {self.until}"] if self.until else []
        limits += [f"by {' or '.join(self.authors)}"] if self.authors else []
        limits += [f"in {' or '.join(self.all_venues)}"] if self.all_venues else []
        limits += [f"cited at least {self.min_citations:,} times"] if self.min_citations else []
        limits += ["open access"] if self.open_access else []
        return tuple(limits)


@dataclass(frozen=True, slots=True)
class PapersAssessed:
    """The built-in probability of relevance of every work within bounds; a later assessment replaces it whole.

    For it the meaning of so many works was `compared` with that of the question, `by` whom a person is told.
    """

    scores: tuple[tuple[WorkId, float], ...]
    compared: int = 0
    by: str = ""


@dataclass(frozen=True, slots=True)
class CandidatesChosen:
    """The works that the judge is given in this step, best first."""

    works: tuple[WorkId, ...]
    step: int


@dataclass(frozen=True, slots=True)
class PaperJudged:
    """A judgement from 0 to 1 with its reason. `quote` stands word for word in the title or abstract, or on the `page`
    of the paper's PDF.

    `unsupported` marks a score that was lowered because no such quote was given for it. `needs` are those of the
    question that the paper helps with, by their place from 1. `best` marks a paper that the model is sure is among the
    best of its label, `by_words` one of which it has seen the words and not read the text.
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
        """Whether something stands behind the reason: a model's takes words of the paper, a rule has counted."""
        return self.by != "model" or (bool(self.quote) and not self.by_words)


@dataclass(frozen=True, slots=True)
class FeedbackWithdrawn:
    """The person's judgement of a work no longer counts."""

    work: WorkId


@dataclass(frozen=True, slots=True)
class PaperScreened:
    """What the person decided of a work that they read for it, and why; None takes the decision back. It is their
    judgement as well: what is included is relevant, what is excluded is not."""

    work: WorkId
    decision: Decision | None
    reason: str = ""

    @property
    def judgement(self) -> PaperJudged | None:
        """What the decision says of the work; None where it is left open."""
        if self.decision is None or self.decision == "later":
            return None
        text = f"You {self.decision} it{f': {self.reason}' if self.reason else ''}"
        return PaperJudged(self.work, float(self.decision == "included"), text, by="person")


@dataclass(frozen=True, slots=True)
class ReportEdited:
    """What a person says of the search in its report, by the items of PRISMA-S; it replaces what they said before."""

    answers: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class ReferencesFollowed:
    """The links of a seed paper were followed: how many were listed, and how many works that brought that were new.

    Of citing papers that were asked for together with those of others, only the first are listed.
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
    """A new query in one direction (SPAR A.2), out of a relevant `work` where it is drawn from one; `chosen` ones are
    asked next. `keywords` is what sources are sent that are better asked in their own way."""

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
    """A work's place in the answer. `score` orders, `relevance` is to the question; both from 0 to 1.

    `why` says what besides relevance moved it.
    """

    work: WorkId
    score: float
    relevance: float
    why: str = ""


@dataclass(frozen=True, slots=True)
class PapersRanked:
    """The answer's order; works that are missing here were screened and left out."""

    ranking: tuple[Ranked, ...]
    by: JudgedBy = "built-in"


@dataclass(frozen=True, slots=True)
class PersonalPlace:
    """A work that was shown at the place `before` (from 1) and is at `after` by the person's taste; `taste` says how
    well it fits that, from 0 to 1, and `grounds` and `against` what of the person's history that rests on."""

    work: WorkId
    before: int
    after: int
    taste: float
    grounds: tuple[Ground, ...] = ()
    against: Ground | None = None


@dataclass(frozen=True, slots=True)
class PersonallyRanked:
    """The works that the answer shows in the order of the person's taste, each with the score of its new place.

    `places` says what moved them; those that the taste is read from have none, and keep their places. `history` are the
    papers that this rests on. `known` counts what says anything of the person, papers and lines of their profile; with
    none, nothing is moved.
    """

    ranking: tuple[Ranked, ...] = ()
    places: tuple[PersonalPlace, ...] = ()
    history: tuple[HistoryPaper, ...] = ()
    known: int = 0


@dataclass(frozen=True, slots=True)
class Counts:
    """PRISMA 2020's numbers: records identified, duplicates removed, works screened, works included."""

    identified: int = 0
    duplicates: int = 0
    screened: int = 0
    included: int = 0


@dataclass(frozen=True, slots=True)
class Finished:
    """The last event; `seconds` are those since the search began, or since it was taken up again."""

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
