"""Lines of a person's own that contradict each other: neither counts until one of them goes."""

import re
from collections.abc import Iterator, Sequence
from datetime import date
from itertools import combinations
from typing import NamedTuple

from agents.builtin.text.terms import terms
from cache.profile import Line
from connectors.query.terms import is_filler

_WORD = re.compile(r"[^\W_]+")


class Contradiction(NamedTuple):
    """Lines that cannot all hold, and why, in a clause. A single one is an expectation that no paper can meet."""

    lines: tuple[Line, ...]
    why: str


def contradictions(lines: Sequence[Line], today: date) -> list[Contradiction]:
    """What contradicts what among `lines`: the same is wanted and not wanted, or no paper can meet both expectations.

    `today` is the day from which an expectation such as "of the last five years" counts.
    """
    return [*_wanted_and_not(lines), *_never_met(lines, today)]


def content_words(text: str) -> frozenset[str]:
    """What a line is about: its terms, without the words by which people ask; of a text without any, the text."""
    words = [word for word in _WORD.findall(text.lower()) if not is_filler(word)]
    return frozenset(terms(" ".join(words))) or frozenset({text.casefold()})


def _wanted_and_not(lines: Sequence[Line]) -> Iterator[Contradiction]:
    about = {line.number: content_words(line.text) for line in lines}
    for first, second in combinations(lines, 2):
        if about[first.number] == about[second.number] and (first.facet == "dislike") != (second.facet == "dislike"):
            wanted, unwanted = (second, first) if first.facet == "dislike" else (first, second)
            yield Contradiction(
                (first, second), f"you {wanted.facet} “{wanted.text}”, and you dislike “{unwanted.text}”"
            )


def _never_met(lines: Sequence[Line], today: date) -> Iterator[Contradiction]:
    expected = [line for line in lines if line.facet == "expect"]
    if not expected:
        return
    from agents.builtin.question_parsing.question import read  # which most people's lines need not wait for

    bounds = [(line, reading.since, reading.until) for line in expected for reading in [read(line.text, today)]]
    for line, since, until in bounds:
        if since and until and since > until:
            yield Contradiction((line,), f"no paper can be “{line.text}”")
    for (first, since, until), (second, other_since, other_until) in combinations(bounds, 2):
        for after, before in ((since, other_until), (other_since, until)):
            if after and before and after > before:
                yield Contradiction((first, second), f"no paper can be both “{first.text}” and “{second.text}”")
                break
