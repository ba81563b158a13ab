"""The messages of this session: what was said and what failed, when, why, and what can be done."""

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
"""Messages that are shown, the latest; `spar log` shows all of a search."""


class ErrorLog(ScrollModal):
    """The latest message first; what was said or failed in the same way more than once stands once."""

    BINDINGS = bindings("errors", "help", "dialog")
    heading = "Messages"

    def parts(self) -> Iterable[Content]:
        """Said until the runs are read."""
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
    """The latest of `failures`, each with its time and its reason; what can be done stands once below those that follow
    one another with the same advice."""
    if not failures:
        return plain("No messages or errors since spar started.", QUIET)
    groups = groupby(failures[:MOST], key=lambda one: (one.todo, f"In the {one.about}." if one.about else ""))
    shown = [
        Content("\n").join([*map(_told, alike), *(plain(line, QUIET) for line in common if line)])
        for common, alike in groups
    ]
    if len(failures) > MOST:
        shown.append(plain(f"{len(failures) - MOST:,} earlier messages are not shown.", QUIET))
    return Content("\n\n").join(shown)


def _told(run_failure: RunFailure) -> Content:
    often = f" · {run_failure.times} times" if run_failure.times > 1 else ""
    return Content.assemble(
        (f"{run_failure.when.astimezone():%d %b %H:%M:%S}", "$accent"),
        plain(often, QUIET),
        "  ",
        ("▲ ", "$warning") if run_failure.failed else "",
        plain(run_failure.why, "" if run_failure.failed else QUIET),
    )
