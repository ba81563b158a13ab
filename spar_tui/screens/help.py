"""What the keys do, from the table of commands."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from spar_tui.commands import COMMANDS, Command, Place
from spar_tui.widgets.text import QUIET

_ORDER: tuple[Place, ...] = ("asking", "recent searches", "search", "lists", "tree", "page", "anywhere")
_NAMES: dict[Place, str] = {
    "asking": "The ask line",
    "recent searches": "Recent searches",
    "search": "A search",
    "lists": "Lists",
    "tree": "The trail",
    "page": "A paper",
    "anywhere": "Anywhere",
}


class HelpScreen(ModalScreen[None]):
    """Every command with its keys; Escape closes it."""

    DEFAULT_CSS = """
    HelpScreen { align: center middle; background: $background 60%; }
    #keys { width: 76; max-width: 100%; height: auto; max-height: 90%; border: round $border; padding: 1 2;
            background: $background; }
    #keys > Static { height: auto; }
    """
    BINDINGS: ClassVar = [
        Binding("escape,question_mark,f1,q,enter", "dismiss", "close"),
        Binding("down,j", "move(1)", show=False),
        Binding("up,k", "move(-1)", show=False),
    ]

    def compose(self) -> ComposeResult:
        with VerticalScroll(id="keys") as box:
            box.border_title = Content("Keys")
            box.border_subtitle = Content("escape closes")
            yield Static(Content("\n\n").join(self._part(place) for place in _ORDER))

    def _part(self, place: Place) -> Content:
        lines = [Content.styled(_NAMES[place], "bold $primary"), *(self._line(one) for one in COMMANDS[place])]
        return Content("\n").join(lines)

    def _line(self, command: Command) -> Content:
        keys = " ".join(self.app.get_key_display(Binding(key, "")) for key in command.keys)
        return Content.assemble((f"{keys:<16}", "$accent"), (command.help, QUIET))

    def action_move(self, lines: int) -> None:
        """Scroll by `lines`."""
        self.query_one("#keys").scroll_relative(y=lines, animate=False)
