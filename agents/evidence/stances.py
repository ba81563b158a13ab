"""The papers that support a yes to a question, and those that support a no, judged by the words of their quotes.

Words are a poor guide, so reports say that they were used. `python -m tests.benchmarks.evidence` measures them.
"""

import re
from collections.abc import Collection, Hashable, Iterable
from typing import TypeVar

from agents.builtin.ranking.topic_coverage import Asked
from agents.builtin.text.polarity import may_oppose
from agents.builtin.text.terms import terms
from agents.evidence.choosing import BEARS

_ASKS = re.compile(
    r"(?:^|[:;,.?!]\s)\s*(?:is|are|was|were|do|does|did|can|could|should|would|will|may|might|must|has|have|had)\b",
    re.IGNORECASE,
)

_BEGINS = re.compile(
    r"\s*(?:what|which|who|whose|whom|how|why|when|where|whether|is|are|was|were|do|does|did|can|could|should|would)\b",
    re.IGNORECASE,
)

Key = TypeVar("Key", bound=Hashable)
Sides = tuple[tuple[Key, ...], tuple[Key, ...]]
"""Papers for a yes, and for a no."""


def is_question(text: str) -> bool:
    """Whether a text is a question, by its first word or its end; otherwise it names a subject."""
    return text.rstrip().endswith(("?", "？")) or bool(_BEGINS.match(text))


def stances(question: str, quotes: Iterable[tuple[Key, str]]) -> Sides[Key]:
    """Return the papers whose quotes have at least half of `question`: those that agree in “not” and direction, and
    those that do not; none if it is not a yes-or-no question."""
    if not _ASKS.search(question):
        return (), ()
    question_terms = Asked(question)
    telling = [(key, may_oppose(question, quote)) for key, quote in quotes
               if question_terms.coverage(frozenset(terms(quote))) >= BEARS]  # fmt: skip
    return apart([key for key, against in telling if not against], [key for key, against in telling if against])


def apart(yes: Collection[Key], no: Collection[Key]) -> Sides[Key]:
    """Return `yes` and `no` without duplicates, and without what is in both."""
    return tuple(dict.fromkeys(key for key in yes if key not in no)), tuple(
        dict.fromkeys(key for key in no if key not in yes)
    )
