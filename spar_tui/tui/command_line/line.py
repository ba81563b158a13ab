"""The command line at the bottom of the screen."""

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from spar_tui.tui.command_line.completion import completions
from spar_tui.tui.commands import bindings
from spar_tui.tui.widgets.entry.one_line import OneLine
from spar_tui.tui.widgets.footer import Footer
from spar_tui.tui.widgets.text import QUIET, fitting, plain

if TYPE_CHECKING:
    from spar_tui.tui.base_app import BaseApp


class CommandInput(OneLine):
    """The input; keys complete it and recall earlier lines."""

    BINDINGS = bindings("command line")


class CommandLine(ModalScreen[str | None]):
    """Asks for one line and returns it, or None if cancelled. Possible completions are shown above the input."""

    DEFAULT_CSS = """
    CommandLine { align-vertical: bottom; background: transparent; }
    CommandLine > Vertical { dock: bottom; height: auto; background: $panel; padding: 0 1; margin: 0 0 1 0; }
    CommandLine Static { height: 1; }
    CommandLine Input { border: none; height: 1; padding: 0; background: $panel; }
    """
    AUTO_FOCUS = "Input"
    app: "BaseApp"

    def __init__(self, told: str, history: Sequence[str], text: str = "", leader: str = "") -> None:
        super().__init__()
        self._told, self._text, self._leader = told, text, leader
        self._history = [*history, text]
        self._at = len(history)
        self._choices: list[str] = []
        self._choice = -1

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static(plain(self._told, QUIET))
            yield CommandInput(self._text, select_on_focus=False, compact=True)
        yield Footer()

    def on_mount(self) -> None:
        self.query_one(Input).cursor_blink = False

    def on_input_changed(self, event: Input.Changed) -> None:
        if self._choices and event.value == self._choices[self._choice]:
            return
        self._choices, self._choice = self._completions(event.value), -1
        self._show()

    def _completions(self, line: str) -> list[str]:
        lead = len(self._leader)
        return [one[lead:] for one in completions(self._leader + line)] if line or self._leader else []

    def _show(self) -> None:
        words = [choice.rpartition(" ")[2] for choice in self._choices]
        names = [os.path.basename(word.rstrip("/'")) + "/" * word.rstrip("'").endswith("/") for word in words]
        pieces = [plain(name, "bold" if at == self._choice else QUIET) for at, name in enumerate(names)]
        shown = fitting(pieces[max(self._choice, 0) :], self.size.width - 2, "  ")
        self.query_one(Static).update(shown if pieces else plain(self._told, QUIET))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.dismiss(event.value.strip() or None)

    def action_complete(self) -> None:
        """Insert the next completion."""
        if not self._choices:
            self._choices = self._completions(self.query_one(Input).value)
        if self._choices:
            self._choice = (self._choice + 1) % len(self._choices)
            only = len(self._choices) == 1
            self._write(self._choices[self._choice] + " " * (only and not self._choices[0].endswith(("/", "/'"))))
            self._show()

    def action_older(self, steps: int) -> None:
        """Recall an earlier or later line."""
        self._at = min(max(self._at + steps, 0), len(self._history) - 1)
        self._write(self._history[self._at])

    def _write(self, text: str) -> None:
        line = self.query_one(Input)
        line.value = text
        line.action_end()

    def action_leave_prompt(self) -> None:
        """Close without a command."""
        self.dismiss(None)
