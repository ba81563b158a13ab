"""Okapi BM25 (Robertson & Zaragoza 2009, §3.4): the formula, its constants, and its inverse document frequency."""

from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from math import log
from typing import TypeVar

from agents.builtin import lazy_numpy as np
from agents.builtin.text.terms import terms
from connectors.paper import Paper

Number = TypeVar("Number", float, "np.Floats")
K1, B = 1.2, 0.75
SMOOTHING = 0.5


def idf(frequency: int, size: int, smoothing: float = SMOOTHING, *, gentle: bool = False) -> float:
    """Return the weight of a term that `frequency` of `size` texts have: near 0 if all have it, more the fewer do.

    `smoothing` is added to the number of texts that have the term, and to that of those that lack it. `gentle` keeps a
    weight of log 2 for a term that all have: the texts of a summary share the words of their topic, and the constants
    of summaries were tuned with it.
    """
    lacking = size if gentle else size - frequency
    return log(1 + (lacking + smoothing) / (frequency + smoothing))


def saturated(frequency: Number, relative_length: Number) -> Number:
    """Return the worth, at an idf of 1, of a term that a text has `frequency` times; the limit is `K1 + 1`.

    `relative_length` is the length of the text divided by the mean length.
    """
    return frequency * (K1 + 1) / (frequency + K1 * (1 - B + B * relative_length))


def bm25(weights: Mapping[str, float], texts: Sequence[Counter[str]]) -> list[float]:
    """Return the score of each of `texts`, given as terms, for a query of weighted terms (their idf)."""
    lengths = [text.total() for text in texts]
    mean_length = sum(lengths) / len(lengths) if any(lengths) else 1.0
    return [
        sum(weight * saturated(text[term], length / mean_length) for term, weight in weights.items() if term in text)
        for text, length in zip(texts, lengths, strict=True)
    ]


def relevance(question: str, papers: Sequence[Paper]) -> list[float]:
    """Return the relevance of each paper to `question` by title (counted twice) and abstract (or note), from 0 to 1.

    1 is the limit for a paper that repeats every term of the question endlessly; the statistics are those of `papers`.
    """
    texts = [Counter(terms(paper.title) * 2 + terms(paper.about)) for paper in papers]
    weights = {term: idf(sum(term in text for text in texts), len(texts)) for term in dict.fromkeys(terms(question))}
    ceiling = sum(weights.values()) * (K1 + 1) or 1.0
    return [score / ceiling for score in bm25(weights, texts)]


class Bm25Index:
    """An index of documents: which have each term, and the term's worth there; sorted by term, then document."""

    def __init__(self, texts: Iterable[str]) -> None:
        vocabulary: defaultdict[str, int] = defaultdict(lambda: len(vocabulary))
        occurrences, counts = array("q"), array("q")
        for text in texts:
            text_terms = terms(text)
            occurrences.extend(map(vocabulary.__getitem__, text_terms))
            counts.append(len(text_terms))
        self.size = size = len(counts)
        self._vocabulary = dict(vocabulary)
        lengths = np.array(counts, dtype=float)
        holders = np.repeat(np.arange(size), np.array(counts, dtype=int))
        postings, frequencies = np.unique(np.array(occurrences, dtype=int) * size + holders, return_counts=True)
        numbers, self._documents = postings // max(size, 1), postings % max(size, 1)
        self._starts = np.searchsorted(numbers, np.arange(len(vocabulary) + 1))
        rarity = np.array([idf(frequency, size) for frequency in np.diff(self._starts).tolist()], dtype=float)
        relative_lengths = lengths / (lengths.mean() or 1.0) if size else lengths
        self._weights = rarity[numbers] * saturated(frequencies.astype(float), relative_lengths[self._documents])

    def scores(self, text: str) -> "np.Floats":
        """Return the BM25 score of every document for `text`, by number; repeated terms count repeatedly."""
        return self.weighted(Counter(terms(text)))

    def weighted(self, query: Mapping[str, float]) -> "np.Floats":
        """Return the BM25 score of every document for a query of weighted terms, by number."""
        scores = np.zeros(self.size)
        for term, weight in query.items():
            if (number := self._vocabulary.get(term)) is not None:
                postings = slice(self._starts[number], self._starts[number + 1])
                scores[self._documents[postings]] += weight * self._weights[postings]
        return scores


def best(scores: "np.Floats", limit: int, among: "np.Integers | None" = None) -> list[int]:
    """Return the numbers of the `limit` highest scores above zero (`among` these if given), best first, on ties the
    lower number first."""
    candidates = np.flatnonzero(scores > 0) if among is None else among[scores[among] > 0]
    if limit < len(candidates):
        least = np.partition(scores[candidates], -limit)[-limit] if limit > 0 else np.inf
        candidates = candidates[scores[candidates] >= least]
    order = np.lexsort((candidates, -scores[candidates]))[: max(limit, 0)]
    return [int(number) for number in candidates[order]]
