"""Fits the built-in judge's weights on one half of the questions of open test collections.

    python tools/fit_weights.py FOLDER... [--queries N] [--rounds 2]

Each question is searched without a model; then the evidence of all papers it found is set against the labels. The
weights maximise the listwise likelihood of the relevant papers (softmax over the papers of a question, Cao and others
2007), every collection counting the same. Slope and intercept of the probability are fitted on those collections where
people judged what was found (`CALIBRATED`), because an unlabelled paper says nothing elsewhere. The other half of the
questions is not looked at: `spar bench --half report` is for it.
"""

import argparse
import asyncio
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from agents.bench.cases import Case, answerable, chosen, closed_cases
from agents.bench.collections import read_collection
from agents.builtin.ranking import relevance
from agents.builtin.ranking.features import FEATURES, features
from agents.run.retrieval.ranking import pool_of
from agents.search.filters import admitted
from agents.search.kind import SEARCH
from agents.search.loop import search
from agents.search.options import SearchOptions

CALIBRATED = ("cf", "cacm", "csfcube")
PENALTY = 0.02
WEIGHTS = Path(relevance.__file__).parent / "weights.json"


class Example(NamedTuple):
    """The papers that one question found: their evidence, and whether each is relevant."""

    collection: str
    rows: NDArray[np.float64]
    labels: NDArray[np.float64]


async def example(case: Case, collection: str) -> Example:
    """What a search without a model finds for a question."""
    board = SEARCH.board()
    async for _ in search(case.question.text, case.resources, replace(SearchOptions(limit=100)), board):
        pass
    state = board.state
    assert state.understood is not None
    works, _ = admitted(state.papers, state.understood)
    works = {work: works[work] for work in sorted(works, key=lambda work: works[work].id)}
    rows = features(pool_of(case.question.text, works, {work: state.found[work].found_by for work in works}))
    grades = [case.grades.get(case.document_of(paper) or "", 0) for paper in works.values()]
    return Example(collection, rows.astype(np.float64), np.array([float(grade > 0) for grade in grades]))


def examples(folder: Path, most: int | None) -> Iterator[Example]:
    """The examples of the tuning half of a collection."""
    collection = read_collection(folder)
    for case in closed_cases(collection, chosen(answerable(collection), "tune", most)):
        found = asyncio.run(example(case, folder.name))
        if 0 < found.labels.sum() < len(found.labels):
            yield found


def fit(found: list[Example]) -> NDArray[np.float64]:
    """The listwise weights."""
    sizes = {name: sum(one.collection == name for one in found) for name in {one.collection for one in found}}

    def loss(weights: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        value, slope = PENALTY * float(weights @ weights), 2 * PENALTY * weights
        for one in found:
            odds = one.rows @ weights
            chances = np.exp(odds - odds.max())
            chances /= chances.sum()
            share = one.labels / one.labels.sum() / sizes[one.collection]
            value -= float(share @ np.log(chances + 1e-12))
            slope = slope + one.rows.T @ (chances / sizes[one.collection] - share)
        return value, slope

    fitted: NDArray[np.float64] = minimize(  # type: ignore[no-untyped-call]
        loss, np.zeros(len(FEATURES)), jac=True, method="L-BFGS-B"
    ).x
    return fitted


def calibrate(found: list[Example], weights: NDArray[np.float64]) -> tuple[float, float]:
    """Slope and intercept of the log-odds (Platt 1999), every collection counting the same."""
    parts = []
    for name in CALIBRATED:
        own = [one for one in found if one.collection == name]
        if own:
            rows, labels = np.vstack([one.rows for one in own]), np.concatenate([one.labels for one in own])
            parts.append((rows @ weights, labels))

    def loss(line: NDArray[np.float64]) -> float:
        total = 0.0
        for odds, labels in parts:
            calibrated = line[0] * odds + line[1]
            total += float(np.mean(np.logaddexp(0, calibrated) - labels * calibrated))
        return total

    slope, intercept = minimize(  # type: ignore[no-untyped-call]
        loss, np.array([1.0, -4.0]), method="Nelder-Mead"
    ).x
    return float(slope), float(intercept)


def write(weights: NDArray[np.float64], slope: float, intercept: float) -> None:
    """Write the weights where the judge reads them."""
    fitted = {name: round(float(slope * weight), 3) for name, weight in zip(FEATURES, weights, strict=True)}
    WEIGHTS.write_text(json.dumps({"evidence": fitted, "intercept": round(intercept, 3)}, indent=2) + "\n", "utf-8")
    relevance.weights.cache_clear()
    print(json.dumps(fitted, indent=2), f"intercept {intercept:.3f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path, help="collections, one folder each")
    parser.add_argument("--queries", type=int, default=60, help="questions a collection at most")
    parser.add_argument("--rounds", type=int, default=2, help="the search itself depends on the weights: fit again")
    options = parser.parse_args()
    for _ in range(options.rounds):
        found = [one for folder in options.folders for one in examples(folder, options.queries)]
        weights = fit(found)
        write(weights, *calibrate(found, weights))


if __name__ == "__main__":
    main()
