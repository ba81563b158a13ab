"""Fair scheduling of tool calls: each client has its own queues, one for each tool, so a client with many calls only
delays its own calls of the same tool.

A long call mostly waits for services and needs no processor: it gives up its slot and continues beside the others.
"""

import asyncio
from collections import Counter, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from agents.tools.tool import ToolError

AT_ONCE = 4
"""Maximum number of calls per client that run at once: fewer than the worker threads, so other clients find one
free."""
LONG = 5.0
"""Seconds after which a call gives up its slot."""
MOST_WAITING = 1_000
"""Maximum number of waiting calls per client; further ones are rejected."""


class Turns:
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
        held = True

        def give_back() -> None:
            nonlocal held
            if held:
                held = False
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
