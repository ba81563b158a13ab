"""What happens in every kind of run, told as small frozen records: what sources found, what it cost, what went wrong.

A run is the stream of its events and nothing else: the command line, `--jsonl`, the search log, replay and resume all
read the one stream. Works are named by a number within the run, because a work's identifiers grow as sources answer.
"""

from dataclasses import dataclass
from datetime import date
from typing import Literal, get_args

from agents.llm.usage import Usage
from connectors.paper import Paper, WorkId
from connectors.source import Form

SourceState = Literal["ok", "partial", "failed", "stopped", "skipped"]
JudgedBy = Literal["model", "built-in", "person", "simulated"]
"""Who reasoned: a language model, a built-in rule, the person, or a judge that a benchmark simulates."""
Link = Literal["references", "citations"]
LINKS: tuple[Link, ...] = get_args(Link)
Direction = Literal["method", "application", "limitation", "facet", "need"]
"""What a new query asks beside the question: for another method, an application, a limitation, a facet, or something
that is wanted and that few papers were found for."""
Ending = Literal["complete", "stopped", "budget"]


@dataclass(frozen=True, slots=True)
class FoundBy:
    """How a work was found: in the list (from 1) that `source` gave for `query`, or by a link of the work `link_of`.

    `record` is the source's own name of the record in its list, by which the records of overlapping lists are counted
    once; "" in runs of earlier versions.
    """

    source: str
    query: str
    rank: int
    link: Link | None = None
    link_of: WorkId | None = None
    record: str = ""


@dataclass(frozen=True, slots=True)
class ReadQuery:
    """A query, and its keywords by source where a source is better asked in its own way (SPAR §3.2)."""

    text: str
    keywords: tuple[tuple[str, str], ...] = ()

    def text_for(self, source: str) -> str:
        """What to send to `source`."""
        return dict(self.keywords).get(source, self.text)


@dataclass(frozen=True, slots=True)
class QueryPlanned:
    """A query goes to a source, as `sent` if the source is asked in its own words, written in `form`, for papers that
    have appeared `since` a day."""

    source: str
    query: str
    round: int = 1
    sent: str | None = None
    form: Form = "words"
    since: date | None = None

    @property
    def words(self) -> str:
        """What the source is asked in."""
        return self.sent or self.query


@dataclass(frozen=True, slots=True)
class SourceAnswered:
    """A source answered a query, failed, or was left out; `error` says why.

    One that failed may not have been `asked` at all: it was left alone, because it had failed before.
    """

    source: str
    query: str
    state: SourceState
    found: int = 0
    seconds: float = 0.0
    error: str | None = None
    total: int | None = None
    sent: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    asked: bool = True


@dataclass(frozen=True, slots=True)
class PaperFound:
    """A record arrived; `paper` is the whole work with it merged in."""

    work: WorkId
    paper: Paper
    found_by: FoundBy


@dataclass(frozen=True, slots=True)
class WorksJoined:
    """A record showed that two works are one."""

    kept: WorkId
    gone: WorkId


@dataclass(frozen=True, slots=True)
class AbstractFilled:
    """A work without an abstract got one from another source."""

    work: WorkId
    paper: Paper


@dataclass(frozen=True, slots=True)
class Spent:
    """What a step cost at the language model; `usd` is None where the price is not known.

    `prompt_version` is that of the wording with which it was asked. Figures that the endpoint did not tell are
    estimated: tokens that it does not count, money by the prices that the person set.
    """

    step: str
    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    usd: float | None = None
    remembered: int = 0
    prompt_version: int | None = None
    tokens_estimated: bool = False
    usd_estimated: bool = True

    @classmethod
    def of(cls, step: str, usage: Usage, prompt_version: int | None = None) -> "Spent":
        """What `usage` says that `step` cost."""
        told = usage._asdict()
        return cls(step, **told, prompt_version=prompt_version)


@dataclass(frozen=True, slots=True)
class Warned:
    """Something the person should know."""

    sentence: str


RunEvent = QueryPlanned | SourceAnswered | PaperFound | WorksJoined | AbstractFilled | Spent | Warned
"""The events that every kind of run has."""
