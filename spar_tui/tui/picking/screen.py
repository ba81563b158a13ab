"""The list from which the person picks saved papers."""

import gc
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress

from textual.screen import Screen

from cache.shelf import ShelfRow
from cache.store import Store
from spar_tui.errors import Failure
from spar_tui.settings import Settings, load_settings
from spar_tui.tui.commands import bindings, bindings_of
from spar_tui.tui.library_app import LibraryApp
from spar_tui.tui.screens.shelf import ShelfScreen, entries, ordered
from spar_tui.tui.widgets.filter_line import FilterLine

IN, OUT, ERRORS = 0, 1, 2
CONTROLLING = "/dev/tty"


@contextmanager
def terminal_standing_in() -> Iterator[None]:
    """Use the person's terminal as standard input and output in this context, then restore them.

    Standard output must have no pending output. Raises `Failure` if there is no terminal.
    """
    elsewhere = [number for number in (IN, OUT) if not os.isatty(number)]
    with ExitStack() as after:
        if elsewhere:
            line = _terminal()
            after.callback(os.close, line)
        for number in elsewhere:
            kept = os.dup(number)
            after.callback(os.close, kept)
            os.dup2(line, number)
            after.callback(os.dup2, kept, number)
        yield


def _terminal() -> int:
    """Return a new descriptor of the terminal: a copy of one that the shell gave, which every system can wait for, else
    the controlling terminal."""
    for number in (IN, ERRORS, OUT):
        if os.isatty(number) and _goes_both_ways(number):
            return os.dup(number)
    with suppress(OSError):
        return os.open(CONTROLLING, os.O_RDWR | os.O_NOCTTY)
    raise Failure("no terminal to choose in; use `spar cite WORDS` for the key of the best match.")


def _goes_both_ways(number: int) -> bool:
    try:
        from fcntl import F_GETFL, fcntl
    except ImportError:  # where a terminal is no file
        return False
    return fcntl(number, F_GETFL) & os.O_ACCMODE == os.O_RDWR


class PickScreen(ShelfScreen, inherit_bindings=False):
    """The shelf's `rows`, at first those that match `words`. `choose` gets the numbers of the picked papers, none if
    the person cancels."""

    BINDINGS = bindings("`spar pick`") + bindings_of(
        "paper.mark", "paper.mark_all", "paper.visual", "library.filter", "library.order", "library.reverse"
    )

    def __init__(self, rows: Sequence[ShelfRow], words: str, choose: Callable[[Sequence[int]], None]) -> None:
        super().__init__()
        self._words, self._choose = words, choose
        self._all, self._read = ordered(entries(rows), self.order), True

    def on_mount(self) -> None:
        line = self.query_one(FilterLine)
        line.value = self._words
        line.keep()

    def title_of(self, action: str, title: str) -> str:
        return "pick" if action == "select" else title

    def looking_at(self, key: int) -> None:
        """Do nothing: who picks a paper tells nothing of their taste."""

    def open_at_hand(self, kind: object = None) -> None:
        """Pick all marked papers, shown or not, in the order of marking; without marks, the paper under the cursor."""
        if chosen := list(self.marked) or self.keys_chosen:
            self._choose(chosen)

    def action_leave_empty_handed(self) -> None:
        """Leave the filter line if it has the focus; else end without a choice."""
        if self.query_one(FilterLine).has_focus:
            self.out_of_filter()
        else:
            self._choose([])


class PickApp(LibraryApp, inherit_bindings=False):
    """The app that ends with the `chosen` numbers, none if the person cancels."""

    def __init__(self, settings: Settings, store: Store, rows: Sequence[ShelfRow], words: str) -> None:
        super().__init__(settings, store, load_settings)
        self._list = PickScreen(rows, words, self._choose)
        self.chosen: Sequence[int] = ()

    def get_default_screen(self) -> Screen[None]:
        return self._list

    def _choose(self, numbers: Sequence[int]) -> None:
        self.chosen = numbers
        self.exit()


def picked(settings: Settings, store: Store, rows: Sequence[ShelfRow], words: str) -> Sequence[int]:
    """Return the numbers of the papers that the person picks from `rows`, drawn on the terminal even if standard input
    and output are redirected. Raises `Failure` without a terminal, and the error of a crash."""
    app = PickApp(settings, store, rows, words)
    gc.freeze()  # loaded objects stay; collecting garbage among them delays keys
    with terminal_standing_in():
        app.run()
    if app.crash is not None:
        raise app.crash
    return app.chosen
