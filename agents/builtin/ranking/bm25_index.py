"""A BM25 index that is made once and searched often.

Every posting holds the finished weight of its term in its document, so a search only adds them up.
"""

from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from agents.builtin.ranking.bm25 import idf, saturated
from agents.builtin.text.terms import terms

if TYPE_CHECKING:
    from numpy import bool_, float64, integer
    from numpy.typing import NDArray

    Scores = NDArray[float64]
    Mask = NDArray[bool_]


class Bm25Index:
    """The documents that hold each term, by number, and what it is worth in them; sorted by term, then document."""

    def __init__(self, texts: Iterable[str]) -> None:
        import numpy as np

        vocabulary: defaultdict[str, int] = defaultdict(lambda: len(vocabulary))
        occurrences, counts = array("q"), array("q")
        for text in texts:
            found = terms(text)
            occurrences.extend(map(vocabulary.__getitem__, found))
            counts.append(len(found))
        self.size = size = len(counts)
        self._vocabulary = dict(vocabulary)
        lengths = np.array(counts, dtype=float)
        holders = np.repeat(np.arange(size), np.array(counts, dtype=int))
        postings, frequencies = np.unique(np.array(occurrences, dtype=int) * size + holders, return_counts=True)
        numbers, self._documents = postings // max(size, 1), postings % max(size, 1)
        self._starts = np.searchsorted(numbers, np.arange(len(vocabulary) + 1))
        rarity = np.array([idf(having, size) for having in np.diff(self._starts).tolist()], dtype=float)
        relative_lengths = lengths / (lengths.mean() or 1.0) if size else lengths
        self._weights = rarity[numbers] * saturated(frequencies.astype(float), relative_lengths[self._documents])

    def scores(self, text: str) -> "Scores":
        """The BM25 score of every document for `text`, by number; a term counts as often as `text` has it."""
        return self.weighted(Counter(terms(text)))

    def weighted(self, query: Mapping[str, float]) -> "Scores":
        """The BM25 score of every document for a query whose terms weigh so much, by number."""
        import numpy as np

        scores = np.zeros(self.size)
        for term, weight in query.items():
            if (number := self._vocabulary.get(term)) is not None:
                having = slice(self._starts[number], self._starts[number + 1])
                scores[self._documents[having]] += weight * self._weights[having]
        return scores


def best(scores: "Scores", limit: int, among: "NDArray[integer[Any]] | None" = None) -> list[int]:
    """The numbers of the `limit` highest scores above zero, `among` which is chosen, best first, the lower number first
    among equals."""
    import numpy as np

    candidates = np.flatnonzero(scores > 0) if among is None else among[scores[among] > 0]
    if limit < len(candidates):
        least = np.partition(scores[candidates], -limit)[-limit] if limit > 0 else np.inf
        candidates = candidates[scores[candidates] >= least]
    order = np.lexsort((candidates, -scores[candidates]))[: max(limit, 0)]
    return [int(number) for number in candidates[order]]
