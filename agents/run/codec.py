"""Events as rows of the board and back: (role, kind, content, score), lossless.

The names in the tables below stand in every run that was ever kept, and in what `--jsonl` prints: whatever becomes of a
class, its name here stays.
"""

from functools import cache
from typing import Any, NamedTuple

from agents.run.events import (
    AbstractFilled,
    CandidatesChosen,
    Event,
    FeedbackWithdrawn,
    Finished,
    PaperFound,
    PaperJudged,
    PapersAssessed,
    PapersRanked,
    QueriesEvolved,
    QueryPlanned,
    QuestionUnderstood,
    ReferencesFollowed,
    RunStarted,
    SourceAnswered,
    Spent,
    StageChanged,
    Warned,
    WorksJoined,
)
from agents.summary.events import (
    FacetDropped,
    FacetsMerged,
    FacetsPlanned,
    FacetVerified,
    NodeRetrieved,
    NodeWritten,
    SummaryEvent,
    SummaryFinished,
    SummaryStarted,
    TableFilled,
)

Kinds = dict[str, type]
_SHARED: Kinds = {
    "QueryPlanned": QueryPlanned,
    "SourceAnswered": SourceAnswered,
    "PaperFound": PaperFound,
    "WorksJoined": WorksJoined,
    "AbstractFilled": AbstractFilled,
    "Spent": Spent,
    "Warned": Warned,
}
SEARCH_EVENTS: Kinds = {
    **_SHARED,
    "RunStarted": RunStarted,
    "StageChanged": StageChanged,
    "QuestionUnderstood": QuestionUnderstood,
    "PapersAssessed": PapersAssessed,
    "CandidatesChosen": CandidatesChosen,
    "PaperJudged": PaperJudged,
    "OpinionWithdrawn": FeedbackWithdrawn,
    "ReferencesFollowed": ReferencesFollowed,
    "QueriesEvolved": QueriesEvolved,
    "PapersRanked": PapersRanked,
    "Finished": Finished,
}
"""The events of a search by the names under which they are stored."""
SUMMARY_EVENTS: Kinds = {
    **_SHARED,
    "SummaryStarted": SummaryStarted,
    "NodeRetrieved": NodeRetrieved,
    "FacetsPlanned": FacetsPlanned,
    "FacetVerified": FacetVerified,
    "FacetDropped": FacetDropped,
    "FacetsMerged": FacetsMerged,
    "NodeWritten": NodeWritten,
    "TableFilled": TableFilled,
    "SummaryFinished": SummaryFinished,
}
"""The events of a summary by the names under which they are stored."""
_NAMES = {kind: name for name, kind in {**SEARCH_EVENTS, **SUMMARY_EVENTS}.items()}


class EventRow(NamedTuple):
    """An event as the board keeps it: who posted it, its kind, its fields as JSON values, and a score if it has one."""

    role: str
    kind: str
    content: dict[str, Any]
    score: float | None


def to_row(event: Event | SummaryEvent) -> EventRow:
    """`event` as a row; default values are left out."""
    kind: type = type(event)
    content = _adapter(kind).dump_python(event, mode="json", exclude_defaults=True)
    score = event.ranking[0].score if isinstance(event, PapersRanked) and event.ranking else None
    return EventRow(_role(event), stored_name(kind), content, score)


def stored_name(kind: type) -> str:
    """The name under which events of this class are stored."""
    return _NAMES[kind]


def from_row(kind: str, content: dict[str, Any]) -> Event | None:
    """The event of a search's row; None for a kind that this version does not know."""
    event: Event | None = _read(SEARCH_EVENTS, kind, content)
    return event


def from_summary_row(kind: str, content: dict[str, Any]) -> SummaryEvent | None:
    """The event of a summary's row; None for a kind that this version does not know."""
    event: SummaryEvent | None = _read(SUMMARY_EVENTS, kind, content)
    return event


def _read(kinds: Kinds, kind: str, content: dict[str, Any]) -> Any:
    return _adapter(kinds[kind]).validate_python(content) if kind in kinds else None


def _role(event: Event | SummaryEvent) -> str:
    match event:
        case SourceAnswered(source):
            return source
        case PaperFound(_, _, found_by):
            return found_by.source
    return "search" if stored_name(type(event)) in SEARCH_EVENTS else "summary"


@cache
def _adapter(kind: type):  # type: ignore[no-untyped-def]  # pydantic's adapter, imported where it is used
    from pydantic import TypeAdapter

    return TypeAdapter(kind)
