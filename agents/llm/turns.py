"""Whose turn it is to ask an endpoint, and from when on an answer is late.

A server of one's own mostly answers one request after the other, a hosted one many at once; nobody says which it is.
So few are asked side by side at first, more as long as more is answered in the same time, and one at a time while it
is in doubt whether answers can be used.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

FIRST = 4
"""Requests under way at once before anything is known of an endpoint."""
SHORT = 1.0
"""Seconds in which an answer says nothing of how busy its server is."""
GAIN, LOSS = 1.1, 0.5
"""So many times the most tokens in a second make it worth to ask more at once, or fewer."""


class Call:
    """A request under way. `deadline` is when its answer is late."""

    def __init__(self, deadline: asyncio.Timeout, seconds: float, latest: float) -> None:
        self.deadline = deadline
        self._seconds, self._latest = seconds, latest

    def starts(self) -> None:
        """The server can have begun with it only now."""
        if not self.deadline.expired():
            self.deadline.reschedule(min(asyncio.get_running_loop().time() + self._seconds, self._latest))


class Turns:
    """The places for requests under way, at most `most`; one while `in_doubt` says so."""

    def __init__(self, most: int, in_doubt: Callable[[], bool]) -> None:
        self.side_by_side = min(most, FIRST)
        self._most, self._in_doubt = most, in_doubt
        self._taken = 0
        self._waiting: list[asyncio.Future[None]] = []
        self._calls: list[Call] = []
        self._most_tokens = 0.0

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """One of the places, waited for."""
        while self._taken >= (1 if self._in_doubt() else self.side_by_side):
            free = asyncio.get_running_loop().create_future()
            self._waiting.append(free)
            await free
        self._taken += 1
        try:
            yield
        finally:
            self._taken -= 1
            self._look_again()

    @asynccontextmanager
    async def clocked(self, seconds: float, left: float) -> AsyncIterator[Call]:
        """Raise `TimeoutError` when the block takes longer than `seconds`, which count anew whenever a call that was
        sent before it is answered; never longer than what is `left` of the run."""
        now = asyncio.get_running_loop().time()
        async with asyncio.timeout(min(seconds, left)) as deadline:
            call = Call(deadline, seconds, now + left)
            self._calls.append(call)
            try:
                yield call
            finally:
                self._calls.remove(call)

    def answered(self, call: Call) -> None:
        """A reply came to `call`: the server can begin with those that were sent after it."""
        for later in self._calls[self._calls.index(call) + 1 :]:
            later.starts()

    def used(self, seconds: float, tokens: int) -> None:
        """An answer of so many `tokens`, which came after so many `seconds`, could be used. Only such answers tell how
        many to ask for at once: of a model that answers uselessly nobody asks more."""
        self._look_again()  # what is in doubt may have changed as well
        if self._taken < self.side_by_side:
            return  # which tells nothing of more at once
        rate = self._taken * tokens / seconds if seconds > SHORT else float("inf")
        if rate < self._most_tokens * LOSS:
            self.fewer()
            return
        if rate > self._most_tokens * GAIN:
            self.side_by_side = min(self.side_by_side + 1, self._most)
        if seconds > SHORT:
            self._most_tokens = max(rate, self._most_tokens)

    def fewer(self) -> None:
        """The server is asked too much at once; what it can do is measured anew."""
        self.side_by_side, self._most_tokens = max(self.side_by_side - 1, 1), 0.0

    def _look_again(self) -> None:
        """Wake all who wait, in their order; for whom there is no place, waits on."""
        waiting, self._waiting = self._waiting, []
        for free in waiting:
            if not free.done():
                free.set_result(None)
