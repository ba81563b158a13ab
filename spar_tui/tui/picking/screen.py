"""The list from which the person picks saved papers."""

import gc
from collections.abc import Callable, Sequence

from textual import on
from textual.app import ComposeResult
from textual.screen import Screen

from cache import shelf
from cache.conditions.filters import Filter
from cache.conditions.orders import OF_SHELF, named
from cache.conditions.scopes import SHELF
from cache.errors import CacheError
from cache.shelf import ShelfRow
from cache.store import Store
from spar_tui.settings import Settings, load_settings
from spar_tui.tui.base_app import BaseApp
from spar_tui.tui.commands import bindings, bindings_of
from spar_tui.tui.models.shelf_rows import Entry, entries, filtered, next_order, ordered
from spar_tui.tui.terminal.standing_in import terminal_standing_in
from spar_tui.tui.widgets.filter_line import FilteredScreen, FilterLine
from spar_tui.tui.widgets.footer import Footer
from spar_tui.tui.widgets.saved.table import ShelfTable
from spar_tui.tui.widgets.table import Table


class PickTable(ShelfTable, inherit_bindings=False):
    """The shelf's table, for picking papers rather than reading them."""

    BINDINGS = bindings("picked paper", "lists", "matches")


class PickScreen(FilteredScreen):
    """The shelf's `rows`, at first those that match `words`. `choose` gets the numbers of the picked papers, none if
    the person cancels."""

    BINDINGS = bindings("picking") + bindings_of("paper.mark", "paper.mark_all", "library.filter", "library.order")
    AUTO_FOCUS = "#shelf"
    app: "BaseApp"

    def __init__(
        self, store: Store, rows: Sequence[ShelfRow], words: str, choose: Callable[[Sequence[int]], None]
    ) -> None:
        super().__init__()
        self._store, self._words, self._choose = store, words, choose
        self._order = named("saved")
        self._all = ordered(entries(rows), self._order)
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

    def _met(self, wanted: Filter) -> Sequence[Entry]:
        """Return the entries that match; ask the library only if the filter needs it, for example for full texts."""
        if not wanted.needs_library:
            return filtered(self._all, wanted)
        try:
            numbers = {row.number for row in shelf.rows(self._store, wanted=wanted)}
        except CacheError as error:
            self.app.say(str(error), "error", 10)
            return ()
        return [entry for entry in self._all if entry.row.number in numbers]

    def _tell(self, wanted: Filter) -> None:
        marks = f" · {len(self._marked):,} marked" if self._marked else ""
        self._table.tell_columns(self._all, self._order)
        self._table.tell(len(self._all), wanted, self._order, marks)

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

    def action_order(self) -> None:
        """Sort by the next column; the cursor stays on its paper."""
        self._order = next_order(self._order, OF_SHELF)
        self._all = ordered(self._all, self._order)
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
