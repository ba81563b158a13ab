"""A BM25 index that is made once and searched often (Robertson & Zaragoza 2009, §3.4).

Every posting holds the finished weight of its term in its document, so a search only adds them up.
"""

from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import TYPE_CHECKING

from agents.builtin.text.terms import terms

if TYPE_CHECKING:
    from numpy import bool_, float64
    from numpy.typing import NDArray

    Scores = NDArray[float64]
    Mask = NDArray[bool_]

K1, B = 1.2, 0.75


class Postings:
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
        where = np.repeat(np.arange(size), np.array(counts, dtype=int))
        postings, frequencies = np.unique(np.array(occurrences, dtype=int) * size + where, return_counts=True)
        which, self._documents = postings // max(size, 1), postings % max(size, 1)
        self._starts = np.searchsorted(which, np.arange(len(vocabulary) + 1))
        having = np.diff(self._starts)
        idf = np.log(1 + (size - having + 0.5) / (having + 0.5))
        norms = K1 * (1 - B + B * lengths / (lengths.mean() or 1.0)) if size else lengths
        self._weights = idf[which] * (K1 + 1) * frequencies / (frequencies + norms[self._documents])

    def scores(self, text: str) -> "Scores":
        """The BM25 score of every document for `text`, by number; a term counts as often as `text` has it."""
        import numpy as np

        scores = np.zeros(self.size)
        for term, count in Counter(terms(text)).items():
            if (number := self._vocabulary.get(term)) is not None:
                having = slice(self._starts[number], self._starts[number + 1])
                scores[self._documents[having]] += count * self._weights[having]
        return scores


def best(scores: "Scores", limit: int) -> list[int]:
    """The numbers of the `limit` highest scores above zero, best first, the lower number first among equals."""
    import numpy as np

    candidates = np.flatnonzero(scores > 0)
    if limit < len(candidates):
        least = np.partition(scores[candidates], -limit)[-limit] if limit > 0 else np.inf
        candidates = candidates[scores[candidates] >= least]
    order = np.lexsort((candidates, -scores[candidates]))[: max(limit, 0)]
    return [int(number) for number in candidates[order]]
