"""A dialog with text to scroll."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from textual.containers import VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from spar_tui.terminal import WIDEST
from spar_tui.tui.screens.dialogs.dialog import Dialog

if TYPE_CHECKING:
    from spar_tui.tui.base_app import BaseApp

FRAME = 8
"""Columns of the frame and padding of the box."""


class ScrollModal(Dialog[None]):
    """Shows `texts` to scroll."""

    WIDTH = WIDEST + FRAME
    """Most columns of the box."""
    DEFAULT_CSS = f"""
    ScrollModal > #sheet {{ width: {WIDTH}; max-height: 90%; padding: 1 2; }}
    ScrollModal Static {{ height: auto; }}
    ScrollModal.-short > #sheet {{ max-height: 100%; padding: 0 1; }}
    """

    app: "BaseApp"

    def box(self) -> Widget:
        return VerticalScroll(id="sheet")

    def parts(self) -> Iterable[Widget]:
        return (text if isinstance(text, Widget) else Static(text) for text in self.texts())

    def texts(self) -> Iterable[Content | Widget]:
        """Return the texts to show."""
        return ()

    @property
    def room(self) -> int:
        """Number of columns for a line of text."""
        return min(self.app.size.width, self.WIDTH) - FRAME

    def action_move(self, lines: int) -> None:
        """Scroll by `lines`."""
        self.query_one("#sheet").scroll_relative(y=lines, animate=False)

    def action_to_end(self, last: bool) -> None:
        """Scroll to the last line or the first."""
        box = self.query_one("#sheet")
        box.scroll_end(animate=False) if last else box.scroll_home(animate=False)

    def action_page(self, pages: int) -> None:
        """Scroll by `pages`."""
        box = self.query_one("#sheet")
        box.scroll_relative(y=pages * max(box.scrollable_content_region.height - 1, 1), animate=False)
