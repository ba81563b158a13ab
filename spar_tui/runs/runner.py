"""A run that the app carries on, whatever screen is shown: a search or a summary."""

import asyncio
import time
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import aclosing
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, Self

from agents.run.board import Board
from agents.run.control import Control
from agents.run.events import Finished
from agents.summary.events import SummaryFinished
from cache import runs
from cache.errors import CacheError
from cache.runs import Ended
from cache.store import Store
from cache.timestamps import utc_now
from spar_tui.errors import UserError
from spar_tui.runs.recorder import E, Kept, S, W
from spar_tui.tui.failures import RunFailure

if TYPE_CHECKING:
    from agents.run.resources import Resources

Standing = Literal["running", "paused", "stopping", "finished", "cut off", "failed"]
ResourcesFor = Callable[[Sequence[str] | None], Awaitable["Resources"]]
"""Gives the desk with the live sources of these names; with all that the person set if there are none."""


class LiveRun(ABC, Generic[E, S, W]):
    """A run with the hand on it. What it is at a moment is `state`; screens look at it and never change it."""

    keeper: ClassVar[type[Kept[Any, Any, Any]]]
    """How the store remembers a run of this kind."""

    def __init__(self, kept: Kept[E, S, W], question: str, options: W, so_far: Sequence[E] = ()) -> None:
        self.kept: Kept[E, S, W] = kept
        self.question = question
        self.options: W = options
        self.board: Board[S, E] = self._board(kept, so_far)
        self.control = Control(options.seconds)
        self.problem: str | None = None
        """Why the run failed, in a sentence."""
        self.failures: list[RunFailure] = []
        """Every time that it failed in this sitting."""
        self._task: asyncio.Task[None] | None = None
        self._earlier = sum(one.seconds for one in so_far if isinstance(one, Finished | SummaryFinished))
        """Seconds that the sittings before this one took, as far as is known."""
        self._began = self._ended = 0.0

    @classmethod
    def begun(cls, store: Store, question: str, options: W) -> Self:
        """A new run, not yet started. Raises `CacheError`."""
        return cls(cls.keeper.begun(store, question, options), question, options)

    @classmethod
    def kept_as(cls, store: Store, run: str) -> Self:
        """What the store keeps as `run`; one that is not finished can be started and goes on. Raises `UserError`."""
        try:
            known = runs.get(store, run)
            rows = runs.events(store, run) if known.state == "finished" else []
        except CacheError as error:
            raise UserError(str(error)) from None
        if known.state == "finished":  # taking it up would reopen it
            events = [event for row in rows if (event := cls.keeper.read(row.kind, row.content))]
            return cls(cls.keeper(store, run), known.question, cls.keeper.options(), events)
        return cls(*cls.keeper.taken_up(store, run))

    # What kind of run it is

    @staticmethod
    @abstractmethod
    def _board(kept: Kept[E, S, W], so_far: Sequence[E]) -> Board[S, E]:
        """The board of a run that has the events `so_far` already."""

    @property
    @abstractmethod
    def papers_found(self) -> int:
        """How many papers it has found so far."""

    @property
    @abstractmethod
    def told_end(self) -> str:
        """What it came to, in a sentence."""

    @abstractmethod
    def _events(self, resources: "Resources") -> AsyncGenerator[E, None]:
        """Carry the run on with `resources`; its events go to the board. Raises `UserError`, `CacheError`."""

    def _broke_off(self) -> None:
        """The run did not come to its end: whatever is to be noted about that."""

    # How it stands

    @property
    def kind(self) -> str:
        return self.kept.kind

    @property
    def run(self) -> str:
        return self.kept.run

    @property
    def state(self) -> S:
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
        """How long it has taken so far: this sitting, and those before it that are known."""
        return self._earlier + (time.monotonic() if self.under_way else self._ended) - self._began

    # Carrying it on

    def start(self, resources_for: ResourcesFor) -> None:
        """Begin, or go on where the run was cut off; must be called in the running loop."""
        if self.under_way or self.state.finished:
            return
        self.control = Control(self.options.seconds)
        self._start(resources_for)

    def _start(self, resources_for: ResourcesFor) -> None:
        self.problem = None
        self._earlier = self.seconds
        self._began = time.monotonic()
        self._task = asyncio.create_task(self._carry_on(resources_for))

    async def cut_off(self) -> None:
        """Stop at once; what was found is kept, and the run can go on later."""
        if self._task is not None and self.under_way:
            self._task.cancel()
            await asyncio.wait([self._task])

    async def _carry_on(self, resources_for: ResourcesFor) -> None:
        how: Ended = "interrupted"
        try:
            runs.reopen(self.kept.store, self.run)
            started = self.state.started
            resources = await resources_for(started.sources if started else self.options.sources)
            async with aclosing(self._events(resources)) as events:
                async for _ in events:
                    pass  # the board has it: screens read the state there
            how = "finished"
        except (UserError, CacheError) as error:
            how, self.problem = "failed", str(error)
        except Exception as error:  # noqa: BLE001  # a fault in one run must not end the app and the other runs
            how, self.problem = "failed", f"An unexpected {type(error).__name__}; this is a fault of spar."
        finally:
            self._ended = time.monotonic()
            if self.problem:
                about = f"{self.kind} “{self.question}”"
                self.failures.append(RunFailure(utc_now(), self.problem, "p on its screen lets it go on.", about))
            if how != "finished":
                self._broke_off()
            self.kept.end(how, self.state)


AnyRun = LiveRun[Any, Any, Any]
"""A run of whatever kind."""
