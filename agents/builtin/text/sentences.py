"""Sentences of an abstract, and the one that says most about a question."""

import re
from functools import lru_cache

from agents.builtin.text.terms import terms

_END = re.compile(r"(?<=[.!?。！？])\s+(?=[\"'“(\[]?[A-Z0-9À-ÝΑ-Ω一-鿿])")
_NO_END = re.compile(r"(?:\b(?:e\.g|i\.e|et al|cf|vs|fig|eq|approx|no|dr|st|resp)|\b[A-Z])\.$", re.IGNORECASE)
LONGEST_QUOTE = 300


def sentences(text: str) -> list[str]:
    """The sentences of `text`, each exactly as it stands there."""
    found: list[str] = []
    open_end = False
    for piece in _END.split(text):
        if open_end:
            start = text.index(found[-1])
            end = text.index(piece, start + len(found[-1])) + len(piece)
            found[-1] = text[start:end]
        else:
            found.append(piece)
        open_end = bool(_NO_END.search(piece))
    return [sentence for piece in found if (sentence := piece.strip())]


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
