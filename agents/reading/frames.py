"""Forms of sentences, such as `tag|label {papers} as|with {tags}`, and matching them against a message."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple


class Element(NamedTuple):
    """An element of a form: alternative words, or a slot; may be optional. What may stand behind it begins with one of
    `firsts`, or with anything if `open`."""

    words: tuple[tuple[str, ...], ...] = ()
    slot: str = ""
    optional: bool = False
    firsts: frozenset[str] = frozenset()
    open: bool = False


Spans = Mapping[str, tuple[int, int]]
"""For each slot, the index of its first token and the index after its last."""


@lru_cache(maxsize=1_024)
def form(text: str) -> tuple[Element, ...]:
    """Parse a form: `a|b` are alternatives, `a_b` is two words, `[a]` is optional, `{a}` is a slot, `{a?}` a slot that
    may be empty."""
    elements: list[Element] = []
    firsts, is_open = frozenset[str](), False
    for element in map(_element, reversed(text.split())):
        elements.append(element._replace(firsts=firsts, open=is_open))
        begins = frozenset(words[0] for words in element.words)
        firsts, is_open = (firsts | begins, is_open or bool(element.slot)) if element.optional else (begins, not begins)
    return tuple(reversed(elements))


def _element(text: str) -> Element:
    if text.startswith("{"):
        return Element(slot=text.strip("{?}"), optional="?" in text)
    optional = text.startswith("[")
    words = tuple(tuple(one.split("_")) for one in text.strip("[]").split("|"))
    return Element(words, optional=optional)


def matches(elements: Sequence[Element], keys: Sequence[str], start: int, end: int) -> Iterator[Spans]:
    """Yield all ways in which the tokens from `start` to `end` match the form, shortest slots first."""
    yield from _from(elements, 0, keys, start, end, {})


def _from(
    elements: Sequence[Element],
    index: int,
    keys: Sequence[str],
    place: int,
    end: int,
    spans: dict[str, tuple[int, int]],
) -> Iterator[Spans]:
    if index == len(elements):
        if place == end:
            yield dict(spans)
        return
    element = elements[index]
    if element.slot:
        least = place if element.optional else place + 1
        if index == len(elements) - 1:
            places: Iterable[int] = (end,) if end >= least else ()
        elif element.open:
            places = range(least, end + 1)
        else:
            places = [place for place in range(least, end) if keys[place] in element.firsts]
            places += [end] if _are_optional(elements[index + 1 :]) and end >= least else []
        for behind in places:
            yield from _from(elements, index + 1, keys, behind, end, {**spans, element.slot: (place, behind)})
        return
    for words in element.words:
        if place + len(words) <= end and tuple(keys[place : place + len(words)]) == words:
            yield from _from(elements, index + 1, keys, place + len(words), end, spans)
    if element.optional:
        yield from _from(elements, index + 1, keys, place, end, spans)


def _are_optional(elements: Sequence[Element]) -> bool:
    return all(element.optional for element in elements)
