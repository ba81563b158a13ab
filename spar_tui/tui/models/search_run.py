"""A search that the app runs, whatever screen is shown."""

from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from typing import TYPE_CHECKING

from agents.run.board import Board
from agents.run.control import Control
from agents.run.events import Event
from agents.search.options import Wishes
from agents.search.state import SearchState
from spar_tui.runs.recorder import Kept, KeptRun
from spar_tui.runs.runner import DeskFor, LiveRun

if TYPE_CHECKING:
    from agents.run.resources import Desk


class LiveSearch(LiveRun[Event, SearchState, Wishes]):
    """A search with the hand on it."""

    keeper = KeptRun
    board: Board

    @staticmethod
    def _board(kept: Kept[Event, SearchState, Wishes], so_far: Sequence[Event]) -> Board:
        return Board(kept.post, so_far)

    @property
    def papers_found(self) -> int:
        return len(self.state.found)

    @property
    def told_end(self) -> str:
        return f"{self.state.counts.included} relevant papers for: {self.question}"

    def asked_for(self, desk_for: DeskFor, ask: Callable[[Control], None]) -> None:
        """`ask` something more of the search; one that is not under way goes on for it."""
        if self.under_way:
            ask(self.control)
            return
        self.control = Control(self.wishes.seconds)
        ask(self.control)
        self._start(desk_for)

    async def _events(self, desk: "Desk") -> AsyncGenerator[Event, None]:
        from agents.search.loop import search  # a quarter of a second that the first screen need not wait for

        async with aclosing(search(self.question, desk, self.wishes, self.board, self.control)) as events:
            async for event in events:
                yield event

    def _broke_off(self) -> None:
        from agents.search.loop import ranking_so_far

        self.board.post(ranking_so_far(self.state))  # so that what was found has places to be named by
