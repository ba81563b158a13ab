"""Changes to the library that are asked for and not saved yet."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

T = TypeVar("T")


class WriteQueue:
    """Makes changes in threads, one after the other, in the order in which they were asked for.

    Cancelling the task that awaits a change does not cancel the change; if that fails later, `failed` gets the error.
    """

    def __init__(self, failed: Callable[[BaseException], None]) -> None:
        self._failed = failed
        self._lock = asyncio.Lock()
        self._unsaved: set[asyncio.Task[Any]] = set()

    @property
    def unsaved(self) -> int:
        """How many changes are not made yet."""
        return len(self._unsaved)

    async def make(self, change: Callable[[], T]) -> T:
        """Call `change`, which may block on the disk; returns what it returns and raises what it raises."""
        task = asyncio.create_task(self._in_turn(change))
        self._unsaved.add(task)
        task.add_done_callback(self._unsaved.discard)
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            task.add_done_callback(self._report)
            raise

    async def _in_turn(self, change: Callable[[], T]) -> T:
        async with self._lock:
            return await asyncio.to_thread(change)

    def _report(self, task: asyncio.Task[Any]) -> None:
        if not task.cancelled() and (error := task.exception()):
            self._failed(error)

    async def finish(self, seconds: float | None = None) -> list[BaseException]:
        """Wait for all changes, at most for so many `seconds`; the errors of those that failed meanwhile."""
        made: set[asyncio.Task[Any]] = set()
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while self._unsaved:
                    made |= (await asyncio.wait(list(self._unsaved)))[0]
        return [error for task in made if (error := task.exception())]
