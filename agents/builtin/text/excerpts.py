"""What is shown of a text that is longer than there is room for: the sentences that tell what was done and found."""

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
"""Words by which papers of every field tell what came out."""
DOES = re.compile(r"\b(?:we|our|this (?:study|paper|work|article|trial|review))\b", re.IGNORECASE)
"""Words by which a paper tells what it did itself."""
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_MOST_NUMBERS = 4
"""A sentence with more of them counts no more: it may be a table."""


def excerpt(text: str, letters: int) -> str:
    """`text`, or of its sentences those that tell most of what was done and found in at most `letters` letters, in
    their order, with gaps marked between.

    Each stands as it does in `text`; only where none has room the first is cut, between words.
    """
    if len(text) <= letters:
        return text
    all_sentences = sentences(text)
    worths = [_worth(one, position / max(len(all_sentences) - 1, 1)) for position, one in enumerate(all_sentences)]
    chosen: set[int] = set()
    for position in sorted(range(len(all_sentences)), key=lambda one: -worths[one]):
        if len(_joined(all_sentences, {*chosen, position})) <= letters:
            chosen.add(position)
    return _joined(all_sentences, chosen) if chosen else _cut(text, letters)


def _worth(sentence: str, position: float) -> float:
    """How much of what was done and found a sentence tells for its length; findings stand towards the end."""
    numbers = min(len(_NUMBER.findall(sentence)), _MOST_NUMBERS)
    signs = numbers + bool(TELLS.search(sentence)) + bool(DOES.search(sentence)) + position
    return float(signs / len(sentence) ** 0.5)


def _joined(all_sentences: Sequence[str], chosen: Collection[int]) -> str:
    """Some sentences in their order, with a mark where others are left out."""
    places = sorted(chosen)
    parts = [all_sentences[places[0]]] if places else []
    for before, position in pairwise(places):
        parts.append((" " if position == before + 1 else _GAP) + all_sentences[position])
    start = _GAP.lstrip() if places and places[0] else ""
    end = _GAP.rstrip() if places and places[-1] < len(all_sentences) - 1 else ""
    return f"{start}{''.join(parts)}{end}"


def _cut(text: str, letters: int) -> str:
    """The first words of a text."""
    room = max(letters - len(_GAP.rstrip()), 0)
    return f"{text[:room].rpartition(' ')[0]}{_GAP.rstrip()}"
