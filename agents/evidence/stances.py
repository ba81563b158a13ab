"""The papers that support a yes to a question, and those that support a no, judged by the words of their quotes.

Words are a poor guide, so reports say that they were used. `python -m tests.benchmarks.evidence` measures them.
"""

import re
from collections.abc import Collection, Hashable, Iterable
from typing import TypeVar

from agents.builtin.ranking.topic_coverage import TopicTerms
from agents.builtin.text.polarity import agree, may_oppose
from agents.builtin.text.terms import terms

_ASKS = re.compile(
    r"(?:^|[:;,.?!]\s)\s*(?:is|are|was|were|do|does|did|can|could|should|would|will|may|might|must|has|have|had)\b",
    re.IGNORECASE,
)

_BEGINS = re.compile(
    r"\s*(?:what|which|who|whose|whom|how|why|when|where|whether|is|are|was|were|do|does|did|can|could|should|would)\b",
    re.IGNORECASE,
)

_OPEN = re.compile(r"\bwhether\b|[?？]", re.IGNORECASE)
"""Signs of a sentence that asks."""

_SUBJECT = 0.75
"""Least share of a question in a quote that may answer it; one with less may be on another subject: “mortality is
reduced” for “do statins reduce mortality”."""
Key = TypeVar("Key", bound=Hashable)
Sides = tuple[tuple[Key, ...], tuple[Key, ...]]
"""Papers for a yes, and for a no."""


def is_question(text: str) -> bool:
    """Whether a text is a question, by its first word or its end; otherwise it names a subject."""
    return text.rstrip().endswith(("?", "？")) or bool(_BEGINS.match(text))


def stances(question: str, quotes: Iterable[tuple[Key, str]]) -> Sides[Key]:
    """Return the papers whose quotes have most of `question`: those that agree in “not” and direction, and
    those that oppose it in one of these; none if it is not a yes-or-no question. A quote that asks whether something
    is so, or differs from the question in any other denial or direction, speaks for neither; a quote for no outweighs
    those for yes in the same paper."""
    if not _ASKS.search(question):
        return (), ()
    question_terms = TopicTerms(question)
    telling = [(key, quote) for key, quote in quotes
               if question_terms.coverage(frozenset(terms(quote))) >= _SUBJECT and not _OPEN.search(quote)]  # fmt: skip
    no = [key for key, quote in telling if may_oppose(question, quote)]
    return apart([key for key, quote in telling if key not in no and agree(question, quote)], no)


def apart(yes: Collection[Key], no: Collection[Key]) -> Sides[Key]:
    """Return `yes` and `no` without duplicates, and without what is in both."""
    return tuple(dict.fromkeys(key for key in yes if key not in no)), tuple(
        dict.fromkeys(key for key in no if key not in yes)
    )
