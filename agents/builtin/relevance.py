"""The built-in judge: a probability of relevance out of the evidence, by logistic regression.

The weights were fitted by `tools/fit_weights.py` on one half of the questions of open test collections, and calibrated
on those of them where people judged every paper; they lie beside this file as `weights.json`.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from agents.builtin.evidence import EVIDENCE, Pool, evidence


@dataclass(frozen=True, slots=True)
class Weights:
    """What each kind of evidence is worth, in the order of `EVIDENCE`, and the intercept of the log-odds."""

    evidence: tuple[float, ...]
    intercept: float


@cache
def weights() -> Weights:
    """The fitted weights."""
    read = json.loads(files("agents.builtin").joinpath("weights.json").read_text("utf-8"))
    return Weights(tuple(float(read["evidence"][name]) for name in EVIDENCE), float(read["intercept"]))


@dataclass(frozen=True, slots=True)
class Assessment:
    """The probability that a paper is relevant, and the kinds of evidence that set it apart from the others."""

    probability: float
    because: tuple[str, ...]


def assess(pool: Pool) -> list[Assessment]:
    """Each paper of `pool` assessed, in its order."""
    import numpy as np

    rows = evidence(pool)
    fitted = weights()
    shares = rows * np.array(fitted.evidence, np.float32)
    odds = shares.sum(axis=1) + fitted.intercept
    chances = 1 / (1 + np.exp(-odds.astype(np.float64)))
    beyond = shares - np.median(shares, axis=0) if len(shares) else shares
    return [
        Assessment(round(float(chance), 6), _strongest(share)) for chance, share in zip(chances, beyond, strict=True)
    ]


def _strongest(shares: Sequence[float]) -> tuple[str, ...]:
    ranked = sorted(zip(shares, EVIDENCE, strict=True), reverse=True)
    return tuple(name for share, name in ranked[:3] if share > 0.1 and name != "bare")
