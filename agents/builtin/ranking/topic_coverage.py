"""How much of what is asked any of the papers found says: all other evidence compares the papers with each other.

Where no paper is about the question the best of them still looks good beside the rest; here it does not. What a word
weighs must not depend on the papers found, for these words found them: where all have three words of a question,
the fourth would be everything.
"""

import json
from collections.abc import Collection, Mapping, Sequence
from functools import cache, lru_cache
from heapq import nlargest
from importlib.resources import files
from math import fsum

from agents.builtin.ranking.bm25 import idf
from agents.builtin.text.terms import terms
from connectors.paper import Paper
from connectors.query.stopwords import QUESTION_WORDS

TERMS = 5
"""A long question need not be met in all its terms: having as much as its so many rarest weigh is everything."""
_DOCUMENTS = 10_000
_UNLISTED = _DOCUMENTS / 3_000
"""The documents that are added to every term's: as many has one that is not common in every field."""


def coverage(subject: str, papers: Sequence[Paper]) -> float:
    """The share of the terms of `subject`, by their rarity in science, that the paper with the most of them has.

    It is from 0 to 1, and 1 where `subject` has no terms. Authors and venues count as a paper's words.
    """
    subject_terms = Asked(subject)
    return max((subject_terms.coverage(_words(paper)) for paper in papers), default=0.0) if subject_terms else 1.0


class Asked:
    """The terms of a subject by their rarity in science; false where it has none."""

    def __init__(self, subject: str) -> None:
        subject_terms = frozenset(terms(subject))
        self._weight = {term: rarity(term) for term in subject_terms - _asking() or subject_terms}
        self._whole = fsum(nlargest(TERMS, self._weight.values()))  # exact, for the order of a set is chance

    def __bool__(self) -> bool:
        return self._whole > 0

    def share(self, words: Collection[str]) -> float:
        """The share of all of them, from 0 to 1, that are among `words`: a long subject must be met as a whole."""
        whole = fsum(self._weight.values())
        return fsum(weight for term, weight in self._weight.items() if term in words) / whole if whole else 0.0

    def coverage(self, words: Collection[str]) -> float:
        """The share of them, from 0 to 1, that are among `words`."""
        there = fsum(weight for term, weight in self._weight.items() if term in words)
        return min(there / self._whole, 1.0) if self else 1.0


def rarity(term: str) -> float:
    """Next to 0 for a term that every document of every field has; the greatest for one that is not common in all."""
    return idf(_common().get(term, 0), _DOCUMENTS, _UNLISTED)


@cache
def _common() -> Mapping[str, int]:
    """The terms that are common in every field: how many of `_DOCUMENTS` have them, where the fewest have.

    `tools/count_terms.py` counts them in open test collections of medicine, biology, computer science and learning.
    """
    text = files("agents.builtin.ranking").joinpath("common_terms.json").read_text("utf-8")
    counts: dict[str, int] = json.loads(text)
    return counts


@cache
def _asking() -> frozenset[str]:
    return frozenset(terms(" ".join(QUESTION_WORDS)))


@lru_cache(maxsize=4_096)
def _words(paper: Paper) -> frozenset[str]:
    names = " ".join(author.name for author in paper.authors)
    return frozenset(terms(f"{paper.title} {paper.about} {paper.venue} {names}"))
