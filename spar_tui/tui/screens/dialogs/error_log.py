"""The messages and failures of this session, with time, reason and remedy."""

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from textual import work
from textual.content import Content
from textual.widgets import Static

from agents.run.events import SourceAnswered, Warned
from agents.run.findings import Findings
from agents.run.kinds import kind_named
from agents.search.events import ReferencesFollowed
from cache.errors import CacheError
from cache.runs import Event, Run
from spar_tui.math_text import title_text
from spar_tui.tui.commands import bindings
from spar_tui.tui.failures import RunFailure, named
from spar_tui.tui.screens.dialogs.dialog import ScrollModal
from spar_tui.tui.widgets.text import QUIET, plain

if TYPE_CHECKING:
    from spar_tui.tui.base_app import BaseApp

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


MOST = 200
"""Most messages to show, the latest; `spar log` shows all of a search."""


class ErrorLog(ScrollModal):
    """Shows the latest message first, and repeated messages once."""

    BINDINGS = bindings("the messages", "the help", "dialogs")
    heading = "Messages"
    app: "BaseApp"

    def texts(self) -> Iterable[Content]:
        """Return a placeholder, shown until the runs are read."""
        return [plain("Reading…", QUIET)]

    def on_mount(self) -> None:
        self._read()

    @work
    async def _read(self) -> None:
        try:
            run_failures = await asyncio.to_thread(self.app.recent_failures)
        except CacheError as error:
            self.app.say(str(error), "error", 10)
            run_failures = list(self.app.messages)
        self.query_one(Static).update(log_text(run_failures))


def log_text(failures: Sequence[RunFailure]) -> Content:
    """Return the latest of `failures`, each with its time and reason; consecutive failures with the same remedy share
    one line for it."""
    if not failures:
        return plain("No messages or errors since spar started.", QUIET)
    groups = groupby(failures[:MOST], key=lambda item: (item.todo, f"In the {item.about}." if item.about else ""))
    shown = [
        Content("\n").join([*map(_entry, alike), *(plain(line, QUIET) for line in common if line)])
        for common, alike in groups
    ]
    if len(failures) > MOST:
        shown.append(plain(f"{len(failures) - MOST:,} earlier messages are not shown.", QUIET))
    return Content("\n\n").join(shown)


def _entry(run_failure: RunFailure) -> Content:
    often = f" · {run_failure.times} times" if run_failure.times > 1 else ""
    return Content.assemble(
        (f"{run_failure.when.astimezone():%d %b %H:%M:%S}", "$accent"),
        plain(often, QUIET),
        "  ",
        ("▲ ", "$warning") if run_failure.failed else "",
        plain(run_failure.why, "" if run_failure.failed else QUIET),
    )
