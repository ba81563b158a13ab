"""Jump mode: a letter over every pane and every row that is seen; its key goes there."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Protocol, runtime_checkable

from textual.app import ComposeResult
from textual.content import Content
from textual.events import Click, Key
from textual.geometry import Offset
from textual.screen import ModalScreen, Screen
from textual.widget import Widget
from textual.widgets import OptionList, Static, Tree

from spar_tui.tui.widgets.text import QUIET, Line, plain

LETTERS = "asdfghjklweruiocvnmtyxbpzq"
"""Those under the fingers first."""


@runtime_checkable
class Rowed(Protocol):
    """A widget with rows that one can jump to."""

    def rows_seen(self) -> Iterable[tuple[int, int]]:
        """The number of each row that is seen, with its line in the widget's content region."""

    def go_to_row(self, row: int) -> None:
        """Put the cursor on a row."""


@dataclass(frozen=True, slots=True)
class Target:
    """Where one can jump to, and where on the screen that is."""

    at: Offset
    go: Callable[[], object]


def targets(screen: Screen[object]) -> list[Target]:
    """Everything on `screen` that one can jump to, panes before their rows, from top to bottom."""
    by_offset: dict[Offset, Target] = {}
    for widget in screen.focus_chain:
        corner, rows = widget.region.offset, list(_rows(widget))
        # A pane with a frame has its letter in the frame; one without is gone to by its rows.
        if not rows or widget.content_region.y > widget.region.y:
            by_offset.setdefault(corner, Target(corner, _focus(widget)))
        for line, go in rows:
            offset = widget.content_region.offset + Offset(0, line)
            by_offset.setdefault(offset, Target(offset, go))
    return sorted(by_offset.values(), key=lambda target: (target.at.y, target.at.x))


def _focus(widget: Widget) -> Callable[[], object]:
    return lambda: widget.screen.set_focus(widget)


def _rows(widget: Widget) -> Iterator[tuple[int, Callable[[], object]]]:
    """The lines of `widget` on which a row begins, with the way to go there."""
    height = widget.content_region.height
    for row, line in _seen(widget):
        if 0 <= line < height:
            yield line, _go(widget, row)


def _seen(widget: Widget) -> Iterator[tuple[int, int]]:
    if isinstance(widget, Rowed):
        yield from widget.rows_seen()
    elif isinstance(widget, OptionList):
        before = None
        for line in range(widget.content_region.height):
            option = _option_at(widget, line)
            if option is not None and option != before:
                yield option, line
            before = option
    elif isinstance(widget, Tree):
        top = round(widget.scroll_y)
        for line in range(min(widget.content_region.height, widget.last_line + 1 - top)):
            yield top + line, line


def _option_at(widget: OptionList, line: int) -> int | None:
    """The option that is drawn on `line`: what a click there would choose."""
    option: int | None = widget.get_style_at(widget.gutter.left, widget.gutter.top + line).meta.get("option")
    return option


def _go(widget: Widget, row: int) -> Callable[[], object]:
    def go() -> None:
        widget.screen.set_focus(widget)
        if isinstance(widget, Rowed):
            widget.go_to_row(row)
        elif isinstance(widget, OptionList):
            widget.highlighted = row
        elif isinstance(widget, Tree):
            widget.cursor_line = row

    return go


def labels(count: int) -> list[str]:
    """`count` labels, none the beginning of another: letters, and pairs of letters where more are needed."""
    if count <= len(LETTERS):
        return list(LETTERS[:count])
    first = -(-count // len(LETTERS))  # so many letters begin a pair
    single = LETTERS[first:]
    short = max(0, min(len(single), (first * len(LETTERS) - count) // max(len(LETTERS) - 1, 1)))
    pairs = ["".join(pair) for pair in product(LETTERS[:first], LETTERS)]
    return [*single[:short], *pairs][:count]


class JumpScreen(ModalScreen[Target | None]):
    """Lays the letters over what was there; answers with the target whose letters were pressed."""

    DEFAULT_CSS = """
    JumpScreen { background: transparent; }
    JumpScreen > Static { position: absolute; width: auto; height: 1; background: $accent; color: $background;
                          text-style: bold; }
    JumpScreen:nocolor > Static { text-style: bold underline; }
    JumpScreen > Line { dock: bottom; background: $panel; }
    """

    def __init__(self, shown: Sequence[Target]) -> None:
        super().__init__()
        self.labelled = dict(zip(labels(len(shown)), shown, strict=False))
        self.pressed = ""
        self._laid_out = self.app.size

    def compose(self) -> ComposeResult:
        for label, target in self.labelled.items():
            letter = Static(Content(label))
            letter.styles.offset = target.at
            yield letter
        yield Line("jumping", plain("Press a letter to jump · any other key cancels", QUIET))

    def on_key(self, event: Key) -> None:
        event.stop()
        event.prevent_default()
        self.pressed += event.character or " "
        if self.pressed in self.labelled:
            self.dismiss(self.labelled[self.pressed])
        elif not any(label.startswith(self.pressed) for label in self.labelled):
            self.dismiss(None)

    def on_click(self, event: Click) -> None:
        self.dismiss(None)

    def on_resize(self) -> None:
        """In a terminal of another size what is below is no more where the letters are."""
        if self.size != self._laid_out:
            self._laid_out = self.size  # it is told more than once
            self.dismiss(None)
