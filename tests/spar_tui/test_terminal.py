"""Writing to a terminal: what is written over leaves nothing behind."""

import re

import pytest
from rich.cells import cell_len

from spar_tui.terminal import DraftBlock, Style, time_left

UP = re.compile(r"\x1b\[(\d+)A\r\x1b\[J")


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal of 40 columns and 10 lines."""
    for name, value in (("TERM", "xterm"), ("COLUMNS", "40"), ("LINES", "10")):
        monkeypatch.setenv(name, value)


@pytest.mark.parametrize("text", ["a few words", "many words " * 90, "検索拡張生成の評価 " * 30])
def test_a_draft_is_taken_away_whole_however_long_it_is(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    block = DraftBlock(Style(coloured=True, width=40))
    assert block.tell("Being written:", [text])
    drawn = capsys.readouterr().err
    lines = drawn.count("\n")
    assert lines <= 8, "what is above the terminal's top cannot be taken away"
    assert drawn.startswith("\x1b[?7l"), "no line takes two rows"
    assert all(cell_len(re.sub(r"\x1b\[[?\d;]*[a-z]", "", line)) <= 40 for line in drawn.splitlines())
    assert drawn.endswith("\x1b[?7h")
    assert block.tell("Being written:", [text, "more"])
    again = UP.match(capsys.readouterr().err)
    assert again is not None
    assert int(again[1]) == lines
    block.take_away()
    assert UP.fullmatch(capsys.readouterr().err)
    block.take_away()
    assert capsys.readouterr().err == ""


def test_nothing_is_drawn_where_it_could_not_be_taken_away(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert not DraftBlock(None).tell("Being written:", ["words"])
    monkeypatch.setenv("TERM", "dumb")
    assert not DraftBlock(Style(width=40)).tell("Being written:", ["words"])
    assert capsys.readouterr().err == ""


def test_no_control_character_of_a_draft_reaches_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    DraftBlock(Style(width=40)).tell("Being written:", ["red \x1b[31m and \x9b2J and \u202e there"])
    drawn = capsys.readouterr().err.removeprefix("\x1b[?7l").removesuffix("\x1b[?7h")
    assert not set(drawn) & {"\x1b", "\x9b", "\u202e"}


@pytest.mark.parametrize(
    ("width", "lines"),
    [
        (200, ["ok   one two three four five six seven eight"]),
        (40, ["ok   one two three four five six seven", "     eight"]),
        (30, ["ok", "    one two three four five", "    six seven eight"]),
    ],
)
def test_a_text_is_wrapped_beside_its_head_or_below_it_in_a_narrow_terminal(width: int, lines: list[str]) -> None:
    text = "one two three four five six seven eight"
    assert Style(width=width).beside("ok   ", text) == lines
    painted = Style(coloured=True, width=width)
    shown = painted.beside(painted.paint("ok", "green") + "   ", text, "bold")
    assert [re.sub(r"\x1b\[\d+m", "", line) for line in shown] == lines


def test_a_head_without_a_text_stands_alone() -> None:
    assert Style(width=40).beside("ok   ", "") == ["ok"]


def test_the_time_left_follows_from_what_is_done_once_that_says_something() -> None:
    assert [time_left(0, 300, 20), time_left(1, 300, 0.1)] == ["", ""]
    assert time_left(100, 300, 40) == ", about 80 s left"
    assert time_left(100, 400, 120) == ", about 6 min left"
