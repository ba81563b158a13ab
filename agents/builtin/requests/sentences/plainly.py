"""A message in the words and in the order that the readers know."""

import re
from collections.abc import Callable

from agents.builtin.requests.sentences.context import without_context
from agents.builtin.requests.sentences.courtesies import without_courtesies, without_reason
from agents.builtin.requests.sentences.labels import filled_in
from agents.builtin.requests.sentences.repairs import repaired
from agents.builtin.requests.sentences.telegrams import as_a_sentence
from agents.builtin.requests.sentences.verbatim import around_verbatim
from agents.builtin.requests.sentences.word_order import in_usual_order, verb_first
from agents.builtin.requests.spelling import mended

_SEARCHES = re.compile(
    r"(?:(?:please|can you|could you|would you|and|now|then|ok|okay|kindly|also|let us|i want to|i would like to),? )*"
    r"(?:(?:search|google)\b(?! (?:for )?(?:it|that|this|them)\b)"
    r"|(?:find|get|fetch|look for)(?: me)?(?: some| any)? (?:new|newer|fresh|further)\b)",
    re.IGNORECASE,
)
"""What is looked for elsewhere is asked in the person's own words."""


def plainly(message: str, is_known: Callable[[str], bool]) -> str:
    """What `message` asks for, put plainly; what it gives word for word stays so. `is_known` says whether a word is one
    of the library, and no slip of the pen."""

    def put(text: str) -> str:
        if _SEARCHES.match(text):
            return without_courtesies(mended(text, is_known))
        text = mended(as_a_sentence(filled_in(without_context(text))), is_known)
        return without_reason(repaired(in_usual_order(without_courtesies(verb_first(text)))))

    return around_verbatim(" ".join(message.split()), put)
