"""One call of a tool: told how it gets on, stopped at once when nobody waits for it any more."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from typing import Any, TypeVar

T = TypeVar("T")
Progress = Callable[[int, str], Awaitable[None]]
"""Tells the client of a step, by its number from 1, what has been done so far."""
PACE = 0.1
"""Minimum seconds between progress messages; of several within that time, only the last is sent."""


class Stopped(Exception):
    """The call was stopped from here: its client had gone, or the server ends."""


class Teller:
    """Hands on what a tool tells of itself, from whatever thread, without making it wait."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._loop = asyncio.get_running_loop()
        self._news = asyncio.Event()
        self._latest = ""
        self._told = 0

    def tell(self, sentence: str) -> None:
        self._loop.call_soon_threadsafe(self._take, sentence)

    async def telling(self) -> None:
        """Tell until cancelled."""
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
    """What `work`, which is handed a way to tell how it gets on, comes to; it stands in `under_way` meanwhile.

    It is cancelled when this is, or when the client has `gone`; either way this ends only after it has put its things
    in order, such as the end of a run. Raises `Stopped` where nobody cancelled this.
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
    """Wait for tasks that were cancelled, though the SDK cancels again and again whoever waits within a call."""
    ended = asyncio.ensure_future(asyncio.wait(tasks))
    while not ended.done():
        with suppress(asyncio.CancelledError):
            await asyncio.shield(ended)
    for task in tasks:
        if not task.cancelled():
            task.exception()  # looked at: progress that nobody takes any more is no fault
