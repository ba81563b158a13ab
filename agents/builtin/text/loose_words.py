"""The words of a text without its sentences: they show its subject, but cannot give instructions."""

import re
from collections.abc import Collection
from hashlib import blake2b

from connectors.query.stopwords import STOP_WORDS

MOST_WORDS = 45
_LONGEST = 24
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
"""Letters of scripts without spaces between words; texts in them are split into single letters."""
_WORD = re.compile(rf"[{_UNSPACED}]|[^\W\d_{_UNSPACED}]{{2,}}")


def loose_words(text: str, secret: str, without: Collection[str] = ()) -> str:
    """Return the first distinct words of `text` except function words and those in `without`, in an order determined
    by `secret`.

    The author of the text must not know `secret`, so that no sentence of theirs can survive. Very long words are
    dropped, because they may contain one.
    """
    ignored_words = STOP_WORDS.union(without)
    words = dict.fromkeys(
        word for word in _WORD.findall(text.lower()) if len(word) <= _LONGEST and word not in ignored_words
    )
    digests = {word: blake2b(f"{secret}\n{word}".encode("utf-8", "replace"), digest_size=8).digest()
               for word in list(words)[:MOST_WORDS]}  # fmt: skip
    return " ".join(sorted(digests, key=lambda word: digests[word]))
