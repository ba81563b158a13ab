"""What is learned from a model's failures by everybody who wants to ask it."""

import asyncio

import pytest

from agents.llm.endpoint import FAILURES, LONGEST_WAIT, CircuitBreaker
from agents.llm.errors import ModelDown, ModelError, NotAllowed, Rejected, SlowedDown
from agents.llm.usage import Usage
from tests.work import at_least


def waits(*failures: ModelError) -> bool:
    """Whether somebody has to wait who wants to ask after `failures`. Raises what they are refused with."""

    async def ask() -> bool:
        breaker = CircuitBreaker()
        for failure in failures:
            breaker.failed(failure)
        asking = asyncio.create_task(breaker.wait())
        await asyncio.sleep(0)
        waiting = not asking.done()
        await asking
        return waiting

    return asyncio.run(ask())


def test_a_final_failure_is_raised_again_for_whoever_asks_next_and_has_cost_them_nothing() -> None:
    refused = NotAllowed("The key is wrong.")
    refused.usage = Usage(calls=1)
    with pytest.raises(NotAllowed, match="key is wrong") as caught:
        waits(refused)
    assert caught.value.usage == Usage()


def test_a_short_pause_is_waited_out() -> None:
    with at_least(0.19):
        assert waits(SlowedDown("Slow down.", 0.2))


def test_a_long_pause_is_a_failure_that_says_how_long() -> None:
    with pytest.raises(SlowedDown) as caught:
        waits(SlowedDown("Slow down.", LONGEST_WAIT + 1))
    assert caught.value.wait == LONGEST_WAIT + 1


def test_an_endpoint_that_keeps_failing_is_left_alone() -> None:
    down = [ModelDown("It is not working.")] * FAILURES
    assert not waits(*down[1:])
    with pytest.raises(ModelDown):
        waits(*down)


def test_a_request_that_was_refused_for_what_it_is_says_nothing_of_the_endpoint() -> None:
    assert not waits(*[Rejected("Not like this.", "temperature")] * FAILURES)
