"""A call tells how it gets on without waiting for who listens, and puts its things in order when it is stopped."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from agents.tools.tool import ToolError
from spar_tui.mcp.calls import CallTurns, Stopped, while_wanted
from tests.rows import each


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


@each("how", ["gone", "ended here", "cancelled", "cancelled again and again"])
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


Call = Callable[[str, str], "asyncio.Task[None]"]


def scene(act: Callable[[Call, list[str], asyncio.Event], Awaitable[None]], turns: CallTurns) -> list[str]:
    """Return the order of events when each call holds its slot until the event is set."""
    done: list[str] = []

    async def played() -> None:
        end = asyncio.Event()

        async def held(client: str, name: str) -> None:
            async with turns.turn(client, name.rstrip("0123456789")):
                done.append(name)
                await end.wait()

        await act(lambda client, name: asyncio.create_task(held(client, name)), done, end)

    asyncio.run(played())
    return done


async def settle() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


def test_another_clients_call_runs_at_once_and_ones_own_wait_in_their_order() -> None:
    async def act(call: Call, done: list[str], end: asyncio.Event) -> None:
        many = [call("a", f"a{number}") for number in range(200)]
        await settle()
        other = call("b", "b")
        await settle()
        assert done == ["a0", "a1", "a2", "a3", "b"]
        end.set()
        await asyncio.gather(*many, other)

    done = scene(act, CallTurns())
    assert [name for name in done if name != "b"] == [f"a{number}" for number in range(200)]


def test_many_calls_of_one_tool_keep_no_other_tool_of_the_client_waiting() -> None:
    async def act(call: Call, done: list[str], end: asyncio.Event) -> None:
        queries = [call("a", f"query{number}") for number in range(200)]
        await settle()
        shelf = call("a", "shelf")
        await settle()
        end.set()
        await asyncio.gather(*queries, shelf)

    done = scene(act, CallTurns())
    assert done.index("shelf") <= 5
    assert [name for name in done if name != "shelf"] == [f"query{number}" for number in range(200)]


def test_a_call_that_is_cancelled_leaves_the_queue_and_takes_no_turn() -> None:
    async def act(call: Call, done: list[str], end: asyncio.Event) -> None:
        calls = [call("a", f"a{number}") for number in range(6)]
        await settle()
        for number in (0, 2, 4):  # one running call and two waiting ones
            calls[number].cancel()
        await settle()
        assert done == ["a0", "a1", "a3"]
        end.set()
        await asyncio.gather(*calls, return_exceptions=True)
        await call("a", "later")

    assert scene(act, CallTurns(at_once=2))[-1] == "later"


def test_a_call_that_lasts_gives_its_turn_on() -> None:
    async def act(call: Call, done: list[str], end: asyncio.Event) -> None:
        calls = [call("a", "search"), call("a", "shelf")]
        while len(done) < 2:
            await asyncio.sleep(0.001)
        assert not calls[0].done()
        end.set()
        await asyncio.gather(*calls)

    assert scene(act, CallTurns(at_once=1, long=0.01)) == ["search", "shelf"]


def test_more_calls_than_can_wait_are_refused_in_a_sentence() -> None:
    async def act(call: Call, done: list[str], end: asyncio.Event) -> None:
        calls = [call("a", f"{number}") for number in range(4)]
        await settle()
        with pytest.raises(ToolError, match="2 calls of this client are waiting already"):
            await calls[3]
        end.set()
        await asyncio.gather(*calls[:3])

    assert scene(act, CallTurns(at_once=1, most_waiting=2)) == ["0", "1", "2"]
