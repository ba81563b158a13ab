"""A line to write in: whatever is pasted into it becomes one line, and what has no room is said."""

from typing import TYPE_CHECKING

from textual.events import Paste
from textual.widgets import Input

from connectors.records.visible import visible

if TYPE_CHECKING:
    from spar_tui.tui.base_app import BaseApp


class OneLine(Input):
    """The library's own takes the first of several lines, and nothing of what is longer than there is room for."""

    app: "BaseApp"

    def _on_paste(self, event: Paste) -> None:
        """Join the lines that are pasted; take of them what fits, and say how much that was."""
        event.stop()
        event.prevent_default()  # or the library would paste as well
        pasted = on_one_line(event.text)
        start, end = sorted(self.selection)
        room = self.max_length - len(self.value) + end - start if self.max_length else len(pasted)
        if len(pasted) > room:
            self.app.say(told_cut(max(room, 0), len(pasted)), "warning", 10)
        self.replace(pasted[: max(room, 0)], start, end)


def on_one_line(text: str) -> str:
    """`text` with its lines joined by a space, and without what is not seen; ends of lines at its own ends go."""
    return " ".join(filter(None, (visible(line).strip("\r") for line in text.splitlines())))


def told_cut(room: int, pasted: int) -> str:
    """That of `pasted` characters only as many as there was `room` for were taken."""
    if not room:
        return f"The line is full: none of the {pasted:,} characters that were pasted fit."
    return f"{room:,} of {pasted:,} characters fit; the rest was cut."
