"""Draw docs/search.svg and docs/app.svg from what `spar` really shows: `python tools/make_picture.py [--check]`.

The search runs offline in a new home, so the starter shelf answers and the pictures are the same on every machine: real
papers, with spar's notes in place of abstracts, as README.md says. The app shows the same run, replayed from its
events. With --check nothing is written; the exit code is 1 if a picture does not show what the program shows.
"""

import asyncio
import os
import pty
import re
import subprocess
import sys
import tempfile
from dataclasses import replace
from io import StringIO
from pathlib import Path

from rich._export_format import CONSOLE_SVG_FORMAT
from rich.console import Console
from rich.text import Text

DOCS = Path(__file__).parents[1] / "docs"
COMMAND = ["search", "retrieval-augmented generation for open-domain questions", "--offline", "--limit", "4"]
COLUMNS = 104
APP_SIZE = (150, 36)
APP_SECONDS, SOURCE_SECONDS = 1.0, 0.1
"""The times of the search and of each source in the picture: the real ones differ from machine to machine."""


def printed(home: str) -> str:
    """What the search writes to a terminal's standard output, colours included."""
    reader, writer = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "spar_tui", *COMMAND],
        stdout=writer,
        stderr=subprocess.DEVNULL,
        env={
            **os.environ,
            "SPAR_HOME": home,
            "SPAR_MANNERS": home,
            "COLUMNS": str(COLUMNS),
            "TERM": "xterm-256color",
            "NO_COLOR": "",
        },
    )
    os.close(writer)
    parts = []
    while True:
        try:
            part = os.read(reader, 4096)
        except OSError:  # how a pseudo-terminal says that the other side is closed
            break
        if not part:
            break
        parts.append(part)
    process.wait()
    os.close(reader)
    return b"".join(parts).decode().replace("\r\n", "\n")


def drawn(output: str) -> str:
    """The picture of a terminal that shows the command and `output`."""
    console = Console(record=True, width=COLUMNS, file=StringIO(), force_terminal=True)
    console.print(Text(f"$ spar {COMMAND[0]} “{COMMAND[1]}”"))
    console.print(Text.from_ansi(output))
    return _without_fonts(console.export_svg(title="spar", unique_id="spar", code_format=CONSOLE_SVG_FORMAT))


def app_shown(home: str) -> str:
    """The picture of the app with the run of the search, replayed."""
    from agents.run.events import SourceAnswered
    from agents.search.events import Event, Finished
    from agents.search.kind import SEARCH
    from cache import runs
    from cache.store import Store
    from spar_tui.settings import load_settings
    from spar_tui.tui.app import SparApp

    settings = load_settings({"SPAR_HOME": home, "SPAR_MANNERS": home})

    def timed(event: Event) -> Event:
        if isinstance(event, SourceAnswered):
            return replace(event, seconds=SOURCE_SECONDS)
        return replace(event, seconds=APP_SECONDS) if isinstance(event, Finished) else event

    def replayed(store: Store) -> str:
        kept = runs.get(store, runs.resolve(store, "last"))
        run = runs.start(store, kept.kind, kept.question, kept.parameters)
        events = SEARCH.events(runs.events(store, kept.id))
        runs.extend(store, run, [runs.Post(*SEARCH.codec.encode(timed(event))) for event in events])
        runs.finish(store, run, "finished", kept.counts, runs.result(store, kept.id))
        return run

    async def show() -> str:
        with Store.open(settings.places.database) as store:
            app = SparApp(settings, store)
            async with app.run_test(size=APP_SIZE) as pilot:
                app.open_run(replayed(store))
                await pilot.pause(0.5)
                await pilot.press("j")
                await pilot.pause(0.5)
                return app.export_screenshot(title="spar", simplify=True)

    return re.sub(r"terminal-\d+-", "terminal-", _without_fonts(asyncio.run(show())))


def _without_fonts(svg: str) -> str:
    """Fonts are the reader's own: a picture fetches nothing."""
    return re.sub(r"@font-interface \{.*?\}", "", svg, flags=re.DOTALL)


def main() -> int:
    with tempfile.TemporaryDirectory() as home:
        pictures = {"search.svg": drawn(printed(home)), "app.svg": app_shown(home)}
    stale = [name for name, picture in pictures.items() if _stored(DOCS / name) != picture]
    if "--check" in sys.argv:
        for name in stale:
            print(f"docs/{name} is out of date; run `make docs`")
        return int(bool(stale))
    for name in stale:
        (DOCS / name).write_text(pictures[name], "utf-8")
    return 0


def _stored(picture: Path) -> str:
    return picture.read_text("utf-8") if picture.exists() else ""


if __name__ == "__main__":
    sys.exit(main())
