"""Jump mode: a letter on every visible pane and row, whose key moves there."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from textual.app import ComposeResult
from textual.content import Content
from textual.events import Click, Key
from textual.geometry import Offset
from textual.screen import ModalScreen, Screen
from textual.widget import Widget
from textual.widgets import Static

from spar_tui.tui.widgets.row_list import RowList
from spar_tui.tui.widgets.text import QUIET, Line, plain

LETTERS = "asdfghjklweruiocvnmtyxbpzq"
"""Those under the resting fingers first."""


@dataclass(frozen=True, slots=True)
class JumpTarget:
    """A jump target, and its place on the screen."""

    at: Offset
    go: Callable[[], object]


def targets(screen: Screen[object]) -> list[JumpTarget]:
    """Return all jump targets on `screen`, panes before their rows, from top to bottom."""
    by_offset: dict[Offset, JumpTarget] = {}
    for widget in screen.focus_chain:
        corner, rows = widget.region.offset, list(_rows(widget))
        # A pane with a frame has its letter there; one without is reached by its rows.
        if not rows or widget.content_region.y > widget.region.y:
            by_offset.setdefault(corner, JumpTarget(corner, _focus(widget)))
        for line, go in rows:
            offset = widget.content_region.offset + Offset(0, line)
            by_offset.setdefault(offset, JumpTarget(offset, go))
    return sorted(by_offset.values(), key=lambda target: (target.at.y, target.at.x))


def _focus(widget: Widget) -> Callable[[], object]:
    return lambda: widget.screen.set_focus(widget)


def _rows(widget: Widget) -> Iterator[tuple[int, Callable[[], object]]]:
    """Yield the lines of `widget` on which rows begin, each with a function that goes there."""
    if isinstance(widget, RowList):
        for row, line in widget.rows_seen():
            if line < widget.content_region.height:
                yield line, _go(widget, row)


def _go(rows: RowList[Any], row: int) -> Callable[[], object]:
    def go() -> None:
        rows.screen.set_focus(rows)
        rows.go_to(row)

    return go


def labels(count: int) -> list[str]:
    """Return `count` labels, none a prefix of another: letters, and pairs of letters if needed."""
    if count <= len(LETTERS):
        return list(LETTERS[:count])
    first = -(-count // len(LETTERS))  # number of letters that begin a pair
    single = LETTERS[first:]
    short = max(0, min(len(single), (first * len(LETTERS) - count) // max(len(LETTERS) - 1, 1)))
    pairs = ["".join(pair) for pair in product(LETTERS[:first], LETTERS)]
    return [*single[:short], *pairs][:count]


class JumpScreen(ModalScreen[JumpTarget | None]):
    """Shows the letters over the screen; returns the target whose letters were pressed."""

    DEFAULT_CSS = """
    JumpScreen { background: transparent; }
    JumpScreen > Static { position: absolute; width: auto; height: 1; background: $accent; color: $background;
                          text-style: bold; }
    JumpScreen:nocolor > Static { text-style: bold underline; }
    JumpScreen > Line { dock: bottom; background: $panel; }
    """

    def __init__(self, shown: Sequence[JumpTarget]) -> None:
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
        if not self.is_current:
            return  # the key before closed it, so the app sends this one to the screen below
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
        """Cancel when the terminal is resized, because the letters no longer match the screen below."""
        if self.size != self._laid_out:
            self._laid_out = self.size  # Textual reports it more than once
            self.dismiss(None)
