"""Reciprocal-rank fusion (Cormack, Clarke & Büttcher, SIGIR 2009): one order out of many lists."""

from collections.abc import Iterable
from math import fsum

K = 60
"""The figure of the paper: with it a list's first places differ little, so that no single list decides."""


def reciprocal_rank(rank: int, k: int = K) -> float:
    """What the place `rank` (from 1) in one list is worth; the smaller `k`, the more its head stands out."""
    return 1 / (k + rank)


def fused(ranks: Iterable[int], k: int = K) -> float:
    """What places (from 1) in several lists are worth together, whichever list came first."""
    return fsum(reciprocal_rank(rank, k) for rank in ranks)
