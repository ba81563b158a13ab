"""Words of a text as search terms: lower case, without stop words, stemmed (Porter's English stemmer)."""

import re
from functools import cache, lru_cache

from connectors.query.stopwords import STOP_WORDS

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


_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")


def terms(text: str) -> list[str]:
    """The terms of `text` in order, repeats kept."""
    return [_stem(word) for word in _WORD.findall(text.lower()) if word not in STOP_WORDS]


@lru_cache(maxsize=50_000)
def _stem(word: str) -> str:
    return str(_stemmer().stemWord(word.replace("’", "'").removesuffix("'s")))


@cache
def _stemmer():  # type: ignore[no-untyped-def]  # the stemmer's C class has no types
    import Stemmer

    return Stemmer.Stemmer("english")
