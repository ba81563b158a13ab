"""Panes: made wider, narrower, alone; and as they were left at the next start."""

from pathlib import Path

import pytest

from spar_tui.tui.base_app import LAYOUT, read_widths, write_widths
from spar_tui.tui.widgets.panes import Panes
from tests.agents.scripted import ScriptedSource
from tests.spar_tui.tui.world import SPARSE, Hand, play, resources


def widths(hand: Hand) -> dict[str, int]:
    return {name: hand.app.screen.query_one(f"#{name}").region.width for name in ("trail", "papers", "paper")}


def test_a_pane_grows_and_shrinks_and_is_so_at_the_next_start(tmp_path: Path) -> None:
    left: list[dict[str, int]] = []

    async def changes(hand: Hand) -> None:
        await hand.ask()
        await hand.until_shown("✔ finished")
        await hand.press("t")  # a finished search shows the trail while it has the focus
        await hand.settled()
        before = widths(hand)
        await hand.press("greater_than_sign", "greater_than_sign")
        await hand.settled()
        wider = widths(hand)
        assert wider["trail"] > before["trail"]
        assert wider["papers"] < before["papers"]
        assert abs(wider["paper"] - before["paper"]) <= 1  # half a column goes to either side
        await hand.press("t")
        await hand.settled()
        alone = widths(hand)["papers"]
        await hand.press("less_than_sign")  # the papers, which have what the others leave
        await hand.settled()
        assert widths(hand)["papers"] < alone
        left.append(widths(hand))

    async def comes_back(hand: Hand) -> None:
        await hand.press("down", "enter")
        await hand.until_shown("✔ finished")
        assert widths(hand) == left[0]
        await hand.resize(80, 24)
        await hand.settled()
        assert widths(hand)["papers"] == 80  # one pane, as wide as the terminal
        await hand.resize(150, 36)
        await hand.settled()
        assert widths(hand) == left[0]

    play(tmp_path, changes, resources(ScriptedSource("openalex", SPARSE)))
    play(tmp_path, comes_back, resources())


def test_no_pane_can_be_pressed_away(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await hand.ask()
        await hand.until_shown("✔ finished")
        for key in ("less_than_sign", "greater_than_sign"):
            for pane, keys in {"trail": ["t"], "papers": ["t"], "paper": ["tab"]}.items():
                await hand.press(*keys, key)
                assert widths(hand)[pane]
                hand.app.screen.query_one(Panes).resize(30 if key == "greater_than_sign" else -30)
                await hand.press(key)
                assert min(filter(None, widths(hand).values())) >= 20

    play(tmp_path, scene, resources(ScriptedSource("openalex", SPARSE)))


def test_a_pane_alone_fills_the_screen_and_comes_back(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await hand.ask()
        await hand.until_shown("✔ finished")
        before = widths(hand)
        await hand.press("z")
        await hand.settled()
        assert hand.papers.region.width == 150
        await hand.until(lambda: "⏎ read" in hand.lines[-1])
        await hand.press("j", "enter")  # the page of the paper, which was hidden
        await hand.settled()
        assert hand.app.focused is not None
        assert hand.app.focused.id == "paper"
        assert hand.app.focused.region
        await hand.press("escape", "z")
        await hand.settled()
        assert widths(hand) == before

    play(tmp_path, scene, resources(ScriptedSource("openalex", SPARSE)))


@pytest.mark.parametrize("text", ["", "{", "[]", '{"a": 3}', '{"a": {"trail": "wide", "paper": 3000, "x": true}}'])
def test_a_damaged_layout_is_passed_over(text: str, tmp_path: Path) -> None:
    (tmp_path / LAYOUT).write_text(text)
    assert not any(read_widths(tmp_path).values())


def test_the_layout_is_read_as_it_was_written(tmp_path: Path) -> None:
    write_widths(tmp_path, {"SearchScreen-wide": {"trail": 30}})
    assert read_widths(tmp_path) == {"SearchScreen-wide": {"trail": 30}}


def test_a_layout_that_cannot_be_kept_is_said_and_the_app_stays(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        (tmp_path / LAYOUT).mkdir()
        await hand.ask()
        await hand.until_shown("✔ finished")
        await hand.press("t", "greater_than_sign")
        await hand.until_shown("could not be saved")

    play(tmp_path, scene, resources(ScriptedSource("openalex", SPARSE)))
