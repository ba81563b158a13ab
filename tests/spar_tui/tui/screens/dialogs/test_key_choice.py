"""Keys are given by pressing them: they work at once, are in the file, and clash with nothing."""

import tomllib
from pathlib import Path

import pytest
from textual.events import Key

from spar_tui.tui.screens.dialogs.key_choice import KeyChoice, KeyList
from spar_tui.tui.screens.history import HistoryScreen
from spar_tui.tui.screens.settings import KeysLine
from spar_tui.tui.screens.shelf import ShelfScreen
from tests.spar_tui.tui.world import Hand, play, resources


def keys_in(home: Path) -> object:
    path = home / "config.toml"
    return tomllib.loads(path.read_text("utf-8")).get("keys") if path.exists() else None


def shown(hand: Hand) -> type:
    return type(hand.app.screen)


async def at(hand: Hand, command: str) -> None:
    """The list of keys, with the highlight on a command."""
    if not isinstance(hand.app.screen, KeyChoice):
        await hand.app.run_action("app.open('keys')")
        await hand.until_shown("A change applies at once")
    listed = hand.app.screen.query_one(KeyList)
    listed.highlighted = listed.get_option_index(command)
    await hand.settled()


def test_another_key_works_at_once_and_is_in_the_file_and_the_old_one_is_free(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text("limit = 5 # few\n")

    async def scene(hand: Hand) -> None:
        await hand.press("f3")
        await at(hand, "app.history")
        await hand.press("enter")
        await hand.until_shown("Press the key for: history")
        await hand.press("ctrl+b")
        await hand.until_shown("history: ^b, from now on.")
        await hand.press("escape", "3")
        assert shown(hand) is ShelfScreen
        await hand.until_shown("^b history")
        await hand.press("ctrl+b")
        assert shown(hand) is HistoryScreen

    play(tmp_path, scene, resources())
    assert keys_in(tmp_path) == {"app.history": "ctrl+b"}
    assert (tmp_path / "config.toml").read_text().startswith("limit = 5 # few\n")


def test_one_more_key_leaves_the_others_and_d_gives_back_what_was(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text('[keys]\napp.help = "f12"\n')  # a table within the table

    async def scene(hand: Hand) -> None:
        await hand.press("f3")
        await at(hand, "app.help")
        await hand.press("plus", "B")
        await hand.until_shown("help: f12 B, from now on.")
        assert keys_in(tmp_path) == {"app.help": ["f12", "B"]}
        await hand.press("d")
        await hand.until_shown("help: ? f1, from now on.")
        await hand.press("escape", "f12", "B")
        assert shown(hand) is ShelfScreen
        await hand.press("question_mark")
        assert shown(hand) is KeyChoice

    play(tmp_path, scene, resources())


@pytest.mark.parametrize(
    ("command", "key", "told"),
    [("search.pause", "t", "t is already used by search.trail."), ("ask.submit", "a", "a types a character there")],
)
def test_a_key_that_cannot_be_is_named_and_nothing_is_written(
    command: str, key: str, told: str, tmp_path: Path
) -> None:
    async def scene(hand: Hand) -> None:
        await at(hand, command)
        await hand.press("enter", key)
        await hand.until_shown("Not changed.")
        await hand.until_shown(told)
        assert not hand.app.command_keys.changed

    play(tmp_path, scene, resources())
    assert keys_in(tmp_path) is None


def test_escape_leaves_a_key_as_it_is_and_one_pressed_twice_at_once_is_chosen_once(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await at(hand, "app.history")
        await hand.press("enter", "escape")
        assert isinstance(hand.app.screen, KeyChoice)
        assert not hand.app.command_keys.changed
        await hand.press("enter")
        await hand.until_shown("Press the key for: history")
        for _ in range(2):
            hand.app.post_message(Key("ctrl+b", None))
        await hand.until_shown("history: ^b, from now on.")
        assert shown(hand) is KeyChoice

    play(tmp_path, scene, resources())


def test_the_settings_lead_to_the_keys_and_words_find_one(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await hand.press("f3", "comma")
        hand.app.screen.set_focus(hand.app.screen.query_one(KeysLine))
        await hand.press("enter", "slash")
        await hand.type("bibtex")
        await hand.until_shown("Copy the entry in the last format, such as BibTeX.")
        assert "Anywhere" not in hand.text
        await hand.press("enter", "enter")
        await hand.until_shown("Press the key for: entry")

    play(tmp_path, scene, resources())


def test_a_file_that_cannot_be_changed_is_named(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text("broken = = 1\n")

    async def scene(hand: Hand) -> None:
        await at(hand, "app.history")
        await hand.press("enter", "ctrl+b")
        await hand.until_shown("(Unexpected character")

    play(tmp_path, scene, resources())
    assert (tmp_path / "config.toml").read_text() == "broken = = 1\n"
