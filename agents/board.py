"""The board of a run: every event is posted here once, folded into the state, and kept.

It serves as ARAG's blackboard (§3): agents read the board and post to it, and pass nothing to each other sideways.
"""

from collections.abc import Callable, Iterable

from agents.events import Event
from agents.search.state import fold


def _forget(event: Event) -> None:
    """A board that nobody keeps."""


class Board:
    """The events of one run so far, as a state; `keep` is told each event before anyone else sees it.

    A run that goes on begins with the events `so_far`, which are kept already.
    """

    def __init__(self, keep: Callable[[Event], None] = _forget, so_far: Iterable[Event] = ()) -> None:
        self.state = fold(so_far)
        self._keep = keep

    def post(self, event: Event) -> Event:
        """Keep `event`, fold it, and hand it on."""
        self._keep(event)
        self.state = self.state.apply(event)
        return event
