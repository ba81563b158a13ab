"""When an endpoint is to be left alone: for good, for a while, or until it has rested after failing in a row."""

import asyncio

from agents.llm.errors import ModelDown, ModelError, SlowedDown, TooSlow, Unreachable
from connectors.http.circuit_breaker import Circuit

LONGEST_WAIT = 20.0
"""Seconds that a Retry-After is slept out; a longer one is a failure."""
FAILURES = 4
REST = 60.0
"""After so many failures in a row nobody asks for so many seconds."""


class CircuitBreaker:
    """Whether all tasks of a process leave the endpoint alone, and until when on the running loop's clock."""

    def __init__(self) -> None:
        self._circuit: Circuit[ModelError] = Circuit()

    async def wait(self) -> None:
        """Wait until a request may be sent. Raises at once what asking would only confirm."""
        now, reason = asyncio.get_running_loop().time(), self._circuit.reason
        if reason is None or not self._circuit.is_open(now):
            return
        if not _is_short(reason):
            raise _again(reason)
        await asyncio.sleep(self._circuit.open_until - now)

    def succeeded(self) -> None:
        """An answer came, of whatever use: the endpoint is there."""
        self._circuit = self._circuit.succeeded()

    def failed(self, error: ModelError) -> None:
        """Learn from how a request failed."""
        now = asyncio.get_running_loop().time()
        if error.final:
            self._circuit = self._circuit.opened(error, float("inf"))
        elif isinstance(error, SlowedDown) and error.wait is not None:
            self._circuit = self._circuit.opened(error, now + error.wait)
        elif isinstance(error, Unreachable | TooSlow | ModelDown):
            self._circuit = self._circuit.failed(error, now, limit=FAILURES, rest=REST)


def _is_short(error: ModelError) -> bool:
    return isinstance(error, SlowedDown) and error.wait is not None and error.wait <= LONGEST_WAIT


def _again(error: ModelError) -> ModelError:
    """The same failure, for another caller: it has spent nothing."""
    if isinstance(error, SlowedDown):
        return SlowedDown(error.sentence, error.wait)
    return type(error)(error.sentence)
