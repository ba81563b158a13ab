"""A call tells how it gets on without waiting for who listens, and puts its things in order when it is stopped."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from spar_tui.mcp.calls import Stopped, while_wanted


async def unheard(number: int, sentence: str) -> None:
    """Progress that nobody takes."""


def test_a_call_comes_to_what_its_work_comes_to() -> None:
    async def work(tell: Callable[[str], None]) -> str:
        return "done"

    assert asyncio.run(while_wanted(work, unheard, asyncio.Event(), set())) == "done"


def test_of_sentences_that_come_too_fast_the_last_is_told_and_numbers_only_grow() -> None:
    told: list[tuple[int, str]] = []

    async def note(number: int, sentence: str) -> None:
        told.append((number, sentence))

    async def work(tell: Callable[[str], None]) -> None:
        tell("begun")
        await asyncio.sleep(0.05)
        for number in range(1_000):
            await asyncio.to_thread(tell, f"{number}")
        while told[-1][1] != "999":
            await asyncio.sleep(0.01)

    asyncio.run(while_wanted(work, note, None, set()))
    assert told[0] == (1, "begun")
    assert [number for number, _ in told] == list(range(1, len(told) + 1))
    assert len(told) < 500


def test_a_client_that_takes_no_progress_stops_nothing() -> None:
    async def broken(number: int, sentence: str) -> None:
        raise ConnectionError

    async def work(tell: Callable[[str], None]) -> str:
        tell("begun")
        await asyncio.sleep(0.05)
        return "done"

    assert asyncio.run(while_wanted(work, broken, None, set())) == "done"


@pytest.mark.parametrize("how", ["gone", "ended here", "cancelled", "cancelled again and again"])
def test_however_it_is_stopped_its_work_has_ended_in_order_before_that_is_said(how: str) -> None:
    ended: list[str] = []

    async def work(tell: Callable[[str], None]) -> None:
        try:
            await asyncio.sleep(600)
        finally:
            await asyncio.sleep(0.05)
            ended.append("in order")

    async def scene() -> None:
        gone, under_way = asyncio.Event(), set[asyncio.Task[Any]]()
        call = asyncio.create_task(while_wanted(work, unheard, gone, under_way))
        await asyncio.sleep(0.01)
        match how:
            case "gone":
                gone.set()
            case "ended here":
                for one in under_way:
                    one.cancel()
            case _:
                call.cancel()
        if how == "cancelled again and again":
            while not ended:
                await asyncio.sleep(0)
                call.cancel()
        with pytest.raises(Stopped if how in ("gone", "ended here") else asyncio.CancelledError):
            await call
        assert ended == ["in order"]
        assert under_way == set()

    asyncio.run(scene())


def test_what_goes_wrong_in_the_work_is_what_the_call_raises() -> None:
    async def work(tell: Callable[[str], None]) -> None:
        raise KeyError("fault")

    with pytest.raises(KeyError):
        asyncio.run(while_wanted(work, unheard, None, set()))
