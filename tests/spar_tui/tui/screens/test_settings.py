"""The settings as a form; the file stays the truth."""

import re
import tomllib
from dataclasses import fields
from pathlib import Path

from textual.content import Content
from textual.widgets import Select

from connectors.registry import SOURCES
from spar_tui.settings import Preferences, Settings, load_settings, url_variables
from spar_tui.tui.screens.home import HomeScreen
from spar_tui.tui.screens.settings import ServiceLine, SettingLine, SettingsScreen
from tests.agents.scripted import ScriptedSource
from tests.services import Services
from tests.services.model.says import answer, unauthorized
from tests.services.model.server import ScriptedModel
from tests.spar_tui.running import NOWHERE
from tests.spar_tui.tui.world import SPARSE, Hand, play, resources


def stored(home: Path) -> dict[str, object]:
    path = home / "config.toml"
    return tomllib.loads(path.read_text("utf-8")) if path.exists() else {}


async def opened(hand: Hand) -> SettingsScreen:
    await hand.app.run_action("app.open('settings')")
    await hand.settled()
    assert isinstance(hand.app.screen, SettingsScreen)
    return hand.app.screen


async def into(hand: Hand, name: str, text: str) -> None:
    """Write `text` into the line of a setting."""
    line = hand.app.screen.query_one(f"#{name}", SettingLine)
    hand.app.screen.set_focus(line)
    line.clear()
    await hand.type(text)


