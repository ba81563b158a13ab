"""A line to fill in, at the foot of the screen."""

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widget import Widget
from textual.widgets import Input, Static

from spar_tui.tui.commands import bindings, bindings_of
from spar_tui.tui.widgets.entry.ask_box import AskBox
from spar_tui.tui.widgets.entry.one_line import OneLine
from spar_tui.tui.widgets.footer import Footer
from spar_tui.tui.widgets.text import QUIET, plain


class PromptLine(OneLine):
    """The line."""

    BINDINGS = bindings("prompt")


class QuestionBox(AskBox):
    """The box for a question."""

    BINDINGS = [*bindings("prompt"), *bindings_of("ask.line")]  # noqa: RUF012  # Textual declares it so


class Prompt(ModalScreen[str | None]):
    """Asks for a line of text; Enter gives it, Escape gives None. What stands there at first is added to, or replaced
    by what is typed (`replaced`)."""

    DEFAULT_CSS = """
    Prompt { align-vertical: bottom; background: transparent; }
    Prompt > Vertical { dock: bottom; height: auto; background: $panel; padding: 0 1; margin: 0 0 1 0; }
    Prompt Static { height: auto; }
    Prompt Input { border: none; height: 1; padding: 0; background: $panel; }
    Prompt QuestionBox { padding: 0; background: $panel; }
    """
    AUTO_FOCUS = "Input"

    def __init__(self, prompt: str, text: str = "", replaced: bool = False) -> None:
        super().__init__()
        self.told, self.text, self.replaced = prompt, text, replaced

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static(plain(self.told, QUIET))
            yield self.entry()
        yield Footer()

    def entry(self) -> Widget:
        """What one writes in."""
        line = PromptLine(self.text, select_on_focus=self.replaced, compact=True)
        line.cursor_blink = False
        return line

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.dismiss(event.value)

    def action_leave_prompt(self) -> None:
        """Leave everything as it is."""
        self.dismiss(None)


class QuestionPrompt(Prompt):
    """Asks for a question, in a box that grows with it."""

    AUTO_FOCUS = "QuestionBox"

    def entry(self) -> Widget:
        """The box."""
        return QuestionBox(self.text, compact=True)

    def on_ask_box_submitted(self) -> None:
        self.dismiss(self.query_one(QuestionBox).value)
