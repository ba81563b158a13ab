"""Find the phrases of a text that describe its subject: related words that are rare in science."""

import re
from collections import Counter
from collections.abc import Sequence
from math import log

from agents.builtin.question_parsing.everyday import EVERYDAY
from agents.builtin.question_parsing.phrases import Phrase, belong, runs
from agents.builtin.ranking.nearness import nearness
from agents.builtin.text.terms import terms

LEAST = 1.0
"""Minimum content weight of a word that describes a subject."""
ALONE, TOGETHER = 1 / 2, 1 / 4
"""Minimum share of the heaviest word's weight: for a single word, and for the best of several words."""
_ABBREVIATED = re.compile(r"(?<!\s)\s*+\((?:(?![^\W\d_a-z])[^\s()])*+[^\s()]++\)")
_VERB = re.compile(r"\w{3}(?:ize|ify)s?$", re.IGNORECASE)
_NOUN = re.compile(r"(?:[st]ion|sis|ment|ness|ity|ing|[^su]s)$", re.IGNORECASE)
_JOINS = ("ing", "tion", "sion", "ment")
_NO_NOUN = re.compile(r"(?:ed|ly|ize|ify)$", re.IGNORECASE)


class Subject:
    """The subject of a text; a word weighs more the more often the text returns to it."""

    def __init__(self, text: str) -> None:
        self._near, self._counts = nearness(text), Counter(terms(text))
        self._most = max((self._near.content(word) for _, run in runs(text) for word in run), default=0.0)

    def phrases(self, text: str) -> list[Phrase]:
        """Return the phrases of `text` (the whole or a part) that describe the subject, without duplicates, heaviest
        first.

        A phrase ends with its head noun, which may be a common word: "dialogue systems".
        """
        found: dict[str, Phrase] = {}
        for start, run in runs(_ABBREVIATED.sub("", text)):
            content = list(map(self._near.content, run))
            telling = [_tells(run, at, content[at]) for at in range(len(run))]
            for first, end in _pieces(run, telling):
                phrase = Phrase(
                    tuple(run[first:end]), start + first, sum(map(self._weight, run[first:end], content[first:end]))
                )
                alone = end - first == 1
                says = max(content[first:end]) >= self._most * (ALONE if alone else TOGETHER)
                if says and not (alone and _NO_NOUN.search(run[first])):
                    found.setdefault(str(phrase).lower(), phrase)
        return sorted(found.values(), key=lambda phrase: -phrase.weight)

    def _weight(self, word: str, content: float) -> float:
        return content * (1 + log(max((self._counts[term] for term in terms(word)), default=0) or 1))


def _tells(run: Sequence[str], at: int, content: float) -> bool:
    """Whether a word has enough content, or is part of a technical term: "natural language"."""
    in_term = belong(run[at : at + 2]) or (at > 0 and belong(run[at - 1 : at + 1]))
    return in_term or (content >= LEAST and not _VERB.search(run[at]) and run[at].lower() not in EVERYDAY)


def _pieces(run: Sequence[str], telling: Sequence[bool]) -> list[tuple[int, int]]:
    """Return the bounds of the phrases in `run`: content words, nouns between them, and the common nouns behind."""
    pieces, at = list[tuple[int, int]](), 0
    while at < len(run):
        first = at
        while at < len(run) and (telling[at] or (at > first and _is_between(run, at, telling))):
            at += 1
        if at > first:
            pieces.append((first, at + _heads(run, at, telling)))
        at += 1
    return pieces


def _is_between(run: Sequence[str], at: int, telling: Sequence[bool]) -> bool:
    """Whether a noun joins two content words: "natural language processing tasks"."""
    return any(telling[at + 1 : at + 2]) and not _VERB.search(run[at]) and run[at].lower().endswith(_JOINS)


def _heads(run: Sequence[str], at: int, telling: Sequence[bool]) -> int:
    """Count the common nouns that end a phrase: up to two that end the run, else one that is a noun by its form."""
    left = run[at : at + 3]
    if not left or any(telling[at : at + 2]) or _NO_NOUN.search(run[at]):
        return 0
    if len(left) == 2 and _NOUN.search(left[1]):
        return 2  # "code search models"
    return len(left) == 1 or _NOUN.search(run[at]) is not None
