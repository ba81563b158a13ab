"""A question before a change: its preview is indented as a whole."""

from pathlib import Path

from spar_tui.tui.screens.dialogs.confirm import ConfirmScreen
from tests.spar_tui.tui.world import Hand, play, resources


def test_a_line_of_a_preview_that_wraps_keeps_its_indent(tmp_path: Path) -> None:
    words = f"{'rivers ' * 6}reservoirs"

    async def scene(hand: Hand) -> None:
        hand.app.push_screen(ConfirmScreen(f"1 paper\n  new  {words}\nImport?", "import"))
        await hand.until_shown("Import?")
        columns = [line.index(word) for line in hand.lines for word in ("1 paper", "new", "reservoirs") if word in line]
        assert columns == [columns[0], columns[0] + 2, columns[0] + 2]

    play(tmp_path, scene, resources(), size=(60, 24))
