"""A client with many calls delays only itself."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from agents.tools.tool import ToolError
from spar_tui.mcp.turns import Turns

Call = Callable[[str, str], "asyncio.Task[None]"]


def scene(act: Callable[[Call, list[str], asyncio.Event], Awaitable[None]], turns: Turns) -> list[str]:
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

    done = scene(act, Turns())
    assert [name for name in done if name != "b"] == [f"a{number}" for number in range(200)]


def test_many_calls_of_one_tool_keep_no_other_tool_of_the_client_waiting() -> None:
    async def act(call: Call, done: list[str], end: asyncio.Event) -> None:
        queries = [call("a", f"query{number}") for number in range(200)]
        await settle()
        shelf = call("a", "shelf")
        await settle()
        end.set()
        await asyncio.gather(*queries, shelf)

    done = scene(act, Turns())
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

    assert scene(act, Turns(at_once=2))[-1] == "later"


def test_a_call_that_lasts_gives_its_turn_on() -> None:
    async def act(call: Call, done: list[str], end: asyncio.Event) -> None:
        calls = [call("a", "search"), call("a", "shelf")]
        while len(done) < 2:
            await asyncio.sleep(0.001)
        assert not calls[0].done()
        end.set()
        await asyncio.gather(*calls)

    assert scene(act, Turns(at_once=1, long=0.01)) == ["search", "shelf"]


def test_more_calls_than_can_wait_are_refused_in_a_sentence() -> None:
    async def act(call: Call, done: list[str], end: asyncio.Event) -> None:
        calls = [call("a", f"{number}") for number in range(4)]
        await settle()
        with pytest.raises(ToolError, match="2 calls of this client are waiting already"):
            await calls[3]
        end.set()
        await asyncio.gather(*calls[:3])

    assert scene(act, Turns(at_once=1, most_waiting=2)) == ["0", "1", "2"]
