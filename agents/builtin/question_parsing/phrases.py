"""The phrases of a text that say most of its subject, by what stands between the words that say nothing."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from itertools import takewhile
from math import log
from typing import NamedTuple

from agents.builtin.question_parsing.lexicon import FILLER
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
    known, scores = _known(), defaultdict[str, float](float)
    for length in (3, 2, 1):
        for term in {tuple(words[start : start + length]) for start in range(len(words) - length + 1)}:
            for name, weight in known.get(term, {}).items():
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
    known: dict[tuple[str, ...], dict[str, float]] = defaultdict(dict)
    for name, listed in _listed().items():
        for hint, phrase, word in _TERM.findall(listed):
            weight = _HINT if hint else _PHRASE if " " in phrase else _FULL
            if stems := tuple(terms((phrase or word).replace("-", " ").lower())):
                known[stems][name] = max(weight, known[stems].get(name, 0.0))
    return {stems: {name: weight / len(names) for name, weight in names.items()} for stems, names in known.items()}


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


def belong(words: Sequence[str]) -> bool:
    """Whether these are a term that some field has, though neither word says much: "time series"."""
    return tuple(terms(" ".join(words))) in pairs()


_CLAUSE = re.compile(r"(?<=[.;?!])\s+|,\s+(?:and|but|while|whereas|so that|which|where|then)\s+|:\s+", re.IGNORECASE)

EVERYDAY = frozenset(
    """actually all always annoying anything away awful bad begin best better big bigger bit bother come comes cool
        decent do does doing done easier easily easy enough ever everyone everything fast faster feel feels fit fits fix
        get gets getting give gives go goes going good got great guy guys happen happening happens hate helps huge just
        keep keeping keeps kind know let lets like little look looks lot lots made make makes making maybe mean means
        mess much never nice nobody okay people pretty put quick quickly quite really say saying says someone something
        sort stop stopping stops stuff take takes taking talk tell telling tells thing things think trick tricks try
        trying up want wants way ways weird worse worst wrong""".split()
)
LEAST = 1.0
"""Minimum content weight of a word that describes a subject."""
ALONE, TOGETHER = 1 / 2, 1 / 4
"""Minimum share of the heaviest word's weight: for a single word, and for the best of several words."""
_ABBREVIATED = re.compile(r"(?<!\s)\s*+\((?:(?![^\W\d_a-z])[^\s()])*+[^\s()]++\)")
_VERB = re.compile(r"\w{3}(?:ize|ify)s?$", re.IGNORECASE)
_NOUN = re.compile(r"(?:[st]ion|sis|ment|ness|ity|ing|[^su]s)$", re.IGNORECASE)
_JOINS = ("ing", "tion", "sion", "ment")
_NO_NOUN = re.compile(r"(?:ed|ly|ize|ify)$", re.IGNORECASE)


class Subject:
    """The subject of a text; a word weighs more the more often the text returns to it."""

    def __init__(self, text: str) -> None:
        from agents.builtin.ranking.features import nearness  # which a conversation need not wait for

        self._near, self._counts = nearness(text), Counter(terms(text))
        self._most = max((self._near.content(word) for _, run in runs(text) for word in run), default=0.0)

    def phrases(self, text: str) -> list[Phrase]:
        """Return the phrases of `text` (the whole or a part) that describe the subject, without duplicates, heaviest
        first.

        A phrase ends with its head noun, which may be a common word: "dialogue systems".
        """
        found: dict[str, Phrase] = {}
        for start, run in runs(_ABBREVIATED.sub("", text)):
            content = list(map(self._near.content, run))
            telling = [_tells(run, at, content[at]) for at in range(len(run))]
            for first, end in _pieces(run, telling):
                phrase = Phrase(
                    tuple(run[first:end]), start + first, sum(map(self._weight, run[first:end], content[first:end]))
                )
                alone = end - first == 1
                says = max(content[first:end]) >= self._most * (ALONE if alone else TOGETHER)
                if says and not (alone and _NO_NOUN.search(run[first])):
                    found.setdefault(str(phrase).lower(), phrase)
        return sorted(found.values(), key=lambda phrase: -phrase.weight)

    def _weight(self, word: str, content: float) -> float:
        return content * (1 + log(max((self._counts[term] for term in terms(word)), default=0) or 1))


