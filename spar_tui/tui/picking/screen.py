"""The list from which the person picks saved papers."""

import gc
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress

from textual import on
from textual.app import ComposeResult
from textual.screen import Screen

from cache import shelf
from cache.conditions.filters import Filter
from cache.conditions.orders import OF_SHELF, NamedOrder, named
from cache.conditions.scopes import SHELF
from cache.shelf import ShelfRow
from cache.store import Store
from spar_tui.errors import Failure
from spar_tui.settings import Settings, load_settings
from spar_tui.tui.base_app import BaseApp
from spar_tui.tui.commands import bindings, bindings_of
from spar_tui.tui.models.shelf_rows import SavedPaper, entries, filtered, ordered
from spar_tui.tui.widgets.filter_line import FilterLine, SortedScreen
from spar_tui.tui.widgets.footer import Footer
from spar_tui.tui.widgets.saved.table import ShelfTable
from spar_tui.tui.widgets.table import Table

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


class PickTable(ShelfTable, inherit_bindings=False):
    """The shelf's table, for picking papers rather than reading them."""

    BINDINGS = bindings("picked paper", "lists", "matches")


class PickScreen(SortedScreen):
    """The shelf's `rows`, at first those that match `words`. `choose` gets the numbers of the picked papers, none if
    the person cancels."""

    BINDINGS = bindings("picking") + bindings_of("paper.mark", "paper.mark_all", "library.filter", "library.order")
    AUTO_FOCUS = "#shelf"
    orders = OF_SHELF
    app: "BaseApp"

    def __init__(
        self, store: Store, rows: Sequence[ShelfRow], words: str, choose: Callable[[Sequence[int]], None]
    ) -> None:
        super().__init__()
        self._store, self._words, self._choose = store, words, choose
        self.order = named("saved")
        self._all = ordered(entries(rows), self.order)
        self._marked: dict[int, None] = {}

    def compose(self) -> ComposeResult:
        yield PickTable()
        yield FilterLine(SHELF)
        yield Footer()

    def on_mount(self) -> None:
        line = self.query_one(FilterLine)
        line.value = self._words
        line.keep()
        self.show_filtered()

    def show_filtered(self) -> None:
        wanted = self.query_one(FilterLine).wanted
        # Filtered at once, so that Enter acts on the filter as typed.
        self._table.show(self._met(wanted))
        self._tell(wanted)

    def _met(self, wanted: Filter) -> Sequence[SavedPaper]:
        """Return the entries that match; ask the library only if the filter needs it, for example for full texts."""
        if not wanted.needs_library:
            return filtered(self._all, wanted)
        with self.app.reporting():
            numbers = {row.number for row in shelf.rows(self._store, wanted=wanted)}
            return [entry for entry in self._all if entry.row.number in numbers]
        return ()

    def _tell(self, wanted: Filter) -> None:
        marks = f" · {len(self._marked):,} marked" if self._marked else ""
        self._table.tell_columns(self._all, self.order)
        self._table.tell(len(self._all), wanted, self.order, marks)

    @property
    def _table(self) -> PickTable:
        return self.query_one(PickTable)

    def to_list(self) -> None:
        self.set_focus(self._table)

    # Actions

    @on(Table.Selected)
    def action_take(self) -> None:
        """Pick all marked papers, shown or not, in the order of marking; without marks, the paper under the cursor."""
        if chosen := list(self._marked) or [picked.row.number for picked in [self._table.row] if picked]:
            self._choose(chosen)

    def action_mark(self) -> None:
        """Mark or unmark the paper under the cursor, and go to the next."""
        if row := self._table.row:
            if row.row.number in self._marked:
                del self._marked[row.row.number]
            else:
                self._marked[row.row.number] = None
            self._show_marks()
            self._table.action_cursor_down()

    def action_mark_all(self) -> None:
        """Mark all shown papers; unmark all papers if these are marked."""
        shown = [row.row.number for row in self._table.rows]
        all_marked = all(number in self._marked for number in shown)
        self._marked = {} if all_marked else dict.fromkeys([*self._marked, *shown])
        self._show_marks()

    def _show_marks(self) -> None:
        self._table.mark(self._marked)
        self._tell(self.query_one(FilterLine).wanted)

    def order_by(self, order: NamedOrder) -> None:
        self.order = order
        self._all = ordered(self._all, order)
        self.show_filtered()

    def action_leave_empty_handed(self) -> None:
        """Leave the filter line if it has the focus; else end without a choice."""
        if self.query_one(FilterLine).has_focus:
            self.out_of_filter()
        else:
            self._choose([])


class PickApp(BaseApp, inherit_bindings=False):
    """The app that ends with the `chosen` numbers, none if the person cancels."""

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
    """Return the numbers of the papers that the person picks from `rows`, drawn on the terminal even if standard input
    and output are redirected. Raises `Failure` without a terminal, and the error of a crash."""
    app = PickApp(settings, store, rows, words)
    gc.freeze()  # loaded objects stay; collecting garbage among them delays keys
    with terminal_standing_in():
        app.run()
    if app.crash is not None:
        raise app.crash
    return app.chosen
