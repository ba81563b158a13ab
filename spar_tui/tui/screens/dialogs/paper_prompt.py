"""A line to fill in, at the foot of the screen."""

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from spar_tui.tui.commands import bindings
from spar_tui.tui.widgets.entry.one_line import OneLine
from spar_tui.tui.widgets.footer import Footer
from spar_tui.tui.widgets.text import QUIET, plain


class PromptLine(OneLine):
    """The line."""

    BINDINGS = bindings("prompt")


class Prompt(ModalScreen[str | None]):
    """Asks for a line of text; Enter gives it, Escape gives None."""

    DEFAULT_CSS = """
    Prompt { align-vertical: bottom; background: transparent; }
    Prompt > Vertical { dock: bottom; height: auto; background: $panel; padding: 0 1; margin: 0 0 1 0; }
    Prompt Static { height: auto; }
    Prompt Input { border: none; height: 1; padding: 0; background: $panel; }
    """
    AUTO_FOCUS = "Input"

    def __init__(self, told: str, text: str = "") -> None:
        super().__init__()
        self.told, self.text = told, text

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static(plain(self.told, QUIET))
            yield PromptLine(self.text, select_on_focus=False, compact=True)
        yield Footer()

    def on_mount(self) -> None:
        self.query_one(Input).cursor_blink = False

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.dismiss(event.value)

    def action_leave_prompt(self) -> None:
        """Leave everything as it is."""
        self.dismiss(None)
