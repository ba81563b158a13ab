"""What a run may spend on the model: a call is paid for before it is sent, so no number of tasks can overrun a cap."""

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Literal

from agents.llm.usage import Usage

Cap = Literal["calls", "usd", "seconds"]
_ROUNDING = 1e-9


class BudgetSpent(Exception):
    """No further call is allowed. `cap` says by which limit, `usage` what the refused question had spent before."""

    def __init__(self, cap: Cap, sentence: str) -> None:
        super().__init__(sentence)
        self.cap = cap
        self.sentence = sentence
        self.usage = Usage()


class Budget:
    """Caps for one run, None for no cap; `seconds` count from now. For the tasks of one event loop.

    `reserve` holds the most that a call can cost; `settle` replaces it by what the call did cost.
    """

    def __init__(
        self,
        calls: int | None = None,
        usd: float | None = None,
        seconds: float | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.calls = calls
        self.usd = usd
        self.seconds = seconds
        self._clock = clock
        self._start = clock()
        self._spent = Usage()
        self._held = Usage()
        self._settled = asyncio.Event()

    @property
    def spent(self) -> Usage:
        """What all calls that are over have cost."""
        return self._spent

    @property
    def seconds_left(self) -> float:
        """How long the run may still take; infinite without a cap."""
        return float("inf") if self.seconds is None else max(self.seconds - (self._clock() - self._start), 0.0)

    async def reserve(self, worst: Usage) -> None:
        """Hold `worst`, one call; waits while only calls under way stand in the way. Raises `BudgetSpent`."""
        while not self._fits(worst):
            self._settled.clear()
            await self._settled.wait()
        self._held += worst

    def settle(self, worst: Usage, actual: Usage) -> None:
        """Give back what `reserve` held and count what was spent."""
        self._held += Usage(-worst.calls, -worst.input_tokens, -worst.output_tokens, -(worst.usd or 0.0))
        self.note(actual)
        self._settled.set()

    def note(self, usage: Usage) -> None:
        """Count what needed no reservation, such as a remembered reply."""
        self._spent += usage

    def time_is_over(self) -> BudgetSpent:
        """The error for a run that has used up its seconds."""
        return BudgetSpent("seconds", f"The {self.seconds or 0:g} seconds for this run are over.")

    def _fits(self, worst: Usage) -> bool:
        """Whether `worst` can be held now; raises `BudgetSpent` if waiting cannot change that."""
        if self.seconds is not None and self.seconds_left <= 0:
            raise self.time_is_over()
        if self.calls is not None and self._spent.calls + self._held.calls + worst.calls > self.calls:
            raise BudgetSpent("calls", f"The {self.calls} model calls for this run are used up.")
        if self.usd is None:
            return True
        if worst.usd is None or self._spent.usd is None:
            raise BudgetSpent(
                "usd",
                "A limit in USD needs the model's prices, which are not known; "
                "set input_price and output_price (USD per million tokens) with `spar config set`.",
            )
        room = self.usd - self._spent.usd - worst.usd + _ROUNDING
        if room < 0:
            raise BudgetSpent(
                "usd",
                f"The {self.usd:g} USD for this run leave no room for another call ({self._spent.usd:.4f} spent).",
            )
        return (self._held.usd or 0.0) <= room


class Account:
    """What one question to the model spends of a budget, over both of its tries."""

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.spent = Usage()

    async def open(self, worst: Usage) -> "Charge":
        """Reserve a call that costs `worst` at most. Raises `BudgetSpent`."""
        await self.budget.reserve(worst)
        return Charge(self, worst)


class Charge:
    """One call: within `settled()` its `usage` is set to what it cost. Of one that broke off counts what was sent, no
    token that never came, and the most money that it can have cost."""

    def __init__(self, account: Account, worst: Usage) -> None:
        self._account = account
        self._worst = worst
        self.usage = worst._replace(output_tokens=0)

    @contextmanager
    def settled(self) -> "Iterator[Charge]":
        """Settle at the end of the block, however it ends: a call that broke off may have been billed all the same."""
        try:
            yield self
        finally:
            self._account.budget.settle(self._worst, self.usage)
            self._account.spent += self.usage
