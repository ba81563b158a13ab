"""A prompt for a line of text at the bottom of the screen."""

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
    """The input of a prompt."""

    BINDINGS = bindings("a line to fill in")


class QuestionBox(AskBox):
    """The input for a question."""

    BINDINGS = [*bindings("a line to fill in"), *bindings_of("ask.line")]  # noqa: RUF012  # Textual declares it so


class TextPrompt(ModalScreen[str | None]):
    """Asks for a line of text, at first `text`: Enter returns the line, Escape None. Typing replaces `text` if
    `replaced`."""

    DEFAULT_CSS = """
    TextPrompt { align-vertical: bottom; background: transparent; }
    TextPrompt > Vertical { dock: bottom; height: auto; background: $panel; padding: 0 1; margin: 0 0 1 0; }
    TextPrompt Static { height: auto; }
    TextPrompt Input { border: none; height: 1; padding: 0; background: $panel; }
    TextPrompt QuestionBox { padding: 0; background: $panel; }
    """
    AUTO_FOCUS = "Input"

    def __init__(self, prompt: str, text: str = "", replaced: bool = False) -> None:
        super().__init__()
        self.prompt, self.text, self.replaced = prompt, text, replaced

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static(plain(self.prompt, QUIET))
            yield self.entry()
        yield Footer()

    def entry(self) -> Widget:
        """Return the input."""
        return PromptLine(self.text, select_on_focus=self.replaced, compact=True)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.dismiss(event.value)

    def action_leave_prompt(self) -> None:
        self.dismiss(None)


class QuestionPrompt(TextPrompt):
    """Asks for a question in an input that grows with it."""

    AUTO_FOCUS = "QuestionBox"

    def entry(self) -> Widget:
        return QuestionBox(self.text, compact=True)

    def on_ask_box_submitted(self) -> None:
        self.dismiss(self.query_one(QuestionBox).value)
