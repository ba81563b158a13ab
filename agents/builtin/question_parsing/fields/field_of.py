"""The field of study a question belongs to, by the terms it holds.

`field_terms.txt` lists for each field, and after a colon for a branch of it, the terms one expects there and hardly
anywhere else; phrases in quotes count double. A term after ~ is a hint that others use too and counts half; one listed
under two fields counts half for each. Matching is by stem, so one form of a word stands for all.
"""

import re
from collections import defaultdict
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

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
