"""How much of a question any of the papers found covers; all other features compare papers with each other.

If no paper is about the question, the best ones still look good beside the others, but cover little. The weights of
words must not depend on the papers found, because these words found them: if all have three words of a question, the
fourth would have all the weight.
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

ENOUGH = 0.6
"""Coverage of the question from which there is no doubt that papers on it were found."""
TERMS = 5
"""Number of the rarest terms whose total weight counts as full coverage of a long question."""
_DOCUMENTS = 10_000
_UNLISTED = _DOCUMENTS / 3_000
"""Documents added to the count of each term; a term that is not common in every field has this many."""


def coverage(subject: str, papers: Sequence[Paper]) -> float:
    """Return the highest of the `coverages`."""
    return max(coverages(subject, papers), default=0.0)


def coverages(subject: str, papers: Sequence[Paper]) -> list[float]:
    """Return the share of the terms of `subject`, weighted by rarity in science, that each paper has.

    It is from 0 to 1, and 1 if `subject` has no terms. Authors and venues count as words of a paper.
    """
    subject_terms = TopicTerms(subject)
    return [subject_terms.coverage(_words(paper)) for paper in papers]


class TopicTerms:
    """The terms of a subject with their rarity in science; false if there are none."""

    def __init__(self, subject: str) -> None:
        subject_terms = frozenset(terms(subject))
        self._weight = {term: rarity(term) for term in subject_terms - _asking() or subject_terms}
        self._whole = fsum(nlargest(TERMS, self._weight.values()))  # an exact sum, because the order of a set varies

    def __bool__(self) -> bool:
        return self._whole > 0

    def share(self, words: Collection[str]) -> float:
        """Return the share of all terms, from 0 to 1, that are among `words`; a long subject must be met as a whole."""
        whole = fsum(self._weight.values())
        return fsum(weight for term, weight in self._weight.items() if term in words) / whole if whole else 0.0

    def coverage(self, words: Collection[str]) -> float:
        """Return the coverage, from 0 to 1, by the terms among `words`; the rarest `TERMS` are enough for 1."""
        covered = fsum(weight for term, weight in self._weight.items() if term in words)
        return min(covered / self._whole, 1.0) if self else 1.0


def rarity(term: str) -> float:
    """Return near 0 for a term that every document has, and the maximum for one that is not common in all fields."""
    return idf(_common().get(term, 0), _DOCUMENTS, _UNLISTED)


@cache
def _common() -> Mapping[str, int]:
    """Return, for terms common in every field, the number of `_DOCUMENTS` with them in the field that has the fewest.

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
