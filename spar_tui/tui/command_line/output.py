"""The output of a command, shown as it arrives."""

from collections.abc import Callable, Iterable

from textual.content import Content
from textual.widgets import Static

from spar_tui.tui.commands import bindings
from spar_tui.tui.screens.dialogs.scroll_modal import ScrollModal
from spar_tui.tui.widgets.text import plain


class CommandOutput(ScrollModal):
    """Shows the output of `command`. Closing it while the command runs calls `stop`."""

    BINDINGS = bindings("output", "help", "dialog")

    def __init__(self, command: str, text: str, stop: Callable[[], object]) -> None:
        super().__init__()
        self.heading = command
        self.text, self._stop_command = text, stop
        self._is_going = True

    def parts(self) -> Iterable[Content]:
        yield _lines(self.text)

    def on_mount(self) -> None:
        self._tell()

    def _tell(self) -> None:
        copy = self.app.key_shown("output.copy")
        self.query_one("#sheet").border_subtitle = Content("escape stops" if self._is_going else f"{copy} copies")

    def add(self, text: str) -> None:
        """Show `text`, the whole output so far."""
        self.text = text
        if self.is_mounted:
            self.query_one(Static).update(_lines(text))

    def end(self) -> None:
        """The command has ended."""
        self._is_going = False
        if self.is_mounted:
            self._tell()

    def action_copy_text(self) -> None:
        """Copy the whole output."""
        self.app.copy(self.text, "the output")

    def action_close(self) -> None:
        """Close the output, and stop the command if it still runs."""
        if self._is_going:
            self._stop_command()
        self.dismiss()


def _lines(text: str) -> Content:
    return Content("\n").join(plain(line) for line in text.rstrip("\n").split("\n"))
