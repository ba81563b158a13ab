"""A document of a conversation, to read, copy or save."""

from collections.abc import Callable, Iterable

from textual.content import Content

from spar_tui.phrases import counted
from spar_tui.tui.commands import bindings
from spar_tui.tui.screens.dialogs.scroll_modal import ScrollModal
from spar_tui.tui.widgets.text import plain


class DocumentScreen(ScrollModal):
    """Shows `text` unchanged; `write` saves it as a file."""

    BINDINGS = bindings("document", "help", "dialog")
    heading = "Document"

    def __init__(self, text: str, write: Callable[[], object]) -> None:
        super().__init__()
        self.text, self._write = text, write

    def on_mount(self) -> None:
        copy, write = map(self.app.key_shown, ("document.copy", "document.write"))
        self.query_one("#sheet").border_subtitle = Content(f"{copy} copies · {write} writes · escape closes")

    def parts(self) -> Iterable[Content]:
        yield Content("\n").join(plain(line) for line in self.text.rstrip("\n").split("\n"))

    def action_copy_shown(self) -> None:
        """Copy the whole document."""
        self.app.copy(self.text, counted(len(self.text.splitlines()), "line"))

    def action_write_file(self) -> None:
        """Save the document as a file."""
        self.dismiss()
        self._write()
