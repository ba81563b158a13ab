"""The app that `spar pick` opens: one list, from which papers are taken."""

import gc
from collections.abc import Sequence

from textual.screen import Screen

from cache.shelf import ShelfRow
from cache.store import Store
from spar_tui.settings import Settings, load_settings
from spar_tui.tui.base_app import BaseApp
from spar_tui.tui.picking.screen import PickScreen
from spar_tui.tui.terminal.standing_in import terminal_standing_in


class PickApp(BaseApp, inherit_bindings=False):
    """Ends with what was `chosen`; with nothing if the person left without a choice."""

    def __init__(self, settings: Settings, store: Store, rows: Sequence[ShelfRow], words: str) -> None:
        super().__init__(settings, load_settings)
        self._list = PickScreen(store, rows, words, self._choose)
        self.chosen: Sequence[int] = ()

    def get_default_screen(self) -> Screen[None]:
        return self._list

    def _choose(self, numbers: Sequence[int]) -> None:
        self.chosen = numbers
        self.exit()


def picked(settings: Settings, store: Store, rows: Sequence[ShelfRow], words: str) -> Sequence[int]:
    """The numbers of the papers that the person takes from `rows`, none if that is none; it is drawn on the terminal,
    whatever standard input and output are. Raises `Failure` without a terminal, and what ended the app as a fault."""
    app = PickApp(settings, store, rows, words)
    gc.freeze()  # what is loaded stays to the end, and is not looked through again while somebody waits for the keys
    with terminal_standing_in():
        app.run()
    if app.crash is not None:
        raise app.crash
    return app.chosen
