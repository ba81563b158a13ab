"""Measure what is claimed of speed and size: `python -m tests.benchmarks.scorecard [--write] [--only NAME]… [--quick]`.

Each measure is taken by turns with what it is compared with, and printed. --write keeps the figures in
docs/performance.json and writes docs/performance.md from it. --only takes one measure or work of the page, --quick the
least repetitions and libraries of up to 1,000 papers for what grows, and leaves out installing; --papers bounds the
libraries; --home keeps what is made. The exit code is 1 if an aim is missed or a measure could not be taken.
"""

import argparse
import logging
import os
import platform
import sys
import tempfile
import time
from datetime import date
from pathlib import Path

from tests.benchmarks.scorecard import page
from tests.benchmarks.scorecard.installing import INSTALLING
from tests.benchmarks.scorecard.measure import Bench, Measure
from tests.benchmarks.scorecard.scaling import SIZES, WORKS, grown
from tests.benchmarks.scorecard.table import MEASURES


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    names = [*(one.name for one in MEASURES), *(work.name for work in WORKS)]
    parser.add_argument("--only", action="append", choices=names)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--times", type=int, default=5)
    parser.add_argument("--papers", type=int, default=max(SIZES))
    parser.add_argument("--home", type=Path, help="where libraries are kept, so that they are made once")
    asked = parser.parse_args()
    if asked.quick:
        asked.times, asked.papers = 2, min(asked.papers, 1_000)
    logging.disable(logging.WARNING)  # of the libraries that are measured beside
    with tempfile.TemporaryDirectory() as folder:
        home: Path = asked.home or Path(folder)
        home.mkdir(exist_ok=True)
        left_out = INSTALLING if asked.quick else ()
        wanted = set(asked.only or names) - {one.name for one in left_out if not asked.only}
        return _measured(Bench(home, asked.times), wanted, asked.papers, asked.write)


def _measured(bench: Bench, wanted: set[str], most: int, write: bool) -> int:
    """How many aims were missed or measures not taken, at most 1."""
    failed = False
    for one in MEASURES:
        if one.name in wanted:
            failed |= not _taken(one, bench, write)
    for work in WORKS:
        if work.name in wanted:
            costs = grown(work, bench, tuple(size for size in SIZES if size <= most))
            for size, cost in costs.items():
                print(f"{work.name:<18} {size:>8,}: {cost.seconds:7.2f} s {cost.megabytes:6.0f} MB", flush=True)
            if write:
                page.write(page.with_costs(page.read(), work.name, costs, when()))
    return int(failed)


def _taken(one: Measure, bench: Bench, write: bool) -> bool:
    """Whether the measure could be taken, and meets its aim."""
    began = time.monotonic()
    try:
        figure = one.run(bench)
    except Exception as error:  # noqa: BLE001  # the others are measured nevertheless
        print(f"{one.name:<18} not taken: {type(error).__name__}: {str(error)[:300]}", flush=True)
        return False
    print(
        f"{one.name:<18} {figure.ratio:6.2f} ({figure.least:.2f} to {figure.most:.2f}, {figure.times}) of {one.aim:g}"
        f"  {figure.told}  [{time.monotonic() - began:.0f} s]", flush=True,
    )  # fmt: skip
    if write:
        page.write(page.with_figure(page.read(), one.name, figure, when()))
    return figure.ratio <= one.aim


def when() -> dict[str, str]:
    """The day and the machine, in general words."""
    cores = os.cpu_count() or 1
    busy = os.getloadavg()[0] / cores
    others = "idle" if busy < 1 else "busy with other programs"
    version = ".".join(platform.python_version_tuple()[:2])
    return {
        "day": date.today().isoformat(),
        "machine": f"{cores} processors, {others}, Python {version} on {platform.system()}",
    }


if __name__ == "__main__":
    sys.exit(main())
