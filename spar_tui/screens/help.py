"""What the keys do, from the table of commands: first of the pane that has the focus, then of everything else."""

from collections.abc import Sequence
from textwrap import wrap
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from spar_tui.commands import COMMANDS, Command, Place, bindings, place_title
from spar_tui.widgets.text import QUIET

if TYPE_CHECKING:
    from spar_tui.frame import Frame

_WIDTH, _FRAME, _KEYS = 80, 8, 17
"""In columns: the box, what its frame and padding take of it, and the column of the keys."""


class HelpScreen(ModalScreen[None]):
    """Every command with its keys. `here`: the places that have the keys now, the nearest first."""

    DEFAULT_CSS = """
    HelpScreen { align: center middle; background: $background 60%; }
    #keys { width: 80; max-width: 100%; height: auto; max-height: 90%; border: round $border; padding: 1 2;
            background: $background; scrollbar-size-vertical: 1; border-subtitle-color: $foreground 60%; }
    #keys > Static { height: auto; }
    HelpScreen.-short #keys { max-height: 100%; padding: 0 1; }
    """
    BINDINGS = bindings("help", "dialog")
    app: "Frame"

    def __init__(self, here: Sequence[Place]) -> None:
        super().__init__()
        self.here = here

    def compose(self) -> ComposeResult:
        elsewhere = [place for place in COMMANDS if place not in self.here]
        with VerticalScroll(id="keys") as box:
            box.border_title = Content("Keys")
            box.border_subtitle = Content("escape closes")
            yield Static(Content("\n\n").join(self._part(place) for place in self.here if self._keyed(place)))
            yield Static(Content.styled("\nElsewhere\n", "bold underline"))
            yield Static(Content("\n\n").join(self._part(place) for place in elsewhere))

    def _keyed(self, place: Place) -> list[Command]:
        return [one for one in COMMANDS[place] if one.keys]

    def _part(self, place: Place) -> Content:
        lines = [Content.styled(place_title(place), "bold $primary"), *(self._line(one) for one in self._keyed(place))]
        return Content("\n").join(lines)

    def _line(self, command: Command) -> Content:
        shown = self.app.command_keys.keys[command.id]
        keys = " ".join(self.app.get_key_display(Binding(key, "")) for key in shown)
        room = max(min(self.app.size.width, _WIDTH) - _FRAME - _KEYS, 10)
        told = f"\n{' ' * _KEYS}".join(wrap(command.help, room))
        return Content.assemble((f"{keys:<{_KEYS - 1}}", "$accent"), " ", (told, QUIET))

    def action_move(self, lines: int) -> None:
        """Scroll by `lines`."""
        self.query_one("#keys").scroll_relative(y=lines, animate=False)

    def action_page(self, pages: int) -> None:
        """Scroll by `pages`."""
        box = self.query_one("#keys")
        box.scroll_relative(y=pages * max(box.scrollable_content_region.height - 1, 1), animate=False)

    def action_close(self) -> None:
        """Back to what was there."""
        self.dismiss()
