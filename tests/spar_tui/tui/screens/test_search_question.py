"""The question read back on the screen of its search, and asked again."""

from datetime import date
from pathlib import Path

import pytest

from agents.search.events import QuestionUnderstood
from agents.search.kind import SEARCH
from agents.search.options import SearchOptions
from agents.search.state import SearchState
from spar_tui.cli.search_progress import SearchProgress
from spar_tui.phrases import read_back
from spar_tui.terminal import Style
from spar_tui.tui.screens.search import QuestionScreen, SearchScreen
from tests.agents.scripted import ScriptedSource
from tests.spar_tui.tui.world import QUESTION, SPARSE, Hand, play, resources

READ = QuestionUnderstood(
    ("how do agents follow references", "agents citing", "Attention is all you need"),
    ("arxiv", "openalex"),
    since=date(2020, 1, 1),
    intent="topic",
    domain="computer science",
    papers=("Attention is all you need",),
    source_reasons=(("arxiv", "Preprints appear here first."),),
    refined_because="It has no term of the field.",
    meaning="agents that follow citations",
    needs=("methods", "measures"),
)


def test_the_question_is_read_back_under_the_title_where_there_is_room(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await hand.ask("sparse retrieval since 2019")
        await hand.until_shown("✔ finished")
        for size, there in {(150, 36): True, (110, 30): True, (80, 24): False}.items():
            await hand.resize(*size)
            await hand.settled()
            assert ("since 2019-01-01 · read by built-in rules" in hand.text) is there

    play(tmp_path, scene, resources(ScriptedSource("openalex", SPARSE)))


@pytest.mark.parametrize("keys", [("E",), ("Q", "e")])
def test_the_question_is_edited_and_asked_again_in_a_new_search_with_the_same_bounds(
    keys: tuple[str, ...], tmp_path: Path
) -> None:
    begun_with = SearchOptions(since=date(2011, 1, 1), limit=7)

    async def scene(hand: Hand) -> None:
        hand.app.ask(QUESTION, begun_with)
        await hand.until_shown("✔ finished")
        first = hand.live
        await hand.press(*keys)
        await hand.until_shown("Run as a new search")
        await hand.until_shown(QUESTION)
        await hand.type(" today")
        await hand.press("enter")
        await hand.until(lambda: isinstance(hand.app.screen, SearchScreen) and hand.live is not first)
        assert hand.live.question == f"{QUESTION} today"
        assert hand.live.options == begun_with
        assert first.question == QUESTION

    play(tmp_path, scene, resources(ScriptedSource("openalex", SPARSE)))


def test_leaving_the_line_asks_nobody_and_a_key_shows_the_whole_question_with_its_reasons(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        live = await hand.ask()
        await hand.until_shown("✔ finished")
        await hand.press("E", "escape")
        assert hand.live is live
        assert len(hand.app.runs_shown) == 1
        await hand.press("Q")
        await hand.until_shown("The question")
        assert live.state.understood
        (told,) = read_back(live.state.understood).sources
        assert told.startswith("openalex (")
        await hand.until_shown(told)
        await hand.until_shown("the question itself")
        await hand.press("escape")
        assert hand.live is live  # its screen is seen again

    play(tmp_path, scene, resources(ScriptedSource("openalex", SPARSE)))


def test_app_and_command_line_read_it_back_in_the_same_words(capsys: pytest.CaptureFixture[str]) -> None:
    SearchProgress(Style(width=300)).show(READ, SearchState())
    printed = capsys.readouterr().err
    shown = "\n".join(part.plain for part in QuestionScreen("q", SEARCH.folded([READ])).texts())
    read = read_back(READ)
    assert read.sources == ("arxiv (preprints appear here first)", "openalex")
    assert read.queries == (
        ("how do agents follow references", "the question itself"),
        ("agents citing", "the question in other words"),
        ("Attention is all you need", "a paper that it names"),
    )
    words = [read.reading, *read.meaning, *read.sources, *(one for pair in read.queries for one in pair)]
    assert all(one in printed and one in shown for one in words)
    assert "since 2020-01-01" in read.reading
    assert "also asked in other words (it has no term of the field)" in read.meaning
