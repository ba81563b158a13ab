"""The words and numbers of a text as they are compared: without case, accents, ligatures and punctuation."""

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from connectors.records.letters import folded

_WORD = re.compile(r"\d++(?:[.,·]\d++)*+[^\W_]*+|[^\W_]+")
"""A number with its separators, or letters and digits: 1.25 are not the figures of 12.5."""
_THOUSANDS = re.compile(r",(?=\d{3}(?!\d))")
NEGATIONS = frozenset("no not nor neither never none without cannot hardly".split())
_DECIDING = NEGATIONS | frozenset("less more fewer lower higher".split())


class PlacedWord(NamedTuple):
    """A word without case, accents and ligatures, and where it stands in its text."""

    letters: str
    start: int
    end: int


def placed_words(text: str) -> list[PlacedWord]:
    """The words and numbers of `text`."""
    return [PlacedWord(_plain(match[0]), match.start(), match.end()) for match in _WORD.finditer(text)]


def decides(letters: str) -> bool:
    """Whether a word is a number, or turns what is said around, such as “not”."""
    return letters in _DECIDING or any(map(str.isdigit, letters))


def joined(words: Sequence[str]) -> str:
    """Words written as one: two that end and begin with a figure stay apart."""
    glue = (" " if one[-1:].isdigit() and other[:1].isdigit() else "" for one, other in pairwise(("", *words)))
    return "".join(part for pair in zip(glue, words, strict=True) for part in pair)


@lru_cache(maxsize=1_024)
def letters_of(text: str) -> str:
    """The letters and digits of `text` without case, accents, ligatures and what stands between."""
    return joined([word.letters for word in placed_words(text)])


@lru_cache(maxsize=1_024)
def spaced_words(text: str) -> str:
    """The words of `text` that have letters, without case, accents and punctuation, each between spaces."""
    words = ("".join(word.letters for word in placed_words(one)) for one in text.split() if re.search(r"[^\W\d_]", one))
    return f" {' '.join(filter(None, words))} "


_GREEK = dict(zip("αβγδεζηθικλνξοπρστυφχψω", "abgdezhtiklnxoprstufcyo", strict=True))
"""All but μ, which is a unit; φ, χ, ψ and ω by letters of their own."""
_GREEK_NAME = re.compile(r"(?:alpha|beta|gamma|delta|epsilon|theta|kappa|lambda|sigma|omega)$")
_BRITISH = (
    (re.compile(r"(?<=[^aeiou])our(?=s?$|ed$|ing$|al|able)"), "or"), (re.compile(r"(?<=[^aeiou]t)re(?=s?$)"), "er"),
    (re.compile(r"(?<=[^aeiou])[ae]e(?=[^aeiou])|oe(?!s$)(?=[^aeiou])"), "e"),
    (re.compile(r"is(?=e$|ed$|es$|ing$|ations?$)"), "iz"), (re.compile(r"ys(?=e$|ed$|es$|ing$)"), "yz"),
    (re.compile(r"([aeiou][^aeiou]{1,3}[aeiou])ll(?=ed$|ing$|er$)"), r"\1l"),
)  # fmt: skip
"""Endings and vowels that British and American English spell otherwise."""
_SPELLED = 5
"""Letters from which on a word is so compared."""


@lru_cache(maxsize=50_000)
def _plain(word: str) -> str:
    """A word without case, accents and ligatures, its Greek letters in Latin ones, its spelling American; a number with
    a point before its decimals."""
    if not word.isalnum():
        word = _THOUSANDS.sub("", word).replace(",", ".").replace("·", ".")
    letters = (
        "".join(_GREEK.get(letter, letter) for letter in folded(word) if letter.isalnum() or letter == ".") or word
    )
    if len(letters) < _SPELLED:
        return letters
    letters = _GREEK_NAME.sub(lambda name: name[0][0], letters)
    for spelling, american in _BRITISH:
        letters = spelling.sub(american, letters)
    return letters
