"""A choice of few on one line: it shows what it is now, and a key makes it the next."""

from collections.abc import Sequence
from typing import Generic, TypeVar

from textual.content import Content
from textual.message import Message
from textual.widget import Widget

from spar_tui.tui.commands import bindings
from spar_tui.tui.widgets.text import plain

T = TypeVar("T")


class Chip(Widget, Generic[T], can_focus=True):
    """One of `choices`, each a value with its words; beyond the last comes the first. `key` is named before it."""

    DEFAULT_CSS = """
    Chip { width: auto; height: 1; padding: 0 1; margin: 0 1 0 0; background: $panel; }
    Chip:focus { background: $block-cursor-background; color: $block-cursor-foreground;
                 text-style: $block-cursor-text-style; }
    """
    BINDINGS = bindings("chip")

    class Changed(Message):
        """It is something else now."""

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
        """The next choice, or the one before."""
        self._at = (self._at + steps) % len(self.choices)
        self.refresh(layout=True)
        self.post_message(self.Changed())
