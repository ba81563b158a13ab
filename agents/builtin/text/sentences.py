"""Sentences of an abstract, and the one that says most about a question."""

import re
from functools import lru_cache

from agents.builtin.text.terms import terms

_END = re.compile(r"(?<=[.!?。！？])\s+(?=[\"'“(\[]?[A-Z0-9À-ÝΑ-Ω一-鿿])")
_NO_END = re.compile(r"(?:\b(?:e\.g|i\.e|et al|cf|vs|fig|eq|approx|no|dr|st|resp)|\b[A-Z])\.$", re.IGNORECASE)
_ABBREVIATION = 12
"""Characters in which the longest of them ends, with the letter before it."""
LONGEST_QUOTE = 300


def sentences(text: str) -> list[str]:
    """The sentences of `text`, each exactly as it stands there."""
    found: list[str] = []
    begin = 0
    for gap in _END.finditer(text):
        if not ends_open(text[max(begin, gap.start() - _ABBREVIATION) : gap.start()]):
            found.append(text[begin : gap.start()])
            begin = gap.end()
    return [sentence for piece in (*found, text[begin:]) if (sentence := piece.strip())]


def ends_open(piece: str) -> bool:
    """Whether the full stop at the end of `piece` is that of an abbreviation or an initial."""
    return bool(_NO_END.search(piece, max(0, len(piece) - _ABBREVIATION)))


@lru_cache(maxsize=4_096)  # a search looks at its papers again and again
def best_sentence(asked: frozenset[str], text: str) -> str:
    """The sentence of `text` with most of the question's terms, cut between words if it is long; "" if none has any."""
    best, score = "", 0.0
    for sentence in sentences(text):
        having = asked & set(terms(sentence))
        worth = len(having) / (1 + len(sentence) / 600)
        if having and worth > score:
            best, score = sentence, worth
    return best if len(best) <= LONGEST_QUOTE else best[:LONGEST_QUOTE].rpartition(" ")[0]
