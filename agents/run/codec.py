"""Events as rows of the board and back: (role, kind, content, score), lossless.

An event is stored under the name of its class. Stored names stand in every run that was ever kept, and in what
`--jsonl` prints: give the old name of a class that is renamed to `stored_events`.
"""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Generic, NamedTuple, TypeVar, get_args

from agents.run.events import PaperFound, RunEvent, SourceAnswered

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
