"""The phrases of a text that describe its subject: words between those without content."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from math import log
from typing import NamedTuple

from agents.builtin.question_parsing.lexicon import EVERYDAY, FILLER
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
    fields_by_weight = sorted(fields, key=lambda field: -fields[field])
    if not fields_by_weight or (
        len(fields_by_weight) > 1 and fields[fields_by_weight[0]] < LEAD * fields[fields_by_weight[1]]
    ):
        return None
    best = fields_by_weight[0]
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
    return tuple(dict.fromkeys(branch.split(":")[0] for branch in _terms_by_branch()))


def is_field_word(word: str) -> bool:
    """Whether the word is part of a term of a research field."""
    return not _stems_of_terms().isdisjoint(terms(word))


@cache
def _stems_of_terms() -> frozenset[str]:
    return frozenset(stem for stems in _branches_by_term() for stem in stems)


@cache
def _branches_by_term() -> dict[tuple[str, ...], dict[str, float]]:
    """Return, for each stemmed term, the branches that list it, each with its share of the term's weight."""
    table: dict[tuple[str, ...], dict[str, float]] = defaultdict(dict)
    for name, terms_text in _terms_by_branch().items():
        for hint, phrase, word in _TERM.findall(terms_text):
            weight = _HINT if hint else _PHRASE if " " in phrase else _FULL
            if stems := tuple(terms((phrase or word).replace("-", " ").lower())):
                table[stems][name] = max(weight, table[stems].get(name, 0.0))
    return {stems: {name: weight / len(names) for name, weight in names.items()} for stems, names in table.items()}


@cache
def _terms_by_branch() -> Mapping[str, str]:
    """Return the list of terms of each branch."""
    text = files("agents.builtin.question_parsing.fields").joinpath("field_terms.txt").read_text("utf-8")
    rows = (row.partition("\n") for row in re.split(r"\n(?=\S)", text))
    return {name: terms_text for name, _, terms_text in rows}


_TOKEN = re.compile(r"[^\W_]+(?:[-'+./][^\W_]+)*\+*|[.,;:?!()\"]")
_CONTRACTED = re.compile(r"'(?:t|ve|ll|re|d|m)$|^(?:it|that|there|here|what|who)'s$")
_DETERMINERS = frozenset("a an the this these those my your his her its our their".split())
_MODALS = frozenset("can could may might will would should must then".split())
_INVERTING = frozenset("how why what when where which who".split())
_TOPIC_WORDS = 5


class Phrase(NamedTuple):
    """Adjacent words as written, with the position of the first, and a weight: how much they say about the subject."""

    words: tuple[str, ...]
    start: int
    weight: float

    def __str__(self) -> str:
        return " ".join(self.words)


def runs(text: str) -> list[tuple[int, list[str]]]:
    """Return the runs of adjacent content words in `text`, each with the position of its first word. Function words,
    punctuation, and verbs before a determiner ("the") or after another verb ("can") end a run."""
    runs_found, run = list[tuple[int, list[str]]](), list[str]()
    tokens = ["", "", *_TOKEN.findall(text), ".", "."]
    for position, (*before, token, next_token) in enumerate(zip(*(tokens[at:] for at in range(4)), strict=False)):
        is_done = before[1].lower() in _MODALS and before[0].isalnum() and before[0].lower() not in _INVERTING
        if _joins(token) and not is_done and next_token.lower() not in _DETERMINERS:
            run.append(token)
        elif run:
            runs_found.append((position - len(run), run))
            run = []
    return runs_found


def together(phrases: Iterable[Phrase], most_words: int) -> list[Phrase]:
    """Return the first of the `phrases` that together fit into `most_words` words, without those that add no term."""
    selection: list[Phrase] = []
    used_stems = set[str]()
    for phrase in phrases:
        stems = set(terms(str(phrase)))
        if len(phrase.words) <= most_words and not stems <= used_stems:
            selection.append(phrase)
            most_words -= len(phrase.words)
            used_stems |= stems
    return selection


def in_order(phrases: Iterable[Phrase]) -> str:
    """Return phrases of one text as a query, in the order of the text."""
    return " ".join(map(str, sorted(phrases, key=lambda phrase: phrase.start)))


def topic_words(text: str) -> str:
    """Return the heaviest phrases of `text`, in about five words; "" if there are none."""
    return in_order(together(TextSubject(text).phrases(text), _TOPIC_WORDS))


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
    return token[0].isalnum() and lower not in FILLER | _MODALS and not (len(token) == 1 and token.isascii())


def belong(words: Sequence[str]) -> bool:
    """Whether these words are a term of a field, even of general words: "time series"."""
    stems = tuple(terms(" ".join(words)))
    return len(stems) > 1 and stems in _branches_by_term()


