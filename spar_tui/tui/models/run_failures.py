"""The failures of a run, from its events. No screen and no clock."""

from collections.abc import Iterable, Iterator

from agents.run.events import SourceAnswered, Warned
from agents.run.findings import Findings
from agents.run.kinds import kind_named
from agents.search.events import ReferencesFollowed
from cache.runs import Event, Run
from spar_tui.math_text import title_text
from spar_tui.tui.failures import RunFailure, named

_FAILURE_EVENTS = (SourceAnswered, ReferencesFollowed, Warned)
"""Types of events that can report a failure; reading all others would take seconds in a large run."""


def failures_of(run: Run, rows: Iterable[Event], findings: Findings) -> Iterator[RunFailure]:
    """Yield the failures of `run`, whose events are `rows`, in their order; `findings` has its papers."""
    codec = kind_named(run.kind).codec
    for row in rows:
        if codec.events.get(row.kind) not in _FAILURE_EVENTS:
            continue
        if failure := _failure(codec.decode(row.kind, row.content), run.kind, findings):
            yield RunFailure(row.timestamp, *failure, named(run.kind, run.question))


def _failure(event: object, kind: str, findings: Findings) -> tuple[str, str] | None:
    """Return what failed in a run of `kind` and why, and what to do about it; None if nothing failed."""
    match event:
        case SourceAnswered(source, query, "failed", error=error, asked=asked):
            was = "Asked" if asked else "Not asked yet"
            todo = f"{was} for “{query}”. The {kind} continued without it; run it again to ask."
            return f"{source} {error or 'failed.'}", todo
        case SourceAnswered(source, query, "partial", error=error):
            return f"{source} {error or 'answered only in part.'}", f"Asked for “{query}”. Its results are used."
        case ReferencesFollowed(seed=seed, link=link, error=str() as error):
            candidate = findings.found.get(findings.work(seed))
            paper = f"“{title_text(candidate.paper)}”" if candidate else "a paper"
            return f"The {link} of {paper} could not be fetched: {error}", "Get them again on the paper's page."
        case Warned(sentence):
            return sentence, ""
    return None
