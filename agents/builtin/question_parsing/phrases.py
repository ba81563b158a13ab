"""The phrases of a text that say most of its subject, by what stands between the words that say nothing."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from itertools import pairwise, takewhile
from math import log
from typing import NamedTuple

from agents.builtin.question_parsing.lexicon import FILLER, tells
from agents.builtin.text.terms import terms

_TERM = re.compile(r'(~?)(?:"([^"]+)"|(\S+))')
_FULL, _HINT, _PHRASE = 1.0, 0.5, 2.0
LEAD = 1.15
"""The field named must score so much more than the next one; otherwise no field is."""


def field_of(text: str) -> str | None:
    """The field that `text` belongs to, with its branch where that is clear; None when unsure."""
    branches = spoken_for(text)
    fields = defaultdict[str, float](float)
    for name, score in branches.items():
        fields[name.split(":")[0]] += score
    ranked = sorted(fields, key=lambda field: -fields[field])
    if not ranked or (len(ranked) > 1 and fields[ranked[0]] < LEAD * fields[ranked[1]]):
        return None
    best = ranked[0]
    branch = max((name for name in branches if name.split(":")[0] == best), key=lambda name: branches[name])
    return branch if branches[branch] > fields[best] / 2 else best


def spoken_for(text: str) -> dict[str, float]:
    """Return how much of `text` speaks for each branch: its terms, each once."""
    words = terms(text.replace("-", " "))
    table, scores = _known(), defaultdict[str, float](float)
    for length in (3, 2, 1):
        for term in {tuple(words[start : start + length]) for start in range(len(words) - length + 1)}:
            for name, weight in table.get(term, {}).items():
                scores[name] += weight
    return scores


def fields() -> tuple[str, ...]:
    """Return the names of the fields."""
    return tuple(dict.fromkeys(branch.split(":")[0] for branch in _listed()))


def is_field_word(word: str) -> bool:
    """Whether a term of some field has the word."""
    return not _stems_of_terms().isdisjoint(terms(word))


@cache
def pairs() -> frozenset[tuple[str, ...]]:
    """Return the stems of every term of several words: these belong together."""
    return frozenset(stems for stems in _known() if len(stems) > 1)


@cache
def _stems_of_terms() -> frozenset[str]:
    return frozenset(stem for stems in _known() for stem in stems)


@cache
def _known() -> dict[tuple[str, ...], dict[str, float]]:
    """Stemmed term -> the branches that list it, each with its share of the term's weight."""
    table: dict[tuple[str, ...], dict[str, float]] = defaultdict(dict)
    for name, listed in _listed().items():
        for hint, phrase, word in _TERM.findall(listed):
            weight = _HINT if hint else _PHRASE if " " in phrase else _FULL
            if stems := tuple(terms((phrase or word).replace("-", " ").lower())):
                table[stems][name] = max(weight, table[stems].get(name, 0.0))
    return {stems: {name: weight / len(names) for name, weight in names.items()} for stems, names in table.items()}


@cache
def _listed() -> Mapping[str, str]:
    """Branch -> its terms."""
    text = files("agents.builtin.question_parsing.fields").joinpath("field_terms.txt").read_text("utf-8")
    rows = (row.partition("\n") for row in re.split(r"\n(?=\S)", text))
    return {name: listed for name, _, listed in rows}


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
    runs_found, run = list[tuple[int, list[str]]](), list[str]()
    tokens = [*_TOKEN.findall(text), "."]
    for position, token in enumerate(tokens):
        if _joins(token) and tokens[position + 1].lower() not in _DETERMINERS:
            run.append(token)
        elif run:
            runs_found.append((position - len(run), run))
            run = []
    return runs_found


def phrases(text: str) -> list[Phrase]:
    """The phrases of `text` in its order, each once."""
    distinct: dict[tuple[str, ...], Phrase] = {}
    for position, words in runs(text):
        words, position = _trimmed(words, position)
        if words:
            key = tuple(word.lower() for word in words)
            distinct.setdefault(key, Phrase(tuple(words), position, weight(words)))
    return list(distinct.values())


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
    terms_of_fields = sum(belong(words[start : start + 2]) for start in range(len(words) - 1))
    return sum(map(_worth, words)) * (1.0 + 0.15 * (len(words) - 1)) + terms_of_fields


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