def _tells(run: Sequence[str], at: int, content: float) -> bool:
    """Whether a word has enough content, or is part of a technical term: "natural language"."""
    in_term = belong(run[at : at + 2]) or (at > 0 and belong(run[at - 1 : at + 1]))
    return in_term or (content >= LEAST and not _VERB.search(run[at]) and run[at].lower() not in EVERYDAY)


def _pieces(run: Sequence[str], telling: Sequence[bool]) -> list[tuple[int, int]]:
    """Return the bounds of the phrases in `run`: content words, nouns between them, and the common nouns behind."""
    pieces, at = list[tuple[int, int]](), 0
    while at < len(run):
        first = at
        while at < len(run) and (telling[at] or (at > first and _is_between(run, at, telling))):
            at += 1
        if at > first:
            pieces.append((first, at + _heads(run, at, telling)))
        at += 1
    return pieces


def _is_between(run: Sequence[str], at: int, telling: Sequence[bool]) -> bool:
    """Whether a noun joins two content words: "natural language processing tasks"."""
    return any(telling[at + 1 : at + 2]) and not _VERB.search(run[at]) and run[at].lower().endswith(_JOINS)


def _heads(run: Sequence[str], at: int, telling: Sequence[bool]) -> int:
    """Count the common nouns that end a phrase: up to two that end the run, else one that is a noun by its form."""
    left = run[at : at + 3]
    if not left or any(telling[at : at + 2]) or _NO_NOUN.search(run[at]):
        return 0
    if len(left) == 2 and _NOUN.search(left[1]):
        return 2  # "code search models"
    return len(left) == 1 or _NOUN.search(run[at]) is not None


def topic_words(text: str) -> str:
    """The phrases that say most of `text`, in about five words; "" if none says anything."""
    return in_order(together(Subject(text).phrases(text), _TOPIC_WORDS))


_ENDS_NAME = re.compile(r"(?:ly|^(?:might|must|may|can|could|would|well|across|based|even|also|together|comes?))$")
"""A word that no name goes on with."""
_ASKS_A_VERB = re.compile(r"\b(?:to|can|could|may|might|will|would|should|must|then)\s+$", re.IGNORECASE)


class Aspect(NamedTuple):
    """One thing a request asks for: the clause that does, what it names (the most telling first), and a query for
    it."""

    clause: str
    names: tuple[str, ...]
    query: str


def aspects(text: str, most: int, most_words: int) -> list[Aspect]:
    """At most `most` aspects that cover the heaviest terms of `text`, in its order; a query has at most `most_words`
    and adds terms that those before it lack."""
    about, covered, chosen = Subject(text), set[str](), dict[int, Aspect]()
    left = {place: (clause, about.phrases(clause)) for place, clause in enumerate(_CLAUSE.split(text))}

    def fresh(phrase: Phrase) -> float:
        stems = set(terms(str(phrase)))
        return phrase.weight * len(stems - covered) / (len(stems) or 1)

    while left and len(chosen) < most:
        best = max(left, key=lambda place: (sum(map(fresh, left[place][1])), -place))
        clause, found = left.pop(best)
        picked = together(sorted(filter(fresh, found), key=fresh, reverse=True), most_words)
        if not picked:
            break
        covered.update(terms(query := in_order(picked)))
        if " " in query:
            chosen[best] = Aspect(clause, _names(clause, found), query)
    return [aspect for _, aspect in sorted(chosen.items())]


def _names(clause: str, found: Iterable[Phrase]) -> tuple[str, ...]:
    """The phrases of several words, without a verb at the front."""
    named = []
    for phrase in found:
        words = list(phrase.words)
        before = clause[: max(clause.find(str(phrase)), 0)]
        if _ASKS_A_VERB.search(before) or (words[0].endswith("ing") and not belong(words[:2])):
            words = words[1:]
        words = list(takewhile(lambda word: not _ENDS_NAME.search(word), words))
        if len(words) > 1 and not words[-1].endswith("ed"):
            named.append(" ".join(words))
    return tuple(dict.fromkeys(named))
