"""Base class of screens that follow the library."""

from typing import TYPE_CHECKING

from textual import on
from textual.screen import Screen
from textual.widgets import Static

from spar_tui.tui.widgets.row_list import RowList
from spar_tui.tui.widgets.text import plain

if TYPE_CHECKING:
    from spar_tui.tui.research_app import ResearchApp


class LibraryScreen(Screen[None]):
    """A screen that the app's `LibraryFollower` refreshes while it is shown, and when it is shown again."""

    DEFAULT_CSS = "LibraryScreen #unread { dock: top; height: auto; padding: 0 1; }"
    app: "ResearchApp"

    def on_screen_resume(self) -> None:
        self.app.follower.refresh()

    @on(RowList.Highlighted)
    def _show_keys_of_row(self) -> None:
        self.refresh_bindings()

    def action_back(self) -> None:
        """Go back to the screen below."""
        self.app.pop_screen()

    async def library_changed(self) -> None:
        """Reload the screen's data in a thread and update it in place (`ShowsLibrary`). Raises `CacheError`."""

    async def library_unread(self, why: str) -> None:
        """Show at the top of the screen why the library cannot be read; "" removes the message (`ShowsLibrary`)."""
        lines = list(self.query_children("#unread").results(Static))
        content = plain(f"{why} spar tries again by itself.", "$error")
        for line in lines:
            if why:
                line.update(content)
            else:
                await line.remove()
        if why and not lines:
            await self.mount(Static(content, id="unread"))
