"""A part of a message that was understood, and what it says of the papers that are meant."""

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from agents.reading.cues import JOINING
from agents.reading.selection import Selection, Unknown

if TYPE_CHECKING:
    from agents.reading.parts.words import MessageWords

Say = Callable[[Selection], None]
"""What a part of a message says: it adds this to a selection."""


class Chunk(NamedTuple):
    """A part of the message that is understood: where it ends, and what it says of the papers. A `firm` one ends a
    subject that stands before it."""

    end: int
    say: Say
    firm: bool = True

    @property
    def alone(self) -> Selection:
        """The papers that this part means by itself."""
        selection = Selection()
        self.say(selection)
        return selection


def nothing(selection: Selection) -> None:
    """Add nothing: the word says nothing of its own."""


def adding(name: str, value: Any) -> Say:
    """Add one value of a condition."""
    return lambda selection: selection.add(name, value)


def adding_each(name: str, values: Iterable[Any], unknown: Iterable[Unknown]) -> Say:
    """Add several values of a condition, and the names that the library does not have."""

    def say(selection: Selection) -> None:
        for value in values:
            selection.add(name, value)
        selection.unknown += unknown

    return say


def applying(given: Mapping[str, Any]) -> Say:
    """Add all values of several conditions."""

    def say(selection: Selection) -> None:
        for name, value in given.items():
            selection.add_all(name, value)

    return say


Item = tuple[str | Unknown, int]
"""A name, or one that the library does not have, and where the words behind it begin."""


def listed_at(
    message: "MessageWords", position: int, item: Callable[[int, bool], Item | None], passed: Collection[str]
) -> tuple[list[str], list[Unknown], int, bool]:
    """The names that stand in a list, "A, B or C": those known and unknown, where they end, and whether any will do.

    `item` reads one, given its place and whether it is the first; the words `passed` may stand before it.
    """
    names: list[str] = []
    unknown: list[Unknown] = []
    end, either, is_or = position, False, False
    while (at := message.behind(position, passed)) < message.end and (found := item(at, not (names or unknown))):
        name, end = found
        if isinstance(name, Unknown):
            unknown.append(name)
        else:
            names.append(name)
        either = either or is_or
        if end >= message.end or message.keys[end] not in JOINING:
            break
        is_or, position = message.keys[end] in ("or", "nor"), end + 1
    return names, unknown, end, either
