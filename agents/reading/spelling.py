"""Correct slips in the words of the reader itself: "papres", "whch"."""

import re

from agents.builtin.ranking.word_vectors import is_common, is_known
from agents.builtin.text.terms import terms
from agents.reading.acts.shelf import FORMATS
from agents.reading.cues import FILLERS, NOUNS
from agents.reading.dates import FIRST_WORDS
from agents.reading.numbers import FIRST_NUMBERS
from agents.reading.parts.words import MessageWords, near_own_words
from agents.reading.tokens import Token, folded

_LEAST, _MOST = 3, 40
"""Minimum and maximum number of letters of a word that is corrected."""
_LETTERS = {"n": "and", "r": "are", "w": "with"}
"""Words of one letter in messages typed in haste."""
_SOUNDS = {"2": "to", "4": "for"}
_DETERMINERS = frozenset("the a an my all each every everything anything it them these those this me".split())
"""Words that no number stands before: "bibtex 4 everything"."""
_STRETCHED = re.compile(r"([^\W\d_])\1{2,}")


def parted(message: MessageWords) -> tuple[Token, ...]:
    """Return the words of a message; one with hyphens that neither the reader nor the library has is parted into words
    of the reader: "thumbs-down"."""
    return tuple(part for token in message.tokens for part in _parted(message, token))


def _parted(message: MessageWords, token: Token) -> list[Token]:
    parts, at = token.text.split("-"), token.start
    is_own = all(folded(part) in message.own | NOUNS for part in parts)
    if len(parts) < 2 or token.quoted or not is_own or token.key in message.own or message.names.is_held(token.text):
        return [token]
    tokens: list[Token] = []
    for part in parts:
        tokens.append(Token(folded(part), part, False, at, at + len(part)))
        at += len(part) + 1
    return tokens


def corrected(message: MessageWords) -> tuple[Token, ...]:
    """Return the words of a message; a word that is neither English nor of the library is replaced by the one word of
    the reader that it is a slip of."""
    following = (*message.keys[1:], "")
    return tuple(_corrected(message, token, behind) for token, behind in zip(message.tokens, following, strict=False))


def _corrected(message: MessageWords, token: Token, behind: str) -> Token:
    key = token.key.removesuffix("-tagged")  # "thesis-tagged papers"
    if key in _SOUNDS and behind in _DETERMINERS and not token.quoted:
        return token._replace(key=_SOUNDS[key], text=_SOUNDS[key])
    if key != token.key and not token.quoted:
        return token._replace(key=key, text=token.text[: len(key)])
    if token.text in _LETTERS:
        return token._replace(key=_LETTERS[token.text], text=_LETTERS[token.text])
    short = _STRETCHED.sub(r"\1", key)  # "sooo"
    if short != key and short in message.own | NOUNS:
        return token._replace(key=short, text=short)
    if (
        token.quoted
        or not _LEAST <= len(key) <= _MOST
        or not key.isalpha()
        or key in message.own | NOUNS | FIRST_WORDS | FIRST_NUMBERS | FORMATS.keys()
    ):
        return token
    if all(map(is_common, terms(key))) or message.names.is_held(token.text):
        return token
    near = [word for word in near_own_words(message, key)[:1] if terms(word) != terms(key)]
    sure = [word for word in near if word in NOUNS or sorted(word) == sorted(key)]
    if near and (sure or (near[0][0] == key[0] and not all(map(is_known, terms(key))))):
        return token._replace(key=folded(near[0]), text=near[0])
    if all(map(is_known, terms(key))):
        return token
    parts = ((token.text[:at], token.text[at:]) for at in range(_LEAST, len(key) - _LEAST + 1))
    joined = next(
        (" ".join(part) for part in parts if not FILLERS & {*part} and all(map(message.names.is_subject, part))), ""
    )
    return token._replace(key=folded(joined), text=joined) if joined else token
