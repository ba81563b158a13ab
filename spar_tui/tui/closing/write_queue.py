"""Queue of changes to the library that are not saved yet."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

T = TypeVar("T")


class WriteQueue:
    """Runs changes in threads, one after the other, in the order of the requests.

    Cancelling the task that awaits a change does not cancel the change. If the change then fails, `failed` gets the
    error.
    """

    def __init__(self, failed: Callable[[BaseException], None]) -> None:
        self._failed = failed
        self._lock = asyncio.Lock()
        self._unsaved: set[asyncio.Task[Any]] = set()

    @property
    def unsaved(self) -> int:
        """Number of changes not saved yet."""
        return len(self._unsaved)

    async def make(self, change: Callable[[], T]) -> T:
        """Run `change`, which may block on the disk. Returns its result or raises its error."""
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
        """Wait up to `seconds` for all changes. Return the errors of those that failed in that time."""
        made: set[asyncio.Task[Any]] = set()
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while self._unsaved:
                    made |= (await asyncio.wait(list(self._unsaved)))[0]
        return [error for task in made if (error := task.exception())]
