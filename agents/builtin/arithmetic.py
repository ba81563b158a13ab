"""Rank fusion, and array computations without numpy's spurious floating-point warnings.

The kernels of linear algebra also compute in lanes whose results they discard. Uninitialized memory there may raise
floating-point flags (numpy issue 24067), which numpy sometimes reports as errors of the product, on some processors.
Tests check that results are finite.
"""

from collections.abc import Callable, Iterable
from functools import wraps
from math import fsum
from typing import ParamSpec, TypeVar

from agents.builtin import lazy_numpy as np

K = 60
"""The constant of the paper: the first ranks of a list differ little, so that no single list decides."""


def reciprocal_rank(rank: int, k: int = K) -> float:
    """Return the worth of `rank` (from 1) in one list; the smaller `k`, the more the first ranks stand out."""
    return 1 / (k + rank)


def fused(ranks: Iterable[int], k: int = K) -> float:
    """Return the total worth of ranks (from 1) in several lists, independent of their order."""
    return fsum(reciprocal_rank(rank, k) for rank in ranks)


P = ParamSpec("P")
R = TypeVar("R")


def reckons(compute: Callable[P, R]) -> Callable[P, R]:
    """Wrap `compute` so that numpy ignores floating-point flags."""

    @wraps(compute)
    def unflagged(*args: P.args, **kwargs: P.kwargs) -> R:
        with np.errstate(all="ignore"):
            return compute(*args, **kwargs)

    return unflagged


def medians(rows: "np.AnyFloats") -> "np.AnyFloats":
    """Return the median of each column. numpy's own loads `numpy.ma`, which takes longer than a whole search."""
    half = len(rows) // 2
    middle: np.AnyFloats = np.sort(rows, axis=0)[half - 1 + len(rows) % 2 : half + 1].mean(axis=0)
    return middle
