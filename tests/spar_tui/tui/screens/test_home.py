"""Where the app opens: what it promises is there, and what there is can be told apart."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from cache.runs import Run
from spar_tui.settings import load_settings
from spar_tui.tui.models.run_status import RunStatus
from spar_tui.tui.screens.home import AskLine, Examples, ReadNext, RecentRuns, run_line
from spar_tui.tui.screens.search import SearchScreen
from tests.agents.scripted import ScriptedSource
from tests.spar_tui.tui.scenes import to_read_next
from tests.spar_tui.tui.world import SPARSE, Hand, play, resources

STARTED = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)


def focused(hand: Hand) -> type:
    return type(hand.app.focused)


@pytest.mark.parametrize("words", ["running, 62 papers", "stopping, 1,062 papers", "failed, goes on", "20 papers"])
@pytest.mark.parametrize("width", [60, 70, 100])
@pytest.mark.parametrize("question", ["sparse", "稀疏检索" * 40])
def test_what_a_run_came_to_and_when_it_was_stand_apart_on_one_line(words: str, width: int, question: str) -> None:
    run = Run("20261121-0930-abcd", "search", question, {}, "running", STARTED, None, {})
    line = run_line(run, RunStatus("●", "accent", words), width)
    when = f"{STARTED.astimezone():%d %b %H:%M}"
    assert line.plain.endswith(f"  {when}")
    assert line.cell_length <= width
    if width >= 70:
        assert f"  {words[:19]}" in line.plain


def test_no_recent_searches_are_promised_where_there_are_none_but_questions_to_try(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await hand.until(lambda: "try one" in hand.lines[-1])
        assert "recent searches" not in hand.lines[-1]
        await hand.press("down", "down")
        assert focused(hand) is Examples
        await hand.press("enter")
        line = hand.app.screen.query_one(AskLine)
        assert line.has_focus
        assert line.value == "does vitamin D lower the risk of respiratory infection, since 2018"
        await hand.press("down", "up", "up")
        assert line.has_focus
        await hand.press("enter")
        assert isinstance(hand.app.screen, SearchScreen)
        await hand.press("escape")
        await hand.until(lambda: "recent searches" in hand.lines[-1] and "try one" not in hand.lines[-1])
        await hand.press("down")
        assert focused(hand) is RecentRuns

    play(tmp_path, scene, resources(ScriptedSource("openalex", SPARSE)))


def test_from_the_questions_to_try_the_arrows_lead_on_to_what_to_read_next(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await to_read_next()(hand)
        assert focused(hand) is AskLine
        await hand.press("down", "down", "down", "down")
        assert focused(hand) is ReadNext
        await hand.press("up")
        assert focused(hand) is Examples

    play(tmp_path, scene, resources())


def test_google_is_promised_only_with_a_key(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await hand.until_shown("asks arxiv")
        assert "google" not in hand.text
        home = {"SPAR_HOME": str(tmp_path), "SPAR_MANNERS": str(tmp_path / "manners")}
        hand.app.settings = load_settings({**home, "SERPAPI_API_KEY": "made-up"})
        assert "google" in hand.app.resources_sentence

    play(tmp_path, scene, resources())
