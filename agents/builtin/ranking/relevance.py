"""The built-in judge: a probability of relevance out of the features of a paper, by logistic regression.

The weights were fitted by `tools/fit_weights.py` on one half of the questions of open test collections, and calibrated
on those of them where people judged every paper; they lie beside this file as `weights.json`. The features compare
the papers found with each other; whether any of them is about the question at all is the doubt's business.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from agents.builtin.ranking.features import FEATURES, Pool, features
from agents.builtin.ranking.topic_coverage import coverage

ENOUGH = 0.6
"""From this coverage of the question on there is no doubt that papers were found for it."""
DOUBT = 8.0
"""What is taken from the log-odds of every paper where none has a term of the question; less, the more one has.

Both were chosen on tuning halves, with the questions of one collection put to another and to the starter shelf:
`python -m tests.benchmarks.off_subject`. The fitted slope and intercept stayed the same with them.
"""
DOUBTED = "doubted"
"""The only feature given of papers none of which is relevant once they are doubted."""


@dataclass(frozen=True, slots=True)
class Weights:
    """What each feature is worth, in the order of `FEATURES`, and the intercept of the log-odds."""

    features: tuple[float, ...]
    intercept: float


@cache
def weights() -> Weights:
    """The fitted weights."""
    stored = json.loads(files("agents.builtin.ranking").joinpath("weights.json").read_text("utf-8"))
    return Weights(tuple(float(stored["evidence"][name]) for name in FEATURES), float(stored["intercept"]))


@dataclass(frozen=True, slots=True)
class Assessment:
    """The probability that a paper is relevant, and the features that set it apart from the others."""

    probability: float
    top_features: tuple[str, ...]


def assess(pool: Pool, subject: str = "") -> list[Assessment]:
    """Each paper of `pool` assessed, in its order; without a `subject`, what is asked for, no doubt is felt."""
    import numpy as np

    rows = features(pool)
    fitted = weights()
    shares = rows * np.array(fitted.features, np.float32)
    doubt = _doubt(pool, subject)
    odds = shares.sum(axis=1).astype(np.float64) + fitted.intercept - doubt
    chances = 1 / (1 + np.exp(-odds))
    if doubt and chances.max(initial=0) < 0.5:
        return [Assessment(round(float(chance), 6), (DOUBTED,)) for chance in chances]
    beyond = shares - np.median(shares, axis=0) if len(shares) else shares
    return [
        Assessment(round(float(chance), 6), _strongest(share)) for chance, share in zip(chances, beyond, strict=True)
    ]


def _doubt(pool: Pool, subject: str) -> float:
    """A paper that was judged relevant leaves no more doubt than one that has the words."""
    if not subject:
        return 0.0
    found = max(coverage(subject, pool.papers), *(pool.judged or {}).values(), 0.0)
    return DOUBT * (1 - min(found / ENOUGH, 1))


def _strongest(shares: Sequence[float]) -> tuple[str, ...]:
    ranked = sorted(zip(shares, FEATURES, strict=True), reverse=True)
    return tuple(name for share, name in ranked[:3] if share > 0.1 and name != "bare")
