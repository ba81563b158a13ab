"""Caps hold whatever the number of tasks, the order in which calls end, and what they turn out to cost."""

import asyncio
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.llm.budget import Account, Budget, BudgetSpent
from agents.llm.usage import Usage, estimated_tokens
from tests.rows import each

CALL = st.tuples(st.floats(0.001, 1.0), st.floats(0.0, 1.0), st.integers(0, 5), st.booleans())
"""The most a call can cost, the share of it that it does cost, how long it takes, and whether it breaks off."""


@given(st.lists(CALL, max_size=40), st.none() | st.integers(0, 20), st.floats(0.0, 5.0))
def test_no_number_of_tasks_overruns_a_cap(
    calls: list[tuple[float, float, int, bool]], most: int | None, usd: float
) -> None:
    sent: list[float] = []

    async def task(budget: Budget, worst: float, share: float, steps: int, breaks: bool) -> None:
        with suppress(BudgetSpent):
            async with Account(budget).charge(Usage(1, 10, 10, worst)) as charge:
                sent.append(worst * share if not breaks else worst)
                for _ in range(steps):
                    await asyncio.sleep(0)
                if not breaks:
                    charge.usage = Usage(1, 10, 10, worst * share)

    async def run() -> Budget:
        budget = Budget(calls=most, usd=usd)
        await asyncio.gather(*(task(budget, *call) for call in calls))
        return budget

    spent = asyncio.run(run()).spent
    assert spent.calls == len(sent)
    assert spent.usd == pytest.approx(sum(sent))
    assert sum(sent) <= usd + 1e-6
    assert most is None or len(sent) <= most


def test_a_call_waits_for_what_others_give_back() -> None:
    """Two calls whose worst case does not fit side by side both fit one after the other."""

    async def run() -> Usage:
        budget = Budget(usd=1.0)

        async def call() -> None:
            async with Account(budget).charge(Usage(1, 0, 0, 0.8)) as charge:
                await asyncio.sleep(0.01)
                charge.usage = Usage(1, 0, 0, 0.1)

        await asyncio.gather(call(), call(), call())
        return budget.spent

    assert asyncio.run(run()).calls == 3


@each(
    ("budget", "worst", "word"),
    [
        (Budget(calls=0), Usage(1), "0 model calls"),
        (Budget(usd=0.5), Usage(1, 0, 0, 0.6), "0.5 USD"),
        (Budget(usd=0.5), Usage(1, 0, 0, None), "input_price"),
    ],
)
def test_the_refusal_says_which_cap_it_was(budget: Budget, worst: Usage, word: str) -> None:
    with pytest.raises(BudgetSpent, match=word):
        asyncio.run(budget.reserve(worst))
    assert budget.spent == Usage()


USAGES = st.builds(Usage, *[st.integers(0, 1000)] * 3, st.none() | st.integers(0, 100).map(float), st.integers(0, 9))


@given(USAGES, USAGES, USAGES)
def test_usages_add_up_in_any_order_and_an_unknown_price_stays_unknown(a: Usage, b: Usage, c: Usage) -> None:
    assert (a + b) + c == c + (b + a)
    assert a + Usage() == a
    assert sum((a, b, c), Usage()) == a + b + c
    assert ((a + b).usd is None) == (a.usd is None or b.usd is None)


@given(st.text())
def test_tokens_are_rather_overestimated(text: str) -> None:
    assert estimated_tokens(text) >= len(text) / 4
