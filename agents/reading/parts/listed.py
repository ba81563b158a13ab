"""Names that stand in a list: "A, B or C"."""

from collections.abc import Callable, Collection

from agents.reading.cues import JOINING
from agents.reading.parts.words import MessageWords
from agents.reading.selection import Unknown

Item = tuple[str | Unknown, int]
"""A name, or one that the library does not have, and where the words behind it begin."""


def listed_at(
    message: MessageWords, position: int, item: Callable[[int, bool], Item | None], passed: Collection[str]
) -> tuple[list[str], list[Unknown], int, bool]:
    """The names that stand in a list, "A, B or C": those known and unknown, where they end, and whether any will do.

    `item` reads one, given its place and whether it is the first; the words `passed` may stand before it.
    """
    names: list[str] = []
    unknown: list[Unknown] = []
    end, either, is_or = position, False, False
    while (at := message.behind(position, passed)) < message.end and (read := item(at, not (names or unknown))):
        name, end = read
        if isinstance(name, Unknown):
            unknown.append(name)
        else:
            names.append(name)
        either = either or is_or
        if end >= message.end or message.keys[end] not in JOINING:
            break
        again = message.stands(("by",), end + 1)  # what is by Lee and by Wu is that of either
        is_or, position = again or message.keys[end] in ("or", "nor"), end + 1
    return names, unknown, end, either
