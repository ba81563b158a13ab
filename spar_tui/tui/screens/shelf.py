"""The shelf: the papers that the person saved, to filter, order, read and cite."""

import asyncio
from collections.abc import Callable, Sequence, Set
from typing import Any

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from cache import page_texts, papers, shelf
from cache.conditions.filters import Filter
from cache.conditions.orders import OF_SHELF, ORDERS
from cache.conditions.scopes import SHELF
from cache.errors import CacheError
from cache.passages import Passage
from cache.shelf import Shelved
from cache.store import PaperId
from connectors.paper import Paper
from spar_tui.tui.commands import bindings
from spar_tui.tui.models.shelf_rows import Entry, entries, filtered, ordered
from spar_tui.tui.screens.paper_actions import PaperActions
from spar_tui.tui.widgets.filter_line import FilteredScreen, FilterLine
from spar_tui.tui.widgets.footer import Footer
from spar_tui.tui.widgets.panes import Panes
from spar_tui.tui.widgets.paper_page import PaperPage, empty_page, page
from spar_tui.tui.widgets.row_list import RowList
from spar_tui.tui.widgets.saved.table import ShelfTable
from spar_tui.tui.widgets.table import Table
from spar_tui.tui.widgets.text import QUIET, plain


class ShelfScreen(PaperActions, FilteredScreen):
    """The shelf as a table, and beside it, where there is room, the page of the paper under the cursor."""

    DEFAULT_CSS = """
    ShelfScreen #panes { height: 1fr; }
    ShelfScreen #page {
        border: round $border-blurred; background: $background; border-title-color: $foreground;
        border-subtitle-color: $foreground 60%; scrollbar-size-vertical: 1; width: 38%; display: none; }
    ShelfScreen #page:focus { border: round $border; background-tint: transparent; }
    ShelfScreen.-wide #page { display: block; }
    ShelfScreen #middle { width: 1fr; }
    ShelfScreen #empty { height: 1fr; padding: 1 2; display: none; }
    ShelfScreen.empty #empty { display: block; }
    ShelfScreen.empty #panes { display: none; }
    """
    BINDINGS = bindings("shelf", "papers")
    AUTO_FOCUS = "#shelf"

    def __init__(self) -> None:
        super().__init__()
        self.order = "saved"
        self._all: Sequence[Entry] = ()
        self._read = False

    def compose(self) -> ComposeResult:
        with Panes(id="panes"):
            with Vertical(id="middle"):
                yield ShelfTable()
                yield FilterLine(SHELF)
            yield PaperPage("page")
        yield Static(_empty(), id="empty")
        yield Footer()

    def on_mount(self) -> None:
        self._page.border_title = Content("Paper")
        self.show_filtered()

    # What is shown

    @property
    def _table(self) -> ShelfTable:
        return self.query_one(ShelfTable)

    @property
    def _page(self) -> PaperPage:
        return self.query_one(PaperPage)

    async def library_changed(self) -> None:
        store, order, before = self.app.store, self.order, self._all
        every = await asyncio.to_thread(lambda: ordered(entries(shelf.rows(store), before), order))
        if self._read and every == self._all and not self.query_one(FilterLine).wanted.needs_library:
            self._show_page()  # which tells more of its paper than the table
            return
        self._all, self._read = every if order == self.order else ordered(every, self.order), True
        there = {one.row.number for one in self._all}
        self.marked = {key: None for key in self.marked if key in there}
        self.show_marks()
        self.show_filtered()

    def show_filtered(self) -> None:
        self.set_class(self._read and not self._all, "empty")
        wanted = self.query_one(FilterLine).wanted
        if wanted.needs_library:
            self._look_into_full_texts(wanted)
        else:
            self._show_rows(filtered(self._all, wanted))

    @work(group="full texts", exclusive=True)
    async def _look_into_full_texts(self, wanted: Filter) -> None:
        """Show the papers that the library chooses, which alone has full texts, unless others are wanted by then."""
        try:
            chosen = await asyncio.to_thread(lambda: {row.number for row in shelf.rows(self.app.store, wanted=wanted)})
        except CacheError as error:
            self.app.say(str(error), "error", 10)
            return
        if wanted == self.query_one(FilterLine).wanted:
            self._show_rows([one for one in self._all if one.row.number in chosen])

    def _show_rows(self, rows: Sequence[Entry]) -> None:
        self._table.show(rows)
        self._entitle()
        self._show_page()
        self.refresh_bindings()

    def _entitle(self) -> None:
        """Above the table: how many there are, and are marked; below: the order."""
        if self._read:
            self._table.tell(len(self._all), self.query_one(FilterLine).wanted, self.order, self.marks_told)
        else:
            self._table.entitle(plain("Shelf: reading…"), plain(ORDERS[self.order].title()))

    def on_resize(self) -> None:
        self.call_after_refresh(self._show_page)  # which may have come into sight

    def _show_page(self) -> None:
        if not self._page.display:
            return
        number = self.key
        if number is None:
            self._page.show(None, empty_page())
        elif paper := self.paper_of(number):
            self._page.show(number, page(paper, shelved=self._shelved(number), passages=self._passages(number)))

    def _shelved(self, number: int) -> Shelved | None:
        try:
            return shelf.shelved(self.app.store, number)
        except CacheError as error:
            self.app.say(str(error), "error", 10)
            return None

    def _passages(self, number: int) -> Sequence[Passage]:
        """Where the words of the filter stand in the paper's full text, if they are looked for there."""
        wanted = self.query_one(FilterLine).wanted
        try:
            return page_texts.passages(self.app.store, number, wanted) if wanted.in_full_texts else ()
        except CacheError as error:
            self.app.say(str(error), "error", 10)
            return ()

    @on(Table.Highlighted)
    def _highlighted(self) -> None:
        self._page.at_rest(self._at_rest)

    def _at_rest(self) -> None:
        self._show_page()
        if self._page.display and self.key is not None:
            self.looking_at(self.key)

    @on(Table.Selected)
    def _selected(self) -> None:
        if self.paper:
            self.app.open_paper(self.paper)

    def action_whole(self) -> None:
        """The paper on a screen of its own."""
        self._selected()

    # What is at hand

    @property
    def key(self) -> int | None:
        """The paper's number."""
        row = self._table.row if self.is_mounted else None
        return row.row.number if row else None

    def paper_of(self, key: int) -> Paper | None:
        try:
            return next(iter(papers.by_ids(self.app.store, [key])), None)
        except CacheError as error:
            self.app.say(str(error), "error", 10)
            return None

    async def read_chosen(self) -> list[Paper]:
        return await asyncio.to_thread(self._papers_at, self.keys_chosen)

    def _papers_at(self, numbers: Sequence[int]) -> list[Paper]:
        try:
            return papers.by_ids(self.app.store, numbers)
        except CacheError as error:
            self.app.call_from_thread(self.app.say, str(error), "error", 10)
            return []

    def pick(self) -> Callable[[], Sequence[PaperId]]:
        # Their numbers are all that is known of the rows, and all that is needed: to read 10,000 records takes seconds.
        numbers = [PaperId(key) for key in self.keys_chosen]
        return lambda: numbers

    def keys_shown(self) -> Sequence[int]:
        return [one.row.number for one in self._table.rows]

    @property
    def saved_keys(self) -> Set[int]:
        return set(self.keys_chosen)

    def show_marks(self) -> None:
        self._table.mark(self.marked)
        self._entitle()

    @property
    def walked(self) -> RowList[Any]:
        return self._table

    # What the person does

    def to_list(self) -> None:
        self.set_focus(self._table)

    def action_order(self) -> None:
        """Order by the next column; the cursor stays on its paper."""
        self.order = OF_SHELF[(OF_SHELF.index(self.order) + 1) % len(OF_SHELF)]
        self._all = ordered(self._all, self.order)
        self.show_filtered()

    def action_back(self) -> None:
        """Without marks; out of the filter; then to the searches."""
        if self.drop_marks():
            return
        if not self.out_of_filter():
            self.app.action_go("search")


def _empty() -> Content:
    lines = ["Nothing is saved yet. Try:", "  s      on a paper of any search", "  spar import FILE.bib   in a shell"]
    return Content("\n").join([plain(lines[0], QUIET), *map(plain, lines[1:])])
