"""Okapi BM25 (Robertson & Zaragoza 2009, §3.4): the one formula, its figures, and its inverse document frequency."""

from collections import Counter
from collections.abc import Mapping, Sequence
from math import log
from typing import TYPE_CHECKING, TypeVar

from agents.builtin.text.terms import terms
from connectors.paper import Paper

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

Number = TypeVar("Number", float, "NDArray[float64]")
K1, B = 1.2, 0.75
SMOOTHING = 0.5


def idf(having: int, size: int, smoothing: float = SMOOTHING, *, gentle: bool = False) -> float:
    """How much a term says that `having` of `size` texts have: next to nothing where all do, more the fewer do.

    `smoothing` texts are taken to have the term, and as many to lack it, beside those that were counted. A `gentle` one
    lets a term that all have still say something (log 2): summaries are made of texts on one topic, whose own words
    all of them have, and their figures were measured so.
    """
    lacking = size if gentle else size - having
    return log(1 + (lacking + smoothing) / (having + smoothing))


def saturated(frequency: Number, relative_length: Number) -> Number:
    """What a term is worth that a text has `frequency` times, of an idf of 1; `K1 + 1` were it there without end.

    `relative_length` is that of the text beside the mean.
    """
    return frequency * (K1 + 1) / (frequency + K1 * (1 - B + B * relative_length))


def bm25(weights: Mapping[str, float], texts: Sequence[Counter[str]]) -> list[float]:
    """The score of each of `texts`, given as its terms, for a query whose terms weigh so much (their idf)."""
    lengths = [text.total() for text in texts]
    mean_length = sum(lengths) / len(lengths) if any(lengths) else 1.0
    return [
        sum(weight * saturated(text[term], length / mean_length) for term, weight in weights.items() if term in text)
        for text, length in zip(texts, lengths, strict=True)
    ]


def relevance(question: str, papers: Sequence[Paper]) -> list[float]:
    """The relevance of each paper to `question`, by its title, whose terms count double, and what it is about; 0 to 1.

    1 would be a paper that holds every term of the question without end; the statistics are those of `papers`.
    """
    texts = [Counter(terms(paper.title) * 2 + terms(paper.about)) for paper in papers]
    weights = {term: idf(sum(term in text for text in texts), len(texts)) for term in dict.fromkeys(terms(question))}
    ceiling = sum(weights.values()) * (K1 + 1) or 1.0
    return [score / ceiling for score in bm25(weights, texts)]
