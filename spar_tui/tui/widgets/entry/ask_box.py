"""The input for a question: it grows with the question up to five lines, and accepts any pasted text."""

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.events import Key, Paste
from textual.message import Message
from textual.widgets import TextArea

from connectors.records.visible import visible

_OF_THE_APP = ("undo", "select_line", "select_all")
"""Actions of Textual's text area whose keys do something else in the app."""


class AskBox(TextArea, inherit_bindings=False):
    """Enter submits the question and ctrl-j starts a new line. Down on the last line moves to the widget below."""

    DEFAULT_CSS = """
    AskBox { height: auto; max-height: 7; border: round $border; padding: 0 1; background: $background;
             scrollbar-size-vertical: 1; }
    AskBox:focus { border: round $border; }
    AskBox.-textual-compact { max-height: 5; }
    AskBox .text-area--cursor, AskBox:light .text-area--cursor {
        color: $input-cursor-foreground; background: $input-cursor-background;
    }
    AskBox .text-area--placeholder { color: $foreground 70%; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        binding for binding in TextArea.BINDINGS if isinstance(binding, Binding) and binding.action not in _OF_THE_APP
    ]

    class Submitted(Message):
        """The person has submitted the question."""

    def __init__(self, text: str = "", *, id: str | None = None, compact: bool = False) -> None:
        super().__init__(
            text, id=id, compact=compact, placeholder="What do you want to know?", highlight_cursor_line=False
        )
        self.cursor_blink = False
        self.pasted = ""
        """What was last pasted into the empty box."""
        self.move_cursor(self.document.end)

    @property
    def value(self) -> str:
        """The text, with its lines joined."""
        return " ".join(self.text.split())

    @value.setter
    def value(self, text: str) -> None:
        self.text = text
        self.move_cursor(self.document.end)

    def action_submit(self) -> None:
        self.post_message(self.Submitted())

    def action_delete_to_start_of_line(self) -> None:
        """Delete the whole line before the cursor, not only its last row."""
        row, column = self.cursor_location
        self.delete((row, 0), (row, column), maintain_selection_offset=False)

    def action_new_line(self) -> None:
        self._put("\n")

    async def _on_key(self, event: Key) -> None:
        """Let the binding handle Enter; move the cursor by an arrow key while there is a line in its direction."""
        lines, cursor = self.navigator, self.cursor_location
        if event.key == "enter":
            event.prevent_default()
        elif event.key == "down" and not lines.is_last_wrapped_line(cursor):
            event.stop()
            event.prevent_default()
            self.action_cursor_down()
        elif event.key == "up" and not lines.is_first_wrapped_line(cursor):
            event.stop()
            event.prevent_default()
            self.action_cursor_up()

    def _rewrap_and_refresh_virtual_size(self) -> None:
        """Redraw the wrapped lines too, which Textual does only if their number changes, and show the cursor."""
        super()._rewrap_and_refresh_virtual_size()
        self.refresh()
        self.call_after_refresh(self.scroll_cursor_visible)

    async def _on_paste(self, event: Paste) -> None:
        """Insert pasted text without invisible characters and without empty lines at its end."""
        event.prevent_default()
        event.stop()
        text = "\n".join(visible(line).strip("\r") for line in event.text.splitlines()).rstrip("\n")
        was_empty = not self.value
        self._put(text)
        self.pasted = self.value if was_empty else ""

    def _put(self, text: str) -> None:
        self.replace(text, *self.selection, maintain_selection_offset=False)
