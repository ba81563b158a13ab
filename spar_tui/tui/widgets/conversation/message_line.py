"""The line in which one says something."""

from agents.assistant.options import LONGEST
from spar_tui.tui.commands import bindings
from spar_tui.tui.widgets.entry.one_line import OneLine

PLACEHOLDER = "Ask about your papers, or say what to do with them"


class MessageLine(OneLine):
    """Takes as much as a message may be long."""

    BINDINGS = bindings("talking")
    DEFAULT_CSS = """
    MessageLine { border: round $border-blurred; background: $background; padding: 0 1; height: 3; }
    MessageLine:focus { border: round $border; background-tint: transparent; }
    Screen.-short MessageLine, Screen.-short MessageLine:focus {
        border: none; height: 1; padding: 0 1; background: $panel; }
    """

    def __init__(self, id: str) -> None:
        super().__init__(placeholder=PLACEHOLDER, id=id, max_length=LONGEST)
        self.cursor_blink = False
