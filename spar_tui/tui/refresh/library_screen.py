"""Base class of screens that follow the library."""

from typing import TYPE_CHECKING

from textual.screen import Screen

if TYPE_CHECKING:
    from spar_tui.tui.research_app import ResearchApp


class LibraryScreen(Screen[None]):
    """A screen that the app's `LibraryFollower` refreshes while it is shown, and when it is shown again."""

    app: "ResearchApp"

    def on_screen_resume(self) -> None:
        self.app.follower.refresh()

    async def library_changed(self) -> None:
        """Reload the screen's data in a thread and update it in place (`ShowsLibrary`). Raises `CacheError`."""
