"""Sentences of abstracts that name an open problem."""

import re

from agents.builtin.text.excerpts import DOES
from agents.builtin.text.sentences import LONGEST_QUOTE, sentences
from agents.evidence.choosing import may_be_quoted

_OPEN = re.compile(
    r"\b(?:(?:remains?|is still|are still|still) (?:an? )?(?:largely |mostly |very )?"
    r"(?:open|unclear|unknown|unsolved|unresolved|challenging|elusive|poorly understood|under-?explored|a challenge)"
    r"|open (?:problems?|questions?|challenges?|issues?)"
    r"|(?:future|further) (?:work|research|studies|study|investigation)"
    r"|(?:little|less|not much) is known|(?:poorly|not (?:yet )?(?:well|fully)) understood|yet to be|not yet been"
    r"|under-?explored|(?:is|are) lacking|no consensus|more research|unsolved)\b",
    re.IGNORECASE,
)
_LEAST_WORDS = 7


def open_problem(text: str) -> str:
    """Return the last sentence of `text` that names an open problem, verbatim; "" if none does.

    Sentences before one on the paper's own work are skipped, because the paper may solve their problem.
    """
    for sentence in reversed(sentences(text)):
        if (
            _OPEN.search(sentence)
            and len(sentence.split()) >= _LEAST_WORDS
            and len(sentence) <= LONGEST_QUOTE
            and may_be_quoted(sentence)
        ):
            return sentence
        if DOES.search(sentence):
            break
    return ""
