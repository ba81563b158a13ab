"""What work costs as libraries grow: processes of their own over 10² to 10⁵ papers."""

import statistics
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from shutil import rmtree

from tests.benchmarks.app.shelf import Terminal, opened_in
from tests.benchmarks.scorecard.measure import Bench
from tests.benchmarks.scorecard.processes import spar

SIZES = (100, 1_000, 10_000, 100_000)


@dataclass(frozen=True, slots=True)
class Cost:
    """Seconds of the processor, and megabytes that were held at most."""

    seconds: float
    megabytes: float


@dataclass(frozen=True, slots=True)
class Work:
    """A work that is done over more and more papers; `again` if it can be done over again to be measured often."""

    name: str
    what: str
    once: Callable[[Bench, int], Cost]
    again: bool = True


def grown(work: Work, bench: Bench, sizes: tuple[int, ...] = SIZES) -> dict[int, Cost]:
    """What it costs for each size, the middle of some runs."""
    return {size: _middle(work, bench, size) for size in sizes}


def per_tenfold(costs: list[float]) -> list[float]:
    """How many times as much each costs as the one before."""
    return [after / before for before, after in pairwise(costs)]


def _middle(work: Work, bench: Bench, size: int) -> Cost:
    if work.again:
        work.once(bench, size)  # what is read once in a library's life is read
    seen = [work.once(bench, size) for _ in range(max(1, bench.times // 2) if work.again else 1)]
    return Cost(statistics.median(one.seconds for one in seen), statistics.median(one.megabytes for one in seen))


def _verb(home: Path, *arguments: str) -> Cost:
    used = spar(home, *arguments)
    return Cost(used.processor, used.megabytes)


def _shelf(bench: Bench, size: int) -> Cost:
    return _verb(bench.homes.shelf(size), "shelf")


def _library(bench: Bench, size: int) -> Cost:
    return _verb(bench.homes.library(size), "library", "neural parsing")


def _similar(bench: Bench, size: int) -> Cost:
    return _verb(bench.homes.library(size), "similar", "s2:CorpusId:50", "--offline")


def _recommend(bench: Bench, size: int) -> Cost:
    return _verb(bench.homes.library(size), "recommend", "--offline", "--no-model", "--plain")


def _import(bench: Bench, size: int) -> Cost:
    home = bench.homes.folder / "importing"
    rmtree(home, ignore_errors=True)
    home.mkdir()
    return _verb(home, "import", str(bench.homes.bibliography(size)))


def _app(bench: Bench, size: int) -> Cost:
    terminal = Terminal(bench.homes.shelf(size) / "spar")
    try:
        opened = opened_in(terminal, size)
        return Cost(opened.processor, terminal.megabytes)
    finally:
        terminal.quit()


WORKS = (
    Work("shelf-growth", "`spar shelf`, all papers saved", _shelf),
    Work("library-growth", "`spar library WORDS`", _library),
    Work("similar-growth", "`spar similar PAPER --offline`", _similar),
    Work("recommend-growth", "`spar recommend --offline`", _recommend),
    Work("app-shelf-growth", "opening the app's shelf", _app),
    Work("import-growth", "`spar import`, the first time", _import, again=False),
)
