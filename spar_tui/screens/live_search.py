"""A search that the app runs, whatever screen is shown."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import aclosing
from typing import TYPE_CHECKING, Literal, Self

from agents.board import Board
from agents.event_rows import from_row
from agents.events import Event
from agents.search.control import Control
from agents.search.state import SearchState
from agents.search.wishes import Wishes
from cache import runs
from cache.errors import CacheError
from cache.runs import Ended
from cache.store import Store
from spar_tui.errors import PersonError
from spar_tui.kept_run import KeptRun

if TYPE_CHECKING:
    from agents.search.desk import Desk

Standing = Literal["running", "paused", "stopping", "finished", "cut off", "failed"]
DeskFor = Callable[[Sequence[str] | None], Awaitable["Desk"]]
"""Gives the desk with the live sources of these names; with all that the person set if there are none."""


class LiveSearch:
    """A run with the hand on it. What it is at a moment is `state`; screens look at it and never change it."""

    def __init__(self, kept: KeptRun, question: str, wishes: Wishes, so_far: Sequence[Event] = ()) -> None:
        self.kept, self.question, self.wishes = kept, question, wishes
        self.control = Control(wishes.seconds)
        self.board = Board(kept.post, so_far)
        self.problem: str | None = None
        """Why the search failed, in a sentence."""
        self._task: asyncio.Task[None] | None = None
        self._began = self._ended = 0.0

    @classmethod
    def begun(cls, store: Store, question: str, wishes: Wishes) -> Self:
        """A new search, not yet started."""
        return cls(KeptRun.begun(store, question, wishes), question, wishes)

    @classmethod
    def kept_as(cls, store: Store, run: str) -> Self:
        """The search that the store keeps as `run`; one that is not finished can be started and goes on.

        Raises `PersonError`.
        """
        try:
            known = runs.get(store, run)
            rows = runs.events(store, run) if known.state == "finished" else []
        except CacheError as error:
            raise PersonError(str(error)) from None
        if known.state == "finished":  # taking it up would reopen it
            events = [event for row in rows if (event := from_row(row.kind, row.content))]
            return cls(KeptRun(store, run), known.question, Wishes(), events)
        return cls(*KeptRun.taken_up(store, run))

    @property
    def run(self) -> str:
        return self.kept.run

    @property
    def state(self) -> SearchState:
        return self.board.state

    @property
    def standing(self) -> Standing:
        if self._task is None or self._task.done():
            if self.problem:
                return "failed"
            return "finished" if self.state.finished else "cut off"
        if self.control.stopping:
            return "stopping"
        return "paused" if self.control.paused else "running"

    @property
    def under_way(self) -> bool:
        return self._task is not None and not self._task.done()

    @property
    def seconds(self) -> float:
        """How long it took, or how long this sitting has lasted."""
        if self.state.finished:
            return self.state.finished.seconds
        return (time.monotonic() if self.under_way else self._ended) - self._began

    def start(self, desk_for: DeskFor) -> None:
        """Search, or go on where the search was cut off; must be called in the running loop."""
        if self.under_way or self.state.finished:
            return
        self.control = Control(self.wishes.seconds)
        self._start(desk_for)

    def asked_for(self, desk_for: DeskFor, ask: Callable[[Control], None]) -> None:
        """`ask` something more of the search; one that is not under way goes on for it."""
        if self.under_way:
            ask(self.control)
            return
        self.control = Control(self.wishes.seconds)
        ask(self.control)
        self._start(desk_for)

    def _start(self, desk_for: DeskFor) -> None:
        self.problem = None
        self._began = time.monotonic()
        self._task = asyncio.create_task(self._search(desk_for))

    async def cut_off(self) -> None:
        """Stop at once; what was found is kept, and the search can go on later."""
        if self._task is not None and self.under_way:
            self._task.cancel()
            await asyncio.wait([self._task])

    async def _search(self, desk_for: DeskFor) -> None:
        how: Ended = "interrupted"
        try:
            runs.reopen(self.kept.store, self.run)
            started = self.state.started
            desk = await desk_for(started.sources if started else None)
            from agents.search.loop import search  # a quarter of a second that the first screen need not wait for

            async with aclosing(search(self.question, desk, self.wishes, self.board, self.control)) as events:
                async for _ in events:
                    pass  # the board has it: screens read the state there
            how = "finished"
        except (PersonError, CacheError) as error:
            how, self.problem = "failed", str(error)
        except Exception as error:  # noqa: BLE001  # a fault in one search must not end the app and the other searches
            how, self.problem = "failed", f"An unexpected {type(error).__name__}; this is a fault of spar."
        finally:
            self._ended = time.monotonic()
            if how != "finished":
                from agents.search.loop import ranking_so_far

                self.board.post(ranking_so_far(self.state))  # so that what was found has places to be named by
            self.kept.end(how, self.state)
