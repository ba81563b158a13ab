"""A question before a change: its preview is indented as a whole."""

from pathlib import Path

from spar_tui.tui.screens.dialogs.dialog import ConfirmScreen
from tests.spar_tui.tui.world import Hand, play, resources


def test_a_line_of_a_preview_that_wraps_keeps_its_indent(tmp_path: Path) -> None:
    words = f"{'rivers ' * 6}reservoirs"

    async def scene(hand: Hand) -> None:
        hand.app.push_screen(ConfirmScreen(f"1 paper\n  new  {words}\nImport?", "import"))
        await hand.until_shown("Import?")
        columns = [line.index(word) for line in hand.lines for word in ("1 paper", "new", "reservoirs") if word in line]
        assert columns == [columns[0], columns[0] + 2, columns[0] + 2]

    play(tmp_path, scene, resources(), size=(60, 24))


def test_on_a_small_terminal_a_message_leaves_the_buttons_of_a_dialog(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        hand.app.push_screen(ConfirmScreen(f"{'rivers ' * 9}?", "delete"))
        await hand.until_shown("delete")
        hand.app.say("A message of several lines. " * 4)
        await hand.until_shown("A message of")
        assert any("cancel    delete" in line for line in hand.lines)
        assert "A message of" in hand.lines[-1]

    play(tmp_path, scene, resources(), size=(30, 8))
