"""In every theme, with colours and without, one sees the words and where the cursor is, on every screen with a list."""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from rich.color import Color
from rich.segment import Segment
from rich.style import Style
from textual.color import Color as Ink
from textual.filter import Monochrome
from textual.strip import Strip
from textual.theme import Theme
from textual.widget import Widget
from textual.widgets import OptionList

from spar_tui.tui.screens.settings import SettingsScreen
from spar_tui.tui.theme import THEMES, filters_for
from spar_tui.tui.widgets.row_list import RowList
from spar_tui.tui.widgets.trail_tree import TrailTree
from tests.spar_tui.tui.scenes import earlier, in_history, scripted_desk, searched, summarized, talked, to_read_next
from tests.spar_tui.tui.world import Hand, Scene, play

BLACK = Ink(0, 0, 0)
Look = tuple[str, str, frozenset[str]]
"""How a cell comes out: the colour of the ink, that of the paper, and what else there is to it."""


async def at_home(hand: Hand) -> None:
    """The recent searches."""
    earlier(hand.app.store)
    await hand.press("f3")
    await hand.press("f2")
    await hand.until_shown("agents that follow")
    await hand.press("down")


SCREENS: dict[str, Scene] = {
    "home": at_home,
    "read next": to_read_next("down", "down"),
    "search": searched("done", "j"),
    "trail": searched("done", "t", "j"),
    "history": in_history("j"),
    "profile": to_read_next("f6", "j"),
    "conversation": talked("papers on sparse retrieval", then=("up", "j")),
    "summary": summarized("done", "j"),
    "palette": searched("done", "ctrl+p", "down"),
    "settings": searched("done", "comma", "down"),
    "choices of a setting": searched("done", "comma", "enter", "down"),
}


