"""The limits on what a run spends on the model. Each call reserves its cost first, so parallel tasks cannot exceed
them."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from agents.llm.usage import Usage

_ROUNDING = 1e-9


class BudgetSpent(Exception):
    """A limit allows no further call. `usage` is what the refused question had already spent."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.usage = Usage()


class Budget:
    """The limits of one run, for the tasks of one event loop. None means no limit. `reserve` holds the most
    that a call can cost; `settle` replaces that by its actual cost."""

    def __init__(self, calls: int | None = None, usd: float | None = None) -> None:
        self.calls = calls
        self.usd = usd
        self.spent = Usage()
        """The cost of all finished calls."""
        self._held = Usage()
        self._settled = asyncio.Event()

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
        self.spent += usage

    def _fits(self, worst: Usage) -> bool:
        """Whether `worst` can be reserved now. Raises `BudgetSpent` if waiting cannot help."""
        if self.calls is not None and self.spent.calls + self._held.calls + worst.calls > self.calls:
            raise BudgetSpent(f"The {self.calls} model calls for this run are used up.")
        if self.usd is None:
            return True
        if worst.usd is None or self.spent.usd is None:
            raise BudgetSpent(
                "A limit in USD needs the model's prices, which are not known; "
                "set input_price and output_price (USD per million tokens) with `spar config set`."
            )
        remaining = self.usd - self.spent.usd - worst.usd + _ROUNDING
        if remaining < 0:
            raise BudgetSpent(
                f"The {self.usd:g} USD for this run are not enough for another call ({self.spent.usd:.4f} spent)."
            )
        return (self._held.usd or 0.0) <= remaining


@dataclass(slots=True)
class Charge:
    """The actual cost of one call."""

    usage: Usage


class Account:
    """What one question to the model spends of a budget, over both attempts."""

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.spent = Usage()

    @asynccontextmanager
    async def charge(self, worst: Usage) -> AsyncIterator[Charge]:
        """Reserve a call that costs at most `worst`, and settle it when the block ends, also after an error: a call
        that broke off may be billed. Unless the block sets the usage, that is the tokens sent, no tokens received, and
        the highest possible price. Raises `BudgetSpent`."""
        await self.budget.reserve(worst)
        charge = Charge(worst._replace(output_tokens=0))
        try:
            yield charge
        finally:
            self.budget.settle(worst, charge.usage)
            self.spent += charge.usage
