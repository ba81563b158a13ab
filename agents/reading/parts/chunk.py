"""A part of a message that was understood, and what it says of the papers that are meant."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from agents.reading.selection import Selection, Unknown

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
