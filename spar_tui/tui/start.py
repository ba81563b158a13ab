"""Start the app, and end the process however the app ends."""

import gc
import os
import sys
from contextlib import suppress
from datetime import datetime

from spar_tui.health.log_file import begin
from spar_tui.settings import load_settings
from spar_tui.terminal import TELLING, remark
from spar_tui.tui.app import SparApp
from spar_tui.workspace import open_store

LOCK_SECONDS = 1.0
"""Seconds that the main thread waits for a library locked by another process; the app freezes meanwhile."""


def run_app() -> int:
    """Open the app, and end the process with its exit code when the person quits. Raises `UserError`."""
    TELLING.verb, settings = "app", load_settings()
    begin(settings)
    with open_store(settings, wait_here=LOCK_SECONDS) as store:
        app = SparApp(settings, store)
        gc.freeze()  # loaded objects stay; collecting garbage among them delays keys by 60 ms
        gc.enable()
        try:
            app.run()
        except Exception as error:  # noqa: BLE001  # outermost handler: the terminal is restored, so report the error
            app.crash = app.crash or error
        code = _tell_crash(app, app.crash) if app.crash is not None else app.return_code or 0
    with suppress(OSError):  # the terminal may have gone
        sys.stdout.flush()
        sys.stderr.flush()
    # Everything of ours is closed. Closing the libraries too would keep the person waiting for another second.
    os._exit(code)


def _tell_crash(app: SparApp, error: Exception) -> int:
    """Write the report, and print where it is and how to resume. Return the exit code."""
    from spar_tui.tui import crash

    written = crash.write_report(app.settings.places.database.parent, error, datetime.now())
    unfinished = {run: live.kind.name for run, live in app.runs_shown.items() if not live.state.finished}
    with suppress(OSError):  # the terminal may have gone, too
        remark(f"{crash.sentence(error, written, unfinished)}")
    return 1
