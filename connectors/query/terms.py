"""Split a question into terms, free of everything that a service could treat as syntax.

For services that require every word. People write sentences; for "How does exercise affect sleep?" such a service
should get exercise, affect and sleep.
"""

import re
import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

from connectors.errors import NotAskable
from connectors.query.stopwords import QUESTION_WORDS, STOP_WORDS
from connectors.records.clean import clean_text

_OPERATOR = re.compile(r"\b(?:AND|OR|NOT|ANDNOT)\b")
_CURLY_QUOTES = str.maketrans(dict.fromkeys("“”„‟«»＂", '"'))


def plain_words(source: str, text: str, removed_letters: str, cap: int) -> str:
    """Return `text` without the characters of `removed_letters`, with operators in lower case and quotes in pairs, at
    most `cap` long.

    People write questions, not expressions: an AND in capitals or a lone quote is not meant as syntax. Raises
    `NotAskable` if no word is left.
    """
    bare = clean_text(text).translate(_CURLY_QUOTES).translate(dict.fromkeys(map(ord, removed_letters), " "))
    lowered = _OPERATOR.sub(lambda match: match[0].lower(), " ".join(bare.split()))
    words = " ".join(paired_quotes(cut_at_word(lowered, cap)).split())
    if not any(character.isalnum() for character in words):
        raise NotAskable(source, "the query has no words to search for.")
    return words


def cut_at_word(text: str, cap: int) -> str:
    """Return at most `cap` characters of `text`, cut between words if possible."""
    if len(text) <= cap:
        return text
    head = text[: cap + 1].rpartition(" ")[0]
    return head or text[:cap]


def paired_quotes(text: str) -> str:
    """Return `text` with the quotes of its phrases, without unmatched or empty ones."""
    parts = text.split('"')
    if len(parts) % 2 == 0:
        return " ".join(parts)
    parts[1::2] = [f'"{phrase.strip()}"' if phrase.strip() else "" for phrase in parts[1::2]]
    return "".join(parts)


QUESTION_LENGTH = 1_000


class Term(NamedTuple):
    """A word, a hyphenated compound, or a quoted phrase; in lower case, so never an operator."""

    words: tuple[str, ...]
    quoted: bool = False

    @property
    def joined(self) -> bool:
        return self.quoted or len(self.words) > 1


_HYPHENS = str.maketrans(dict.fromkeys("‐‑‒–−", "-"))
_POSSESSIVE = re.compile(r"['’]s\b")
_LOOSE_DOT = re.compile(r"(?<![0-9])\.|\.(?![0-9])")
"""A dot that is not inside a number such as 3.5."""


def terms_of(source: str, text: str) -> list[Term]:
    """Return the distinct terms of a question, in order. Raises `BadQuery` if it has no words."""
    terms: list[Term] = []
    for number, piece in enumerate(plain_words(source, text, "", QUESTION_LENGTH).split('"')):
        parts = [tuple(part.replace("-", " ").split()) for part in _letters(piece).split()]
        if number % 2:
            terms.append(Term(tuple(word for words in parts for word in words), quoted=True))
        else:
            terms += map(Term, parts)
    return list(dict.fromkeys(term for term in terms if term.words))


def content(terms: Sequence[Term]) -> list[Term]:
    """Return `terms` without filler words; all of them if there are no others."""
    return [term for term in terms if term.joined or not is_filler(term.words[0])] or list(terms)


def most_telling(terms: Sequence[Term], most: int) -> list[Term]:
    """Return at most `most` of `terms`, in order, preferring phrases and compounds to words, and long to short."""
    ranked = sorted(terms, key=lambda term: (term.joined, len("".join(term.words))), reverse=True)
    selection = set(ranked[:most])
    return [term for term in terms if term in selection]


def is_filler(word: str) -> bool:
    """Whether a word says nothing about the subject of a question."""
    return word in STOP_WORDS or word in QUESTION_WORDS or (len(word) == 1 and word.isascii() and word.isalpha())


def _letters(text: str) -> str:
    """Return `text` in lower case with only letters, digits, their marks, hyphens, and dots inside numbers."""
    text = _LOOSE_DOT.sub(" ", _POSSESSIVE.sub("", text.translate(_HYPHENS)))
    return "".join(letter if _is_kept(letter) else " " for letter in text.lower())


def _is_kept(letter: str) -> bool:
    return letter.isalnum() or letter in "-." or unicodedata.category(letter)[0] == "M"
