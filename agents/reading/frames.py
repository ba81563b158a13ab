"""Forms of sentences, such as `tag|label {papers} as|with {tags}`, and matching them against a message."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple


class Element(NamedTuple):
    """An element of a form: alternative words, or a slot; may be optional."""

    words: tuple[tuple[str, ...], ...] = ()
    slot: str = ""
    optional: bool = False


Spans = Mapping[str, tuple[int, int]]
"""For each slot, the index of its first token and the index after its last."""


@lru_cache(maxsize=1_024)
def form(text: str) -> tuple[Element, ...]:
    """Parse a form: `a|b` are alternatives, `a_b` is two words, `[a]` is optional, `{a}` is a slot, `{a?}` a slot that
    may be empty."""
    return tuple(map(_element, text.split()))


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
        places = [end] if index == len(elements) - 1 else range(least, end + 1)
        for behind in places:
            if behind >= least and (index == len(elements) - 1 or _may_begin(elements, index + 1, keys, behind, end)):
                yield from _from(elements, index + 1, keys, behind, end, {**spans, element.slot: (place, behind)})
        return
    for words in element.words:
        if place + len(words) <= end and tuple(keys[place : place + len(words)]) == words:
            yield from _from(elements, index + 1, keys, place + len(words), end, spans)
    if element.optional:
        yield from _from(elements, index + 1, keys, place, end, spans)


def _may_begin(elements: Sequence[Element], index: int, keys: Sequence[str], place: int, end: int) -> bool:
    """Whether the next element may begin at `place`, so that the slot before it ends there."""
    for element in elements[index:]:
        if element.slot:
            return True
        if any(place < end and keys[place] == words[0] for words in element.words):
            return True
        if not element.optional:
            return False
    return place == end
