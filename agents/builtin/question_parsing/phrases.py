"""The phrases of a text that say most of its subject, by what stands between the words that say nothing."""

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from agents.builtin.question_parsing.fields.field_of import is_field_word, pairs
from agents.builtin.question_parsing.lexicon import FILLER, tells
from agents.builtin.text.terms import terms

_TOKEN = re.compile(r"[^\W_]+(?:[-'+./][^\W_]+)*\+*|[.,;:?!()\"]")
_CONTRACTED = re.compile(r"'(?:t|ve|ll|re|d|m)$")
_DETERMINERS = frozenset("a an the this these those my your his her its our their".split())
_TOPIC_WORDS = 5
LONGEST = 4
"""A run of more words is rarely one phrase; its last ones are."""


class Phrase(NamedTuple):
    """Words that stand together, as written, with the position of the first and a weight for how telling they are."""

    words: tuple[str, ...]
    start: int
    weight: float

    def __str__(self) -> str:
        return " ".join(self.words)


def runs(text: str) -> list[tuple[int, list[str]]]:
    """The words that stand together in `text`, with the position of the first: no function word, no mark and no verb
    before "the" is among them."""
    found, run = list[tuple[int, list[str]]](), list[str]()
    tokens = [*_TOKEN.findall(text), "."]
    for position, token in enumerate(tokens):
        if _joins(token) and tokens[position + 1].lower() not in _DETERMINERS:
            run.append(token)
        elif run:
            found.append((position - len(run), run))
            run = []
    return found


def phrases(text: str) -> list[Phrase]:
    """The phrases of `text` in its order, each once."""
    found: dict[tuple[str, ...], Phrase] = {}
    for position, words in runs(text):
        words, position = _trimmed(words, position)
        if words:
            key = tuple(word.lower() for word in words)
            found.setdefault(key, Phrase(tuple(words), position, weight(words)))
    return list(found.values())


def heads(text: str) -> list[Phrase]:
    """The phrases of `text`, longer ones taken apart into the two neighbours that say most and the rest."""
    return [part for phrase in phrases(text) for part in _parts(phrase)]


def _parts(phrase: Phrase) -> list[Phrase]:
    if len(phrase.words) <= 2:
        return [phrase]
    pairs = [Phrase(pair, start, weight(pair)) for start, pair in enumerate(pairwise(phrase.words), phrase.start)]
    best = max(pairs, key=lambda pair: (pair.weight, pair.start))
    cut = best.start - phrase.start
    rest = ((phrase.words[:cut], phrase.start), (phrase.words[cut + 2 :], best.start + 2))
    others = (Phrase(words, start, weight(words)) for words, start in rest if any(map(tells, map(str.lower, words))))
    return [best, *(part for other in others for part in _parts(other))]


def together(ranked: Iterable[Phrase], most_words: int) -> list[Phrase]:
    """The first of `ranked` phrases that fit into `most_words` words, without those whose terms are there already."""
    chosen: list[Phrase] = []
    held = set[str]()
    for phrase in ranked:
        stems = set(terms(str(phrase)))
        if len(phrase.words) <= most_words and not stems <= held:
            chosen.append(phrase)
            most_words -= len(phrase.words)
            held |= stems
    return chosen


def in_order(chosen: Iterable[Phrase]) -> str:
    """Phrases of one text as a query, in the order of the text."""
    return " ".join(map(str, sorted(chosen, key=lambda phrase: phrase.start)))


def topic_words(text: str) -> str:
    """The phrases that say most of `text`, in about five words; "" if none says anything."""
    return in_order(together(sorted(phrases(text), key=lambda phrase: (-phrase.weight, phrase.start)), _TOPIC_WORDS))


def weight(words: Sequence[str]) -> float:
    """How telling words are together: abbreviations, names and compounds most, words of any paper least."""
    known = sum(belong(words[start : start + 2]) for start in range(len(words) - 1))
    return sum(map(_worth, words)) * (1.0 + 0.15 * (len(words) - 1)) + known


def content_words(text: str) -> list[str]:
    """The words of `text` that say something, as written, each once, in its order."""
    words = [token for token in _TOKEN.findall(text) if _joins(token)]
    return list({word.lower(): word for word in reversed(words)}.values())[::-1]


def _joins(token: str) -> bool:
    lower = token.lower()
    if token.isupper() and len(token) > 1:
        return True
    if _CONTRACTED.search(lower):
        return False
    return token[0].isalnum() and lower not in FILLER and not (len(token) == 1 and token.isascii())


def _trimmed(words: list[str], position: int) -> tuple[list[str], int]:
    """The run without weak words at its ends; of a long one, its end."""
    while words and not tells(words[0].lower()) and not belong(words[:2]):
        words, position = words[1:], position + 1
    while len(words) > 1 and not (tells(words[-1].lower()) or tells(words[-2].lower()) or belong(words[-2:])):
        words = words[:-1]
    if len(words) > LONGEST:
        position, words = position + len(words) - LONGEST, words[-LONGEST:]
    return words, position


def is_term(words: Sequence[str]) -> bool:
    """Whether some neighbours among `words` are a term of some field."""
    return any(map(belong, pairwise(words)))


def belong(words: Sequence[str]) -> bool:
    """Whether these are a term that some field has, though neither word says much: "time series"."""
    return tuple(terms(" ".join(words))) in pairs()


def _worth(word: str) -> float:
    lower = word.lower()
    if not tells(lower):
        return 0.3
    marked = any(letter.isupper() or letter.isdigit() for letter in word[1:]) or "-" in word
    return 1.0 + 0.5 * marked + 0.5 * is_field_word(lower) + min(len(word), 12) / 24
