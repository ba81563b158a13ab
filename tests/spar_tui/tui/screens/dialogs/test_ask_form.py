"""Asking from anywhere: what the dialog shows is what the search does."""

from datetime import date
from pathlib import Path

import pytest

from agents.llm.config import ModelConfig
from agents.search.kind import SEARCH
from agents.search.options import SearchOptions
from cache import runs, shelf
from cache.store import Store
from spar_tui.tui.screens.dialogs.ask_form import AskForm
from spar_tui.tui.screens.home import AskLine
from spar_tui.tui.screens.search import SearchScreen
from tests.agents.scripted import ScriptedSource
from tests.spar_tui.tui.world import SPARSE, Hand, play, resources

THIS_YEAR = date.today().year


async def opened(hand: Hand, key: str = "f8") -> AskForm:
    await hand.press(key)
    await hand.until_shown("New question")
    assert isinstance(hand.app.screen, AskForm)
    return hand.app.screen


def test_a_question_asked_from_the_shelf_goes_among_the_searches_with_what_was_shown(tmp_path: Path) -> None:
    asked, unasked = ScriptedSource("openalex", SPARSE), ScriptedSource("pubmed", SPARSE)

    async def scene(hand: Hand) -> None:
        shelf.save(hand.app.store, SPARSE[:2])
        await hand.press("f3")
        await hand.until_shown("Shelf 2")
        await opened(hand, "N")
        await hand.type("sparse retrieval")
        await hand.press("tab", "space")
        await hand.until_shown(" deep ")
        await hand.press("tab", "right", "right", "left")
        await hand.until_shown(f" since {THIS_YEAR} ")
        await hand.press("tab")
        for name in ("arxiv", "openalex", "semanticscholar", "pubmed", "europepmc", "crossref"):
            await hand.until_shown(f"✔ {name}")
            if name != "openalex":
                await hand.press("space")
                await hand.until_shown(f"✘ {name}")
            await hand.press("tab")
        await hand.until_shown("Sources: openalex, and your library.")
        await hand.press("shift+tab", "enter")
        assert isinstance(hand.app.screen, SearchScreen)
        assert hand.app.current_mode == "search"
        options = hand.live.options
        assert (options.mode, options.since, options.sources, options.choose_sources) == (
            "deep",
            date(THIS_YEAR, 1, 1),
            ("openalex",),
            False,
        )
        await hand.until_shown("✔ finished")

    play(tmp_path, scene, resources(asked, unasked))
    assert asked.asked
    assert not unasked.asked


def test_left_as_it_is_it_asks_as_the_ask_line_does(tmp_path: Path) -> None:
    found: list[SearchOptions] = []

    async def scene(hand: Hand) -> None:
        found.append((await hand.ask()).options)
        await hand.until_shown("✔ finished")
        await opened(hand, "N")
        await hand.until_shown("Asks the selected sources that fit the question")
        await hand.type("passages again")
        await hand.press("enter")
        await hand.until_shown("passages again")
        found.append(hand.live.options)

    play(tmp_path, scene, resources(ScriptedSource("openalex", SPARSE)))
    assert found[0] == found[1]


def test_the_settings_are_what_it_begins_with(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text('mode = "deep"\nsources = ["pubmed"]\n')

    async def scene(hand: Hand) -> None:
        await opened(hand)
        await hand.until_shown(" deep ")
        await hand.until_shown("✔ pubmed")
        assert "arxiv" not in hand.text

    play(tmp_path, scene, resources())


def test_offline_no_source_is_offered_and_it_says_where_it_is_looked_for(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text("offline = true\n")

    async def scene(hand: Hand) -> None:
        await opened(hand)
        await hand.until_shown("Offline by your settings.")
        assert "✔" not in hand.text

    play(tmp_path, scene, resources())


def test_a_model_is_offered_only_where_there_is_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def without(hand: Hand) -> None:
        await opened(hand)
        await hand.until_shown("dates from the question")
        assert "small-one" not in hand.text

    play(tmp_path, without, resources())
    (tmp_path / "config.toml").write_text('model = "small-one"\nmodel_url = "http://127.0.0.1:9/v1"\n')

    async def with_one(hand: Hand) -> None:
        await opened(hand)
        await hand.until_shown("asks small-one")
        await hand.type("sparse")
        await hand.press("tab", "tab", "tab", "space")
        await hand.until_shown("no model")
        await hand.press("enter")
        await hand.until_shown("✔ finished")
        assert not hand.live.options.model

    play(tmp_path, with_one, resources(ScriptedSource("openalex", SPARSE)))


def test_a_search_without_the_model_has_none_though_the_person_has_one(tmp_path: Path) -> None:
    from agents.llm.model import Model
    from agents.run.resources import Resources

    had = Resources(model=Model(ModelConfig("m", "http://127.0.0.1:9/v1")))
    with Store.open(tmp_path / "spar.db") as store:
        assert SEARCH.equipped(had, store, SearchOptions()).model is had.model
        assert SEARCH.equipped(had, store, SearchOptions(model=False)).model is None


def test_escape_asks_nothing_and_an_empty_line_is_not_asked(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await opened(hand)
        await hand.press("enter")
        await hand.until_shown("Type a question first.")
        await hand.type("sparse")
        await hand.press("escape")
        assert hand.app.screen.query_one(AskLine).has_focus
        assert runs.recent(hand.app.store, 5) == []

    play(tmp_path, scene, resources())


def test_what_stands_in_the_ask_line_is_taken_along_and_gone_once_it_is_asked(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await hand.type("sparse")
        await opened(hand)
        await hand.type(" retrieval")
        await hand.press("enter")
        assert hand.live.question == "sparse retrieval"
        await hand.press("escape")
        assert hand.app.screen.query_one(AskLine).value == ""

    play(tmp_path, scene, resources(ScriptedSource("openalex", SPARSE)))


def test_everything_of_it_can_be_seen_in_a_small_terminal(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        screen = await opened(hand)
        for size in ((80, 24), (40, 10)):
            await hand.resize(*size)
            for one in screen.focus_chain:
                screen.set_focus(one)
                await hand.settled()
                assert screen.region.contains_region(one.region)
                assert one.region.height > 0

    play(tmp_path, scene, resources())
