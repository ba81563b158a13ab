"""What starting costs, and what a process holds."""

import asyncio
import sys
from collections.abc import Callable

from tests.benchmarks import serving
from tests.benchmarks.app import start
from tests.benchmarks.app.load import worked
from tests.benchmarks.scorecard.figures import Figure, in_pairs, of_allowed
from tests.benchmarks.scorecard.measure import Bench, Measure
from tests.benchmarks.scorecard.processes import python, spar
from tests.spar_tui.mcp.world import furnish, library
from tests.spar_tui.running import command
from tests.spar_tui.tui.real_terminal import opened

LIBRARIES = "import typer, sqlite3, rich.console, pydantic, rapidfuzz, Stemmer"
"""The libraries that a verb that reads the library cannot do without."""
MCP = "import mcp.server.lowlevel, mcp.server.stdio"
PAPERS = 10_000


def helped(bench: Bench) -> Figure:
    home = bench.homes.empty()
    ours = lambda: spar(home, "--help").processor  # noqa: E731
    return in_pairs(ours, lambda: python(home, "import typer").processor, 3 * bench.times)


def help_held(bench: Bench) -> Figure:
    home = bench.homes.empty()
    ours = lambda: spar(home, "--help").megabytes  # noqa: E731
    return in_pairs(ours, lambda: python(home, "import typer").megabytes, bench.times, "MB")


def found(bench: Bench) -> Figure:
    home = bench.homes.library(PAPERS)
    ours = lambda: spar(home, "library", "neural parsing").processor  # noqa: E731
    return in_pairs(ours, lambda: python(home, LIBRARIES).processor, bench.times)


def found_held(bench: Bench) -> Figure:
    home = bench.homes.library(PAPERS)
    ours = lambda: spar(home, "library", "neural parsing").megabytes  # noqa: E731
    return in_pairs(ours, lambda: python(home, LIBRARIES).megabytes, bench.times, "MB")


def letter(bench: Bench) -> Figure:
    home = bench.homes.empty()
    return of_allowed([start.spar(home)[1] for _ in range(bench.times)], 0.05)


def _drawn(bench: Bench, program: list[str], words: bytes, used: Callable[[int], float], still: float) -> float:
    """What the app, or a program beside it, used by when it is drawn, and for `still` seconds nothing changed."""
    with opened(bench.homes.empty(), program=program) as terminal:
        terminal.until(words)
        if still:
            terminal.rest(still)
        seen = used(terminal.process.pid)
        terminal.type("\x11")
        terminal.ended()
    return seen


def _held(process: int) -> float:
    with open(f"/proc/{process}/status", encoding="utf-8") as status:
        return int(status.read().partition("VmRSS:")[2].split()[0]) / 1024


def _beside_bare(bench: Bench, used: Callable[[int], float], unit: str, still: float = 1.0, times: int = 1) -> Figure:
    return in_pairs(
        lambda: _drawn(bench, command(), b"hat do you want to know?", used, still),
        lambda: _drawn(bench, [sys.executable, "-c", start.BARE], b"a bare app", used, still),
        times * bench.times,
        unit,
    )


def served(bench: Bench) -> Figure:
    home = bench.homes.folder / "mcp"
    if not home.exists():
        home.mkdir()
        furnish(home)
    with library(home):  # the schema is there before anything is timed
        pass
    return in_pairs(lambda: asyncio.run(serving.begun_and_held(home))[0], lambda: python(home, MCP).clock, bench.times)


STARTING = (
    Measure("help", "`spar --help`", "`import typer`", 2, helped),
    Measure("help-memory", "`spar --help`", "`import typer`", 1.5, help_held, "memory"),
    Measure("verb", f"`spar library WORDS` in {PAPERS:,} papers", "importing its libraries", 3, found),
    Measure("verb-memory", f"`spar library WORDS` in {PAPERS:,} papers", "importing its libraries", 1.5, found_held,
            "memory"),
    Measure("first-paint", "first paint of the app", "first paint of a bare Textual app", 1.5,
            lambda bench: _beside_bare(bench, worked, "s", still=0, times=3)),
    Measure("app-start", "start of the app until it is idle", "a bare Textual app", 2,
            lambda bench: _beside_bare(bench, worked, "s")),
    Measure("app-memory", "the idle app", "a bare Textual app", 2, lambda bench: _beside_bare(bench, _held, "MB"),
            "memory"),
    Measure("letter", "a letter typed right after the start, until it is shown", "50 ms", 1, letter,
            "clock"),
    Measure("mcp", "`spar mcp` until its first answer", "`import mcp`", 2, served, "clock"),
)  # fmt: skip
