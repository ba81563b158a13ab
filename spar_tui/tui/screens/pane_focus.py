"""A screen with panes, of which only the focused one is visible on a small terminal."""

from typing import ClassVar

from textual.events import DescendantFocus
from textual.screen import Screen


class PaneFocus(Screen[None]):
    """Sets the class `at-…` of the pane with the focus, which the style sheet reads."""

    PANES: ClassVar[tuple[str, ...]]
    """The ids of the panes."""
    pane: str

    def set_pane(self, pane: str) -> None:
        """Make `pane` the current pane."""
        if pane != self.pane:
            self.set_class(False, f"at-{self.pane}", update=False)  # the next `set_class` updates the styles
            self.pane = pane
            self.set_class(True, f"at-{pane}")

    def go_to(self, pane: str) -> None:
        """Move the focus to `pane`."""
        self.set_pane(pane)
        self.set_focus(self.query_one(f"#{pane}"))  # at once, since the next key may be waiting

    def on_descendant_focus(self, event: DescendantFocus) -> None:
        if event.widget.id in self.PANES:
            self.set_pane(event.widget.id)
        self.refresh_bindings()
