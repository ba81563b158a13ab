"""What the app and searches cost while they are used."""

import statistics
import tempfile
from pathlib import Path

from tests.benchmarks import critical_path, folding, waiting
from tests.benchmarks.app.quit import quit_after
from tests.benchmarks.scorecard.figures import Figure, in_pairs, of_allowed, of_pairs
from tests.benchmarks.scorecard.measure import Bench, Measure
from tests.services import Services

QUIT_AT = (0.0, 0.5, 2.0, 4.0)
"""Seconds into a search."""


def _key(bench: Bench) -> Figure:
    return of_allowed([statistics.median(bench.load.work)], 0.05)


def quit_(bench: Bench) -> Figure:
    taken = []
    with Services(latency=0.4) as services:
        for moment in QUIT_AT:
            with tempfile.TemporaryDirectory() as folder:
                taken.append(quit_after(moment, services, Path(folder))[0])
    return of_allowed(taken, 0.5)


def waited(bench: Bench) -> Figure:
    """The whole process beside the seconds that its search says it took."""
    with Services(latency=1.0) as services:
        seen = [waiting.search(services.environment) for _ in range(max(1, bench.times // 2))]
    return of_pairs([(one.process, one.search) for one in seen])


def path(bench: Bench) -> Figure:
    _, stages = critical_path.searched("fast")
    return of_pairs([critical_path.in_all(stages)])


def folded(bench: Bench) -> Figure:
    return in_pairs(lambda: folding.an_event(100_000), lambda: folding.an_event(1_000), bench.times, "µs")


USING = (
    Measure("screen", "drawing a search with 200 events a second", "a quarter of a core", 1,
            lambda bench: of_allowed([bench.load.screen * 100], 25, "% of a core")),
    Measure("key", "a key press meanwhile, until the highlight moves (median)", "50 ms", 1, _key),
    Measure("output", "output to the terminal meanwhile", "100 KB/s", 1,
            lambda bench: of_allowed([bench.load.kilobytes], 100, "KB/s"), "bytes"),
    Measure("quit", "quitting during a search", "half a second", 1, quit_, "clock"),
    Measure("wait", "whole `spar search`, with services that answer in a second", "time that it reports", 1.3,
            waited, "clock"),
    Measure("path", "a fast search with a model that answers in two seconds", "shortest possible time", 1.5,
            path, "clock"),
    Measure("fold", "folding an event in a run of 100,000", "in a run of 1,000", 1.5, folded),
)  # fmt: skip
