"""The likely acts of a message, and the likely states of its papers, by models of words that know no patterns.

`tools/fit_acts.py` fits the models to messages that are labelled with acts, or with states: logistic regressions over
words and pairs of words, in which values of the library are replaced by their types, and over the word vector of the
others, by which words that no labelled message has count like their neighbors.
"""

import gzip
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from itertools import groupby, pairwise
from math import exp
from typing import NamedTuple

from agents.builtin.ranking.word_vectors import vector
from agents.builtin.text.terms import terms
from agents.reading.cues import FILLERS, NOUNS
from agents.reading.parts.words import MessageWords

ACTS_TABLE = "likely.tsv.gz"
"""A line for each feature, with its weights for the classes of acts in hundredths. The first line names the classes,
each by its acts joined by "|", the most general first; the second has the weights of a message without words."""
STATES_TABLE = "states.tsv.gz"
"""The same for states and orders of papers, each by a name such as `read=false` or `order=newest`."""
VALUES = frozenset("SUBJ TITLE TAG AUTHOR VENUE YEAR N QUOTE".split())
"""Types of values of the library, and of numbers."""
UNKNOWN = "?"
"""Stands for a word that no labelled message has."""
DIMENSION = "~"
"""Begins the names of the numbers of the word vector among the features."""
_FIRST_YEAR, _LAST_YEAR = 1800, 2099


class WordModel(NamedTuple):
    """The classes, and the weights of a message without words and of each feature, as written."""

    classes: Sequence[str]
    bias: str
    weights: Mapping[str, str]


class LikelyAct(NamedTuple):
    """The probability of a class of acts, and the name of its most general act."""

    share: float
    kind: str


def likely_acts(message: MessageWords, *, by_meaning: bool = True) -> dict[str, LikelyAct]:
    """Return how likely each act is; acts of one class share their probability. Without `by_meaning`, words alone tell,
    and the table of word vectors is not loaded."""
    scores = _scores(ACTS_TABLE, message, by_meaning)
    odds = {name: exp(score - max(scores.values())) for name, score in scores.items()}
    rows = ((chance / sum(odds.values()), name.split("|")) for name, chance in odds.items())
    return {act: LikelyAct(share, acts[0]) for share, acts in rows for act in acts}


def likely_states(message: MessageWords) -> dict[str, float]:
    """Return how likely the papers that a message asks for are to have each state, or to be wanted in an order."""
    return {name: 1 / (1 + exp(-score)) for name, score in _scores(STATES_TABLE, message, True).items()}


def _scores(table: str, message: MessageWords, by_meaning: bool) -> dict[str, float]:
    """Return the logarithms of the odds of each class."""
    model = _model(table)
    typed = typed_words(message)
    found = features([word if word in model.weights else UNKNOWN for word in typed])
    share = 0.01 / (len(found) or 1) ** 0.5
    rows = [(share, model.weights[feature]) for feature in found if feature in model.weights]
    numbers = meaning(typed) if by_meaning else ()
    rows += [(0.01 * number, model.weights[f"{DIMENSION}{at}"]) for at, number in enumerate(numbers) if number]
    scores = [0.01 * float(bias) for bias in model.bias.split()]
    for factor, row in rows:
        scores = [score + factor * int(weight) for score, weight in zip(scores, row.split(), strict=True)]
    return dict(zip(model.classes, scores, strict=True))


def features(words: Sequence[str]) -> list[str]:
    """Return the words and the pairs of neighbors, each once; a run of the same type of value counts as one."""
    spoken = [word for word, _ in groupby(word for word in words if word in (UNKNOWN, ":") or word[:1].isalnum())]
    return list(dict.fromkeys((*spoken, *(f"{first} {second}" for first, second in pairwise(("^", *spoken, "$"))))))


def meaning(words: Sequence[str]) -> list[float]:
    """Return the word vector of the words that are no types of values."""
    counts = Counter(term for word in words if word not in VALUES for term in terms(word))
    return [float(number) for number in vector(counts)]


def typed_words(message: MessageWords) -> list[str]:
    """Return the words of a message, with the types of values in place of these."""
    words: list[str] = []
    at = 0
    while at < len(message.tokens):
        title = message.title_at(at)
        word, at = ("TITLE", title.end) if title else _typed_at(message, at)
        words.append(word)
    return words


def _typed_at(message: MessageWords, at: int) -> tuple[str, int]:
    """Return the word at a position, or the type of the value there, and the position behind it."""
    token, names = message.tokens[at], message.names
    if token.quoted:
        return "QUOTE", at + 1
    if token.key.isdecimal():
        return "YEAR" if _FIRST_YEAR <= int(token.key[:5]) <= _LAST_YEAR else "N", at + 1
    if token.key in message.own | FILLERS | NOUNS:
        return token.key, at + 1
    if (tag := names.tag_at(message.tokens, at)) and not names.is_subject(tag[0]):
        return "TAG", tag[1]
    person = names.person_at(message.tokens, at)
    if person and (token.is_capital or not names.is_subject(token.text)):
        return "AUTHOR", person[1]
    venue = names.venue_at(message.tokens, at)
    if venue and (names.has_papers_at(venue[0]) or names.is_exact_venue(venue[0])):
        return "VENUE", venue[1]
    return "SUBJ" if names.is_subject(token.text) else token.key, at + 1


@cache
def _model(table: str) -> WordModel:
    with (files(__package__) / table).open("rb") as file:
        classes, bias, *rows = gzip.decompress(file.read()).decode().splitlines()
    return WordModel(classes.split("\t"), bias, dict(row.split("\t", 1) for row in rows))
