"""When an endpoint is to be left alone: for good, for a while, or until it has rested after failing in a row."""

import asyncio
from copy import copy

from agents.llm.errors import ModelDown, ModelError, SlowedDown, TooSlow, Unreachable
from agents.llm.usage import Usage
from connectors.http.circuit_breaker import Circuit

LONGEST_WAIT = 20.0
"""Seconds that a Retry-After is slept out; a longer one is a failure."""
FAILURES = 4
REST = 60.0
"""After so many failures in a row nobody asks for so many seconds."""
LONG_REST = 900.0
"""The same for answers of no use: a server comes back, a model stays what it is."""


class CircuitBreaker:
    """Whether all tasks of a process leave the endpoint alone, and until when on the running loop's clock."""

    def __init__(self) -> None:
        self._circuit: Circuit[ModelError] = Circuit()
        self._answers: Circuit[ModelError] = Circuit()
        self._rested = False

    @property
    def doubtful(self) -> bool:
        """Whether the last answer was of no use, or the last request failed."""
        return bool(self._circuit.failures or self._answers.failures or self._rested)

    async def wait(self) -> None:
        """Wait until a request may be sent. Raises at once what asking would only confirm."""
        now = asyncio.get_running_loop().time()
        for circuit in (self._answers, self._circuit):
            if circuit.reason is None or not circuit.is_open(now):
                continue
            if circuit is self._answers or not _is_short(circuit.reason):
                raise _again(circuit.reason)
            await asyncio.sleep(circuit.open_until - now)

    def succeeded(self) -> None:
        """An answer came, of whatever use: the endpoint is there."""
        self._circuit = self._circuit.succeeded()

    def useful(self) -> None:
        """An answer came that can be used."""
        self._answers, self._rested = self._answers.succeeded(), False

    def useless(self, error: ModelError) -> None:
        """What came is of no use; after a rest the first such answer is one too many."""
        limit = 1 if self._rested else FAILURES
        now = asyncio.get_running_loop().time()
        if self._answers.is_open(now):
            return  # it was not asked, or had been before
        self._answers = self._answers.failed(error, now, limit=limit, rest=LONG_REST)
        self._rested = self._rested or self._answers.is_open(now)

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
    again = copy(error)
    again.usage = Usage()
    return again
