"""Asking, watching, leaving, coming back, pausing, stopping: what a person can rely on."""

import threading
from dataclasses import replace
from pathlib import Path

import pytest

from agents.builtin.ranking.features import Pool, features
from agents.run.resources import Resources
from cache import runs
from cache.store import Store
from connectors.errors import SourceUnavailable
from spar_tui.errors import Failure
from spar_tui.tui.screens.dialogs.key_choice import KeyChoice
from spar_tui.tui.screens.home import HomeScreen
from spar_tui.tui.screens.paper import PaperScreen
from spar_tui.tui.screens.search import SearchScreen
from spar_tui.tui.widgets.paper_page import PaperPage
from spar_tui.tui.widgets.trail_tree import TrailTree
from tests.agents.scripted import ScriptedSource
from tests.spar_tui.running import PATIENCE
from tests.spar_tui.tui.world import OTHERS, QUESTION, SPARSE, GatedSource, Hand, play, resources, settings_at, titles


def kept(home: Path) -> list[runs.Run]:
    with Store.open(settings_at(home).places.database) as store:
        return runs.recent(store)


def test_a_question_brings_papers_with_scores_and_the_run_is_kept(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await hand.ask()
        await hand.until_shown("✔ finished")
        assert set(hand.titles) == titles(SPARSE)
        await hand.until(lambda: "1 source · 6 papers" in hand.lines[-2])
        await hand.until_shown("We study sparse retrieval of passages")  # the abstract, on the page beside

    play(tmp_path, scene, resources(ScriptedSource("openalex", SPARSE)))
    assert [(run.question, run.state) for run in kept(tmp_path)] == [(QUESTION, "finished")]


def test_the_ask_line_takes_every_letter_at_once(tmp_path: Path) -> None:
    """Keys that are commands elsewhere are letters here."""

    async def scene(hand: Hand) -> None:
        await hand.type("qj? o/p")
        await hand.press("enter")
        assert hand.live.question == "qj? o/p"

    play(tmp_path, scene, resources(ScriptedSource("openalex", SPARSE)))


def test_a_search_goes_on_while_the_person_is_elsewhere(tmp_path: Path) -> None:
    source = GatedSource("openalex", SPARSE)

    async def scene(hand: Hand) -> None:
        live = await hand.ask()
        await hand.until(lambda: bool(source.asked))
        await hand.press("escape")
        assert isinstance(hand.app.screen, HomeScreen)
        await hand.until_shown("running")
        source.gate.set()
        await hand.until(lambda: live.status == "finished")
        await hand.press("down", "enter")
        assert hand.live is live
        await hand.until_shown("✔ finished")
        assert set(hand.titles) == titles(SPARSE)

    play(tmp_path, scene, resources(source))


def test_two_searches_can_run_side_by_side(tmp_path: Path) -> None:
    source = GatedSource("openalex", SPARSE)

    async def scene(hand: Hand) -> None:
        one = await hand.ask("sparse retrieval")
        await hand.press("escape")
        other = await hand.ask("passages")
        assert one.status == other.status == "running"
        source.gate.set()
        await hand.until(lambda: one.status == other.status == "finished")

    play(tmp_path, scene, resources(source))


def test_a_pause_asks_nobody_until_the_search_goes_on(tmp_path: Path) -> None:
    source = GatedSource("openalex", SPARSE)

    async def scene(hand: Hand) -> None:
        live = await hand.ask()
        await hand.until(lambda: bool(source.asked))
        await hand.press("p")
        asked = len(source.asked)
        source.gate.set()
        await hand.until(lambda: bool(live.state.found))
        for _ in range(10):
            await hand.pilot.pause(0.02)
        await hand.until_shown("‖ paused")
        assert len(source.asked) == asked
        assert not live.state.finished
        await hand.press("p")
        await hand.until_shown("✔ finished")

    play(tmp_path, scene, resources(source))


def test_a_stop_waits_for_nobody_and_ranks_what_is_here(tmp_path: Path) -> None:
    slow = GatedSource("arxiv", OTHERS)

    async def scene(hand: Hand) -> None:
        live = await hand.ask()
        await hand.until(lambda: len(live.state.found) == 6)
        await hand.press("x")
        await hand.until_shown("✔ finished")
        assert "Stopped before arxiv answered." in hand.text
        assert live.state.finished is not None
        assert live.state.finished.ending == "stopped"
        assert len(live.state.ranking) == 6

    play(tmp_path, scene, resources(ScriptedSource("openalex", SPARSE), slow))
    assert kept(tmp_path)[0].state == "finished"


def test_a_search_stopped_at_once_can_go_on(tmp_path: Path) -> None:
    slow = GatedSource("arxiv", OTHERS)

    async def scene(hand: Hand) -> None:
        live = await hand.ask()
        await hand.until(lambda: len(live.state.found) == 6)
        await hand.press("ctrl+x")
        await hand.until_shown("interrupted")
        slow.gate.set()
        await hand.press("p")
        await hand.until_shown("✔ finished")
        assert titles(OTHERS) <= set(hand.titles)

    play(tmp_path, scene, resources(ScriptedSource("openalex", SPARSE), slow))


def test_keys_are_handled_while_scores_are_estimated_beside_a_slow_source(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow, told = GatedSource("arxiv", OTHERS), threading.Event()
    threads: list[threading.Thread] = []

    def held(of: Pool) -> object:
        threads.append(threading.current_thread())
        if threads[0] is not threading.main_thread():
            told.wait(PATIENCE)
        return features(of)

    monkeypatch.setattr("agents.search.pool.features", held)

    async def scene(hand: Hand) -> None:
        await hand.ask()
        await hand.until(lambda: bool(threads))
        assert threads[0] is not threading.main_thread(), "the app handles no key there"
        await hand.press("question_mark")
        await hand.until(lambda: isinstance(hand.app.screen, KeyChoice))
        assert not told.is_set()
        told.set()
        slow.gate.set()
        await hand.press("escape")
        await hand.until_shown("✔ finished")

    play(tmp_path, scene, resources(ScriptedSource("openalex", SPARSE), slow))


def test_the_trail_takes_no_room_from_the_titles_until_it_is_opened(tmp_path: Path) -> None:
    slow = GatedSource("arxiv", OTHERS)

    async def scene(hand: Hand) -> None:
        live = await hand.ask()
        await hand.until(lambda: len(live.state.found) == 6)
        tree = hand.app.screen.query_one("#trail")
        assert not tree.region
        await hand.press("t")
        await hand.until(lambda: bool(tree.region) and "openalex 6" in hand.text)
        await hand.press("tab")  # it stays open beside the list
        assert tree.region
        await hand.press("t", "t")
        await hand.until(lambda: not tree.region)
        slow.gate.set()
        await hand.until_shown("✔ finished")
        await hand.press("t", "escape")
        await hand.until(lambda: not tree.region)
        assert isinstance(hand.app.screen, SearchScreen)

    play(tmp_path, scene, resources(ScriptedSource("openalex", SPARSE), slow))


def test_quitting_keeps_a_search_that_the_next_start_takes_up(tmp_path: Path) -> None:
    slow = GatedSource("arxiv", OTHERS)

    async def begins(hand: Hand) -> None:
        live = await hand.ask()
        await hand.until(lambda: len(live.state.found) == 6)
        await hand.press("escape", "down", "q")
        await hand.until_shown("A search is running. What was found is kept")
        await hand.press("n", "ctrl+c")
        await hand.until_shown("and it resumes later. ^c again quits.")
        await hand.press("ctrl+c")
        await hand.until(lambda: hand.app.return_code is not None)

    play(tmp_path, begins, resources(ScriptedSource("openalex", SPARSE), slow))
    assert kept(tmp_path)[0].state == "interrupted"

    async def goes_on(hand: Hand) -> None:
        await hand.until_shown("interrupted")
        await hand.press("down", "enter")
        await hand.until_shown("✔ finished")
        assert set(hand.titles) == titles(SPARSE) | titles(OTHERS)

    play(tmp_path, goes_on, resources(ScriptedSource("openalex", SPARSE), ScriptedSource("arxiv", OTHERS)))
    assert [run.state for run in kept(tmp_path)] == ["finished"]


def test_a_finished_search_opens_as_it_was_and_asks_nobody(tmp_path: Path) -> None:
    shown: list[list[str]] = []

    async def asks(hand: Hand) -> None:
        await hand.ask()
        await hand.until_shown("✔ finished")
        shown.append(hand.titles)

    play(tmp_path, asks, resources(ScriptedSource("openalex", SPARSE)))
    silent = ScriptedSource("openalex", OTHERS)

    async def looks(hand: Hand) -> None:
        await hand.press("down", "enter")
        await hand.until_shown("✔ finished")
        assert hand.titles == shown[0]
        assert not silent.asked

    play(tmp_path, looks, resources(silent))
    assert kept(tmp_path)[0].state == "finished"


def test_the_help_lists_the_keys_and_goes_away(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await hand.press("f1")
        await hand.until_shown("Ask the question.")
        await hand.press("escape")
        assert isinstance(hand.app.screen, HomeScreen)

    play(tmp_path, scene, Resources())


def test_a_search_without_any_source_says_that_there_are_no_papers(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await hand.ask()
        await hand.until_shown("✔ finished")
        await hand.until_shown("no papers")
        assert isinstance(hand.app.screen, SearchScreen)
        await hand.press("j", "enter", "o", "y", "t", "enter")

    play(tmp_path, scene, Resources())


def test_a_source_that_fails_is_named_and_the_others_answer(tmp_path: Path) -> None:
    broken = ScriptedSource("arxiv", error=SourceUnavailable("arxiv", "did not answer."))

    async def scene(hand: Hand) -> None:
        await hand.ask()
        await hand.until_shown("▲ finished")
        await hand.until_shown("▲ arxiv failed (did not answer).")
        assert set(hand.titles) == titles(SPARSE)

    play(tmp_path, scene, resources(ScriptedSource("openalex", SPARSE), broken))


def test_a_desk_that_cannot_be_opened_is_said_and_the_app_stays(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await hand.ask()
        await hand.until_shown("the key cannot be read")
        await hand.until_shown("✘ failed")
        await hand.press("escape")
        await hand.until_shown("failed · ⏎ resumes")

    play(tmp_path, scene, Failure("the key cannot be read."))


def test_the_paper_beside_the_trail_is_the_one_that_was_left_in_the_list_however_fast_one_goes(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await hand.ask()
        await hand.until_shown("✔ finished")
        await hand.press("G", "enter", "escape")
        last = hand.highlighted
        # As keys do that come together: nothing is told between them.
        hand.papers.action_first()
        assert isinstance(hand.app.screen, SearchScreen)
        hand.app.screen.action_trail()
        assert hand.highlighted != last
        await hand.until(lambda: hand.app.screen.query_one(PaperPage)._shown[0] == hand.papers.rows[0].key)

    play(tmp_path, scene, resources(ScriptedSource("openalex", SPARSE)))


@pytest.mark.parametrize("size", [(200, 50), (150, 36), (110, 30), (80, 24)])
def test_a_finished_search_is_read_without_leaving_its_list(size: tuple[int, int], tmp_path: Path) -> None:
    """The trail is a line where titles need its room; the paper scrolls and changes from the list, and on its own page
    too."""
    long = [replace(one, abstract="\n\n".join(["Of many words."] * 400)) for one in SPARSE]

    async def scene(hand: Hand) -> None:
        await hand.ask()
        await hand.until_shown("✔ finished")
        if size[0] == 200:
            assert hand.app.screen.query_one(TrailTree).region
            await hand.press("t", "t")
        await hand.until_shown("1 source · 6 papers · t trail")
        assert not hand.app.screen.query_one(TrailTree).region
        page = hand.app.screen.query_one(PaperPage)
        first, second, *_ = hand.titles
        await hand.press("n")
        assert hand.highlighted == second
        if size[0] > 80:
            await hand.until(lambda: page._shown[0] == hand.papers.rows[1].key)
            await hand.press("J", "J")
            assert page.scroll_offset.y == 6
            await hand.press("K")
            assert page.scroll_offset.y == 3
        await hand.press("enter", "p")
        await hand.until(lambda: page._shown[0] == hand.papers.rows[0].key)
        await hand.press("enter")
        assert isinstance(hand.app.screen, PaperScreen)
        assert hand.app.screen.about.title == first
        await hand.press("n")
        await hand.until(lambda: isinstance(hand.app.screen, PaperScreen) and hand.app.screen.about.title == second)
        await hand.press("escape", "escape")
        assert hand.highlighted == second
        await hand.press("t")
        await hand.until(lambda: bool(hand.app.screen.query_one("#trail").region))
        await hand.press("t")
        await hand.until(lambda: not hand.app.screen.query_one("#trail").region)

    play(tmp_path, scene, resources(ScriptedSource("openalex", long)), size)