@pytest.fixture(autouse=True)
def _a_plain_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SSH_CONNECTION", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize("name", SCREENS)
def test_the_row_under_the_cursor_differs_from_its_neighbours_in_every_theme(name: str, tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        if name == "history":
            earlier(hand.app.store)
        await SCREENS[name](hand)
        for theme in THEMES.values():
            hand.app.theme = theme.name
            await hand.settled()
            drawn = strips(hand)
            for colours, shown in {"with colours": drawn, "NO_COLOR": without_colours(drawn, theme)}.items():
                assert stands_out(hand, shown), f"{theme.name} {colours}:\n{hand.text}"
                assert not unseen(shown), f"{theme.name} {colours}: {unseen(shown)}"

    play(tmp_path, scene, scripted_desk, (110, 30))


def test_with_no_color_keys_are_told_from_their_words_by_bold_letters(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")

    async def scene(hand: Hand) -> None:
        await at_home(hand)
        for theme in THEMES.values():
            hand.app.theme = theme.name
            await hand.settled()
            shown = strips(hand)
            assert [cells_of(one) for one in shown] == [cells_of(one) for one in without_colours(shown, theme)]
            assert stands_out(hand, shown)
            bold = {part.text.strip() for strip in shown for part in strip if part.style and part.style.bold}
            assert {"^s", "^t", "^g", "f8", "^p"} <= bold, theme.name

    play(tmp_path, scene, scripted_desk, (110, 30))


@pytest.fixture(params=[{}, {"NO_COLOR": "1"}], ids=["with colours", "NO_COLOR"])
def _colours(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in request.param.items():
        monkeypatch.setenv(name, value)


@pytest.mark.usefixtures("_colours")
def test_of_two_panes_only_the_one_that_has_the_keys_shows_its_row_so(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await summarized("done", "t", "j")(hand)
        tree = hand.app.screen.query_one(TrailTree)
        for theme in THEMES.values():
            hand.app.theme = theme.name
            await hand.settled()
            with_keys = row(strips(hand), tree)
            await hand.press("t")
            assert not tree.has_focus
            await hand.settled()
            assert row(strips(hand), tree) != with_keys, theme.name
            await hand.press("t")

    play(tmp_path, scene, scripted_desk, (110, 30))


@pytest.mark.usefixtures("_colours")
def test_what_a_dialog_lies_over_recedes_in_the_terminals_own_colours_too(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        earlier(hand.app.store)
        await in_history("d")(hand)
        hand.app.theme = THEMES["terminal"].name
        await hand.settled()
        [styles] = [
            [segment.style or Style() for segment in strip]
            for strip in strips(hand)
            if "agents that follow" in strip.text and "Delete" not in strip.text
        ]
        assert all(style.dim and not style.reverse for style in styles)

    play(tmp_path, scene, scripted_desk, (110, 30))


def strips(hand: Hand) -> Sequence[Strip]:
    """The lines of the screen, as the terminal is told."""
    return hand.strips


def without_colours(drawn: Sequence[Strip], theme: Theme) -> Sequence[Strip]:
    """The lines that were `drawn` in `theme`, as the terminal is told them with `NO_COLOR`."""
    [plain] = filters_for([Monochrome()], theme.ansi, False)
    return [strip.apply_filter(plain, BLACK) for strip in drawn]


def stands_out(hand: Hand, shown: Sequence[Strip]) -> bool:
    """Whether the row under the cursor has another look than the row beside it, in the lines that are `shown`."""
    if isinstance(hand.app.screen, SettingsScreen) and not hand.app.screen.query("SelectOverlay:focus"):
        fields = list(hand.app.screen.query(".setting"))
        place = next(place for place, one in enumerate(fields) if one.has_focus_within)
        return edge(shown, fields[place]) != edge(shown, fields[place - 1])
    rows = hand.app.screen.query(OptionList).first() if hand.app.screen.query("PaletteLine") else hand.app.focused
    assert isinstance(rows, OptionList | RowList)
    places, at = dict(options_seen(rows) if isinstance(rows, OptionList) else rows.rows_seen()), place_of(rows)
    top = rows.content_region.y
    beside = next((places[one] for one in (at + 1, at - 1) if one in places), rows.content_region.height - 1)
    return ground(shown, rows, top + places[at]) != ground(shown, rows, top + beside)


def options_seen(rows: OptionList) -> Iterator[tuple[int, int]]:
    """The first visible line of each option."""
    shown = [
        rows.get_style_at(rows.gutter.left, rows.gutter.top + line).meta.get("option")
        for line in range(rows.content_region.height)
    ]
    yield from ((option, shown.index(option)) for option in dict.fromkeys(shown) if option is not None)


def place_of(rows: Widget) -> int:
    if isinstance(rows, RowList):
        return rows.place
    assert isinstance(rows, OptionList)
    assert rows.highlighted is not None
    return rows.highlighted


def ground(shown: Sequence[Strip], rows: Widget, line: int) -> Look:
    """The look that most cells of a line of `rows` have."""
    region = rows.content_region
    cells = cells_of(shown[line])[region.x : region.x + rows.scrollable_content_region.width]
    return Counter(("", paper, attributes) for _, (_, paper, attributes) in cells).most_common(1)[0][0]


def row(shown: Sequence[Strip], tree: Widget) -> Sequence[tuple[str, Look]]:
    """The cells of the row under the cursor."""
    region = tree.content_region
    return cells_of(shown[region.y + place_of(tree)])[region.x : region.right]


def edge(shown: Sequence[Strip], field: Widget) -> tuple[str, Look]:
    """The first cell of a field."""
    return cells_of(shown[field.region.y])[field.region.x]


def unseen(shown: Sequence[Strip]) -> str:
    """The letters that nobody can see, as their ink has the colour of the paper."""
    every = (cell for strip in shown for cell in cells_of(strip))
    return "".join(letter for letter, (ink, paper, _) in every if ink == paper and not letter.isspace())


def cells_of(strip: Strip) -> Sequence[tuple[str, Look]]:
    """The letters of a line of the screen, each with its look."""
    return [(letter, look_of(segment)) for segment in strip for letter in segment.text for _ in range(_wide(letter))]


def _wide(letter: str) -> int:
    return Segment(letter).cell_length


def look_of(segment: Segment) -> Look:
    style = segment.style or Style()
    ink, paper = _told(style.color, "the terminal's ink"), _told(style.bgcolor, "the terminal's paper")
    attributes = frozenset(name for name in ("underline", "strike") if getattr(style, name))
    return (paper, ink, attributes) if style.reverse else (ink, paper, attributes)


def _told(colour: Color | None, default: str) -> str:
    return default if colour is None or colour.is_default else colour.name
