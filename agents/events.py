"""What happens in a run, told as small frozen records.

A run is the stream of these events and nothing else: the command line, `--jsonl`, the search log and replay all read
the one stream. Works are named by a number within the run, because a work's identifiers grow as sources answer.
"""

from dataclasses import dataclass, field
from datetime import date
from typing import Literal

from connectors.paper import Paper

SourceState = Literal["ok", "partial", "failed", "skipped"]


@dataclass(frozen=True, slots=True)
class FoundBy:
    """How a work was found: the source, the query it answered, and the place in its list (from 1)."""

    source: str
    query: str
    rank: int


@dataclass(frozen=True, slots=True)
class RunStarted:
    """The first event of a search: the person's words and wishes."""

    question: str
    sources: tuple[str, ...]
    since: date | None = None
    until: date | None = None
    limit: int = 20


@dataclass(frozen=True, slots=True)
class QuestionUnderstood:
    """How the question was read; `by` says who read it."""

    queries: tuple[str, ...]
    sources: tuple[str, ...]
    since: date | None = None
    until: date | None = None
    intent: str | None = None
    domain: str | None = None
    by: Literal["model", "built-in"] = "built-in"


@dataclass(frozen=True, slots=True)
class QueryPlanned:
    """A query goes to a source."""

    source: str
    query: str


@dataclass(frozen=True, slots=True)
class SourceAnswered:
    """A source answered a query, failed, or was left out; `error` says why."""

    source: str
    query: str
    state: SourceState
    found: int = 0
    seconds: float = 0.0
    error: str | None = None
    total: int | None = None
    sent: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PaperFound:
    """A record arrived; `paper` is the whole work with it merged in."""

    work: int
    paper: Paper
    found_by: FoundBy


@dataclass(frozen=True, slots=True)
class WorksJoined:
    """A record showed that two works are one."""

    kept: int
    gone: int


@dataclass(frozen=True, slots=True)
class AbstractFilled:
    """A work without an abstract got one from another source."""

    work: int
    paper: Paper


@dataclass(frozen=True, slots=True)
class Ranked:
    """A work's place in the answer. `score` orders, `relevance` is to the question; both from 0 to 1."""

    work: int
    score: float
    relevance: float


@dataclass(frozen=True, slots=True)
class PapersRanked:
    """The answer's order; works that are missing here were screened and left out."""

    ranking: tuple[Ranked, ...]


@dataclass(frozen=True, slots=True)
class Warned:
    """Something the person should know."""

    sentence: str


@dataclass(frozen=True, slots=True)
class Counts:
    """PRISMA 2020's numbers: records identified, duplicates removed, works screened, works included."""

    identified: int = 0
    duplicates: int = 0
    screened: int = 0
    included: int = 0


@dataclass(frozen=True, slots=True)
class Finished:
    """The last event."""

    counts: Counts = field(default_factory=Counts)
    seconds: float = 0.0


Event = (
    RunStarted
    | QuestionUnderstood
    | QueryPlanned
    | SourceAnswered
    | PaperFound
    | WorksJoined
    | AbstractFilled
    | PapersRanked
    | Warned
    | Finished
)
