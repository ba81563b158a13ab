"""Pause and stop a run under way, and send it requests."""

import asyncio
import time
from collections.abc import AsyncGenerator, Collection, Coroutine
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any, TypeVar

from agents.run.events import Link
from connectors.paper import WorkId


@dataclass(frozen=True, slots=True)
class GiveFeedback:
    """Mark this work as `relevant` or not; None withdraws the mark."""

    work: WorkId
    relevant: bool | None


@dataclass(frozen=True, slots=True)
class FollowLinks:
    """Follow the references of this work, or the papers that cite it, now."""

    work: WorkId
    link: Link = "references"


@dataclass(frozen=True, slots=True)
class Say:
    """Answer this message, in a conversation."""

    text: str


Request = GiveFeedback | FollowLinks | Say


class Requests:
    """The person's requests, in order, until each has been met."""

    def __init__(self) -> None:
        self._waiting: asyncio.Queue[Request] = asyncio.Queue()
        self.unmet = 0
        """Number of requests not met yet."""

    def put(self, request: Request) -> None:
        """Add `request` to the queue."""
        self.unmet += 1
        self._waiting.put_nowait(request)

    @property
    def open(self) -> bool:
        """Whether any request is not met yet."""
        return self.unmet > 0

    async def next(self) -> Request:
        """Return the next request, waiting for one if needed; call `met` after meeting it."""
        return await self._waiting.get()

    def met(self) -> None:
        """Mark the last returned request as met."""
        self.unmet -= 1
        self._waiting.task_done()

    async def all_met(self) -> None:
        """Wait until all requests are met."""
        await self._waiting.join()


T = TypeVar("T")


class Control:
    """The person's control over a search: pause, resume, stop gently. To stop at once, cancel its task. After
    `seconds` the search stops by itself and ranks what it has found."""

    def __init__(self, seconds: float | None = None) -> None:
        self._running = asyncio.Event()
        self._running.set()
        self._stopped = asyncio.Event()
        self._paused_at: float | None = None
        self._paused = 0.0
        self._end = None if seconds is None else self.clock + seconds
        self.requests = Requests()

    def feedback(self, work: WorkId, relevant: bool | None) -> None:
        """Mark a work as relevant or not, for the judge to learn from; None withdraws the mark."""
        self.requests.put(GiveFeedback(work, relevant))

    def follow(self, work: WorkId, link: Link = "references") -> None:
        """Follow the links of a work now. If the search has ended, it does so when it is started again."""
        self.requests.put(FollowLinks(work, link))

    def say(self, text: str) -> None:
        """Answer this message, if the run is a conversation."""
        self.requests.put(Say(text))

    def pause(self) -> None:
        """Send no requests until `go_on`."""
        self._running.clear()
        self._paused_at = time.monotonic() if self._paused_at is None else self._paused_at

    def go_on(self) -> None:
        self._running.set()
        if self._paused_at is not None:
            self._paused += time.monotonic() - self._paused_at
            self._paused_at = None

    @property
    def clock(self) -> float:
        """Seconds on a clock that stops during pauses."""
        return (time.monotonic() if self._paused_at is None else self._paused_at) - self._paused

    @property
    def paused(self) -> bool:
        return not self._running.is_set()

    def stop(self) -> None:
        """Stop waiting for answers and rank what was found."""
        self._stopped.set()
        self.go_on()

    @property
    def out_of_time(self) -> bool:
        return self._end is not None and self.clock >= self._end

    @property
    def stopping(self) -> bool:
        return self._stopped.is_set() or self.out_of_time

    async def ready(self) -> bool:
        """Wait while the search is paused; return whether it should go on."""
        await self._running.wait()
        return not self.stopping

    async def unless_stopping(self, work: Coroutine[Any, Any, T]) -> T | None:
        """Return the result of `work`; None if the search stops first."""
        async with aclosing(self.as_done([asyncio.create_task(work)])) as results:
            async for result in results:
                return result
        return None

    async def as_done(self, tasks: Collection["asyncio.Task[T]"]) -> AsyncGenerator[T, None]:
        """Yield the results of `tasks` as they complete; cancel the rest when the search stops."""
        stop = asyncio.create_task(self._stopped.wait())
        waiting = set(tasks)
        try:
            while waiting and not self.stopping:
                seconds_left = None if self._end is None else max(self._end - self.clock, 0)
                done, _ = await asyncio.wait(
                    {*waiting, stop}, timeout=seconds_left, return_when=asyncio.FIRST_COMPLETED
                )
                for task in [task for task in tasks if task in done]:
                    waiting.discard(task)
                    yield task.result()
        finally:
            for task in (*waiting, stop):
                task.cancel()
            await asyncio.gather(*waiting, stop, return_exceptions=True)
