"""Runs that another process carries on or adds to: the app lists them as they are, and shows what they have become."""

import asyncio
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from agents.run.runner import Runner
from agents.search.events import Decision, PaperScreened
from cache import runs
from cache.run_lock import RunLock
from cache.store import Store
from connectors.paper import WorkId
from spar_tui.tui.screens.history import HistoryScreen
from spar_tui.tui.screens.home import HomeScreen
from tests.spar_tui.tui.refresh.elsewhere import Elsewhere, other_process
from tests.spar_tui.tui.screens.test_history import keep, open_history
from tests.spar_tui.tui.screens.test_triage import SOURCE, at, title, triage
from tests.spar_tui.tui.world import Hand, play, resources, settings_at

QUESTION = "asked in another terminal"
_held: dict[str, RunLock] = {}


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[Elsewhere]:
    """A process of its own for each test, which may kill it."""
    with other_process() as pool:
        yield Elsewhere(pool, settings_at(tmp_path).places.database)


def begin(store: Store) -> str:
    """Begin a run as a search in another terminal does, and carry it on."""
    run = runs.start(store, "search", QUESTION)
    _held[run] = RunLock(store.path, run)
    assert _held[run].take()
    runs.append(store, run, "search", "begun", {})
    return run


def end(store: Store, run: str) -> None:
    runs.finish(store, run, "finished", {"included": 3, "screened": 9})
    _held.pop(run).free()


def process(store: Store) -> int:
    return os.getpid()


def decide(store: Store, run: str, work: WorkId, decision: Decision) -> None:
    """Screen a paper of a search, as another app does."""

    async def keep_it() -> None:
        Runner.kept_as(store, run).keep(PaperScreened(work, decision))
        await asyncio.sleep(0)

    asyncio.run(keep_it())


@pytest.mark.parametrize("key", ["f4", "f2"], ids=["history", "start screen"])
def test_a_search_in_another_terminal_is_listed_as_running_and_then_with_what_it_came_to(
    key: str, tmp_path: Path, elsewhere: Elsewhere
) -> None:
    keep(tmp_path, "an older question")

    async def scene(hand: Hand) -> None:
        await hand.press("f4", key)
        await hand.until(lambda: isinstance(hand.app.screen, HistoryScreen if key == "f4" else HomeScreen))
        run = await elsewhere(begin)
        await hand.until_shown("running elsewhere")
        assert QUESTION in hand.text
        await elsewhere(end, run)
        await hand.until_shown("3 relevant of 9")
        assert "running elsewhere" not in hand.text

    play(tmp_path, scene, resources())


def test_a_search_that_runs_elsewhere_is_neither_taken_up_nor_forgotten(tmp_path: Path, elsewhere: Elsewhere) -> None:
    async def scene(hand: Hand) -> None:
        run = await elsewhere(begin)
        await open_history(hand)
        await hand.until_shown("running elsewhere")
        await hand.press("d")
        assert isinstance(hand.app.screen, HistoryScreen)
        await hand.press("enter")
        await hand.until(lambda: "This search is running elsewhere" in hand.told)
        assert run not in hand.app.runs_shown
        await elsewhere(end, run)

    play(tmp_path, scene, resources())


def test_a_search_whose_process_was_killed_is_listed_as_cut_off(tmp_path: Path, elsewhere: Elsewhere) -> None:
    async def scene(hand: Hand) -> None:
        await elsewhere(begin)
        other = await elsewhere(process)
        await open_history(hand)
        await hand.until_shown("running elsewhere")
        os.kill(other, signal.SIGKILL)
        await hand.until_shown("interrupted · ⏎ resumes")

    play(tmp_path, scene, resources())


def test_the_triage_shows_what_another_app_decides_and_undo_leaves_that(tmp_path: Path, elsewhere: Elsewhere) -> None:
    async def scene(hand: Hand) -> None:
        shown = await triage(hand)
        first, second, *_ = shown.works
        run = shown.live.run
        await elsewhere(decide, run, second, "included")
        await hand.until_shown("1 of 6 · 1 in · 0 out · 0 later")
        assert at(hand).work == first
        decided = title(hand)
        await hand.press("l")
        await hand.until_shown("2 of 6 · 1 in · 0 out · 1 later")
        await elsewhere(decide, run, first, "excluded")
        await hand.until_shown("2 of 6 · 1 in · 1 out · 0 later")
        await hand.press("U")
        await hand.until(lambda: f"Not undone: left for later “{decided}”. It was changed or removed" in hand.told)
        await hand.until_shown("2 of 6 · 1 in · 1 out · 0 later")

    play(tmp_path, scene, resources(SOURCE))


DELETED = "This search was deleted elsewhere, so judgements cannot be stored."


def test_a_run_deleted_elsewhere_says_so_and_shows_no_judgement_that_is_not_stored(
    tmp_path: Path, elsewhere: Elsewhere
) -> None:
    async def scene(hand: Hand) -> None:
        shown = await triage(hand)
        await hand.press("i")
        await hand.until_shown("1 of 6 · 1 in · 0 out · 0 later")
        before = title(hand)
        await elsewhere(runs.forget, shown.live.run)
        await hand.until_shown(DELETED)
        assert "1 in" not in hand.text
        for key in ("i", "l", "m"):
            await hand.press(key)
            await hand.until(lambda: DELETED in hand.told)
            assert title(hand) == before
        await hand.press("U")
        await hand.until(lambda: "Not undone: included" in hand.told)
        assert len(shown.live.state.screened) == 1
        await hand.press("escape")
        await hand.until_shown(DELETED)

    play(tmp_path, scene, resources(SOURCE))


def test_a_judgement_right_after_its_run_was_deleted_is_refused(tmp_path: Path, elsewhere: Elsewhere) -> None:
    async def scene(hand: Hand) -> None:
        shown = await triage(hand)
        runs.forget(hand.app.store, shown.live.run)  # which no look has seen yet
        await hand.press("i")
        await hand.until(lambda: DELETED in hand.told)
        assert not shown.live.state.screened

    play(tmp_path, scene, resources(SOURCE))


def test_what_two_apps_decide_at_once_stands_as_the_library_has_it(tmp_path: Path, elsewhere: Elsewhere) -> None:
    async def scene(hand: Hand) -> None:
        shown = await triage(hand)
        run, works = shown.live.run, shown.works
        for work in works[3:]:
            theirs = asyncio.ensure_future(elsewhere(decide, run, work, "excluded"))
            await hand.press("i")
            await theirs
        await hand.until_shown("6 of 6 · 3 in · 3 out · 0 later")
        replayed = Runner.kept_as(hand.app.store, run).state
        assert {work: one.decision for work, one in replayed.screened.items()} == {
            work: one.decision for work, one in shown.live.state.screened.items()
        }

    play(tmp_path, scene, resources(SOURCE))
