"""How much of what is asked any of the papers found says: all other evidence compares the papers with each other.

Where no paper is about the question the best of them still looks good beside the rest; here it does not, because a
term that no paper has weighs most of all.
"""

from collections.abc import Sequence
from functools import cache, lru_cache
from heapq import nlargest
from math import log

from agents.builtin.terms import terms
from connectors.paper import Paper
from connectors.stopwords import QUESTION_WORDS

TERMS = 5
"""A long question need not be met in all its terms: having as much as its so many rarest weigh is everything."""
_LEAST = 50
"""In fewer papers than these a term is taken for as rare as it would be among so many."""


def coverage(subject: str, papers: Sequence[Paper]) -> float:
    """The share of the terms of `subject`, by their rarity among `papers`, that the paper with the most of them has.

    It is from 0 to 1, and 1 where `subject` has no terms. Authors and venues count as a paper's words.
    """
    asked = set(terms(subject))
    asked = asked - _asking() or asked
    having = [asked & _words(paper) for paper in papers]
    size = max(len(papers), _LEAST)
    counts = {term: sum(term in one for one in having) for term in asked}
    rarity = {term: log(1 + (size - count + 0.5) / (count + 0.5)) for term, count in counts.items()}
    whole = sum(nlargest(TERMS, rarity.values()))
    most = max((sum(rarity[term] for term in one) for one in having), default=0.0)
    return min(most / whole, 1.0) if whole else 1.0


@cache
def _asking() -> frozenset[str]:
    return frozenset(terms(" ".join(QUESTION_WORDS)))


@lru_cache(maxsize=4_096)
def _words(paper: Paper) -> frozenset[str]:
    names = " ".join(author.name for author in paper.authors)
    return frozenset(terms(f"{paper.title} {paper.abstract} {paper.venue} {names}"))
