"""The words and numbers of a text in a form for comparison: without case, accents, ligatures and punctuation."""

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from connectors.records.letters import folded

_WORD = re.compile(r"\d++(?>(?:[.,·]\d++)*)[^\W_]*+|[^\W_]+")
"""A number with its separators, or letters and digits; so 1.25 and 12.5 differ."""
_THOUSANDS = re.compile(r",(?=\d{3}(?!\d))")
NEGATIONS = frozenset("no not nor neither never none without cannot hardly".split())
DIRECTIONS = frozenset("less more fewer lower higher".split())


class PlacedWord(NamedTuple):
    """A word in comparison form (`letters`), its position in the text, and as it is written there."""

    letters: str
    start: int
    end: int
    written: str


def placed_words(text: str) -> list[PlacedWord]:
    """Return the words and numbers of `text`."""
    return [PlacedWord(_plain(match[0]), match.start(), match.end(), match[0]) for match in _WORD.finditer(text)]


def decides(letters: str) -> bool:
    """Whether a word is a number, or reverses the meaning, such as “not”."""
    return letters in NEGATIONS | DIRECTIONS or any(map(str.isdigit, letters))


def joined(words: Sequence[str]) -> str:
    """Join words without spaces, except between two digits."""
    glue = (
        " " if word[-1:].isdigit() and next_word[:1].isdigit() else "" for word, next_word in pairwise(("", *words))
    )
    return "".join(part for pair in zip(glue, words, strict=True) for part in pair)


def written_as_one(words: Sequence[PlacedWord]) -> str:
    """Return the comparison form of some words in a row, written as one."""
    return _plain(joined([word.written for word in words]))


def respelled(copied: str, text: str) -> str:
    """Return `copied` with the spelling of `text` for words that differ only in umlauts, such as “Mueller” for
    “Müller”."""
    if copied.isascii() and text.isascii():
        return copied
    words_by_spelling = {_written_out(word): word for word in _WORD.findall(text)}
    return _WORD.sub(lambda word: words_by_spelling.get(_written_out(word[0]), word[0]), copied)


def _written_out(word: str) -> str:
    return _plain(word.lower().translate(_UMLAUTS))


@lru_cache(maxsize=1_024)
def letters_of(text: str) -> str:
    """Return the letters and digits of `text` without case, accents, ligatures and separators."""
    return joined([word.letters for word in placed_words(text)])


@lru_cache(maxsize=1_024)
def spaced_words(text: str) -> str:
    """Return the words of `text` that have letters, without case, accents and punctuation, each between spaces."""
    words = (
        "".join(word.letters for word in placed_words(chunk)) for chunk in text.split() if re.search(r"[^\W\d_]", chunk)
    )
    return f" {' '.join(filter(None, words))} "


_GREEK = dict(zip("αβγδεζηθικλνξοπρστυφχψω", "abgdezhtiklnxoprstufcyo", strict=True))
"""All but μ, which is a unit; φ, χ, ψ and ω have letters of their own."""
_GREEK_NAMES = {unicodedata.name(letter).split()[-1].lower(): latin for letter, latin in _GREEK.items()} | {
    "lambda": "l"
}
_LONG_NAMES = "|".join(name for name in _GREEK_NAMES if len(name) > 3)
_GREEK_NAME = re.compile(rf"^(?:{'|'.join(_GREEK_NAMES)})$|{_LONG_NAMES}")
_MICRO = re.compile(r"^(?:mu|mc|u)(?=(?:g|l|m|mol)$)")
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa"})
_BRITISH = (
    (re.compile(r"(?<=[^aeiou])our(?=s?$|ed$|ing$|al|able)"), "or"), (re.compile(r"(?<=[bt])re(?=s?$)"), "er"),
    (re.compile(r"(?<=[^aeiou][bt])red$"), "ered"),
    (re.compile(r"(?<=[^aeiou])[ae]e(?=[^aeiou])|oe(?!s$)(?=[^aeiou])"), "e"),
    (re.compile(r"is(?=e$|ed$|es$|ing$|ations?$)"), "iz"), (re.compile(r"ys(?=e$|ed$|es$|ing$)"), "yz"),
    (re.compile(r"([aeiou][^aeiou]{1,3}[aeiou])ll(?=ed$|ing$|er$)"), r"\1l"),
)  # fmt: skip
"""Endings and vowels that differ between British and American spelling."""
_SPELLED = 5
"""Minimum number of letters of a word whose spelling is unified."""


@lru_cache(maxsize=50_000)
def _plain(word: str) -> str:
    """Return a word without case, accents and ligatures, with Greek letters in Latin ones and American spelling; a
    number with a point before its decimals."""
    if not word.isalnum():
        word = _THOUSANDS.sub("", word).replace(",", ".").replace("·", ".")
    letters = (
        "".join(_GREEK.get(letter, letter) for letter in folded(word) if letter.isalnum() or letter == ".") or word
    )
    letters = _MICRO.sub("μ", _GREEK_NAME.sub(lambda name: _GREEK_NAMES[name[0]], letters))
    if len(letters) < _SPELLED:
        return letters
    for spelling, american in _BRITISH:
        letters = spelling.sub(american, letters)
    return letters
