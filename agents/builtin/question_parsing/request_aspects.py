"""The things a long request asks for, each as a short query: the sentences that together hold most of its terms."""

import re
from collections import Counter
from collections.abc import Callable
from itertools import pairwise, takewhile
from math import log
from typing import NamedTuple

from agents.builtin.question_parsing.phrases import Phrase, heads, in_order, phrases, together
from agents.builtin.text.terms import terms

_CLAUSE = re.compile(r"(?<=[.;?!])\s+|,\s+(?:and|but|while|whereas|so that|which|where|then)\s+|:\s+", re.IGNORECASE)

_WORD = re.compile(r"[^\W_]+(?:[-'+./][^\W_]+)*\+*")
_ASKS_A_VERB = frozenset("to can could may might will would should must then".split())
_DOINGS = frozenset("learning training processing imaging modeling planning reasoning ranking clustering".split())
"""Words that begin or end a name though they end like what somebody does."""
_ENDS_NAME = re.compile(
    r"(?:ly|^(?:comes?|consists?|contains?|including|needs?|wants?|like|across|based|even|also|well|together|might|must"
    r"|may|can|could|would))$",
    re.IGNORECASE,
)
"""A word that no name goes on with."""

Worth = Callable[[str], float]
"""What a stemmed term counts beside others."""


class Aspect(NamedTuple):
    """One thing a request asks for: the clause that does, what it names, and the phrases of a query for it (of both the
    most telling first)."""

    clause: str
    names: tuple[str, ...]
    phrases: tuple[Phrase, ...]

    @property
    def query(self) -> str:
        """Its phrases as a query."""
        return in_order(self.phrases)


def aspects(text: str, most: int, most_words: int) -> list[Aspect]:
    """At most `most` aspects that cover the heaviest terms of `text`, in its order; a query has at most `most_words`.

    A term weighs more the more often the text comes back to it; each query adds terms that those before lack.
    """
    worth = _by_return(text)
    clauses = [(clause, found) for clause in _CLAUSE.split(text) if (found := heads(clause))]
    covered = set[str]()
    chosen: dict[int, list[Phrase]] = {}
    open_clauses = dict(enumerate(found for _, found in clauses))
    while open_clauses and len(chosen) < most:
        picks = {number: _picked(found, worth, covered, most_words) for number, found in open_clauses.items()}
        best = max(picks, key=lambda number: (_gain(picks[number], worth, covered), -number))
        del open_clauses[best]
        if not picks[best]:
            break
        covered |= {stem for phrase in picks[best] for stem in terms(str(phrase))}
        chosen[best] = picks[best]
    told = [
        Aspect(clauses[best][0], _names(clauses[best][0]), tuple(picked)) for best, picked in sorted(chosen.items())
    ]
    return [aspect for aspect in told if " " in aspect.query]


def _names(clause: str) -> tuple[str, ...]:
    """The phrases of a clause that name something, without the verbs around them."""
    before = {after: word.lower() for word, after in pairwise(_WORD.findall(clause))}
    named = []
    for phrase in sorted(phrases(clause), key=lambda phrase: (-phrase.weight, phrase.start)):
        words = list(phrase.words)
        if before.get(words[0]) in _ASKS_A_VERB or (words[0].endswith("ing") and words[0] not in _DOINGS):
            words = words[1:]
        words = list(takewhile(lambda word: not _ENDS_NAME.search(word), words))
        if len(words) > 2 and words[-1].endswith("ing") and words[-1] not in _DOINGS:
            words = words[:-1]
        if len(words) > 1 and not words[-1].endswith("ed"):
            named.append(" ".join(words))
    return tuple(dict.fromkeys(named))


def _picked(found: list[Phrase], worth: Worth, covered: set[str], most_words: int) -> list[Phrase]:
    """The phrases of a clause that add most, as many as there is room for; none if all are covered already."""
    ranked = sorted(found, key=lambda phrase: -_gain([phrase], worth, covered))
    if not ranked or not _gain(ranked[:1], worth, covered):
        return []
    return together(ranked, most_words)


def _by_return(text: str) -> Worth:
    """What a term of `text` counts: the more, the more often it comes."""
    counts = Counter(terms(text))
    return lambda stem: 1 + log(counts[stem] or 1)


def _gain(picked: list[Phrase], worth: Worth, covered: set[str]) -> float:
    """The weight of the phrases' terms not covered yet."""
    return sum(
        phrase.weight / len(phrase.words) * worth(stem)
        for phrase in picked
        for stem in set(terms(str(phrase))) - covered
    )
