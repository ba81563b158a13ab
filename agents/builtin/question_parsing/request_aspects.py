"""The things a long request asks for, each as a short query: the sentences that together hold most of its terms."""

import re
from collections import Counter
from math import log

from agents.builtin.question_parsing.phrases import Phrase, heads, in_order, together
from agents.builtin.text.terms import terms

_CLAUSE = re.compile(r"(?<=[.;?!])\s+|,\s+(?:and|but|while|whereas|so that|which|where|then)\s+|:\s+", re.IGNORECASE)


def gist(text: str, most_words: int) -> str:
    """The phrases of `text` that it comes back to and that say most, in its order."""
    counts, covered = Counter(terms(text)), set[str]()
    chosen, left = list[Phrase](), heads(text)
    while left and (best := max(left, key=lambda phrase: _gain([phrase], counts, covered))):
        left.remove(best)
        if len(best.words) > most_words or not _gain([best], counts, covered):
            break
        chosen.append(best)
        covered |= set(terms(str(best)))
        most_words -= len(best.words)
    return in_order(chosen)


def aspects(text: str, most: int, most_words: int) -> list[str]:
    """At most `most` queries of at most `most_words` words that cover the heaviest terms of `text`, in its order.

    A term weighs more the more often the text comes back to it; each query adds terms that those before lack.
    """
    counts = Counter(terms(text))
    clauses = [found for clause in _CLAUSE.split(text) if (found := heads(clause))]
    covered = set[str]()
    chosen: list[tuple[int, str]] = []
    open_clauses = dict(enumerate(clauses))
    while open_clauses and len(chosen) < most:
        picks = {number: _picked(found, counts, covered, most_words) for number, found in open_clauses.items()}
        best = max(picks, key=lambda number: (_gain(picks[number], counts, covered), -number))
        del open_clauses[best]
        if not picks[best]:
            break
        covered |= {stem for phrase in picks[best] for stem in terms(str(phrase))}
        chosen.append((best, in_order(picks[best])))
    return [query for _, query in sorted(chosen) if " " in query]


def _picked(found: list[Phrase], counts: Counter[str], covered: set[str], most_words: int) -> list[Phrase]:
    """The phrases of a clause that add most, as many as there is room for; none if all are covered already."""
    ranked = sorted(found, key=lambda phrase: -_gain([phrase], counts, covered))
    if not ranked or not _gain(ranked[:1], counts, covered):
        return []
    return together(ranked, most_words)


def _gain(picked: list[Phrase], counts: Counter[str], covered: set[str]) -> float:
    """The weight of the phrases' terms not covered yet."""
    return sum(
        phrase.weight / len(phrase.words) * (1 + log(counts[stem] or 1))
        for phrase in picked
        for stem in set(terms(str(phrase))) - covered
    )
