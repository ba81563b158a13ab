"""A dialog with a question and two answers."""

from collections.abc import Iterator, Sequence

from textual.containers import Horizontal
from textual.widget import Widget
from textual.widgets import Button, Static

from spar_tui.phrases import counted
from spar_tui.tui.commands import bindings
from spar_tui.tui.screens.dialogs.dialog import Dialog
from spar_tui.tui.widgets.text import plain

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
    BINDINGS = bindings("confirm", "dialog")
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
        return self.yes if action == "answer(True)" else "cancel"

    def on_button_pressed(self, event: Button.Pressed) -> None:
        if not self.unasked:
            self.dismiss(event.button.id == "yes")

    def action_answer(self, yes: bool) -> None:
        """Answer by a letter."""
        self.dismiss(yes)

    def action_close(self) -> None:
        """Answer no."""
        self.dismiss(False)


def first_lines(lines: Sequence[str]) -> str:
    """Return the first `MOST_LINES` lines of a preview, and the number of other lines."""
    more = len(lines) - MOST_LINES
    return "\n".join([*lines[:MOST_LINES], *([f"  and {counted(more, 'more line')}"] if more > 0 else [])])
