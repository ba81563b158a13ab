"""Pausing, stopping and cancelling a search, and the budgets it may not overrun."""

import asyncio
import time
from contextlib import aclosing
from types import SimpleNamespace

import pytest

from agents.run.control import Control
from agents.run.events import PaperFound, SourceAnswered
from agents.search.events import Finished, PaperJudged, StageChanged
from agents.search.loop import search
from agents.search.options import SearchOptions
from tests.agents.search.world import QUESTION, Library, go, judge, made_up, model_at, scripted, searched, shelf
from tests.rows import each
from tests.services.model.says import slow

PAPERS = made_up(60)
ALL = SearchOptions(choose_sources=False)


class Watched(Control):
    """Says when a search has come to it."""

    def __init__(self, seconds: float | None = None) -> None:
        super().__init__(seconds)
        self.reached = asyncio.Event()

    async def ready(self) -> bool:
        self.reached.set()
        return await super().ready()


def test_a_paused_search_asks_nobody_until_it_goes_on() -> None:
    source, control = Library(PAPERS), Watched()

    async def run() -> int:
        control.pause()
        searching = asyncio.create_task(go(shelf(source), ALL, control=control))
        await control.reached.wait()
        await asyncio.sleep(0.05)
        asked = len(source.searched)
        control.go_on()
        assert (await searching).state.ranking
        return asked

    assert asyncio.run(run()) == 0
    assert source.searched


def test_a_pause_is_not_the_searchs_own_time(monkeypatch: pytest.MonkeyPatch) -> None:
    passed = 0.0
    clock = SimpleNamespace(monotonic=lambda: time.monotonic() + passed)
    monkeypatch.setattr("agents.run.control.time", clock)
    control = Watched(seconds=60.0)

    async def run() -> str:
        nonlocal passed
        control.pause()
        searching = asyncio.create_task(go(shelf(Library(PAPERS)), ALL, control=control))
        await control.reached.wait()
        passed = 3600.0
        control.go_on()
        return str((await searching).of(Finished)[0].ending)

    assert asyncio.run(run()) == "complete"


def test_a_stopped_search_ranks_what_is_there_and_names_what_it_did_not_wait_for() -> None:
    control = Control()
    quick, slow_one = Library(PAPERS[:30]), Library(PAPERS[30:], "pubmed", seconds=3600.0)

    async def run() -> None:
        found = await go(
            shelf(quick, slow_one), ALL, control=control, each=lambda event: _stop_on(control, event, PaperFound)
        )
        assert found.state.ranking
        assert found.of(Finished)[0].ending == "stopped"
        assert found.state.failed_sources == {"pubmed": "was stopped before it answered."}
        assert not found.state.troubled  # to stop is no failure

    asyncio.run(run())


@each("stage", ["understanding", "judging", "evolving"])
def test_a_search_can_be_stopped_while_a_slow_model_thinks(stage: str) -> None:
    """Nothing more is waited for, and what is there is ranked by built-in rules."""
    control = Control()
    name = {"understanding": "understand", "judging": "judge", "evolving": "evolve"}[stage]
    with scripted(**{name: lambda request: slow({}, 3600.0)}) as endpoint:

        async def run() -> None:
            model = model_at(endpoint)

            async def stop_soon() -> None:
                while not endpoint.asked(name):
                    await asyncio.sleep(0.01)
                control.stop()

            stopping = asyncio.create_task(stop_soon())
            found = await go(shelf(Library(PAPERS), model=model), ALL, control=control)
            await stopping
            await model.close()
            assert found.of(Finished)[0].ending == "stopped"
            assert found.state.cost.calls >= endpoint.calls, "what may have been billed counts"
            if stage != "understanding":
                assert found.state.ranking

        asyncio.run(run())


def test_cancelling_ends_a_search_at_once() -> None:
    """Closing the iterator leaves no task behind."""

    async def run() -> None:
        async with aclosing(search(QUESTION, shelf(Library(PAPERS, seconds=3600.0)), ALL)) as events:
            async for event in events:
                if isinstance(event, StageChanged) and event.stage == "retrieving":
                    break
        assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(run())


def test_a_search_ends_when_its_seconds_are_over_even_while_the_model_is_slow() -> None:
    with scripted(judge=lambda request: slow(judge(request), 3600.0)) as endpoint:
        options = SearchOptions(choose_sources=False, understanding=False, seconds=1.5)
        found = searched(shelf(Library(PAPERS), model=model_at(endpoint)), options)
    assert found.of(Finished)[0].ending == "budget"
    assert found.state.ranking


@each("calls", [0, 1, 3, 7])
def test_no_search_asks_the_model_more_often_than_allowed(calls: int) -> None:
    """Though all batches are judged at once; what is left is built-in rules, which is said."""
    with scripted() as endpoint:
        found = searched(
            shelf(Library(PAPERS), model=model_at(endpoint)), SearchOptions(choose_sources=False, calls=calls, seed=1)
        )
    assert endpoint.calls == calls
    assert found.state.cost.calls == calls
    assert found.state.ranking
    told = ("used up", f"more than {calls} calls")
    assert any(part in sentence for sentence in found.state.warnings for part in told)


def test_answers_that_are_bad_count_against_the_bound_too() -> None:
    with scripted(judge=lambda request: "no JSON at all") as endpoint:
        found = searched(shelf(Library(PAPERS), model=model_at(endpoint)), SearchOptions(choose_sources=False, calls=6))
    assert endpoint.calls <= 6
    assert found.state.cost.calls == endpoint.calls
    assert found.state.ranking


def test_no_search_spends_more_money_than_allowed() -> None:
    """The price of the calls under way is held back before they are sent."""
    with scripted() as endpoint:
        model = model_at(endpoint, input_price=1.0, output_price=4.0)
        found = searched(shelf(Library(PAPERS), model=model), SearchOptions(choose_sources=False, usd=0.005))
    assert endpoint.calls
    assert found.state.cost.usd is not None
    assert 0 < found.state.cost.usd <= 0.005
    assert any("USD" in sentence for sentence in found.state.warnings)


def test_money_is_not_spent_where_prices_are_not_known() -> None:
    with scripted() as endpoint:
        found = searched(shelf(Library(PAPERS), model=model_at(endpoint)), SearchOptions(choose_sources=False, usd=1.0))
    assert endpoint.calls == 0
    assert found.state.ranking
    assert any("prices" in sentence for sentence in found.state.warnings)


def test_every_step_says_what_it_spent() -> None:
    with scripted() as endpoint:
        found = searched(shelf(Library(PAPERS), model=model_at(endpoint)), ALL)
    assert {event.step for event in found.state.spent} == {"understand", "judge", "judge-words", "evolve"}
    assert found.state.cost.calls == endpoint.calls
    assert any(event.by == "model" for event in found.of(PaperJudged))
    assert all(answered.state == "ok" for answered in found.of(SourceAnswered))


def _stop_on(control: Control, event: object, kind: type) -> None:
    if isinstance(event, kind):
        control.stop()
