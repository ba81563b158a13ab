"""Correct slips in the words of the reader itself: "papres", "whch"."""

from agents.builtin.ranking.word_vectors import is_known
from agents.builtin.text.terms import terms
from agents.reading.cues import NOUNS
from agents.reading.parts.subjects import near_own_words
from agents.reading.parts.words import MessageWords
from agents.reading.tokens import Token, folded

_LEAST = 3


def corrected(message: MessageWords) -> tuple[Token, ...]:
    """Return the words of a message; a word that is neither English nor of the library is replaced by the one word of
    the reader that it is a slip of."""
    return tuple(_corrected(message, token) for token in message.tokens)


def _corrected(message: MessageWords, token: Token) -> Token:
    key = token.key
    if token.quoted or len(key) < _LEAST or not key.isalpha() or key in message.own or key in NOUNS:
        return token
    if all(map(is_known, terms(key))) or message.names.is_held(token.text):
        return token
    near = near_own_words(message, key)
    return token._replace(key=folded(near[0]), text=near[0]) if near else token
