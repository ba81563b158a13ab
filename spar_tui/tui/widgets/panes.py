"""Panes side by side, with widths that the person can change."""

from typing import Protocol, cast

from textual.containers import Horizontal
from textual.css.scalar import Unit
from textual.widget import Widget


class KeepsWidths(Protocol):
    """An app that stores the widths of panes."""

    @property
    def pane_widths(self) -> dict[str, dict[str, int]]: ...

    def keep_layout(self) -> None: ...


STEP = 3
NARROWEST = 15
"""In hundredths of the whole, as all widths here."""
_BREAKPOINTS = ("-wide", "-medium")
"""Below these breakpoints a screen shows one pane, as wide as the screen."""
STORED_AS = {"ShelfScreen": "LibraryScreen"}
"""Screens whose widths are stored under a former name."""


class Panes(Horizontal):
    """Shows its children as panes; one of them is `1fr` wide and takes the remaining width.

    Widths chosen by the person are stored for each kind of screen and each breakpoint of its size.
    """

    DEFAULT_CSS = """
    Panes { height: 1fr; }
    Panes.alone > * { display: none !important; }
    Panes.alone > .focused { display: block !important; width: 1fr !important; }
    """

    @property
    def can_resize(self) -> bool:
        """Whether several panes are side by side."""
        return self._arrangement is not None and len(self._side_by_side) > 1

    @property
    def alone(self) -> bool:
        """Whether only the focused pane is shown."""
        return self.has_class("alone")

    def show_alone(self, alone: bool) -> None:
        """Show only the focused pane, or all panes again."""
        self._mark_focused()
        self.set_class(alone, "alone")

    def on_descendant_focus(self) -> None:
        if self.alone:
            self._mark_focused()

    def _mark_focused(self) -> None:
        for pane in self.children:
            pane.set_class(pane.has_focus_within or pane.has_focus, "focused")

    @property
    def _side_by_side(self) -> list[Widget]:
        return [pane for pane in self.children if pane.region.width]

    @property
    def _arrangement(self) -> str | None:
        breakpoint_name = next((name for name in _BREAKPOINTS if self.screen.has_class(name)), None)
        name = type(self.screen).__name__
        return f"{STORED_AS.get(name, name)}{breakpoint_name}" if breakpoint_name else None

    def resize(self, steps: int) -> None:
        """Make the focused pane wider by `steps`; the `1fr` pane becomes narrower."""
        side_by_side = self._side_by_side
        here = next((pane for pane in side_by_side if pane.has_focus_within or pane.has_focus), None)
        fixed = [pane for pane in side_by_side if not _takes_the_rest(pane)]
        if here is None or not fixed or self._arrangement is None:
            return
        if here not in fixed:
            here, steps = fixed[-1], -steps
        widths = {pane: round(100 * pane.region.width / max(self.size.width, 1)) for pane in fixed}
        most = 100 - NARROWEST - sum(width for pane, width in widths.items() if pane is not here)
        self._chosen[here.id or ""] = max(min(widths[here] + steps * STEP, most), NARROWEST)
        self.arrange_panes()
        cast(KeepsWidths, self.app).keep_layout()

    @property
    def _chosen(self) -> dict[str, int]:
        return cast(KeepsWidths, self.app).pane_widths.setdefault(self._arrangement or "", {})

    def on_resize(self) -> None:
        self.arrange_panes()

    def arrange_panes(self) -> None:
        """Give each pane the width that the person chose at this screen size, else its default."""
        chosen = self._chosen if self._arrangement else {}
        for pane in self.children:
            if (width := chosen.get(pane.id or "")) is not None:
                pane.styles.width = f"{width}%"
            elif pane.styles.inline.has_rule("width"):
                pane.styles.clear_rule("width")


def _takes_the_rest(pane: Widget) -> bool:
    width = pane.styles.width
    return width is not None and width.unit is Unit.FRACTION
