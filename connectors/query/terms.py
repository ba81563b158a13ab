"""What a question is about, as terms: free of everything a service could read as syntax.

For services that must find every word they are given. People ask in sentences; of "How does exercise affect sleep?"
such a service should be asked for exercise, affect and sleep.
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


def plain_words(source: str, text: str, dropped: str, cap: int) -> str:
    """`text` without the characters of `dropped`, operators in lower case, quotes only in pairs, at most `cap` long.

    People write questions, not expressions: an AND in capitals or a lone quote is not meant as syntax.
    Raises `NotAskable` when no word is left.
    """
    bare = clean_text(text).translate(_CURLY_QUOTES).translate(dict.fromkeys(map(ord, dropped), " "))
    lowered = _OPERATOR.sub(lambda match: match[0].lower(), " ".join(bare.split()))
    words = " ".join(paired_quotes(cut_at_word(lowered, cap)).split())
    if not any(character.isalnum() for character in words):
        raise NotAskable(source, "the query holds no words to search for.")
    return words


def cut_at_word(text: str, cap: int) -> str:
    """`text` with at most `cap` characters, cut between words where it can be."""
    if len(text) <= cap:
        return text
    head = text[: cap + 1].rpartition(" ")[0]
    return head or text[:cap]


def paired_quotes(text: str) -> str:
    """`text` with the quotes of its phrases, without those that open or hold nothing."""
    parts = text.split('"')
    if len(parts) % 2 == 0:
        return " ".join(parts)
    parts[1::2] = [f'"{phrase.strip()}"' if phrase.strip() else "" for phrase in parts[1::2]]
    return "".join(parts)


QUESTION_LENGTH = 1_000


class Term(NamedTuple):
    """A word, a hyphenated compound, or a phrase the person put in quotes; in lower case, so never an operator."""

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
    """Every term of a question, once each, in its order. Raises `BadQuery` when it holds no words."""
    terms: list[Term] = []
    for number, piece in enumerate(plain_words(source, text, "", QUESTION_LENGTH).split('"')):
        parts = [tuple(part.replace("-", " ").split()) for part in _letters(piece).split()]
        if number % 2:
            terms.append(Term(tuple(word for words in parts for word in words), quoted=True))
        else:
            terms += map(Term, parts)
    return list(dict.fromkeys(term for term in terms if term.words))


def content(terms: Sequence[Term]) -> list[Term]:
    """`terms` without the words that say nothing about the subject; all of them if none does."""
    return [term for term in terms if term.joined or not is_filler(term.words[0])] or list(terms)


def most_telling(terms: Sequence[Term], most: int) -> list[Term]:
    """At most `most` of `terms`, in their order: phrases and compounds before words, long before short."""
    ranked = sorted(terms, key=lambda term: (term.joined, len("".join(term.words))), reverse=True)
    kept = set(ranked[:most])
    return [term for term in terms if term in kept]


def is_filler(word: str) -> bool:
    """Whether a word says nothing about the subject of a question."""
    return word in STOP_WORDS or word in QUESTION_WORDS or (len(word) == 1 and word.isascii() and word.isalpha())


def _letters(text: str) -> str:
    """`text` in lower case with nothing but letters, digits, their marks, hyphens, and dots inside numbers."""
    text = _LOOSE_DOT.sub(" ", _POSSESSIVE.sub("", text.translate(_HYPHENS)))
    return "".join(letter if _is_kept(letter) else " " for letter in text.lower())


def _is_kept(letter: str) -> bool:
    return letter.isalnum() or letter in "-." or unicodedata.category(letter)[0] == "M"
