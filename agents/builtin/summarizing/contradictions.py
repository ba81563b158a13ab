"""Sentences that contradict each other, as far as words show it: the same subject, and opposite things said of it."""

import re
from collections.abc import Sequence
from itertools import combinations

from agents.builtin.text.terms import terms

SAME_SUBJECT = 0.5
"""Share of the shorter sentence's terms that both must have."""
_LEAST_SHARED = 3
_UP = frozenset("benefici better enhanc gain higher improv increas outperform promot rais superior".split())
_DOWN = frozenset("declin decreas degrad detriment harm hurt inferior lower reduc underperform wors worsen".split())
_NEGATED = re.compile(
    r"\b(?:no|not|never|neither|without|fails?|failed|cannot|lack|lacks|little|in?sufficient|ineffective|unable)\b|n't\b",
    re.IGNORECASE,
)


def contradictions(texts: Sequence[str]) -> list[tuple[int, int]]:
    """Pairs of places in `texts` that speak of the same and say the opposite; each text in one pair at most."""
    subjects = [frozenset(terms(text)) - _UP - _DOWN for text in texts]
    pairs: list[tuple[int, int]] = []
    taken: set[int] = set()
    for first, second in combinations(range(len(texts)), 2):
        shared = subjects[first] & subjects[second]
        shorter = min(len(subjects[first]), len(subjects[second])) or 1
        if (
            not {first, second} & taken
            and len(shared) >= max(_LEAST_SHARED, SAME_SUBJECT * shorter)
            and _direction(texts[first]) * _direction(texts[second]) < 0
        ):
            pairs.append((first, second))
            taken |= {first, second}
    return pairs


def _direction(text: str) -> int:
    """1 for more or better, -1 for less, worse or not at all, 0 where the text says neither or both."""
    words = set(terms(text))
    up, down = bool(words & _UP), bool(words & _DOWN)
    if up == down:
        return 0
    return (1 if up else -1) * (-1 if negated(text) else 1)


def negated(text: str) -> bool:
    """Whether `text` says of something that it is not so."""
    return bool(_NEGATED.search(text))
