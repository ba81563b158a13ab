"""Shorten a text: choose the sentences that say most about what was done and found."""

import re
from collections.abc import Collection, Sequence
from itertools import pairwise

from agents.builtin.text.sentences import sentences

_GAP = " […] "
TELLS = re.compile(
    r"\b(?:found|find(?:s|ings?)?|show(?:s|ed|n)?|demonstrat\w+|reveal\w*|results?|conclu\w+|suggest\w*|indicat\w+|"
    r"significan\w+|associated|increas\w+|decreas\w+|reduc\w+|improv\w+|higher|lower|compared|observed|identified)\b",
    re.IGNORECASE,
)
"""Words for findings in papers of all fields."""
DOES = re.compile(r"\b(?:we|our|this (?:study|paper|work|article|trial|review))\b", re.IGNORECASE)
"""Words for a paper's own work."""
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_MOST_NUMBERS = 4
"""Maximum number of numbers that count for a sentence; more may be a table."""


def excerpt(text: str, letters: int) -> str:
    """Return `text`, or its sentences that say most about what was done and found, in at most `letters` letters and in
    order, with gaps marked.

    The sentences are verbatim; only if none fits, the beginning of the text is cut between words.
    """
    if len(text) <= letters:
        return text
    all_sentences = sentences(text)
    last = max(len(all_sentences) - 1, 1)
    worths = [_worth(sentence, number / last) for number, sentence in enumerate(all_sentences)]
    indexes: set[int] = set()
    for position in sorted(range(len(all_sentences)), key=lambda number: -worths[number]):
        if len(_with_gaps(all_sentences, {*indexes, position})) <= letters:
            indexes.add(position)
    if indexes:
        return _with_gaps(all_sentences, indexes)
    room = max(letters - len(_GAP.rstrip()), 0)
    return f"{text[:room].rpartition(' ')[0]}{_GAP.rstrip()}"


def _worth(sentence: str, position: float) -> float:
    """Score what a sentence says about what was done and found, relative to its length; later ones get more."""
    numbers = min(len(_NUMBER.findall(sentence)), _MOST_NUMBERS)
    signs = numbers + bool(TELLS.search(sentence)) + bool(DOES.search(sentence)) + position
    return float(signs / len(sentence) ** 0.5)


def _with_gaps(all_sentences: Sequence[str], indexes: Collection[int]) -> str:
    """Join sentences in order, with a mark wherever others are left out."""
    places = sorted(indexes)
    parts = [all_sentences[places[0]]] if places else []
    for before, position in pairwise(places):
        parts.append((" " if position == before + 1 else _GAP) + all_sentences[position])
    start = _GAP.lstrip() if places and places[0] else ""
    end = _GAP.rstrip() if places and places[-1] < len(all_sentences) - 1 else ""
    return f"{start}{''.join(parts)}{end}"
