"""A dialog: a box in the middle of the screen."""

from collections.abc import Iterable

from rich.console import RenderableType
from rich.segment import Segment
from rich.style import Style as Ink
from textual.app import ComposeResult
from textual.color import Color
from textual.containers import Vertical
from textual.events import Event
from textual.message import Message
from textual.renderables.background_screen import BackgroundScreen
from textual.screen import ModalScreen, ScreenResultType
from textual.timer import Timer
from textual.widget import Widget

from spar_tui.tui.widgets.footer import Footer
from spar_tui.tui.widgets.text import plain

PAUSE_SECONDS = 0.5
"""Seconds without a key after which an unasked dialog takes keys: longer than between two keys of a person who types.
"""


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
