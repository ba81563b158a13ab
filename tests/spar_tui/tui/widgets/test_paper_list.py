"""The list under the person's hand, the panes, the filter, and what is copied."""

from collections.abc import Callable
from pathlib import Path

import pytest

from spar_tui.tui.screens.home import HomeScreen
from spar_tui.tui.widgets.paper_list import PaperList
from spar_tui.tui.widgets.trail_tree import TrailTree
from tests.agents.scripted import ScriptedSource
from tests.spar_tui.tui.world import OTHERS, SPARSE, GatedSource, Hand, play, resources, titles


def test_the_order_never_moves_under_the_hand_and_a_key_sorts_it(tmp_path: Path) -> None:
    """New papers come below, scores fill in, the highlight stays on its paper; R sorts by relevance."""
    good = GatedSource("arxiv", SPARSE)

    async def scene(hand: Hand) -> None:
        live = await hand.ask()
        await hand.until(lambda: len(hand.titles) == 6)
        await hand.press("j", "j")
        before, chosen = hand.titles, hand.highlighted
        good.gate.set()
        await hand.until_shown("✔ finished")
        assert hand.titles[:6] == before
        assert set(hand.titles[6:]) == titles(SPARSE)
        assert hand.highlighted == chosen
        await hand.until_shown("R re-sorts")
        await hand.press("R")
        assert hand.titles == [live.state.found[one.work].paper.title for one in live.state.ranking]
        assert hand.titles[0] in titles(SPARSE)
        assert hand.highlighted == chosen

    play(tmp_path, scene, resources(ScriptedSource("openalex", OTHERS), good))


def test_an_untouched_list_ends_in_the_order_of_the_answer(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        live = await hand.ask()
        await hand.until_shown("✔ finished")
        assert hand.titles == [live.state.found[one.work].paper.title for one in live.state.ranking]
        assert hand.papers.highlighted == 0

    play(tmp_path, scene, resources(ScriptedSource("openalex", [*OTHERS, *SPARSE])))


def test_pausing_does_not_take_the_list_in_hand(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await hand.ask()
        await hand.press("p", "p")
        await hand.until_shown("✔ finished")
        assert not hand.papers.touched

    play(tmp_path, scene, resources(ScriptedSource("openalex", SPARSE)))


def test_the_filter_narrows_the_list_as_one_types_and_escape_ends_it(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await hand.ask()
        await hand.until_shown("✔ finished")
        everything = hand.titles
        await hand.press("slash")
        await hand.type("3 riv")
        assert hand.titles == ["River ecology, survey 3"]
        await hand.press("escape")
        assert hand.titles == everything
        await hand.press("escape")
        assert isinstance(hand.app.screen, HomeScreen)

    play(tmp_path, scene, resources(ScriptedSource("openalex", [*SPARSE, *OTHERS])))


def test_the_trail_leads_to_the_paper_under_its_cursor(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await hand.ask()
        await hand.until_shown("✔ finished")
        await hand.press("t", "j", "j")  # query, source, first paper
        branch = hand.app.screen.query_one(TrailTree).cursor_node
        assert branch is not None
        assert branch.data is not None
        assert hand.highlighted == branch.data.label
        await hand.press("enter")
        assert hand.app.focused is not None
        assert hand.app.focused.id == "paper"

    play(tmp_path, scene, resources(ScriptedSource("openalex", SPARSE)))


def test_y_and_d_copy_the_doi_of_the_paper(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        live = await hand.ask()
        await hand.until_shown("✔ finished")
        await hand.press("j", "y", "d")
        named = {found.paper.title: found.paper.identifier("doi") for found in live.state.found.values()}
        assert hand.app.clipboard == named[hand.highlighted]

    play(tmp_path, scene, resources(ScriptedSource("openalex", SPARSE)))


SIZES = {(150, 36): 3, (110, 30): 2, (80, 24): 1, (40, 10): 1}
"""How many panes stand side by side in a terminal of that size."""


def test_every_pane_can_be_reached_at_every_size(tmp_path: Path) -> None:
    """Resizing in the middle of reading changes what is shown, and keeps the place."""

    async def scene(hand: Hand) -> None:
        await hand.ask()
        await hand.until_shown("✔ finished")
        await hand.press("j")
        chosen = hand.highlighted

        def shown() -> set[str]:
            return {name for name in ("trail", "papers", "paper") if hand.app.screen.query_one(f"#{name}").region}

        def as_many(panes: int) -> Callable[[], bool]:
            return lambda: len(shown()) == panes

        for size, side_by_side in SIZES.items():
            await hand.resize(*size)
            await hand.until(as_many(side_by_side))
            assert "papers" in shown()
            await hand.press("enter")
            await hand.until(lambda: "paper" in shown())
            await hand.press("escape")
            await hand.until(lambda: "papers" in shown())
            await hand.press("t")
            await hand.until(lambda: "trail" in shown())
            await hand.press("t")
            assert hand.highlighted == chosen
        await hand.resize(12, 3)
        await hand.press("f1", "escape", "escape")
        assert isinstance(hand.app.screen, HomeScreen)

    play(tmp_path, scene, resources(ScriptedSource("openalex", SPARSE)))


def test_no_color_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only shades of grey reach the terminal, and every state still has its word."""
    monkeypatch.setenv("NO_COLOR", "1")

    async def scene(hand: Hand) -> None:
        await hand.ask()
        await hand.until_shown("✔ finished")
        assert hand.app.no_color
        assert isinstance(hand.papers, PaperList)

    play(tmp_path, scene, resources(ScriptedSource("openalex", SPARSE)))
