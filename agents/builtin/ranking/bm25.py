"""Okapi BM25 over the papers of one search (Robertson & Zaragoza 2009, §3.4), title terms counted double."""

from collections import Counter
from collections.abc import Sequence
from math import log

from agents.builtin.text.terms import terms
from connectors.paper import Paper

K1, B = 1.2, 0.75


def relevance(question: str, papers: Sequence[Paper]) -> list[float]:
    """The relevance of each paper's title and abstract to `question`, from 0 to 1.

    1 would be a paper that holds every term of the question without end; the statistics are those of `papers`.
    """
    asked = set(terms(question))
    texts = [Counter(terms(paper.title) * 2 + terms(paper.abstract)) for paper in papers]
    lengths = [text.total() for text in texts]
    mean_length = sum(lengths) / len(lengths) if any(lengths) else 1.0
    weights = {term: _idf(sum(term in text for text in texts), len(texts)) for term in asked}
    ceiling = sum(weights.values()) * (K1 + 1) or 1.0
    return [
        sum(weights[term] * _saturated(text[term], length / mean_length) for term in asked) / ceiling
        for text, length in zip(texts, lengths, strict=True)
    ]


def _idf(having: int, of: int) -> float:
    return log(1 + (of - having + 0.5) / (having + 0.5))


def _saturated(frequency: int, relative_length: float) -> float:
    return frequency * (K1 + 1) / (frequency + K1 * (1 - B + B * relative_length))
