"""Words of a text as search terms: lower case, without accents and stop words, stemmed (Porter's English stemmer)."""

import re
from functools import cache, lru_cache

from connectors.query.stopwords import STOP_WORDS
from connectors.records.letters import folded

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")


def terms(text: str) -> list[str]:
    """Return the terms of `text` in order, with repeats."""
    return [_stem(word) for word in _WORD.findall(folded(text)) if word not in STOP_WORDS]


@lru_cache(maxsize=50_000)
def _stem(word: str) -> str:
    return str(_stemmer().stemWord(word.replace("’", "'").removesuffix("'s")))


@cache
def _stemmer():  # type: ignore[no-untyped-def]  # the stemmer's C class has no types
    import Stemmer

    return Stemmer.Stemmer("english")
