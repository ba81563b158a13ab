"""The help tells what the keys do, and finds the key for what one wants to do."""

from pathlib import Path

from textual.widgets import Input

from spar_tui.tui.screens.dialogs.key_choice import KeyChoice, KeyList
from tests.spar_tui.tui.world import Hand, play, resources


def test_the_help_has_the_keys_of_lists_and_is_narrowed_by_words_until_escape(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await hand.press("f3", "question_mark")
        await hand.until_shown("Keys")
        listed = hand.app.screen.query_one(KeyList)
        await hand.press("G")
        assert listed.highlighted == listed.option_count - 1
        await hand.press("g")
        assert listed.highlighted == 1  # below its heading
        lines = [str(option.prompt) for option in listed.options]
        assert lines.index("Signs") < next(at for at, line in enumerate(lines) if "saved to the shelf" in line)
        await hand.press("slash")
        await hand.type("qq jj")
        assert isinstance(hand.app.screen, KeyChoice)
        await hand.until_shown("No command matches “qq jj”.")
        await hand.press("enter", "escape")
        await hand.until_shown("Sort by the next column")
        await hand.press("slash")
        await hand.type("bibtex copy")
        await hand.until_shown("Copy the entry in the last format, such as BibTeX.")
        assert "Sort by the next column" not in hand.text
        assert "Anywhere" not in hand.text  # no heading without a key below it
        listed = hand.app.screen.query_one(KeyList)
        at, few = listed.highlighted_option, listed.option_count
        await hand.press("enter", "escape")
        await hand.until(lambda: listed.option_count > few)
        assert listed.highlighted_option is not None
        assert at is not None
        assert listed.highlighted_option.id == at.id
        assert isinstance(hand.app.screen, KeyChoice)
        await hand.press("escape")
        assert not isinstance(hand.app.screen, KeyChoice)

    play(tmp_path, scene, resources())


def test_a_key_is_found_by_its_words_or_what_it_is(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await hand.press("f3", "question_mark", "slash")
        line = hand.app.focused
        assert isinstance(line, Input)
        for words, shown in (
            ("undo qq", "No command matches"), ("ctrl+x", "Stop now"), ("tags", "Edit the paper's tags"),
        ):  # fmt: skip
            line.value = words
            await hand.until_shown(shown)

    play(tmp_path, scene, resources())
