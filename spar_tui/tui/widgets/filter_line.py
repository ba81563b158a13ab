"""The line below a list in which one writes what its rows must have."""

from textual.widgets import Input


class FilterLine(Input):
    """Hidden until it is asked for; it stays while it holds words."""

    DEFAULT_CSS = """
    FilterLine { border: none; height: 1; padding: 0 1; background: $panel; display: none; }
    FilterLine:focus { border: none; }
    FilterLine.asked { display: block; }
    """

    def __init__(self, placeholder: str) -> None:
        super().__init__(placeholder=placeholder, id="filter")
        self.cursor_blink = False

    def ask(self) -> None:
        """Show the line, ready to be written in."""
        self.add_class("asked")
        self.screen.set_focus(self)

    def keep(self) -> None:
        """The words are written: the line stays if there are any."""
        self.set_class(bool(self.value.strip()), "asked")

    def leave(self) -> bool:
        """Take the filter away; False if there was none."""
        there = self.has_class("asked")
        self.clear()
        self.remove_class("asked")
        return there
