"""The field of study a question belongs to, by the terms it holds."""

from collections import defaultdict
from functools import cache

from agents.builtin.question_parsing.fields.field_terms import TERMS
from agents.builtin.text.terms import terms

FIELDS = tuple(dict.fromkeys(branch.split(":")[0] for branch in TERMS))
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


@cache
def _known() -> dict[tuple[str, ...], dict[str, float]]:
    """Stemmed term -> the branches that list it, each with its share of the term's weight."""
    known: dict[tuple[str, ...], dict[str, float]] = defaultdict(dict)
    for name, listed in TERMS.items():
        for term, weight in listed.items():
            if stems := tuple(terms(term)):
                known[stems][name] = max(weight, known[stems].get(name, 0.0))
    return {stems: {name: weight / len(names) for name, weight in names.items()} for stems, names in known.items()}
