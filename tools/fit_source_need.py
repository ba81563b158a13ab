"""Fits how surely a special source is needed for a question, from 2,800 topics that were labelled for it.

    python tools/fit_source_need.py

`source_topics.tsv` has a topic a line and, behind a tab, a letter for each of `SOURCES`: n needed, f fine, u useless.
What is fitted are logistic regressions on `features`. They are measured on questions that neither this tool nor the
topics have seen.
"""

import json
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import expit

from agents.builtin.question_parsing.fields.source_need import WEIGHTS, features

SOURCES = ("pubmed", "europepmc", "arxiv", "dblp")
LABELS = {"n": (1.0, 1.0), "f": (0.5, 0.3), "u": (0.0, 1.0)}
"""What each letter stands for, and how much it weighs."""
PENALTY = 5e-5
"""Of large weights; chosen with five folds of the topics."""
Floats = NDArray[np.float64]


def main() -> None:
    """Write the weights."""
    lines = (Path(__file__).parent / "source_topics.tsv").read_text("utf-8").splitlines()
    topics, letters = zip(*(line.rsplit("\t", 1) for line in lines), strict=True)
    known = [features(topic) for topic in topics]
    rows = np.array([row for row in known if row is not None])
    fitted = {}
    for place, source in enumerate(SOURCES):
        told = [LABELS[one[place]] for one, row in zip(letters, known, strict=True) if row is not None]
        needed, weight = np.array(told).T
        fitted[source] = [round(float(one), 2) for one in _fitted(rows, needed, weight)]
    path = Path(__file__).parents[1] / "agents/builtin/question_parsing/fields" / WEIGHTS
    path.write_text(json.dumps(fitted).replace("], ", "],\n") + "\n", "utf-8")


def _fitted(rows: Floats, needed: Floats, weight: Floats) -> Floats:
    def loss(weights: Floats) -> tuple[float, Floats]:
        scores = rows @ weights
        penalized = np.append(weights[:-1], 0.0)  # the last is that of the constant
        value = float((weight * (np.logaddexp(0, scores) - needed * scores)).mean() + PENALTY * penalized @ penalized)
        return value, rows.T @ (weight * (expit(scores) - needed)) / len(rows) + 2 * PENALTY * penalized

    found: Floats = minimize(loss, np.zeros(rows.shape[1]), jac=True, method="L-BFGS-B").x  # type: ignore[no-untyped-call]
    return found


if __name__ == "__main__":
    main()
