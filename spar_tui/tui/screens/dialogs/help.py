"""What the keys do, from the table of commands: first of the pane that has the focus, then of everything else."""

from collections.abc import Iterator, Sequence
from textwrap import wrap

from textual.binding import Binding
from textual.content import Content

from spar_tui.tui.commands import COMMANDS, Command, Place, bindings, place_title
from spar_tui.tui.screens.dialogs.scroll_modal import ScrollModal
from spar_tui.tui.widgets.text import QUIET

_KEYS = 17
"""Columns of the keys."""


class HelpScreen(ScrollModal):
    """Every command with its keys. `here`: the places that have the keys now, the nearest first."""

    BINDINGS = bindings("help", "dialog")
    heading = "Keys"

    def __init__(self, here: Sequence[Place]) -> None:
        super().__init__()
        self.here = here

    def parts(self) -> Iterator[Content]:
        """The commands that can be used now, then all others."""
        elsewhere = [place for place in COMMANDS if place not in self.here]
        yield Content("\n\n").join(self._part(place) for place in self.here if self._keyed(place))
        yield Content.styled("\nElsewhere\n", "bold underline")
        yield Content("\n\n").join(self._part(place) for place in elsewhere)

    def _keyed(self, place: Place) -> list[Command]:
        return [one for one in COMMANDS[place] if one.keys]

    def _part(self, place: Place) -> Content:
        lines = [Content.styled(place_title(place), "bold $primary"), *(self._line(one) for one in self._keyed(place))]
        return Content("\n").join(lines)

    def _line(self, command: Command) -> Content:
        shown = self.app.command_keys.keys[command.id]
        keys = " ".join(self.app.get_key_display(Binding(key, "")) for key in shown)
        told = f"\n{' ' * _KEYS}".join(wrap(command.help, max(self.room - _KEYS, 10)))
        return Content.assemble((f"{keys:<{_KEYS - 1}}", "$accent"), " ", (told, QUIET))
