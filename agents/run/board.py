"""The board of a run: every event is posted here once, folded into the state, and kept; but for what is only told.

It serves as ARAG's blackboard (§3): agents read the board and post to it, and pass nothing to each other sideways.
"""

from collections.abc import Callable, Iterable
from typing import Any, Generic, Protocol, Self, TypeVar

from agents.run.findings import Findings


class RunState(Protocol):
    """What a run is after some events. `started` names its sources, `finished` says how it ended; `apply` gives what
    it is after one more event."""

    @property
    def started(self) -> Any: ...

    @property
    def finished(self) -> Any: ...

    @property
    def findings(self) -> Findings: ...

    def apply(self, event: Any, /) -> Self: ...


S = TypeVar("S", bound=RunState)
E = TypeVar("E")


def nobody_keeps(event: object) -> None:
    """A board that nobody keeps."""


class Board(Generic[S, E]):
    """The events of one run so far, as a state; `keep` is told each event before anyone else sees it.

    A run that goes on begins with the events `so_far`, which are kept already; `blank` is the state before any.
    """

    def __init__(self, blank: S, keep: Callable[[E], None] = nobody_keeps, so_far: Iterable[E] = ()) -> None:
        self.state = blank
        self._keep = keep
        for event in so_far:
            self.state = self.state.apply(event)

    def post(self, event: E) -> E:
        """Keep `event`, fold it, and hand it on."""
        self._keep(event)
        return self.tell(event)

    def tell(self, event: E) -> E:
        """Fold `event` and hand it on, but keep it nowhere."""
        self.state = self.state.apply(event)
        return event
