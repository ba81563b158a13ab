"""What a flood of events costs on the screen of a search, in a real terminal: `python -m tests.benchmarks.app.load`.

200 events a second (papers found, judged, sources answering) go into the screen's search while a hand moves the
highlight. Measured: the share of a core that the process takes, less that of the same flood without a screen; the time
from a key press until the highlight is drawn on another row, by the clock and in what the process worked meanwhile (on
a machine that others use too, only the second tells of the app); the bytes that the terminal is sent.
"""

import asyncio
import gc
import os
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from agents.run.events import FoundBy, PaperFound, QueryPlanned, SourceAnswered
from agents.run.findings import Board
from agents.search.events import CandidatesChosen, Event, PaperJudged, RunStarted, StageChanged
from agents.search.kind import SEARCH
from agents.search.state import SearchState
from connectors.paper import WorkId
from tests.agents.scripted import paper
from tests.spar_tui.tui.real_terminal import opened

A_SECOND = 200
HIGHLIGHT = b"48;2;43;54;68"
"""The background of the row under the highlight, by night."""


def flood(count: int) -> Iterator[Event]:
    """Events as a large search tells them."""
    yield RunStarted("retrieval", ("openalex", "arxiv"))
    yield StageChanged("retrieving", 1)
    for number in range(count // 20 + 1):
        yield QueryPlanned(("openalex", "arxiv")[number % 2], f"query {number}")
    found = 0
    for number in range(count):
        source, query = ("openalex", "arxiv")[number // 20 % 2], f"query {number // 20}"
        match number % 20:
            case 0:
                yield CandidatesChosen(tuple(map(WorkId, range(found))), 1)
            case 19:
                yield SourceAnswered(source, query, "ok", 10, 0.4)
            case even if even % 2:
                title = f"Retrieval of passages, a study of number {found} with many more words in its title"
                yield PaperFound(
                    WorkId(found),
                    paper(title, f"10.1/{found}", abstract=title * 8),
                    FoundBy(source, query, number % 20),
                )
                found += 1
            case _:
                if found:
                    judged = WorkId(number // 2 % found)
                    yield PaperJudged(judged, judged % 97 / 97, "it is close to the best matches", by="built-in")


async def pour(board: Board[SearchState, Event], seconds: float) -> None:
    """Post the flood at its pace."""
    began, events = time.perf_counter(), flood(int(seconds * A_SECOND))
    for number, event in enumerate(events):
        board.post(event)
        ahead = number / A_SECOND - (time.perf_counter() - began)
        if ahead > 0:
            await asyncio.sleep(ahead)


def used() -> float:
    """Seconds of the processor that this process has used."""
    spent = resource.getrusage(resource.RUSAGE_SELF)
    return spent.ru_utime + spent.ru_stime


def inside(home: Path, seconds: float, told: Path) -> None:
    """The app with one search, which is the flood; what it used goes into the file `told`."""
    from agents.run.runner import AnyRun, ResourcesFor, Runner
    from agents.search.kind import SEARCH
    from cache.store import Store
    from spar_tui.settings import load_settings
    from spar_tui.tui.app import SparApp, load_engine

    async def search(self: AnyRun, resources_for: ResourcesFor) -> None:
        self.board = SEARCH.board()
        await asyncio.sleep(1)
        before = used()
        await pour(self.board, seconds)
        told.write_text(str(used() - before))

    Runner._to_the_end = search  # type: ignore[method-assign]  # the flood instead of a search
    settings = load_settings({"SPAR_HOME": str(home), "SPAR_MANNERS": str(home)})
    load_engine()
    gc.freeze()  # as the app does when a search begins
    with Store.open(settings.places.database) as store:
        SparApp(settings, store).run()
    os._exit(0)


def worked(process: int) -> float:
    """Seconds of the processor that all threads of `process` have used, to the nanosecond."""
    threads = Path(f"/proc/{process}/task").glob("*/schedstat")
    return sum(int(one.read_text().split()[0]) for one in threads) / 1e9


class Load(NamedTuple):
    """What the flood cost: shares of a core of the screen and of the flood itself; seconds from a key to its row, and
    the processor's share of them; kilobytes a second that were drawn."""

    screen: float
    itself: float
    waits: list[float]
    work: list[float]
    kilobytes: float


def flooded(seconds: float) -> Load:
    """One flood of so many seconds."""
    before = used()
    asyncio.run(pour(SEARCH.board(), seconds))
    alone = used() - before
    with tempfile.TemporaryDirectory() as folder:
        home, told = Path(folder), Path(folder) / "told"
        program = [sys.executable, "-m", "tests.benchmarks.app.load", "inside", str(home), str(seconds), str(told)]
        with opened(home, program=program, more={"COLORTERM": "truecolor"}, size=(150, 36)) as terminal:
            terminal.until(b"hat do you want to know?")
            terminal.type("retrieval\r")
            terminal.until(b"Papers")
            terminal.read(3)
            waits: list[float] = []
            work: list[float] = []
            sent, began = len(terminal.output), time.perf_counter()
            while not told.exists():
                at, pressed, before = len(terminal.output), time.perf_counter(), worked(terminal.process.pid)
                terminal.type("jk"[len(waits) // 8 % 2])
                while HIGHLIGHT not in terminal.output[at:] and time.perf_counter() - pressed < 2:
                    terminal.read(0.002)
                waits.append(time.perf_counter() - pressed)
                work.append(worked(terminal.process.pid) - before)
                terminal.read(0.5)
            kilobytes = (len(terminal.output) - sent) / 1000 / (time.perf_counter() - began)
            terminal.type("\x11")
            terminal.ended()
        share = (float(told.read_text()) - alone) / seconds
    return Load(share, alone / seconds, waits, work, kilobytes)


def main(seconds: float) -> None:
    load = flooded(seconds)
    print(f"screen: {load.screen:.1%} of a core (aim: 25 %), and {load.itself:.1%} for the flood itself")
    print(f"key press: {spread(load.waits)} (aim: 50); the processor's share of it: {spread(load.work)}")
    print(f"output: {load.kilobytes:.0f} KB/s (aim: 100)")


def spread(seconds: list[float]) -> str:
    """The median and the 95th percentile."""
    p95 = statistics.quantiles(seconds, n=20)[-1]
    return f"median {statistics.median(seconds) * 1000:.0f} ms, p95 {p95 * 1000:.0f} ms"


if __name__ == "__main__":
    if sys.argv[1:2] == ["inside"]:
        inside(Path(sys.argv[2]), float(sys.argv[3]), Path(sys.argv[4]))
    else:
        main(float(sys.argv[1]) if len(sys.argv) > 1 else 20.0)
