"""Measure searches, or with --summary summaries, on collections whose answers are known, without a network:
`python -m tests.benchmarks.measuring COLLECTION…`."""

import argparse
from collections.abc import Sequence

from agents.summary.options import SummaryOptions
from tests.benchmarks.measuring.measuring_cases import Measuring, MeasuringSearches, MeasuringSummaries
from tests.benchmarks.measuring.run import SEMANTIC, SYSTEMS, Terms
from tests.benchmarks.people import measure, parser_of


def judge_error(raw: str) -> float:
    """Return how often a judge errs: `perfect` or `noisy:P`."""
    kind, _, share = raw.partition(":")
    error = float(share) if kind == "noisy" else 0.0
    if not ((kind == "perfect" and not share) or (kind == "noisy" and 0 <= error <= 1)):
        raise ValueError
    return error


def main(arguments: Sequence[str] | None = None) -> None:
    parser = parser_of("measuring", __doc__, (*SYSTEMS, SEMANTIC))
    parser.add_argument("--judge", help="perfect or noisy:P: judge by the labels; with --summary: model")
    parser.add_argument("--limit", type=int, default=100, help="how many papers an answer has")
    parser.add_argument("--deep", action="store_true", help="search as in deep mode")
    parser.add_argument("--summary", action="store_true", help="measure summaries")
    parser.add_argument("--depth", type=int, default=2, help="with --summary: levels of facets")
    parser.add_argument("--branch", type=int, default=4, help="with --summary: facets of each node")
    parser.add_argument("--model", action="store_true", help="with --summary: use your model")
    parser.add_argument("--documents", help="with --summary: documents for questions that have none")
    wanted = parser.parse_args(arguments)
    terms = Terms(wanted.half, wanted.seed, wanted.limit, "deep" if wanted.deep else "fast", wanted.judge)
    measure(parser, _measuring(parser, wanted, terms), wanted)


def _measuring(parser: argparse.ArgumentParser, wanted: argparse.Namespace, terms: Terms) -> Measuring:
    if wanted.summary:
        options = SummaryOptions(depth=wanted.depth, branch=wanted.branch, seed=wanted.seed)
        by_model = wanted.judge == "model"
        return MeasuringSummaries(terms, wanted.queries, False, options, by_model, wanted.model, wanted.documents)
    try:
        error = None if wanted.judge is None else judge_error(wanted.judge)
    except ValueError:
        parser.error(f"--judge {wanted.judge!r} is neither perfect nor noisy:P with P from 0 to 1")
    return MeasuringSearches(terms, wanted.queries, error, wanted.arms or list(SYSTEMS), False)


if __name__ == "__main__":
    main()