def test_every_setting_stands_there_with_its_meaning(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        screen = await opened(hand)
        for one in fields(Preferences):
            field = screen.query_one(f"#{one.name}")
            assert isinstance(field, Select | SettingLine)

    play(tmp_path, scene, resources())
    assert stored(tmp_path) == {}  # looking changes nothing


def test_a_long_value_is_whole_and_the_arrows_go_from_setting_to_setting(tmp_path: Path) -> None:
    names = [one.name for one in fields(Preferences)]

    async def scene(hand: Hand) -> None:
        screen = await opened(hand)
        sources = Preferences().sources
        await hand.until(lambda: all(name in hand.text for name in sources))
        await hand.press("down", "up", "down")  # through the lines of the value, then on
        for name in names[1:5]:  # one of them is a choice
            await hand.until(lambda: screen.focused is not None and screen.focused.id == name)  # noqa: B023
            await hand.press("down")

    play(tmp_path, scene, resources(), (80, 24))


def test_a_change_is_in_the_file_at_once_and_its_comments_stay(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text("# my limits\nlimit = 5 # few\n")

    async def scene(hand: Hand) -> None:
        await opened(hand)
        await into(hand, "limit", "30")
        await hand.press("enter")
        assert stored(tmp_path)["limit"] == 30
        hand.app.screen.query_one("#offline", Select).value = "true"
        hand.app.screen.query_one("#mode", Select).value = "deep"
        await hand.settled()
        assert hand.app.settings.preferences.mode == "deep"
        await into(hand, "ncbi_email", "me@example.org")
        await hand.press("escape")
        assert isinstance(hand.app.screen, HomeScreen)

    play(tmp_path, scene, resources())
    assert stored(tmp_path) == {"limit": 30, "offline": True, "mode": "deep", "ncbi_email": "me@example.org"}
    assert (tmp_path / "config.toml").read_text().startswith("# my limits\nlimit = 30 # few\n")


def test_a_value_that_cannot_be_used_is_named_beside_it_and_not_written(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await opened(hand)
        await into(hand, "limit", "0")
        await hand.press("enter")
        await hand.until_shown("must be from 1 to 1000")
        await into(hand, "sources", "arxiv, [/scopus]")
        await hand.press("enter")
        assert "unknown source '[/scopus]'" in str(hand.app.screen.query_one("#sources-problem").render())
        await into(hand, "limit", "12")
        await hand.press("enter")
        await hand.until(lambda: "must be from 1 to 1000" not in hand.text)

    play(tmp_path, scene, resources(), (110, 50))
    assert stored(tmp_path) == {"limit": 12}


def test_the_next_search_heeds_what_was_changed(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await hand.ask()
        await hand.until_shown("✔ finished")
        await hand.press("escape")
        await opened(hand)
        await into(hand, "limit", "3")
        await hand.press("enter", "escape")
        live = await hand.ask("passages, once more")
        await hand.until_shown("✔ finished")
        assert live.options.limit == 3

    play(tmp_path, scene, resources(ScriptedSource("openalex", SPARSE)))


def test_a_file_that_cannot_be_changed_is_named_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text("limit = 5\nbroken = = 1\n")

    async def scene(hand: Hand) -> None:
        screen = await opened(hand)
        await hand.until_shown("line 2")
        await into(hand, "limit", "30")
        await hand.press("enter")
        assert "damaged" in str(screen.query_one("#limit-problem").render())

    play(tmp_path, scene, resources(), (110, 50))
    assert (tmp_path / "config.toml").read_text() == "limit = 5\nbroken = = 1\n"


def in_sight(hand: Hand) -> bool:
    """Whether what has the focus is wholly on the screen."""
    focused = hand.app.focused
    return focused is not None and hand.app.screen.region.contains_region(focused.region)


def test_the_form_is_whole_in_a_small_terminal(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await opened(hand)
        for _ in fields(Preferences):
            await hand.press("tab")
            await hand.until(lambda: in_sight(hand))
        await hand.press("escape")

    play(tmp_path, scene, resources(), (40, 10))


def at_services(home: Path, **environment: str) -> Settings:
    return load_settings({"SPAR_HOME": str(home), "SPAR_MANNERS": str(home / "manners"), **environment})


async def line_of(hand: Hand, source: str | None) -> ServiceLine:
    """The line of a source, with the focus."""
    line = next(one for one in hand.app.screen.query(ServiceLine) if one.source == source)
    hand.app.screen.set_focus(line)
    await hand.settled()
    return line


def test_a_source_that_is_tested_says_that_it_answered_and_how_fast(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        hand.app.settings = at_services(tmp_path, **services.environment)
        await opened(hand)
        line = await line_of(hand, "openalex")
        await hand.press("enter")
        await hand.until(lambda: re.search(r"✔ answered in \d+\.\d s", str(line.render())) is not None)
        others = [str(one.render()) for one in hand.app.screen.query(ServiceLine) if one is not line]
        assert not [one for one in others if "answered" in one]

    with Services() as services:
        play(tmp_path, scene, resources(), (110, 50))


def test_testing_all_names_what_cannot_be_reached_what_is_off_and_what_there_is_none_of(tmp_path: Path) -> None:
    nowhere = {variable: NOWHERE for variable in url_variables().values() if variable != "OPENAI_BASE_URL"}

    async def scene(hand: Hand) -> None:
        hand.app.settings = at_services(tmp_path, **nowhere)
        await opened(hand)
        await hand.press("f9")
        lines = {one.source: one for one in hand.app.screen.query(ServiceLine)}
        for name, spec in SOURCES.items():
            told = "is off" if spec.needs_key else "✘ cannot be reached"
            await hand.until(lambda name=name, told=told: told in str(lines[name].render()))  # type: ignore[misc]
        await hand.until(lambda: "built-in rules are used" in str(lines[None].render()))

    play(tmp_path, scene, resources(), (110, 50))


def test_the_model_is_asked_one_question_and_a_key_that_is_refused_is_said_to_be(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        hand.app.settings = at_services(tmp_path, **endpoint.environment)
        await opened(hand)
        line = await line_of(hand, None)
        await hand.press("space")
        await hand.until(lambda: "✔ answered in" in str(line.render()))
        assert endpoint.calls == 1
        hand.app.settings = at_services(tmp_path, **{**refusing.environment, "OPENAI_API_KEY": "sk-CANARY"})
        await hand.press("space")
        await hand.until(lambda: "✘" in str(line.render()))
        assert "key" in str(line.render())
        assert "CANARY" not in str(line.render())

    with (
        ScriptedModel(lambda request: answer({"total": 5})) as endpoint,
        ScriptedModel(lambda request: unauthorized()) as refusing,
    ):
        play(tmp_path, scene, resources(), (110, 50))


def test_offline_nobody_is_asked_and_what_was_answered_before_is_gone(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await opened(hand)
        line = await line_of(hand, "openalex")
        line.tell(Content("  ✔ answered in 0.1 s"))
        hand.app.screen.query_one("#offline", Select).value = "true"
        await hand.until(lambda: "answered" not in str(line.render()))
        await hand.press("t")
        await hand.until(lambda: "not asked: spar is offline (settings)." in str(line.render()))

    play(tmp_path, scene, resources(), (110, 50))


def test_the_settings_tell_of_each_key_whether_it_is_there_and_never_the_key(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        hand.app.settings = at_services(tmp_path, OPENALEX_API_KEY="CANARY")
        await opened(hand)
        lines = {one.source: str(one.render()) for one in hand.app.screen.query(ServiceLine)}
        assert lines.keys() == {*SOURCES, None}
        assert "Key from OPENALEX_API_KEY." in lines["openalex"]
        assert "No key (OPENAI_API_KEY is not set)." in lines[None]
        assert "CANARY" not in str(lines)

    play(tmp_path, scene, resources())
