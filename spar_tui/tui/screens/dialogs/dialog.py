"""A dialog: a box in the middle of the screen."""

from collections.abc import Iterable, Iterator, Sequence

from rich.console import RenderableType
from rich.segment import Segment
from rich.style import Style as Ink
from textual.app import ComposeResult
from textual.color import Color
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.events import Event
from textual.message import Message
from textual.renderables.background_screen import BackgroundScreen
from textual.screen import ModalScreen, ScreenResultType
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import Button, Select, Static

from spar_tui.phrases import counted
from spar_tui.terminal import WIDEST
from spar_tui.tui.commands import bindings
from spar_tui.tui.keymap import PAUSE_SECONDS
from spar_tui.tui.widgets.footer import Footer
from spar_tui.tui.widgets.text import plain


class Choice(Select[str], inherit_bindings=False):
    """A value to choose from a list, which opens below it."""

    BINDINGS = bindings("a choice in a dialog")

    def __init__(self, choices: Iterable[tuple[str, str]], value: str, id: str) -> None:
        super().__init__(choices, value=value, allow_blank=False, id=id, compact=True)


class Dialog(ModalScreen[ScreenResultType]):
    """A dialog in the middle of the screen; the screen behind it is dimmed, in the terminal's own colors too.

    Textual blends the colors behind a dialog with the dialog's background. The terminal's own colors cannot be blended:
    they are drawn faint, and the cursor's row is not reversed, because it lacks the focus.

    An `unasked` dialog opens by itself, some time after the key that led to it, so keys may be meant for the screen
    below. It ignores them until it is drawn and nobody has typed for `PAUSE_SECONDS`.
    """

    heading, hint = "", ""
    """The titles above and below the box."""
    unasked = False
    _pause: Timer | None = None
    _heard_from = 0.0
    """When the dialog began to take keys, on the clock of the events."""
    DEFAULT_CSS = """
    Dialog { align: center middle; background: $background 60%; }
    Dialog > Vertical, Dialog > VerticalScroll {
        max-width: 100%; height: auto; max-height: 100%; border: round $border; background: $background;
        border-subtitle-color: $foreground 70%; scrollbar-size-vertical: 1;
    }
    """

    def compose(self) -> ComposeResult:
        with self.box() as box:
            box.border_title, box.border_subtitle = plain(self.heading), plain(self.hint)
            yield from self.parts()
        yield Footer()

    def box(self) -> Widget:
        """Return the box around the parts."""
        return Vertical()

    def parts(self) -> Iterable[Widget]:
        """Return the widgets in the box."""
        return ()

    def on_mount(self) -> None:
        if self.unasked:
            self.call_after_refresh(self._wait)

    def _wait(self) -> None:
        self._pause = self.set_timer(PAUSE_SECONDS, self._take_keys)

    def _take_keys(self) -> None:
        self.unasked, self._heard_from = False, Message().time
        self.refresh_bindings()

    def ignores(self, event: Event) -> bool:
        """Whether `event` is a key that was typed before the person can have read the dialog."""
        if self.unasked and self._pause is not None:
            self._pause.reset()
        return self.unasked or event.time < self._heard_from

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return not self.unasked and super().check_action(action, parameters)

    def action_move(self, steps: int) -> None:
        self.focus_next() if steps > 0 else self.focus_previous()

    def action_close(self) -> None:
        """Close without a result."""
        self.dismiss()

    def render(self) -> RenderableType:
        behind = super().render()
        if isinstance(behind, BackgroundScreen) and self.app.native_ansi_color:
            return _Faint(behind.screen, behind.color)
        return behind


class _Faint(BackgroundScreen):
    @classmethod
    def process_segments(cls, segments: Iterable[Segment], color: Color) -> Iterable[Segment]:
        for text, style, control in segments:
            bare = Ink() if style is None else style.clear_meta_and_links()
            yield Segment(text, None if control else bare + Ink(dim=True, reverse=False), control)


MOST_LINES = 10
"""Most lines of a preview that a question shows."""


class ConfirmScreen(Dialog[bool]):
    """Asks before a change that removes or replaces much. Escape cancels, as does the button with the focus."""

    DEFAULT_CSS = """
    ConfirmScreen > Vertical { width: 64; padding: 1 2; }
    ConfirmScreen.preview > Vertical { width: 100; }
    ConfirmScreen Horizontal { height: auto; margin: 1 0 0 0; align-horizontal: right; }
    ConfirmScreen Button { margin: 0 0 0 2; min-width: 8; }
    ConfirmScreen.-short > Vertical { padding: 0 1; }
    """
    BINDINGS = bindings("yes or no", "dialogs")
    AUTO_FOCUS = "#no"

    def __init__(self, question: str, yes: str, *, unasked: bool = False) -> None:
        super().__init__()
        self.question, self.yes, self.unasked = question, yes, unasked
        self.set_class("\n" in question, "preview")

    def parts(self) -> Iterator[Widget]:
        for line in self.question.split("\n"):
            text = Static(plain(line.strip()))
            text.styles.padding = (0, 0, 0, len(line) - len(line.lstrip()))  # wrapped lines have the same indent
            yield text
        with Horizontal():
            yield Button("cancel", id="no", compact=True)
            yield Button(plain(self.yes), id="yes", compact=True)

    def title_of(self, action: str, title: str) -> str:
        """Return the text of the button that an action presses."""
        return self.yes if action == "agree" else "cancel"

    def on_button_pressed(self, event: Button.Pressed) -> None:
        if not self.unasked:
            self.dismiss(event.button.id == "yes")

    def action_agree(self) -> None:
        self.dismiss(True)

    def action_close(self) -> None:
        """Answer no."""
        self.dismiss(False)


def first_lines(lines: Sequence[str]) -> str:
    """Return the first `MOST_LINES` lines of a preview, and the number of other lines."""
    more = len(lines) - MOST_LINES
    return "\n".join([*lines[:MOST_LINES], *([f"  and {counted(more, 'more line')}"] if more > 0 else [])])


FRAME = 8
"""Columns of the frame and padding of the box."""


class ScrollModal(Dialog[None]):
    """Shows `texts` to scroll."""

    WIDTH = WIDEST + FRAME
    """Most columns of the box."""
    DEFAULT_CSS = f"""
    ScrollModal > #sheet {{ width: {WIDTH}; max-height: 90%; padding: 1 2; }}
    ScrollModal Static {{ height: auto; }}
    ScrollModal.-short > #sheet {{ max-height: 100%; padding: 0 1; }}
    """

    def box(self) -> Widget:
        return VerticalScroll(id="sheet")

    def parts(self) -> Iterable[Widget]:
        return (text if isinstance(text, Widget) else Static(text) for text in self.texts())

    def texts(self) -> Iterable[Content | Widget]:
        """Return the texts to show."""
        return ()

    @property
    def room(self) -> int:
        """Number of columns for a line of text."""
        return min(self.app.size.width, self.WIDTH) - FRAME

    def action_move(self, lines: int) -> None:
        """Scroll by `lines`."""
        self.query_one("#sheet").scroll_relative(y=lines, animate=False)

    def action_to_end(self, last: bool) -> None:
        """Scroll to the last line or the first."""
        box = self.query_one("#sheet")
        box.scroll_end(animate=False) if last else box.scroll_home(animate=False)

    def action_page(self, pages: int) -> None:
        """Scroll by `pages`."""
        box = self.query_one("#sheet")
        box.scroll_relative(y=pages * max(box.scrollable_content_region.height - 1, 1), animate=False)