LEAST = 1.0
"""Minimum content weight of a word that describes a subject."""
ALONE, TOGETHER = 1 / 2, 1 / 4
"""Minimum share of the heaviest word's weight: for a single word, and for the best of several words."""
_ABBREVIATED = re.compile(r"(?<!\s)\s*+\((?>(?:(?![^\W\d_a-z])[^\s()])*)[^\s()]++\)")
_VERB = re.compile(r"\w{3}(?:ize|ify)s?$", re.IGNORECASE)
_ADVERB = re.compile(r"(?:al|iv|it|ent|ant|ous|ed|ab|ib|ful|at|[aeiou][a-z]e)ly$")
_NOUN = re.compile(r"(?:[st]ion|sis|ment|ness|ity|ing|[^su]s)$", re.IGNORECASE)
_JOINS = ("ing", "tion", "sion", "ment")
_NO_NOUN = re.compile(r"(?:ed|ly|ize|ify)$", re.IGNORECASE)


class TextSubject:
    """The subject of a text; a word weighs more the more often the text has it."""

    def __init__(self, text: str) -> None:
        from agents.builtin.ranking.features import nearness  # late, so that conversations start faster

        self._near, self._counts = nearness(text), Counter(terms(text))
        self._most = max((self._near.content(word) for _, run in runs(text) for word in run), default=0.0)

    def phrases(self, text: str) -> list[Phrase]:
        """Return the phrases of `text` (the whole or a part) that describe the subject, without duplicates, heaviest
        first.

        A phrase ends with its head noun, which may be a common word: "dialogue systems".
        """
        distinct: dict[str, Phrase] = {}
        for start, run in runs(_ABBREVIATED.sub("", text)):
            content = list(map(self._near.content, run))
            telling = [_tells(run, at, content[at]) for at in range(len(run))]
            for first, end in _pieces(run, telling):
                phrase = Phrase(
                    tuple(run[first:end]), start + first, sum(map(self._weight, run[first:end], content[first:end]))
                )
                is_single = end - first == 1
                says = max(content[first:end]) >= self._most * (ALONE if is_single else TOGETHER)
                if says and not (is_single and _NO_NOUN.search(run[first])):
                    distinct.setdefault(str(phrase).lower(), phrase)
        return sorted(distinct.values(), key=lambda phrase: -phrase.weight)

    def _weight(self, word: str, content: float) -> float:
        return content * (1 + log(max((self._counts[term] for term in terms(word)), default=0) or 1))


def _tells(run: Sequence[str], at: int, content: float) -> bool:
    """Whether a word has enough content, or is part of a technical term: "natural language"."""
    in_term = belong(run[at : at + 2]) or (at > 0 and belong(run[at - 1 : at + 1]))
    is_participle = (
        at > 0 and _ADVERB.search(run[at - 1]) and run[at].endswith(("ing", "ed"))
    )  # "explicitly maintaining"
    doing = at + 1 < len(run) and run[at].islower() and run[at].endswith("ing") and not is_field_word(run[at])
    is_verb = is_participle or (doing and "-" not in run[at]) or _VERB.search(run[at]) or _ADVERB.search(run[at])
    return in_term or (content >= LEAST and not is_verb and run[at].lower() not in EVERYDAY)


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
    window = run[at : at + 3]
    if not window or any(telling[at : at + 2]) or _NO_NOUN.search(run[at]) or run[at].lower() in EVERYDAY:
        return 0
    if len(window) == 2 and _NOUN.search(window[1]):
        return 2  # "code search models"
    return len(window) == 1 or _NOUN.search(run[at]) is not None


_CLAUSE = re.compile(r"(?<=[.;?!])\s+|,\s+(?:and|but|while|whereas|so that|which|where|then)\s+|:\s+", re.IGNORECASE)


class Aspect(NamedTuple):
    """One thing that a request asks for: its clause and the phrases of its query, the heaviest first."""

    clause: str
    phrases: tuple[Phrase, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The phrases of several words."""
        return tuple(str(phrase) for phrase in self.phrases if len(phrase.words) > 1)

    @property
    def query(self) -> str:
        """The phrases as a query."""
        return in_order(self.phrases)


def aspects(text: str, limit: int, most_words: int) -> list[Aspect]:
    """Return up to `limit` aspects that cover the heaviest terms of `text`, in order. Each adds terms that those before
    lack; `most_words` limits the words of each query."""
    about = TextSubject(text)
    open_clauses = {number: (clause, about.phrases(clause)) for number, clause in enumerate(_CLAUSE.split(text))}
    stems = set[str]()
    selection: dict[int, Aspect] = {}
    while open_clauses and len(selection) < limit:
        gains = {
            n: max((_gain(candidate, stems) for candidate in phrases), default=0.0)
            for n, (_, phrases) in open_clauses.items()
        }
        best = max(gains, key=lambda number: (gains[number], -number))
        clause, phrases = open_clauses.pop(best)
        if not gains[best]:
            break
        by_gain = sorted(phrases, key=lambda phrase: -_gain(phrase, stems))
        selection[best] = Aspect(clause, tuple(together(by_gain, most_words)))
        stems |= {stem for phrase in selection[best].phrases for stem in terms(str(phrase))}
    return [aspect for _, aspect in sorted(selection.items()) if " " in aspect.query]


def _gain(phrase: Phrase, stems: set[str]) -> float:
    """Return the weight of the phrase's terms that are not covered yet."""
    return phrase.weight / len(phrase.words) * len(set(terms(str(phrase))) - stems)
