"""When an endpoint is to be left alone: for good, for a while, or until it has rested after failing in a row."""

import asyncio

from agents.llm.errors import ModelDown, ModelError, SlowedDown, TooSlow, Unreachable

LONGEST_WAIT = 20.0
"""Seconds that a Retry-After is slept out; a longer one is a failure."""
FAILURES = 4
REST = 60.0
"""After so many failures in a row nobody asks for so many seconds."""


class Rest:
    """What all tasks of a process know of the endpoint's state and wishes, on the running loop's clock."""

    def __init__(self) -> None:
        self._paused_until = 0.0
        self._closed_until = 0.0
        self._because: ModelError | None = None
        self._failures = 0

    async def over(self) -> None:
        """Wait until a request may be sent. Raises at once what asking would only confirm."""
        now = asyncio.get_running_loop().time()
        if self._because and now < self._closed_until:
            raise again(self._because)
        await asyncio.sleep(max(self._paused_until - now, 0.0))

    def worked(self) -> None:
        """An answer came, of whatever use: the endpoint is there."""
        self._failures = 0

    def failed(self, error: ModelError) -> None:
        """Learn from how a request failed."""
        now = asyncio.get_running_loop().time()
        if error.final:
            self._close(error, float("inf"))
        elif isinstance(error, SlowedDown) and error.wait is not None:
            if error.wait > LONGEST_WAIT:
                self._close(error, now + error.wait)
            else:
                self._paused_until = max(self._paused_until, now + error.wait)
        elif isinstance(error, Unreachable | TooSlow | ModelDown):
            self._failures += 1
            if self._failures >= FAILURES:
                self._failures = 0
                self._close(error, now + REST)

    def _close(self, error: ModelError, until: float) -> None:
        if until > self._closed_until:
            self._closed_until, self._because = until, error


def again(error: ModelError) -> ModelError:
    """The same failure, for another caller: it has spent nothing."""
    if isinstance(error, SlowedDown):
        return SlowedDown(error.sentence, error.wait)
    return type(error)(error.sentence)
