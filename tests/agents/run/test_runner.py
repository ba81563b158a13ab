"""Carrying a run on: to its end, until whoever follows it leaves, or until it is stopped."""

import asyncio
from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from agents.run.errors import RunError
from agents.run.resources import Resources
from agents.run.runner import Runner
from agents.search.events import PaperScreened
from agents.search.kind import SEARCH, SearchRun
from agents.search.options import SearchOptions
from cache import runs
from cache.run_lock import is_carried_on
from cache.store import Store
from tests.agents.scripted import ScriptedSource, paper
from tests.library import copied

PAPERS = [paper("Sparse retrieval", "10.1000/a"), paper("Dense retrieval", "10.1000/b")]
SHORT = SearchOptions(refchain=False, evolution=False, choose_sources=False)


def sources() -> Resources:
    return Resources({name: ScriptedSource(name, PAPERS) for name in ("openalex", "arxiv")})


async def resources_for(names: Sequence[str] | None) -> Resources:
    return sources()


async def ended(runner: SearchRun) -> None:
    while runner.under_way:
        await asyncio.sleep(0)


def status(runner: SearchRun) -> str:
    return runner.status


def begun(store: Store) -> SearchRun:
    return Runner.begun(SEARCH, store, "retrieval", SHORT)


@pytest.mark.parametrize("most", [1, 3, 8])
def test_whoever_leaves_a_run_leaves_nothing_behind_that_goes_on(most: int, tmp_path: Path) -> None:
    """Neither a task nor a write: the library may be closed at once."""

    async def follow_some() -> None:
        with Store.open(copied(tmp_path / "spar.db")) as store:
            runner, events = begun(store), 0
            stream = runner.events(sources())
            async for _ in stream:
                events += 1
                if events == most:
                    break
            await stream.aclose()
            assert asyncio.all_tasks() == {asyncio.current_task()}
            assert runs.get(store, runner.run).state == "interrupted"
            kept = len(runs.events(store, runner.run))
        await asyncio.sleep(0.05)
        with Store.open(copied(tmp_path / "spar.db")) as store:
            assert len(runs.events(store, runner.run)) == kept

    asyncio.run(follow_some())


def test_a_run_that_is_started_goes_on_by_itself_and_is_kept(tmp_path: Path) -> None:
    async def scene() -> None:
        with Store.open(copied(tmp_path / "spar.db")) as store:
            runner = begun(store)
            assert status(runner) == "cut off"
            runner.start(resources_for)
            assert status(runner) == "running"
            await ended(runner)
            assert (status(runner), runs.get(store, runner.run).state) == ("finished", "finished")
            assert len(runner.state.found) == 2

    asyncio.run(scene())


def test_the_clock_of_a_run_stands_while_it_is_paused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    passed = 0.0
    monkeypatch.setattr("agents.run.control.time", SimpleNamespace(monotonic=lambda: passed))

    async def scene() -> None:
        nonlocal passed
        with Store.open(copied(tmp_path / "spar.db")) as store:
            runner = begun(store)
            runner.start(resources_for)
            passed = 5.0
            runner.control.pause()
            assert (status(runner), runner.seconds) == ("paused", 5.0)
            passed = 3600.0
            assert runner.seconds == 5.0
            runner.control.go_on()
            passed = 3602.0
            assert runner.seconds == 7.0
            await ended(runner)
            assert runner.seconds == 7.0
            assert runner.state.finished is not None
            assert runner.state.finished.seconds <= 7.0

    asyncio.run(scene())


def test_a_run_that_cannot_get_what_it_needs_fails_with_the_reason_and_can_go_on(tmp_path: Path) -> None:
    async def nothing(names: Sequence[str] | None) -> Resources:
        raise RunError("The settings name a source that is gone.")

    async def scene() -> None:
        with Store.open(copied(tmp_path / "spar.db")) as store:
            runner = begun(store)
            runner.start(nothing)
            await ended(runner)
            assert (status(runner), runs.get(store, runner.run).state) == ("failed", "failed")
            assert [failed.why for failed in runner.failures] == ["The settings name a source that is gone."]
            runner.start(resources_for)
            await ended(runner)
            assert status(runner) == "finished"

    asyncio.run(scene())


