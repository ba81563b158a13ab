"""Calls of tools: each with progress messages, and cancelled at once when its client leaves.

Each client has its own queues, one for each tool, so a client with many calls only delays its own calls of the same
tool. A long call mostly waits for services and needs no processor: it gives up its slot and continues beside the
others.
"""

import asyncio
from collections import Counter, deque
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from typing import Any, TypeVar

from agents.tools.tool import ToolError

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
    disconnected: asyncio.Event | None,
    under_way: set[asyncio.Task[Any]],
) -> T:
    """Run `work`, which gets a function to report progress, and return its result; it is in `under_way` meanwhile.

    It is cancelled when this call is, or when the client has `disconnected`; in both cases this call ends only after
    `work` has cleaned up, for example ended a run. Raises `Stopped` if this call was not cancelled.
    """
    teller = Teller(progress)
    helpers = [asyncio.create_task(teller.telling())]
    if disconnected is not None:
        helpers.append(asyncio.create_task(_wait(disconnected)))
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


async def _wait(disconnected: asyncio.Event) -> None:
    await disconnected.wait()


async def _settled(tasks: list[asyncio.Task[Any]]) -> None:
    """Wait for cancelled tasks, although the SDK repeatedly cancels code that waits within a call."""
    waiting = asyncio.ensure_future(asyncio.wait(tasks))
    while not waiting.done():
        with suppress(asyncio.CancelledError):
            await asyncio.shield(waiting)
    for task in tasks:
        if not task.cancelled():
            task.exception()  # retrieved: an undelivered progress message is not an error


AT_ONCE = 4
"""Maximum number of calls per client that run at once: fewer than the worker threads, so other clients find one
free."""
LONG = 5.0
"""Seconds after which a call gives up its slot."""
MOST_WAITING = 1_000
"""Maximum number of waiting calls per client; further ones are rejected."""


class CallTurns:
    """The queues of all clients, for one event loop."""

    def __init__(self, at_once: int = AT_ONCE, long: float = LONG, most_waiting: int = MOST_WAITING) -> None:
        self._at_once, self._long, self._most_waiting = at_once, long, most_waiting
        self._running: Counter[str] = Counter()
        self._waiting: dict[str, dict[str, deque[asyncio.Future[None]]]] = {}
        """The waiting calls of each client by tool; the tool whose turn is next comes first."""

    @asynccontextmanager
    async def turn(self, client: str, tool: str) -> AsyncIterator[None]:
        """Wait for a slot of the client and hold it for the block. A cancelled call leaves the queue. Raises
        `ToolError`."""
        await self._wait(client, tool)
        has_slot = True

        def give_back() -> None:
            nonlocal has_slot
            if has_slot:
                has_slot = False
                self._pass_on(client)

        timer = asyncio.get_running_loop().call_later(self._long, give_back)
        try:
            yield
        finally:
            timer.cancel()
            give_back()

    async def _wait(self, client: str, tool: str) -> None:
        if self._running[client] < self._at_once:
            self._running[client] += 1
            return
        queues = self._waiting.setdefault(client, {})
        if (waiting := sum(map(len, queues.values()))) >= self._most_waiting:
            raise ToolError(f"{waiting:,} calls of this client are waiting already. Wait until some are answered.")
        queue = queues.setdefault(tool, deque())
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        queue.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.cancelled():
                if turn in queue:
                    queue.remove(turn)
            else:
                self._pass_on(client)
            raise

    def _pass_on(self, client: str) -> None:
        """Give a call's slot to the next waiting call of the same client, each tool in its turn."""
        queues = self._waiting.get(client, {})
        while queues:
            queue = queues.pop(tool := next(iter(queues)))
            turn = queue.popleft() if queue else None
            if queue:
                queues[tool] = queue
            if turn is not None and not turn.done():
                turn.set_result(None)
                return
        self._waiting.pop(client, None)
        self._running[client] -= 1
        if not self._running[client]:
            del self._running[client]
