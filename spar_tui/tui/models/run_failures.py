"""What failed in a run, told from its events. No screen and no clock."""

from collections.abc import Iterable, Iterator

from agents.run.codec import from_row, from_summary_row, stored_name
from agents.run.events import ReferencesFollowed, SourceAnswered, Warned
from cache.runs import Event, Run
from spar_tui.tui.failures import RunFailure

_KINDS = frozenset(map(stored_name, (SourceAnswered, ReferencesFollowed, Warned)))
"""The events that can tell of a failure; to read all others would take seconds in a large run."""


def failures_of(run: Run, rows: Iterable[Event]) -> Iterator[RunFailure]:
    """What failed in `run`, whose events are `rows`, in their order."""
    read = from_summary_row if run.kind == "summary" else from_row
    for row in rows:
        if row.kind in _KINDS and (told := _told(read(row.kind, row.content))):
            yield RunFailure(row.timestamp, *told, f"{run.kind} “{run.question}”")


def _told(event: object) -> tuple[str, str] | None:
    """What failed and why, and what can be done; None if nothing failed."""
    match event:
        case SourceAnswered(source, query, "failed", error=error):
            todo = f"Asked for “{query}”. The search went on without it; asking anew asks it again."
            return f"{source} {error or 'failed.'}", todo
        case SourceAnswered(source, query, "partial", error=error):
            return f"{source} {error or 'answered only in part.'}", f"Asked for “{query}”. What it gave is used."
        case ReferencesFollowed(link=link, error=str() as error):
            key = "r" if link == "references" else "c"
            return f"The {link} of a paper could not be got: {error}", f"{key} on the paper asks for them again."
        case Warned(said):
            return said, ""
    return None
