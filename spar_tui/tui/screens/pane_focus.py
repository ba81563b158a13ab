"""A screen whose panes are gone to one after the other: where there is little room only that one is seen."""

from typing import ClassVar

from textual.events import DescendantFocus
from textual.screen import Screen


class PaneFocus(Screen[None]):
    """Bears the class `at-…` of the pane with the focus, by which its rules know what to show."""

    PANES: ClassVar[tuple[str, ...]]
    """The ids of the panes."""
    pane: str

    def set_pane(self, pane: str) -> None:
        """The person is at `pane` now."""
        if pane != self.pane:
            self.set_class(False, f"at-{self.pane}", update=False)  # all rules of the screen are gone through but once
            self.pane = pane
            self.set_class(True, f"at-{pane}")

    def go_to(self, pane: str) -> None:
        """Put the focus into `pane`."""
        self.set_pane(pane)
        self.set_focus(self.query_one(f"#{pane}"))  # at once: the next key may be waiting already

    def on_descendant_focus(self, event: DescendantFocus) -> None:
        if event.widget.id in self.PANES:
            self.set_pane(event.widget.id)
        self.refresh_bindings()
