"""The line in which one says something."""

from typing import TYPE_CHECKING

from textual.events import Paste
from textual.widgets import Input

from agents.assistant.options import LONGEST
from connectors.records.clean import visible
from spar_tui.tui.commands import bindings

if TYPE_CHECKING:
    from spar_tui.tui.base_app import BaseApp

PLACEHOLDER = "Ask about your papers, or say what to do with them"


class MessageLine(Input):
    """One line, however much is pasted into it."""

    BINDINGS = bindings("talking")
    DEFAULT_CSS = """
    MessageLine { border: round $border-blurred; background: $background; padding: 0 1; height: 3; }
    MessageLine:focus { border: round $border; background-tint: transparent; }
    Screen.-short MessageLine, Screen.-short MessageLine:focus {
        border: none; height: 1; padding: 0 1; background: $panel; }
    """
    app: "BaseApp"

    def __init__(self, id: str) -> None:
        super().__init__(placeholder=PLACEHOLDER, id=id, max_length=LONGEST)
        self.cursor_blink = False

    def _on_paste(self, event: Paste) -> None:
        """Join the lines that are pasted; of more than there is room for the beginning is taken, which is said."""
        event.stop()
        event.prevent_default()  # which would take the first line alone
        pasted = " ".join(visible(line) for line in event.text.splitlines() if line.strip())
        start, end = sorted(self.selection)
        room = LONGEST - len(self.value) + end - start
        if len(pasted) > room:
            self.app.say(f"The line takes {LONGEST:,} letters: {len(pasted) - room:,} at the end of what was pasted"
                         " were left out.", "warning", 10)  # fmt: skip
        self.replace(pasted[:room], start, end)
