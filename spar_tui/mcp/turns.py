"""Whose call runs next: each client has a queue of its own, so that one which asks for much makes itself wait alone.

A call that lasts waits for services and takes no processor: it gives its turn on, and goes on beside the others.
"""

import asyncio
from collections import Counter, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from agents.tools.tool import ToolError

AT_ONCE = 4
"""Calls of one client that run at once: fewer than the threads that work is done in, so another's finds one free."""
LONG = 5.0
"""Seconds after which a call gives its turn on."""
MOST_WAITING = 1_000
"""Calls of one client that wait; a further one is refused."""


class Turns:
    """The queues of all clients, for one event loop."""

    def __init__(self, at_once: int = AT_ONCE, long: float = LONG, most_waiting: int = MOST_WAITING) -> None:
        self._at_once, self._long, self._most_waiting = at_once, long, most_waiting
        self._running: Counter[str] = Counter()
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}

    @asynccontextmanager
    async def turn(self, client: str) -> AsyncIterator[None]:
        """Wait for the client's turn and hold it. A call that is cancelled leaves the queue. Raises `ToolError`."""
        await self._wait(client)
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

    async def _wait(self, client: str) -> None:
        if self._running[client] < self._at_once:
            self._running[client] += 1
            return
        queue = self._waiting.setdefault(client, deque())
        if len(queue) >= self._most_waiting:
            raise ToolError(f"{len(queue):,} calls of this client are waiting already. Wait until some are answered.")
        place: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        queue.append(place)
        try:
            await place
        except asyncio.CancelledError:
            if place.cancelled():
                if place in queue:
                    queue.remove(place)
            else:
                self._pass_on(client)
            raise

    def _pass_on(self, client: str) -> None:
        """Give the turn of one call to the next of the same client."""
        queue = self._waiting.get(client, deque())
        while queue:
            if not (place := queue.popleft()).done():
                place.set_result(None)
                return
        self._waiting.pop(client, None)
        self._running[client] -= 1
        if not self._running[client]:
            del self._running[client]
