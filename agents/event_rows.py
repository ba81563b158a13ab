"""Events as rows of the board and back: (role, kind, content, score), lossless."""

from functools import cache
from typing import Any, NamedTuple, get_args

from agents.events import Event, PaperFound, PapersRanked, SourceAnswered
from agents.summary.events import SummaryEvent

Kinds = dict[str, Any]
_SEARCH: Kinds = {kind.__name__: kind for kind in get_args(Event)}
_SUMMARY: Kinds = {kind.__name__: kind for kind in get_args(SummaryEvent)}


class EventRow(NamedTuple):
    """An event as the board keeps it: who posted it, its kind, its fields as JSON values, and a score if it has one."""

    role: str
    kind: str
    content: dict[str, Any]
    score: float | None


def to_row(event: Event | SummaryEvent) -> EventRow:
    """`event` as a row; default values are left out."""
    content = _adapter(type(event).__name__).dump_python(event, mode="json", exclude_defaults=True)
    score = event.ranking[0].score if isinstance(event, PapersRanked) and event.ranking else None
    return EventRow(_role(event), type(event).__name__, content, score)


def from_row(kind: str, content: dict[str, Any]) -> Event | None:
    """The event of a search's row; None for a kind that this version does not know."""
    event: Event | None = _read(_SEARCH, kind, content)
    return event


def from_summary_row(kind: str, content: dict[str, Any]) -> SummaryEvent | None:
    """The event of a summary's row; None for a kind that this version does not know."""
    event: SummaryEvent | None = _read(_SUMMARY, kind, content)
    return event


def _read(kinds: Kinds, kind: str, content: dict[str, Any]) -> Any:
    return _adapter(kind).validate_python(content) if kind in kinds else None


def _role(event: Event | SummaryEvent) -> str:
    match event:
        case SourceAnswered(source):
            return source
        case PaperFound(_, _, found_by):
            return found_by.source
    return "search" if type(event).__name__ in _SEARCH else "summary"


@cache
def _adapter(kind: str):  # type: ignore[no-untyped-def]  # pydantic's adapter, imported where it is used
    from pydantic import TypeAdapter

    return TypeAdapter({**_SEARCH, **_SUMMARY}[kind])
