"""What happens in every kind of run, told as small frozen records: what sources found, what it cost, what went wrong.

A run is the stream of its events and nothing else: the command line, `--jsonl`, the search log, replay and resume all
read the one stream. Works are named by a number within the run, because a work's identifiers grow as sources answer.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import Any, Generic, Literal, NamedTuple, TypeVar, get_args

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
        fields = usage._asdict()
        return cls(step, **fields, prompt_version=prompt_version)


@dataclass(frozen=True, slots=True)
class Warned:
    """Something the person should know."""

    sentence: str


RunEvent = QueryPlanned | SourceAnswered | PaperFound | WorksJoined | AbstractFilled | Spent | Warned
"""The events that every kind of run has."""


E = TypeVar("E")


def stored_events(union: Any, **renamed: type) -> dict[str, type]:
    """Return the classes in a union by their stored names: those of the classes, but for what was `renamed`."""
    names = {kind: name for name, kind in renamed.items()}
    return {names.get(kind, kind.__name__): kind for kind in get_args(union)}


RUN_EVENTS: Mapping[str, type] = stored_events(RunEvent)
"""The events of every kind of run by the names under which they are stored."""
SHARED_ROLE = "search"
"""Who posts those of them that no source answered, in runs of every kind."""


class EventRow(NamedTuple):
    """An event as the board keeps it: who posted it, its kind, its fields as JSON values, and a score if it has one."""

    role: str
    kind: str
    content: dict[str, Any]
    score: float | None


def no_score(event: object) -> float | None:
    """Events that have no score."""
    return None


class EventCodec(Generic[E]):
    """Reads and writes the events of one kind of run.

    `own` are the kind's own events by their stored names, and `role` is who posts them; `score_of` gives the score of
    an event that has one. `stored_fields` are the stored names of those attributes of a class that are called otherwise
    there. `roles` are who posts events of some classes, where several post.
    """

    def __init__(
        self,
        role: str,
        own: Mapping[str, type],
        score_of: Callable[[E], float | None] = no_score,
        stored_fields: Mapping[type, Mapping[str, str]] | None = None,
        roles: Mapping[type, str] | None = None,
    ) -> None:
        self.events: Mapping[str, type] = {**RUN_EVENTS, **own}
        self._names = {kind: name for name, kind in self.events.items()}
        self._role, self._score_of = role, score_of
        self._stored_fields = stored_fields or {}
        self._roles = roles or {}

    def keeps(self, event: E) -> bool:
        """Whether events of this class are stored at all; others are told while the run goes on, and gone after it."""
        return type(event) in self._names

    def encode(self, event: E) -> EventRow:
        """`event` as a row; default values are left out."""
        kind: type = type(event)
        values = adapter(kind).dump_python(event, mode="json", exclude_defaults=True)
        content = {self.stored_field(kind, name): value for name, value in values.items()}
        return EventRow(self._role_of(event), self._names[kind], content, self._score_of(event))

    def decode(self, kind: str, content: Mapping[str, Any]) -> E | None:
        """The event of a row; None for a kind that this version does not know."""
        if kind not in self.events:
            return None
        renamed = self._stored_fields.get(self.events[kind], {})
        attributes = {stored: name for name, stored in renamed.items()}
        values = {attributes.get(stored, stored): value for stored, value in content.items()}
        event: E = adapter(self.events[kind]).validate_python(values)
        return event

    def stored_field(self, kind: type, name: str) -> str:
        """The name under which the attribute `name` of events of this class is stored."""
        return self._stored_fields.get(kind, {}).get(name, name)

    def _role_of(self, event: E) -> str:
        match event:
            case SourceAnswered(source):
                return source
            case PaperFound(_, _, found_by):
                return found_by.source
        if type(event) in RUN_EVENTS.values():
            return SHARED_ROLE
        return self._roles.get(type(event), self._role)


@cache
def adapter(kind: type) -> Any:
    """The reader and writer of a stored record, which is pydantic's and imported where it is used."""
    from pydantic import TypeAdapter

    return TypeAdapter(kind)
