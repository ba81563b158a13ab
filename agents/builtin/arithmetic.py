"""Reckoning with matrices: what numpy warns of in it is no fault of the numbers.

The kernels of linear algebra also reckon in lanes whose results they throw away, and what memory held there before may
raise the processor's flags (numpy issue 24067). numpy takes such a flag for a fault of the product, from time to time
and on some processors only. Whether results are finite, tests say.
"""

from collections.abc import Callable, Iterable
from functools import wraps
from math import fsum
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

if TYPE_CHECKING:
    from numpy import floating
    from numpy.typing import NDArray

K = 60
"""The figure of the paper: with it a list's first places differ little, so that no single list decides."""


def reciprocal_rank(rank: int, k: int = K) -> float:
    """What the place `rank` (from 1) in one list is worth; the smaller `k`, the more its head stands out."""
    return 1 / (k + rank)


def fused(ranks: Iterable[int], k: int = K) -> float:
    """What places (from 1) in several lists are worth together, whichever list came first."""
    return fsum(reciprocal_rank(rank, k) for rank in ranks)


P = ParamSpec("P")
R = TypeVar("R")


def reckons(compute: Callable[P, R]) -> Callable[P, R]:
    """`compute`, in which the processor's flags are not looked at."""

    @wraps(compute)
    def unflagged(*args: P.args, **kwargs: P.kwargs) -> R:
        import numpy as np

        with np.errstate(all="ignore"):
            return compute(*args, **kwargs)

    return unflagged


def medians(rows: "NDArray[floating[Any]]") -> "NDArray[floating[Any]]":
    """The median of each column. numpy's own loads `numpy.ma`, which takes longer than all that a search reckons."""
    import numpy as np

    half = len(rows) // 2
    middle: NDArray[floating[Any]] = np.sort(rows, axis=0)[half - 1 + len(rows) % 2 : half + 1].mean(axis=0)
    return middle
