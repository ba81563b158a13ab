"""The events that every kind of run has, as small frozen records: papers found, costs, failures.

A run is exactly the stream of its events: the command line, `--jsonl`, the search log, replay and resume all read this
stream. Works are named by a number within the run, because their identifiers grow as sources answer.
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
"""Who judged: a language model, a built-in rule, the person, or a simulated judge of a benchmark."""
Link = Literal["references", "citations"]
LINKS: tuple[Link, ...] = get_args(Link)
Direction = Literal["method", "application", "limitation", "facet", "need"]
"""What a new query asks for beyond the question: another method, an application, a limitation, a facet, or a need that
few papers meet."""
Ending = Literal["complete", "stopped", "budget"]


@dataclass(frozen=True, slots=True)
class FoundBy:
    """How a work was found: at a rank (from 1) in the list that `source` returned for `query`, or by a link of the work
    `link_of`.

    `record` is the source's own name of the record, which counts records in overlapping lists once; "" in runs of
    earlier versions.
    """

    source: str
    query: str
    rank: int
    link: Link | None = None
    link_of: WorkId | None = None
    record: str = ""


@dataclass(frozen=True, slots=True)
class ReadQuery:
    """A query, and its keyword form for sources that search better with keywords (SPAR §3.2)."""

    text: str
    keywords: tuple[tuple[str, str], ...] = ()

    def text_for(self, source: str) -> str:
        """Return the text to send to `source`."""
        return dict(self.keywords).get(source, self.text)


@dataclass(frozen=True, slots=True)
class QueryPlanned:
    """A query planned for a source: `sent` as rewritten for the source, in the syntax `form`, for papers that appeared
    `since` a day."""

    source: str
    query: str
    round: int = 1
    sent: str | None = None
    form: Form = "words"
    since: date | None = None

    @property
    def words(self) -> str:
        """The text sent to the source."""
        return self.sent or self.query


@dataclass(frozen=True, slots=True)
class SourceAnswered:
    """A source answered a query, failed, or was skipped; `error` gives the reason. `asked` is False if a source was
    not asked because it had failed before."""

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
    """A record arrived; `paper` is the whole work with the record merged in."""

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
    """Another source supplied the missing abstract of a work."""

    work: WorkId
    paper: Paper


@dataclass(frozen=True, slots=True)
class Spent:
    """The cost of a step at the language model; `usd` is None if the price is unknown.

    `prompt_version` is the version of the prompt's wording. Tokens are estimated if the endpoint does not count them,
    and money is computed from the person's prices if it does not report the price.
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
        """Return the cost of `step` from `usage`."""
        fields = usage._asdict()
        return cls(step, **fields, prompt_version=prompt_version)


@dataclass(frozen=True, slots=True)
class Warned:
    """A warning for the person."""

    sentence: str


RunEvent = QueryPlanned | SourceAnswered | PaperFound | WorksJoined | AbstractFilled | Spent | Warned
"""The events that every kind of run has."""


E = TypeVar("E")


def stored_events(union: Any, **renamed: type) -> dict[str, type]:
    """Return the classes in a union by stored name: the name given in `renamed`, else the name of the class."""
    names = {kind: name for name, kind in renamed.items()}
    return {names.get(kind, kind.__name__): kind for kind in get_args(union)}


RUN_EVENTS: Mapping[str, type] = stored_events(RunEvent)
"""The events of every kind of run, by stored name."""
SHARED_ROLE = "search"
"""Who posts the shared events that do not come from a source, in runs of every kind."""


class EventRow(NamedTuple):
    """A stored event: who posted it, its kind, its fields as JSON values, and its score, if any."""

    role: str
    kind: str
    content: dict[str, Any]
    score: float | None


class EventCodec(Generic[E]):
    """Encodes and decodes the events of one kind of run.

    `own` are the kind's own events by stored name, and `role` is who posts them; `roles` overrides it per class.
    `score_of` returns the score of an event, if any. `stored_fields` maps attributes to their stored names where they
    differ.
    """

    def __init__(
        self,
        role: str,
        own: Mapping[str, type],
        score_of: Callable[[E], float | None] = lambda event: None,
        stored_fields: Mapping[type, Mapping[str, str]] | None = None,
        roles: Mapping[type, str] | None = None,
    ) -> None:
        self.events: Mapping[str, type] = {**RUN_EVENTS, **own}
        self._names = {kind: name for name, kind in self.events.items()}
        self._role, self._score_of = role, score_of
        self._stored_fields = stored_fields or {}
        self._roles = roles or {}

    def keeps(self, event: E) -> bool:
        """Whether events of this class are stored; the others exist only while the run is under way."""
        return type(event) in self._names

    def encode(self, event: E) -> EventRow:
        """Return `event` as a row, without default values."""
        kind: type = type(event)
        values = adapter(kind).dump_python(event, mode="json", exclude_defaults=True)
        content = {self.stored_field(kind, name): value for name, value in values.items()}
        return EventRow(self._role_of(event), self._names[kind], content, self._score_of(event))

    def decode(self, kind: str, content: Mapping[str, Any]) -> E | None:
        """Return the event of a row; None if this version does not know its kind."""
        if kind not in self.events:
            return None
        renamed = self._stored_fields.get(self.events[kind], {})
        attributes = {stored: name for name, stored in renamed.items()}
        values = {attributes.get(stored, stored): value for stored, value in content.items()}
        event: E = adapter(self.events[kind]).validate_python(values)
        return event

    def stored_field(self, kind: type, name: str) -> str:
        """Return the stored name of the attribute `name` of this class."""
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
    """Return pydantic's reader and writer of a stored record; imports pydantic on first use."""
    from pydantic import TypeAdapter

    return TypeAdapter(kind)