_CLAUSE = re.compile(r"(?<=[.;?!])\s+|,\s+(?:and|but|while|whereas|so that|which|where|then)\s+|:\s+", re.IGNORECASE)

_WORD = re.compile(r"[^\W_]+(?:[-'+./][^\W_]+)*\+*")
_ASKS_A_VERB = frozenset("to can could may might will would should must then".split())
_DOINGS = frozenset("learning training processing imaging modeling planning reasoning ranking clustering".split())
"""Words that begin or end a name though they end like what somebody does."""
_ENDS_NAME = re.compile(
    r"(?:ly|^(?:comes?|consists?|contains?|including|needs?|wants?|like|across|based|even|also|well|together|might|must"
    r"|may|can|could|would))$",
    re.IGNORECASE,
)
"""A word that no name goes on with."""

Worth = Callable[[str], float]
"""What a stemmed term counts beside others."""


class Aspect(NamedTuple):
    """One thing a request asks for: the clause that does, what it names, and the phrases of a query for it (of both the
    most telling first)."""

    clause: str
    names: tuple[str, ...]
    phrases: tuple[Phrase, ...]

    @property
    def query(self) -> str:
        """Its phrases as a query."""
        return in_order(self.phrases)


def aspects(text: str, most: int, most_words: int) -> list[Aspect]:
    """At most `most` aspects that cover the heaviest terms of `text`, in its order; a query has at most `most_words`.

    A term weighs more the more often the text comes back to it; each query adds terms that those before lack.
    """
    worth = _by_return(text)
    clauses = [(clause, phrases) for clause in _CLAUSE.split(text) if (phrases := heads(clause))]
    covered = set[str]()
    chosen: dict[int, list[Phrase]] = {}
    open_clauses = dict(enumerate(phrases for _, phrases in clauses))
    while open_clauses and len(chosen) < most:
        picks = {number: _picked(phrases, worth, covered, most_words) for number, phrases in open_clauses.items()}
        best = max(picks, key=lambda number: (_gain(picks[number], worth, covered), -number))
        del open_clauses[best]
        if not picks[best]:
            break
        covered |= {stem for phrase in picks[best] for stem in terms(str(phrase))}
        chosen[best] = picks[best]
    covering = [
        Aspect(clauses[best][0], _names(clauses[best][0]), tuple(picked)) for best, picked in sorted(chosen.items())
    ]
    return [aspect for aspect in covering if " " in aspect.query]


def _names(clause: str) -> tuple[str, ...]:
    """The phrases of a clause that name something, without the verbs around them."""
    before = {after: word.lower() for word, after in pairwise(_WORD.findall(clause))}
    named = []
    for phrase in sorted(phrases(clause), key=lambda phrase: (-phrase.weight, phrase.start)):
        words = list(phrase.words)
        if before.get(words[0]) in _ASKS_A_VERB or (words[0].endswith("ing") and words[0] not in _DOINGS):
            words = words[1:]
        words = list(takewhile(lambda word: not _ENDS_NAME.search(word), words))
        if len(words) > 2 and words[-1].endswith("ing") and words[-1] not in _DOINGS:
            words = words[:-1]
        if len(words) > 1 and not words[-1].endswith("ed"):
            named.append(" ".join(words))
    return tuple(dict.fromkeys(named))


def _picked(phrases: list[Phrase], worth: Worth, covered: set[str], most_words: int) -> list[Phrase]:
    """The phrases of a clause that add most, as many as there is room for; none if all are covered already."""
    ranked = sorted(phrases, key=lambda phrase: -_gain([phrase], worth, covered))
    if not ranked or not _gain(ranked[:1], worth, covered):
        return []
    return together(ranked, most_words)


def _by_return(text: str) -> Worth:
    """What a term of `text` counts: the more, the more often it comes."""
    counts = Counter(terms(text))
    return lambda stem: 1 + log(counts[stem] or 1)


def _gain(picked: list[Phrase], worth: Worth, covered: set[str]) -> float:
    """The weight of the phrases' terms not covered yet."""
    return sum(
        phrase.weight / len(phrase.words) * worth(stem)
        for phrase in picked
        for stem in set(terms(str(phrase))) - covered
    )
