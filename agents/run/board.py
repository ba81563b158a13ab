"""The board of a run: every event is posted here once, folded into the state, and kept.

It serves as ARAG's blackboard (§3): agents read the board and post to it, and pass nothing to each other sideways.
"""

from collections.abc import Callable, Iterable
from typing import Any, Generic, Protocol, Self, TypeVar

from agents.run.events import Event
from agents.search.state import SearchState


class Folded(Protocol):
    """What a run is after some events; `apply` gives what it is after one more."""

    def apply(self, event: Any, /) -> Self: ...


S = TypeVar("S", bound=Folded)
E = TypeVar("E")


def _forget(event: object) -> None:
    """A board that nobody keeps."""


class Board(Generic[S, E]):
    """The events of one run so far, as a state; `keep` is told each event before anyone else sees it.

    A run that goes on begins with the events `so_far`, which are kept already; `blank` is the state before any.
    """

    def __init__(self, blank: S, keep: Callable[[E], None] = _forget, so_far: Iterable[E] = ()) -> None:
        self.state = blank
        self._keep = keep
        for event in so_far:
            self.state = self.state.apply(event)

    def post(self, event: E) -> E:
        """Keep `event`, fold it, and hand it on."""
        self._keep(event)
        self.state = self.state.apply(event)
        return event


class SearchBoard(Board[SearchState, Event]):
    """The board of a search."""

    def __init__(self, keep: Callable[[Event], None] = _forget, so_far: Iterable[Event] = ()) -> None:
        super().__init__(SearchState(), keep, so_far)
