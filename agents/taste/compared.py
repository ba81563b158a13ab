"""Papers compared with what a person wants and does not want, wherever that was read from."""

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

from agents.builtin.ranking.bm25_index import best
from agents.builtin.taste.catalogue import Catalogue

if TYPE_CHECKING:
    from agents.builtin.taste.catalogue import Floats

EXACT = 9
"""Digits behind the point that scores are told apart by."""


class Compared:
    """Papers by places, and what speaks for candidates (`wanted`) and against them (`unwanted`), by place with its
    weight. The places from `candidates` on, and those that are `closed`, cannot be recommended."""

    def __init__(
        self,
        catalogue: Catalogue,
        wanted: Mapping[int, float],
        unwanted: Mapping[int, float],
        closed: Collection[int],
        candidates: int,
    ) -> None:
        import numpy as np

        self.catalogue, self.wanted, self.unwanted = catalogue, wanted, unwanted
        self._open = np.arange(catalogue.size) < candidates
        self._open[list(closed)] = False

    def similarity(self, wanted: Mapping[int, float]) -> "Floats":
        """The mean cosine of every place with those of `wanted`, weighed; that of a place with itself does not count.

        Rounded, for a history weighs a little less each moment: equal papers are to stay in one order all the same.
        """
        total = sum(wanted.values()) or 1.0
        shares = {place: weight / total for place, weight in wanted.items()}
        scores = self.catalogue.similarity(shares)
        for place, share in shares.items():
            scores[place] -= share
        return scores.round(EXACT).clip(min=0.0)

    def nearest(self, scores: "Floats", most: int, among: Collection[int] | None = None) -> list[int]:
        """The places of the highest scores that can be recommended, best first."""
        import numpy as np

        if among is None:
            return best(scores, most, np.flatnonzero(self._open))
        places = np.fromiter(among, dtype=np.int64, count=len(among))
        return best(scores, most, places[self._open[places]])
