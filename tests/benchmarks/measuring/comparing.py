"""The difference between two systems on the same questions."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from math import log2
from statistics import fmean

from agents.bench.measures import DIGITS, Measures
from agents.builtin import lazy_numpy as np

RESAMPLES = 2_000
_WITHIN = (0.025, 0.975)
_NOTHING = 1e-9
"""A mean below this is too small to divide by."""


def ndcg(ranking: Sequence[object], relevant: Collection[object], depth: int) -> float:
    """Return the nDCG of the first `depth`, with a gain of 1 for each relevant document."""
    gains = [1 / log2(rank + 2) for rank in range(depth)]
    gained = sum(gain for gain, document in zip(gains, ranking, strict=False) if document in relevant)
    return gained / (sum(gains[: len(relevant)]) or 1.0)


@dataclass(frozen=True, slots=True)
class MeanDifference:
    """The mean difference between two systems over the same questions, with its 95 % interval. `ratio` is the ratio
    of the means, with its own interval; None if the other mean is 0."""

    baseline: float
    difference: float
    low: float
    high: float
    ratio: float | None
    ratio_low: float | None = None
    ratio_high: float | None = None


def compared(ours: Sequence[float], theirs: Sequence[float], seed: int = 0) -> dict[str, float | None]:
    """Return the figures of `difference` by name, rounded for a report."""
    fields = asdict(difference(ours, theirs, seed))
    return {name: value if value is None else round(value, DIGITS) for name, value in fields.items()}


def comparisons(
    ours: Sequence[Measures], theirs: Sequence[Measures], names: Iterable[str], seed: int
) -> dict[str, dict[str, float | None]]:
    """Return `compared` of two systems for each of the measures `names`, which every row has."""
    return {name: compared([row[name] for row in ours], [row[name] for row in theirs], seed) for name in names}


def difference(ours: Sequence[float], theirs: Sequence[float], seed: int = 0) -> MeanDifference:
    """Compare by the paired percentile bootstrap over questions (Efron & Tibshirani 1993, §13.3); deterministic per
    seed."""
    draws = np.random.default_rng(seed).integers(len(ours), size=(RESAMPLES, len(ours)))
    means, bases = np.array(ours)[draws].mean(axis=1), np.array(theirs)[draws].mean(axis=1)
    low, high = np.quantile(means - bases, _WITHIN)
    base, mean = fmean(theirs), fmean(ours)
    outcome = MeanDifference(base, mean - base, float(low), float(high), mean / base if base else None)
    if bases.min() < _NOTHING:
        return outcome
    ratio_low, ratio_high = np.quantile(means / bases, _WITHIN)
    return replace(outcome, ratio_low=float(ratio_low), ratio_high=float(ratio_high))
