"""A line to write in takes what is pasted, all lines of it, and says what it could not take."""

from collections.abc import Sequence
from pathlib import Path

from textual.events import Paste
from textual.widgets import Input

from spar_tui.tui.widgets.entry.ask_box import AskBox
from spar_tui.tui.widgets.entry.one_line import OneLine, on_one_line
from tests.rows import each
from tests.spar_tui.tui.scenes import earlier, in_history, on_shelf, pressing, scripted_desk, searched
from tests.spar_tui.tui.widgets.test_footer import at_the_bottom, letters
from tests.spar_tui.tui.world import Hand, Scene, play, resources

LINES: Sequence[tuple[Scene, Sequence[tuple[str, str]]]] = (
    (pressing("f7"), (("conversation", ""),)),
    (searched("done"), (("search filter", "slash"), ("palette", "ctrl+p"), ("size of a summary", "S"))),
    (on_shelf(), (("shelf filter", "slash"), ("tags", "T"), ("export", "X"), ("settings", "comma"))),
)
"""Screens, and the lines to write in that keys open there."""
OTHER_KEYS = {"settings", "size of a summary"}
"""Forms, in which other fields than the line have letters."""


async def paste(hand: Hand, text: str) -> None:
    """Paste `text` as the terminal does."""
    line = hand.app.focused
    assert isinstance(line, Input | AskBox)
    line.post_message(Paste(text))
    await hand.settled()


def test_in_every_line_pasted_lines_become_one_and_no_letter_is_promised(tmp_path: Path) -> None:
    async def pastes(hand: Hand) -> None:
        for open_screen, lines in LINES:
            await open_screen(hand)
            for name, key in lines:
                await hand.press(*filter(None, [key]))
                line = hand.app.focused
                assert isinstance(line, OneLine | AskBox), name
                line.select_all()
                await paste(hand, "which models\nfind papers\r\n\nbest?\n")
                assert line.value == "which models find papers best?", name
                await hand.until(lambda: at_the_bottom(hand))
                assert name in OTHER_KEYS or letters(hand) == [], name
                await hand.press("escape")

    play(tmp_path, pastes, scripted_desk, (110, 30))


def test_of_what_is_too_long_for_a_line_the_beginning_is_taken_and_that_is_said(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await hand.press("f7")
        line = hand.app.focused
        assert isinstance(line, OneLine)
        most = line.max_length
        assert most
        line.value = "why "
        line.cursor_position = len(line.value)
        await paste(hand, "x" * 5_000)
        assert line.value == "why " + "x" * (most - 4)
        assert hand.said == [f"{most - 4:,} of 5,000 characters fit; the rest was cut."]
        await paste(hand, "and this?")
        assert line.value == "why " + "x" * (most - 4)
        assert hand.said[1:] == ["The line is full: none of the 9 pasted characters fit."]
        line.select_all()
        await paste(hand, "y" * most)
        assert line.value == "y" * most
        assert len(hand.said) == 2

    play(tmp_path, scene, resources())


def test_the_filter_of_the_history_takes_several_lines_too(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        earlier(hand.app.store)
        await in_history("slash")(hand)
        await paste(hand, "\nvitamin\nD\n")
        line = hand.app.focused
        assert isinstance(line, OneLine)
        assert line.value == "vitamin D"

    play(tmp_path, scene, resources())


@each(
    ("pasted", "line"),
    [("", ""), ("\n\n", ""), ("a\n\n  b", "a   b"), (" a ", " a "), ("a\x1b[31mb\x00", "a[31mb"), ("a\u2028b", "a b")],
)
def test_nothing_that_is_not_seen_comes_into_the_line(pasted: str, line: str) -> None:
    assert on_one_line(pasted) == line
