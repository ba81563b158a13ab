"""The whole phrases of a text that say something of its subject: words near it that are rare in science, together."""

import re
from collections import Counter
from collections.abc import Sequence
from math import log

from agents.builtin.question_parsing.everyday import EVERYDAY
from agents.builtin.question_parsing.phrases import Phrase, belong, runs
from agents.builtin.ranking.nearness import nearness
from agents.builtin.text.terms import terms

LEAST = 1.0
"""A word of less content says nothing of a subject."""
ALONE, TOGETHER = 1 / 2, 1 / 4
"""A word that stands alone, and the best of several, says as much of it, beside the one that says most."""
_ABBREVIATED = re.compile(r"(?<!\s)\s*+\((?:(?![^\W\d_a-z])[^\s()])*+[^\s()]++\)")
_VERB = re.compile(r"\w{3}(?:ize|ify)s?$", re.IGNORECASE)
_NOUN = re.compile(r"(?:[st]ion|sis|ment|ness|ity|ing|[^su]s)$", re.IGNORECASE)
_NO_NOUN = re.compile(r"(?:ed|ly|ize|ify)$", re.IGNORECASE)


class Subject:
    """What a text is about; a word weighs more the more often the text comes back to it."""

    def __init__(self, text: str) -> None:
        self._near, self._counts = nearness(text), Counter(terms(text))
        self._most = max((self._near.content(word) for _, run in runs(text) for word in run), default=0.0)

    def phrases(self, text: str) -> list[Phrase]:
        """The phrases of `text`, the whole or a part, that say something of the subject, each once, heaviest first.

        A phrase ends with the word that it is about, which may be a common one: "dialogue systems".
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
    """Whether a word says something, or is part of a term of some field: "natural language"."""
    in_term = belong(run[at : at + 2]) or (at > 0 and belong(run[at - 1 : at + 1]))
    return in_term or (content >= LEAST and not _VERB.search(run[at]) and run[at].lower() not in EVERYDAY)


def _pieces(run: Sequence[str], telling: Sequence[bool]) -> list[tuple[int, int]]:
    """Where in `run` the phrases begin and end: telling words, and the common noun that they end with."""
    pieces, at = list[tuple[int, int]](), 0
    while at < len(run):
        first = at
        while at < len(run) and telling[at]:
            at += 1
        if at > first:
            pieces.append((first, at + (at < len(run) and _is_head(run, at, telling))))
        at += 1
    return pieces


def _is_head(run: Sequence[str], at: int, telling: Sequence[bool]) -> bool:
    """Whether a common word is the noun that a phrase ends with: the last of its run, or one by its form."""
    if any(telling[at + 1 : at + 2]):
        return False
    return not _NO_NOUN.search(run[at]) and (at == len(run) - 1 or _NOUN.search(run[at]) is not None)
