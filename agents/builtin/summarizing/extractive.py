"""Sentences on papers that together say most about a question: maximal marginal relevance
(Carbonell & Goldstein 1998)."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf, sqrt

from agents.builtin.ranking.bm25 import idf
from agents.builtin.text.sentences import sentences
from agents.builtin.text.terms import terms
from cache.passages import Passage
from connectors.paper import Paper, WorkId

NOVELTY = 0.45
"""What saying something new is worth beside saying something on the question."""
_COMMON = 0.5
"""What having much in common with the other sentences is worth beside speaking of the question."""
_PLACE = 0.05
_ON_PAGE = 0.9
"""What a sentence of a page is worth beside one of an abstract that says as much: an abstract is written to be read
alone."""
A_PAPER = 2
"""Sentences that one paper may give to one text."""
_LENGTHS = range(40, 401)
_LEAST_WORDS = 7
_HANGING = re.compile(
    r"(?:this|these|those|it|its|they|their|such|here|then|both|however|moreover|furthermore|therefore|thus|hence|"
    r"also|additionally|finally|instead|meanwhile|second(?:ly)?|third(?:ly)?|in addition|in contrast|as a result|"
    r"to this end|for this)\b",
    re.IGNORECASE,
)
"""How a sentence begins that leans on the one before it."""
_OWN = re.compile(r"\b(?:we|our|us)\b|\bthis (?:paper|article|study|work)\b", re.IGNORECASE)
_NO_SENTENCE = re.compile(r"©|\bcopyright\b|all rights reserved|https?:|…$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Extract:
    """A sentence exactly as it stands in the abstract of the paper `work`, on the `page` of its PDF, or in want of an
    abstract in spar's note on it."""

    work: WorkId
    text: str
    page: int | None = None


NO_PASSAGES: Mapping[WorkId, Sequence[Passage]] = {}
Vector = Mapping[str, float]
"""The terms of a text, weighted by how rare they are among the candidates, of length 1."""


@dataclass(slots=True)
class _Candidate:
    work: WorkId
    text: str
    vector: Vector
    worth: float
    page: int | None = None
    nearest: float = 0.0
    """How like it is to what is most like it of all that is said."""

    @property
    def marginal(self) -> float:
        return (1 - NOVELTY) * self.worth - NOVELTY * self.nearest

    def compare(self, other: Vector) -> None:
        self.nearest = max(self.nearest, _cosine(self.vector, other))


def extracts(
    question: str,
    papers: Mapping[WorkId, Paper],
    words: float = inf,
    written: Sequence[str] = (),
    most: float = inf,
    a_paper: float = A_PAPER,
    passages: Mapping[WorkId, Sequence[Passage]] = NO_PASSAGES,
) -> list[Extract]:
    """About `words` words in at most `most` sentences out of `papers` (the most telling paper first), oldest first.
    `passages` are sentences of their pages that may be chosen as well.

    A paper gives at most `a_paper` of them. What comes is on the question and differs from what is `written` already.
    Papers of which nothing is told, and those whose text gives orders, say nothing.
    """
    left = _candidates(question, papers, passages, written)
    taken = set(written)
    chosen: list[_Candidate] = []
    room = words
    while left and room > 0 and len(chosen) < most:
        best = max(left, key=lambda candidate: (candidate.marginal, candidate.text))
        left.remove(best)
        again = best.text in taken or sum(candidate.work == best.work for candidate in chosen) >= a_paper
        if again or (chosen and len(best.text.split()) > 1.5 * room):
            continue
        chosen.append(best)
        taken.add(best.text)
        for candidate in left:
            candidate.compare(best.vector)
        room -= len(best.text.split())
    positions = {work: position for position, work in enumerate(papers)}
    chosen.sort(
        key=lambda candidate: (
            papers[candidate.work].year or 0,
            positions[candidate.work],
            candidate.page or 0,
            papers[candidate.work].about.find(candidate.text),
        )
    )
    return [Extract(candidate.work, candidate.text, candidate.page) for candidate in chosen]


def _candidates(
    question: str,
    papers: Mapping[WorkId, Paper],
    passages: Mapping[WorkId, Sequence[Passage]],
    written: Sequence[str],
) -> list[_Candidate]:
    texts = [
        (position, work, text, page)
        for position, (work, paper) in enumerate(papers.items())
        for text, page in _sentences(paper, passages.get(work, ()))
        if len(text) in _LENGTHS and len(text.split()) >= _LEAST_WORDS and not _NO_SENTENCE.search(text)
    ]
    counted = [Counter(terms(text)) for _, _, text, _ in texts]
    having = Counter(term for counts in counted for term in counts)
    rarity = {term: idf(number, len(counted), 0, gentle=True) for term, number in having.items()}
    asked = {term: rarity.get(term, 0.0) for term in terms(question)}
    centre = _unit(having, rarity)
    found = []
    for (position, work, text, page), counts in zip(texts, counted, strict=True):
        vector = _unit(counts, rarity)
        on_question = sum(asked[term] for term in asked.keys() & counts.keys()) / (sum(asked.values()) or 1.0)
        if not on_question:
            continue
        worth = (on_question + _COMMON * _cosine(vector, centre)) * _standing(text) / (1 + _PLACE * position)
        found.append(_Candidate(work, text, vector, worth if page is None else _ON_PAGE * worth, page))
    for other in written:
        vector = _unit(Counter(terms(other)), rarity)
        for candidate in found:
            candidate.compare(vector)
    return found


def _sentences(paper: Paper, passages: Sequence[Passage]) -> Iterator[tuple[str, int | None]]:
    """The sentences on a paper, each once, with the page of those that are from its PDF."""
    told = dict.fromkeys(sentences(paper.about)) if paper.about else {}
    yield from ((text, None) for text in told)
    yield from ((one.text, one.page) for one in passages if one.text not in told)


def _standing(text: str) -> float:
    """How well a sentence stands alone."""
    return (0.5 if _HANGING.match(text) else 1.0) * (0.85 if _OWN.search(text) else 1.0)


def _unit(counts: Mapping[str, int], rarity: Mapping[str, float]) -> Vector:
    weights = {term: count * rarity[term] for term, count in counts.items() if term in rarity}
    length = sqrt(sum(weight * weight for weight in weights.values())) or 1.0
    return {term: weight / length for term, weight in weights.items()}


def _cosine(vector: Vector, other: Vector) -> float:
    shorter, longer = sorted((vector, other), key=len)
    return sum(weight * longer[term] for term, weight in shorter.items() if term in longer)
