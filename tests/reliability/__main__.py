"""The scorecard of reliability: `python -m tests.reliability [--full] [--write] [--line N]… [--seed N]`.

Measures each line, in short or in full, and prints its figures. `--write` keeps them and writes docs/reliability.md,
which holds full runs only. Exit code 1 if a line is missed.
"""

import argparse
import sys
import time
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.reliability.line import Line, Trial
from tests.reliability.lines import LINES, measured
from tests.reliability.page import Run, keep


def told(line: Line, seconds: float) -> None:
    print(f"{line.number:>2}. {line.name}: {'met' if line.met else 'MISSED'} ({seconds:.0f} s)", flush=True)
    for figures, of in ((line.figures, ""), (line.controls, "without the guard: ")):
        for one in figures:
            print(f"      {of}{one.what}: {one.found:,}{one.unit}{'' if one.held else f'  MISSED ({one.bound})'}")


def main(full: bool, write: bool, numbers: list[int], seed: int) -> int:
    runs: dict[int, Run] = {}
    for number in numbers or LINES:
        with TemporaryDirectory() as folder:
            begun = time.monotonic()
            line = measured(number, Trial(full, seed, Path(folder)))
            seconds = time.monotonic() - begun
        told(line, seconds)
        runs[number] = Run(line, f"{datetime.now():%Y-%m-%d}", seed, round(seconds))
        if write:
            keep({number: runs[number]})
    return int(not all(run.line.met for run in runs.values()))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--line", type=int, action="append", choices=list(LINES), default=[])
    parser.add_argument("--seed", type=int, default=20261123)
    given = parser.parse_args()
    if given.write and not given.full:
        parser.error("--write keeps full runs only; add --full")
    sys.exit(main(given.full, given.write, given.line, given.seed))
