"""A choice among a few values on one line: it shows the present value, and a key changes to the next."""

from collections.abc import Sequence
from typing import Generic, TypeVar

from textual.content import Content
from textual.message import Message
from textual.widget import Widget

from spar_tui.tui.commands import bindings
from spar_tui.tui.widgets.text import plain

T = TypeVar("T")


class Chip(Widget, Generic[T], can_focus=True):
    """Shows the label of one of `choices`, which are values with labels in a circle; `key` precedes the label."""

    DEFAULT_CSS = """
    Chip { width: auto; height: 1; padding: 0 1; margin: 0 1 0 0; background: $panel; }
    Chip:focus { background: $block-cursor-background; color: $block-cursor-foreground;
                 text-style: $block-cursor-text-style; }
    """
    BINDINGS = bindings("chip")

    class Changed(Message):
        """The value has changed."""

    def __init__(self, key: str, choices: Sequence[tuple[T, str]], value: T, id: str) -> None:
        super().__init__(id=id)
        self.key, self.choices = key, choices
        self._at = [option for option, _ in choices].index(value)

    @property
    def value(self) -> T:
        return self.choices[self._at][0]

    def render(self) -> Content:
        content = plain(self.choices[self._at][1])
        if not self.key:
            return content
        return Content.assemble((self.key, "$accent"), " ", content)

    def on_click(self) -> None:
        self.action_change(1)

    def action_change(self, steps: int) -> None:
        """Change to the next choice or the previous one."""
        self._at = (self._at + steps) % len(self.choices)
        self.refresh(layout=True)
        self.post_message(self.Changed())
