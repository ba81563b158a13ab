"""The phrases of a text that describe its subject: words between those without content."""

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
"""Minimum ratio of the score of the best field to the next; with less, no field is named."""


def field_of(text: str) -> str | None:
    """Return the field of `text`, with its branch if that is clear; None if unsure."""
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
    """Return a score for each branch from its terms in `text`, each counted once."""
    words = terms(text.replace("-", " "))
    table, scores = _branches_by_term(), defaultdict[str, float](float)
    for length in (3, 2, 1):
        for term in {tuple(words[start : start + length]) for start in range(len(words) - length + 1)}:
            for name, weight in table.get(term, {}).items():
                scores[name] += weight
    return scores


def fields() -> tuple[str, ...]:
    """Return the names of the fields."""
    return tuple(dict.fromkeys(branch.split(":")[0] for branch in _listed()))


def is_field_word(word: str) -> bool:
    """Whether the word is part of a field's term."""
    return not _stems_of_terms().isdisjoint(terms(word))


@cache
def _stems_of_terms() -> frozenset[str]:
    return frozenset(stem for stems in _branches_by_term() for stem in stems)


@cache
def _branches_by_term() -> dict[tuple[str, ...], dict[str, float]]:
    """Return, for each stemmed term, the branches that list it, each with its share of the term's weight."""
    table: dict[tuple[str, ...], dict[str, float]] = defaultdict(dict)
    for name, listed in _listed().items():
        for hint, phrase, word in _TERM.findall(listed):
            weight = _HINT if hint else _PHRASE if " " in phrase else _FULL
            if stems := tuple(terms((phrase or word).replace("-", " ").lower())):
                table[stems][name] = max(weight, table[stems].get(name, 0.0))
    return {stems: {name: weight / len(names) for name, weight in names.items()} for stems, names in table.items()}


@cache
def _listed() -> Mapping[str, str]:
    """Return the list of terms of each branch."""
    text = files("agents.builtin.question_parsing.fields").joinpath("field_terms.txt").read_text("utf-8")
    rows = (row.partition("\n") for row in re.split(r"\n(?=\S)", text))
    return {name: listed for name, _, listed in rows}


_TOKEN = re.compile(r"[^\W_]+(?:[-'+./][^\W_]+)*\+*|[.,;:?!()\"]")
_CONTRACTED = re.compile(r"'(?:t|ve|ll|re|d|m)$")
_DETERMINERS = frozenset("a an the this these those my your his her its our their".split())
_TOPIC_WORDS = 5
LONGEST = 4
"""Maximum number of words of a phrase; of a longer run, the last ones are taken."""


class Phrase(NamedTuple):
    """Adjacent words as written, with the position of the first, and a weight: how much they say about the subject."""

    words: tuple[str, ...]
    start: int
    weight: float

    def __str__(self) -> str:
        return " ".join(self.words)


def runs(text: str) -> list[tuple[int, list[str]]]:
    """Return the runs of adjacent content words in `text`, each with the position of its first word. Function words,
    punctuation, and words before a determiner such as "the" end a run."""
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
    """Return the phrases of `text` in order, without duplicates."""
    distinct: dict[tuple[str, ...], Phrase] = {}
    for position, words in runs(text):
        words, position = _trimmed(words, position)
        if words:
            key = tuple(word.lower() for word in words)
            distinct.setdefault(key, Phrase(tuple(words), position, weight(words)))
    return list(distinct.values())


def heads(text: str) -> list[Phrase]:
    """Return the phrases of `text`; split longer ones into their heaviest pair of words and the rest."""
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
    """Return the first of the `ranked` phrases that fit into `most_words` words, without those that add no term."""
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
    """Return phrases of one text as a query, in the order of the text."""
    return " ".join(map(str, sorted(chosen, key=lambda phrase: phrase.start)))


def topic_words(text: str) -> str:
    """Return the heaviest phrases of `text`, in about five words; "" if there are none."""
    return in_order(together(sorted(phrases(text), key=lambda phrase: (-phrase.weight, phrase.start)), _TOPIC_WORDS))


def weight(words: Sequence[str]) -> float:
    """Return how much words say about a subject: abbreviations, names and compounds most, general words least."""
    terms_of_fields = sum(belong(words[start : start + 2]) for start in range(len(words) - 1))
    return sum(map(_worth, words)) * (1.0 + 0.15 * (len(words) - 1)) + terms_of_fields


def content_words(text: str) -> list[str]:
    """Return the content words of `text`, as written, in order, without duplicates."""
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
    """Return a run and its position without general words at its ends; of a long run, only the end."""
    while words and not tells(words[0].lower()) and not belong(words[:2]):
        words, position = words[1:], position + 1
    while len(words) > 1 and not (tells(words[-1].lower()) or tells(words[-2].lower()) or belong(words[-2:])):
        words = words[:-1]
    if len(words) > LONGEST:
        position, words = position + len(words) - LONGEST, words[-LONGEST:]
    return words, position


def is_term(words: Sequence[str]) -> bool:
    """Whether two neighbors in `words` are a term of a field."""
    return any(map(belong, pairwise(words)))


def belong(words: Sequence[str]) -> bool:
    """Whether these words are a term of a field, even of general words: "time series"."""
    stems = tuple(terms(" ".join(words)))
    return len(stems) > 1 and stems in _branches_by_term()


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
"""Words in -ing that may begin or end a name."""
_ENDS_NAME = re.compile(
    r"(?:ly|^(?:comes?|consists?|contains?|including|needs?|wants?|like|across|based|even|also|well|together|might|must"
    r"|may|can|could|would))$",
    re.IGNORECASE,
)
"""Words that cannot continue a name."""

Worth = Callable[[str], float]
"""The weight factor of a stemmed term."""


class Aspect(NamedTuple):
    """One thing that a request asks for: its clause, the names in the clause, and the phrases of its query (both the
    heaviest first)."""

    clause: str
    names: tuple[str, ...]
    phrases: tuple[Phrase, ...]

    @property
    def query(self) -> str:
        """The phrases as a query."""
        return in_order(self.phrases)


def aspects(text: str, most: int, most_words: int) -> list[Aspect]:
    """Return `most` aspects or fewer that cover the heaviest terms of `text`, in order; `most_words` limits each query.

    A term weighs more the more often the text repeats it; each query adds terms that those before lack.
    """
    counts = Counter(terms(text))

    def worth(stem: str) -> float:
        return 1 + log(counts[stem] or 1)

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
    """Return the names in a clause, without the verbs around them."""
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
    """Return the phrases of a clause that add most, within `most_words` words; [] if all are covered already."""
    ranked = sorted(phrases, key=lambda phrase: -_gain([phrase], worth, covered))
    if not ranked or not _gain(ranked[:1], worth, covered):
        return []
    return together(ranked, most_words)


def _gain(picked: list[Phrase], worth: Worth, covered: set[str]) -> float:
    """Return the weight of terms in the phrases that are not covered yet."""
    return sum(
        phrase.weight / len(phrase.words) * worth(stem)
        for phrase in picked
        for stem in set(terms(str(phrase))) - covered
    )
