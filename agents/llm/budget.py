"""The limits on what a run spends on the model. Each call reserves its cost first, so parallel tasks cannot exceed
them."""

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Literal

from agents.llm.usage import Usage

Cap = Literal["calls", "usd", "seconds"]
_ROUNDING = 1e-9


class BudgetSpent(Exception):
    """A limit allows no further call. `cap` names the limit, `usage` what the refused question had already spent."""

    def __init__(self, cap: Cap, sentence: str) -> None:
        super().__init__(sentence)
        self.cap = cap
        self.sentence = sentence
        self.usage = Usage()


class Budget:
    """The limits of one run, for the tasks of one event loop. None means no limit; `seconds` count from now.
    `reserve` holds the most that a call can cost; `settle` replaces that by its actual cost."""

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
        """The cost of all finished calls."""
        return self._spent

    @property
    def seconds_left(self) -> float:
        """Seconds that the run has left; infinite without a limit."""
        return float("inf") if self.seconds is None else max(self.seconds - (self._clock() - self._start), 0.0)

    async def reserve(self, worst: Usage) -> None:
        """Reserve `worst`, the highest cost of one call, waiting for calls under way where needed. Raises
        `BudgetSpent`."""
        while not self._fits(worst):
            self._settled.clear()
            await self._settled.wait()
        self._held += worst

    def settle(self, worst: Usage, actual: Usage) -> None:
        """Release what `reserve` held and count the actual cost."""
        self._held += Usage(-worst.calls, -worst.input_tokens, -worst.output_tokens, -(worst.usd or 0.0))
        self.note(actual)
        self._settled.set()

    def note(self, usage: Usage) -> None:
        """Count a cost that was not reserved, such as a remembered reply."""
        self._spent += usage

    def time_is_over(self) -> BudgetSpent:
        """The error for a run that has used up its seconds."""
        return BudgetSpent("seconds", f"The {self.seconds or 0:g} seconds for this run are over.")

    def _fits(self, worst: Usage) -> bool:
        """Whether `worst` can be reserved now. Raises `BudgetSpent` if waiting cannot help."""
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
    """What one question to the model spends of a budget, over both attempts."""

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.spent = Usage()

    async def open(self, worst: Usage) -> "Charge":
        """Reserve a call that costs at most `worst`. Raises `BudgetSpent`."""
        await self.budget.reserve(worst)
        return Charge(self, worst)


class Charge:
    """One call; set its `usage` to the actual cost within `settled()`. For a call that broke off, count the tokens
    sent, no tokens received, and the highest possible price."""

    def __init__(self, account: Account, worst: Usage) -> None:
        self._account = account
        self._worst = worst
        self.usage = worst._replace(output_tokens=0)

    @contextmanager
    def settled(self) -> "Iterator[Charge]":
        """Settle the charge when the block ends, also after an error: a call that broke off may be billed."""
        try:
            yield self
        finally:
            self._account.budget.settle(self._worst, self.usage)
            self._account.spent += self.usage
