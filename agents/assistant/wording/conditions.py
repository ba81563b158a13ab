"""Hard conditions in words, from the table of conditions."""

from collections.abc import Mapping, Sequence
from typing import Any

from agents.tools.filter_arguments import FilterArguments
from cache.conditions.filters import Filter, FilterTerm
from cache.conditions.table import ROWS, Condition
from cache.conditions.wording import listed

_NOUNS = {argument.name: argument.noun for row in ROWS for argument in row.arguments}
_NOUNS["all_words"] = "that all of the words must stand there"
"""What each condition is called when it is given up."""


def conditions_text(given: FilterArguments, count: int = 1) -> str:
    """The conditions as what `count` papers are and have: `is about “query expansion” and from 2020 or later`."""
    are, have = _told(given.wanted)
    are += [_excepted(given.except_papers)] if given.except_papers else []
    is_, has = ("is", "has") if count == 1 else ("are", "have")
    return " and ".join([*([f"{is_} {listed(are)}"] if are else []), *([f"{has} {listed(have)}"] if have else [])])


def _told(wanted: Filter) -> tuple[list[str], list[str]]:
    """Return the phrases after "is" and the phrases after "has", in the order of the table."""
    are, have = list[str](), list[str]()
    for row in ROWS:
        terms = wanted.of(row.name)
        if row.name == "saved" and (wanted.of("read") or wanted.of("unread")):
            continue  # which is said with the other
        for negated in (False, True):
            if some := [term for term in terms if term.negated is negated]:
                (have if row.has else are).extend(_phrases(row, some, negated))
    return are, have


def _phrases(row: Condition, terms: Sequence[FilterTerm], negated: bool) -> list[str]:
    if negated:
        return [row.opposite or f"not {row.phrase(term.values, 'or')}" for term in terms]
    if all(len(term.values) == 1 for term in terms):
        return [row.phrase([term.values[0] for term in terms], "and")]
    return [row.phrase(term.values, "or") for term in terms]


def _excepted(names: Sequence[str]) -> str:
    return "not among those just shown" if "@shown" in names else f"not {excepted(names, 'or')}"


def excepted(names: Sequence[str], last: str = "and") -> str:
    """What papers that are left out are called."""
    return "those just shown" if "@shown" in names else listed([called(name) for name in names], last)


def called(name: str) -> str:
    """What a paper is called in a sentence: `number 2`, `“BERT”`."""
    if name in ("@shown", "@all"):
        return "those"
    if name == "@it":
        return "the one looked at"
    if name.startswith("@top"):
        return "the first" if name == "@top1" else f"the first {name.removeprefix('@top')}"
    return f"number {name[1:]}" if name[:1] == "@" and name[1:].isdigit() else f"“{name}”"


def given_up_text(given_up: Sequence[str]) -> str:
    """What was given up, in words: `what it is about: “agents”`."""
    told = []
    for entry in given_up:
        name, _, phrase = entry.partition(": ")
        told.append(f"“{phrase}”" if phrase else _NOUNS.get(name, name))
    return listed(told)


def likeness_text(given: Mapping[str, Any]) -> str:
    """What papers are to be like, and what not, by the arguments of `resemble`."""
    like = [called(name) for name in (*given.get("papers", ()), given.get("words", "")) if name]
    unlike = [called(name) for name in (*given.get("unlike", ()), given.get("unlike_words", "")) if name]
    told = ([f"like {listed(like)}"] if like else []) + ([f"not like {listed(unlike)}"] if unlike else [])
    return " and ".join(told)
