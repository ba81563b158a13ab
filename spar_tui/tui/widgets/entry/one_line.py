"""A one-line input: pasted text becomes one line, and a message says how much of it did not fit."""

from typing import TYPE_CHECKING

from textual.events import Paste
from textual.reactive import reactive
from textual.widgets import Input

from connectors.records.visible import visible

if TYPE_CHECKING:
    from spar_tui.tui.base_app import BaseApp


class OneLine(Input):
    """Textual's own input accepts only the first pasted line, and nothing of a text that is too long."""

    app: "BaseApp"
    cursor_blink = reactive(False, init=False)

    def _on_paste(self, event: Paste) -> None:
        """Join the pasted lines, insert as much as fits, and report the rest."""
        event.stop()
        event.prevent_default()  # or Textual would paste as well
        pasted = on_one_line(event.text)
        start, end = sorted(self.selection)
        room = self.max_length - len(self.value) + end - start if self.max_length else len(pasted)
        if len(pasted) > room:
            self.app.say(told_cut(max(room, 0), len(pasted)), "warning", 10)
        self.replace(pasted[: max(room, 0)], start, end)


def on_one_line(text: str) -> str:
    """Return `text` with its lines joined by spaces, without invisible characters and empty lines."""
    return " ".join(filter(None, (visible(line).strip("\r") for line in text.splitlines())))


def told_cut(room: int, pasted: int) -> str:
    """Return a message that only `room` of `pasted` characters fit."""
    if not room:
        return f"The line is full: none of the {pasted:,} pasted characters fit."
    return f"{room:,} of {pasted:,} characters fit; the rest was cut."
