"""What the keys do, from the table of commands: first of the pane that has the focus, then of everything else."""

from collections.abc import Iterator, Sequence
from textwrap import wrap

from textual.binding import Binding
from textual.content import Content

from cache.filters.places import HISTORY, SEARCH, SHELF, explained
from cache.filters.places import Place as Listed
from spar_tui.tui.commands import COMMANDS, Command, Place, bindings, place_title
from spar_tui.tui.screens.dialogs.scroll_modal import ScrollModal
from spar_tui.tui.widgets.text import QUIET

_KEYS = 17
"""Columns of the keys."""
_FILTERED: dict[Place, Listed] = {"search": SEARCH, "shelf": SHELF, "history": HISTORY}
"""The places whose lists can be filtered."""


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
        parts: list[Content] = []
        for place in self.here:
            parts += [self._part(place)] if self._keyed(place) else []
            parts += [self._grammar(_FILTERED[place])] if place in _FILTERED else []
        yield Content("\n\n").join(parts)
        yield Content.styled("\nElsewhere\n", "bold underline")
        yield Content("\n\n").join(self._part(place) for place in elsewhere)

    def _keyed(self, place: Place) -> list[Command]:
        return [one for one in COMMANDS[place] if one.keys]

    def _part(self, place: Place) -> Content:
        lines = [Content.styled(place_title(place), "bold $primary"), *(self._line(one) for one in self._keyed(place))]
        return Content("\n").join(lines)

    def _grammar(self, listed: Listed) -> Content:
        """What can be written into the filter."""
        title = Content.styled(f"What a filter can say {listed.where}: all of it must hold", "bold $primary")
        return Content("\n").join([title, *(self._told(example, told) for example, told in explained(listed))])

    def _line(self, command: Command) -> Content:
        shown = self.app.command_keys.keys[command.id]
        return self._told(" ".join(self.app.get_key_display(Binding(key, "")) for key in shown), command.help)

    def _told(self, what: str, told: str) -> Content:
        """A line with its sentence beside it, or below what is too long for its column."""
        beside = f"\n{' ' * _KEYS}".join(wrap(told, max(self.room - _KEYS, 10)))
        gap = " " if len(what) < _KEYS else f"\n{' ' * _KEYS}"
        return Content.assemble((f"{what:<{_KEYS - 1}}", "$accent"), gap, (beside, QUIET))
