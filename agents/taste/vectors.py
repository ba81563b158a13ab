"""Compare papers by meaning, if a model computes vectors, in addition to shared words.

A candidate's closeness to the history is the mean cosine of its best three papers. Only the recall set and a short
history get vectors; each is computed once and stored.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from agents.builtin.arithmetic import reckons

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

    Floats = NDArray[float64]

BEST = 3


@reckons
def nearness(vectors: Mapping[int, bytes], candidates: Sequence[int], history: Sequence[int]) -> list[float]:
    """Return the closeness of each of `candidates` to the `history`, both keys of `vectors`, in standard deviations
    of the candidates: above 0 if closer than the median paper of the history is to the others."""
    import numpy as np

    def rows(keys: Sequence[int]) -> "Floats":
        return np.array([np.frombuffer(vectors[key], dtype="<f2") for key in keys], dtype=float)

    history_rows, candidate_rows = rows(history), rows(candidates)
    scores = _best(candidate_rows @ history_rows.T)
    among = history_rows @ history_rows.T
    np.fill_diagonal(among, -1.0)
    usual = np.median(_best(among)) if len(history) > BEST else np.median(scores)
    return [float(odds) for odds in (scores - usual) / (scores.std() or 1.0)]


def _best(cosines: "Floats") -> "Floats":
    import numpy as np

    best: Floats = np.sort(cosines, axis=1)[:, -BEST:].mean(axis=1)
    return best
