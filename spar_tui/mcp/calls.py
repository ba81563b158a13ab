"""One call of a tool, with progress messages, cancelled at once when its client leaves."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from typing import Any, TypeVar

T = TypeVar("T")
Progress = Callable[[int, str], Awaitable[None]]
"""Sends the client the number of a step, from 1, and what has been done so far."""
PACE = 0.1
"""Minimum seconds between progress messages; of several within that time, only the last is sent."""


class Stopped(Exception):
    """The call was stopped by the server: its client left, or the server ends."""


class Teller:
    """Passes on a tool's progress from any thread without blocking it."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._loop = asyncio.get_running_loop()
        self._news = asyncio.Event()
        self._latest = ""
        self._told = 0

    def tell(self, sentence: str) -> None:
        self._loop.call_soon_threadsafe(self._take, sentence)

    async def telling(self) -> None:
        """Send messages until cancelled."""
        while True:
            await self._news.wait()
            self._news.clear()
            self._told += 1
            await self._progress(self._told, self._latest)
            await asyncio.sleep(PACE)

    def _take(self, sentence: str) -> None:
        self._latest = sentence
        self._news.set()


async def while_wanted(
    work: Callable[[Callable[[str], None]], Coroutine[Any, Any, T]],
    progress: Progress,
    gone: asyncio.Event | None,
    under_way: set[asyncio.Task[Any]],
) -> T:
    """Run `work`, which gets a function to report progress, and return its result; it is in `under_way` meanwhile.

    It is cancelled when this call is, or when the client has `gone`; in both cases this call ends only after `work` has
    cleaned up, for example ended a run. Raises `Stopped` if this call was not cancelled.
    """
    teller = Teller(progress)
    helpers = [asyncio.create_task(teller.telling())]
    if gone is not None:
        helpers.append(asyncio.create_task(_wait(gone)))
    task = asyncio.create_task(work(teller.tell))
    under_way.add(task)
    try:
        await asyncio.wait([task, *helpers[1:]], return_when=asyncio.FIRST_COMPLETED)
        if not task.done() or task.cancelled():
            raise Stopped
        return task.result()
    finally:
        for other in (task, *helpers):
            other.cancel()
        await _settled([task, *helpers])
        under_way.discard(task)


async def _wait(gone: asyncio.Event) -> None:
    await gone.wait()


async def _settled(tasks: list[asyncio.Task[Any]]) -> None:
    """Wait for cancelled tasks, although the SDK repeatedly cancels code that waits within a call."""
    ended = asyncio.ensure_future(asyncio.wait(tasks))
    while not ended.done():
        with suppress(asyncio.CancelledError):
            await asyncio.shield(ended)
    for task in tasks:
        if not task.cancelled():
            task.exception()  # retrieved: an undelivered progress message is not an error
