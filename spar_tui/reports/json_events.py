"""The lines of `--jsonl`: an event as stored, and values derived from it."""

from typing import Any

from agents.run.events import EventCodec, SourceAnswered
from agents.run.findings import E, outcome_of, tally_of
from agents.search.events import PaperJudged


def event_object(codec: EventCodec[E], event: E) -> dict[str, Any]:
    """Return an event as a JSON object; `event` and `role` name its kind and who posted it."""
    row = codec.encode(event)
    return {"event": row.kind, "role": row.role, **row.content, **_following(event)}


def _following(event: object) -> dict[str, Any]:
    match event:
        case SourceAnswered():
            return {"outcome": outcome_of(tally_of(event))}
        case PaperJudged(reason=reason) if reason:
            return {"proven": event.proven}
    return {}
