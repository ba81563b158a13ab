"""How many questions are under way at once is learned from how they are answered."""

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack

from agents.llm.endpoint import FIRST, PATIENCE, RequestSlots
from tests.rows import each


def side_by_side(seconds: Callable[[int], float], most: int = 8, rounds: int = 12) -> list[int]:
    """How many questions are under way in each round, all places being taken, at a server that needs so long."""

    async def run() -> list[int]:
        turns, seen = RequestSlots(most, lambda: False), list[int]()
        for _ in range(rounds):
            async with AsyncExitStack() as places:
                at_once = turns.side_by_side
                seen.append(at_once)
                for _ in range(at_once):
                    await places.enter_async_context(turns.turn())
                turns.used(seconds(at_once), 100)
        return seen

    return asyncio.run(run())


def test_few_are_asked_at_once_at_first_and_more_while_they_are_answered_as_quickly() -> None:
    seen = side_by_side(lambda at_once: 2.0)
    assert seen[0] == FIRST
    assert seen[-1] == 8
    assert seen == sorted(seen)


def test_no_more_are_asked_than_the_person_says() -> None:
    assert set(side_by_side(lambda at_once: 2.0, most=2)) == {2}
    assert set(side_by_side(lambda at_once: 2.0, most=1)) == {1}


def test_a_server_that_answers_one_after_the_other_is_not_asked_more_at_once_for_it() -> None:
    """Each waits for all the others: with five under way an answer takes five times as long."""
    assert max(side_by_side(lambda at_once: 2.0 * at_once)) <= FIRST + 1


def test_a_server_that_breaks_down_under_more_is_asked_fewer() -> None:
    seen = side_by_side(lambda at_once: 2.0 if at_once <= 4 else 20.0)
    assert max(seen) == 5
    assert seen[-1] in (4, 5)


def test_a_question_that_is_asked_alone_says_nothing_of_more_at_once() -> None:
    async def run() -> int:
        turns = RequestSlots(8, lambda: False)
        for seconds, at_once in ((2.0, FIRST), (2.0, 1), (2.0, 1)):
            async with AsyncExitStack() as places:
                for _ in range(at_once):
                    await places.enter_async_context(turns.turn())
                turns.used(seconds, 100)
        return turns.side_by_side

    assert asyncio.run(run()) == FIRST + 1


def test_a_long_answer_of_a_slow_endpoint_may_take_longer_up_to_a_bound() -> None:
    async def run() -> list[float]:
        turns = RequestSlots(8, lambda: False)
        before = turns.seconds_for(1_000, usual=60.0)
        turns.used(20.0, 160)
        turns.used(20.0, 20)
        return [before, *(turns.seconds_for(tokens, usual=60.0) for tokens in (100, 1_000, 9_000))]

    assert asyncio.run(run()) == [60.0, 60.0, 125.0, 60.0 * PATIENCE]


def test_answers_within_a_second_say_nothing_of_a_servers_load() -> None:
    assert side_by_side(lambda at_once: 0.1 * at_once)[-1] == 8


@each("count", [1, 3])
def test_while_it_is_in_doubt_whether_answers_can_be_used_there_is_one_place(count: int) -> None:
    async def run() -> list[str]:
        doubt, done = True, list[str]()
        turns = RequestSlots(8, lambda: doubt)

        async def ask(name: str) -> None:
            async with turns.turn():
                done.append(name)
                await asyncio.sleep(0.01)

        async with turns.turn():
            waiting = [asyncio.create_task(ask(str(number))) for number in range(count)]
            await asyncio.sleep(0.02)
            assert done == []
            doubt = False
            turns.used(0.1, 1)
            await asyncio.gather(*waiting)
        return done

    assert asyncio.run(run()) == [str(number) for number in range(count)]


def test_who_gives_up_waiting_leaves_the_place_to_the_next() -> None:
    async def run() -> bool:
        turns = RequestSlots(1, lambda: False)
        async with turns.turn():
            first = asyncio.create_task(turns.turn().__aenter__())
            await asyncio.sleep(0)
            first.cancel()
        async with asyncio.timeout(60), turns.turn():
            return True

    assert asyncio.run(run())
