"""The messages and failures of this session, with time, reason and remedy."""

import asyncio
from collections.abc import Iterable, Sequence
from itertools import groupby

from textual import work
from textual.content import Content
from textual.widgets import Static

from cache.errors import CacheError
from spar_tui.tui.commands import bindings
from spar_tui.tui.failures import RunFailure
from spar_tui.tui.screens.dialogs.scroll_modal import ScrollModal
from spar_tui.tui.widgets.text import QUIET, plain

MOST = 200
"""Most messages to show, the latest; `spar log` shows all of a search."""


class ErrorLog(ScrollModal):
    """Shows the latest message first, and repeated messages once."""

    BINDINGS = bindings("errors", "help", "dialog")
    heading = "Messages"

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