def test_a_run_that_is_stopped_at_once_is_taken_up_where_it_was(tmp_path: Path) -> None:
    async def scene() -> None:
        with Store.open(copied(tmp_path / "spar.db")) as store:
            runner = begun(store)
            runner.start(resources_for)
            while not runner.state.found:
                await asyncio.sleep(0)
            await runner.cut_off()
            assert str(runs.get(store, runner.run).state) == "interrupted"
            again = Runner.kept_as(store, "last")
            assert status(again) == "cut off"
            assert again.state.works == runner.state.works
            again.start(resources_for)
            await ended(again)
            assert status(again) == "finished"

    asyncio.run(scene())


def test_a_run_that_is_taken_up_has_the_time_that_it_is_given_then(tmp_path: Path) -> None:
    """What it was begun with may be why it did not come to its end."""

    async def scene() -> None:
        with Store.open(copied(tmp_path / "spar.db")) as store:
            first = begun(store)
            async with aclosing(first.events(sources())) as events:
                async for _ in events:
                    break
            again = Runner.taken_up(SEARCH, store, first.run)
            again.options = replace(again.options, seconds=1e-9)
            async for _ in again.events(sources()):
                pass
            assert again.state.finished is not None
            assert again.state.finished.ending == "budget"

    asyncio.run(scene())


def test_what_is_asked_while_a_run_ends_is_met_all_the_same(tmp_path: Path) -> None:
    """Between the last look at what is asked for and the end of its task a run seems to be under way."""

    async def scene() -> None:
        with Store.open(copied(tmp_path / "spar.db")) as store:
            runner = begun(store)
            runner.start(resources_for)
            while runner.state.finished is None:
                await asyncio.sleep(0)
            assert runner.under_way
            for work in runner.state.works:
                runner.request(resources_for, lambda control, work=work: control.feedback(work, False))  # type: ignore[misc]
            await ended(runner)
            assert set(runner.state.called_relevant.values()) == {False}
            assert len(runner.state.called_relevant) == 2
            assert (status(runner), runs.get(store, runner.run).state) == ("finished", "finished")

    asyncio.run(scene())


def test_what_a_person_does_to_a_run_is_kept_whether_it_is_under_way_or_not(tmp_path: Path) -> None:
    async def scene() -> None:
        with Store.open(copied(tmp_path / "spar.db")) as store:
            runner = begun(store)
            runner.start(resources_for)
            await ended(runner)
            runner.keep(PaperScreened(runner.state.works[0], "included"))
            await asyncio.sleep(0)
            again = Runner.taken_up(SEARCH, store, runner.run)
            assert again.state.screened == runner.state.screened != {}
            assert runs.get(store, runner.run).state == "finished"

    asyncio.run(scene())


def test_only_one_carries_a_run_on_and_nobody_once_it_has_ended(tmp_path: Path) -> None:
    async def scene() -> None:
        with Store.open(copied(tmp_path / "spar.db")) as store:
            runner = begun(store)
            assert is_carried_on(store.path, runner.run)
            other = Runner.taken_up(SEARCH, store, runner.run)
            with pytest.raises(RunError, match="This search is running elsewhere"):
                await anext(other.events(sources()))
            assert runs.get(store, runner.run).state == "running"
            async with aclosing(runner.events(sources())) as events:
                async for _ in events:
                    assert is_carried_on(store.path, runner.run)
            assert not is_carried_on(store.path, runner.run)
            assert other.recorder.lock.take()
            other.recorder.lock.free()

    asyncio.run(scene())


def test_a_run_takes_in_what_another_process_added_to_it(tmp_path: Path) -> None:
    async def scene() -> None:
        with Store.open(copied(tmp_path / "spar.db")) as store:
            runner = begun(store)
            runner.start(resources_for)
            await ended(runner)
            before = runner.state
            await runner.catch_up()
            assert runner.state is before
            other = Runner.taken_up(SEARCH, store, runner.run)
            first, second = before.found
            other.keep(PaperScreened(first, "included"))
            runner.keep(PaperScreened(second, "excluded"))
            await asyncio.sleep(0)
            for one in (runner, other):
                await one.catch_up()
                assert {work: done.decision for work, done in one.state.screened.items()} == {
                    first: "included", second: "excluded",
                }  # fmt: skip
            runs.forget(store, runner.run)
            await runner.catch_up()
            assert runner.state == other.state

    asyncio.run(scene())
