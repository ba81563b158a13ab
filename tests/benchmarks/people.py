"""The common part of the measurements with people: their options, and one report for each collection."""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import get_args

from spar_tui.errors import UserError
from tests.benchmarks.measuring.closed_world import Half
from tests.benchmarks.measuring.measuring_cases import Measuring

NOBODY_KNOWN = "no person of this half has held-out papers"


def parser_of(command: str, description: str | None, arms: Sequence[str]) -> argparse.ArgumentParser:
    """Return the parser of `python -m tests.benchmarks.COMMAND` with the options that both measurements have."""
    parser = argparse.ArgumentParser(prog=f"python -m tests.benchmarks.{command}", description=description)
    parser.add_argument("collections", nargs="+", type=Path, metavar="COLLECTION", help="folders")
    parser.add_argument("--arms", nargs="+", choices=arms, help="systems to measure")
    parser.add_argument("--half", choices=get_args(Half), default="all", help="tune on one, report the other")
    parser.add_argument("--queries", type=int, help="only so many cases, drawn by the seed")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", action="store_true")
    return parser


def measure(parser: argparse.ArgumentParser, measuring: Measuring, wanted: argparse.Namespace) -> None:
    """Measure every collection and print the figures; errors are those of the parser."""
    try:
        for collection in wanted.collections:
            measuring.measure(collection)
    except UserError as error:
        parser.error(str(error))
    measuring.tell(wanted.json)
