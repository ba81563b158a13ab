"""A search that the app runs, whatever screen is shown."""

from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from typing import TYPE_CHECKING

from agents.run.board import SearchBoard
from agents.run.control import Control
from agents.run.events import Event
from agents.search.options import SearchOptions
from agents.search.state import SearchState
from spar_tui.runs.recorder import Kept, KeptRun
from spar_tui.runs.runner import LiveRun, ResourcesFor

if TYPE_CHECKING:
    from agents.run.resources import Resources


class LiveSearch(LiveRun[Event, SearchState, SearchOptions]):
    """A search with the hand on it."""

    keeper = KeptRun
    board: SearchBoard

    @staticmethod
    def _board(kept: Kept[Event, SearchState, SearchOptions], so_far: Sequence[Event]) -> SearchBoard:
        return SearchBoard(kept.post, so_far)

    @property
    def papers_found(self) -> int:
        return len(self.state.found)

    @property
    def told_end(self) -> str:
        return f"{self.state.counts.included} relevant papers for: {self.question}"

    def asked_for(self, resources_for: ResourcesFor, ask: Callable[[Control], None]) -> None:
        """`ask` something more of the search; one that is not under way goes on for it."""
        if self.under_way:
            ask(self.control)
            return
        self.control = Control(self.options.seconds)
        ask(self.control)
        self._start(resources_for)

    async def _events(self, resources: "Resources") -> AsyncGenerator[Event, None]:
        from agents.search.loop import search  # a quarter of a second that the first screen need not wait for

        async with aclosing(search(self.question, resources, self.options, self.board, self.control)) as events:
            async for event in events:
                yield event

    def _broke_off(self) -> None:
        from agents.search.loop import ranking_so_far

        self.board.post(ranking_so_far(self.state))  # so that what was found has places to be named by
