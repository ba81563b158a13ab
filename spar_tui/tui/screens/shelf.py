"""The shelf: the papers that the person saved, to filter, sort, read and cite."""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from operator import attrgetter, itemgetter
from typing import Any

from rich.cells import cell_len
from textual import on, work
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widget import Widget

from cache import page_texts, papers, shelf
from cache.conditions import filters, orders
from cache.conditions.filters import Filter, parsed
from cache.conditions.orders import OF_SHELF, NamedOrder, named, short_names
from cache.conditions.scopes import SHELF
from cache.conditions.table import CheckedPaper
from cache.errors import CacheError
from cache.passages import Passage
from cache.reading_history import Feedback
from cache.shelf import ShelfRow, Shelved
from cache.store import PaperId
from connectors.paper import Paper
from connectors.records.clean import clean_text
from spar_tui.math_text import title_text, unmarked
from spar_tui.settings import Preferences
from spar_tui.tui.commands import PROMPTS, bindings
from spar_tui.tui.screens.dialogs.dialog import Dialog
from spar_tui.tui.screens.dialogs.paper_prompt import TextPrompt
from spar_tui.tui.screens.paper_actions import PaperActions
from spar_tui.tui.widgets.filter_line import FilterLine, SortedScreen
from spar_tui.tui.widgets.footer import Footer
from spar_tui.tui.widgets.panes import Panes
from spar_tui.tui.widgets.paper_page import PaperPage, empty_page, page
from spar_tui.tui.widgets.row_list import RowList
from spar_tui.tui.widgets.table import Column, Table, TableCell, filled
from spar_tui.tui.widgets.text import QUIET, plain


@dataclass(frozen=True, slots=True)
class SavedPaper:
    """A saved paper, and what filters check of it."""

    row: ShelfRow
    subject: CheckedPaper


def entries(rows: Sequence[ShelfRow], before: Sequence[SavedPaper] = ()) -> list[SavedPaper]:
    """Return an entry for each row; reuse the entry in `before` of an unchanged row."""
    by_number = {entry.row.number: entry for entry in before}
    return [
        entry if (entry := by_number.get(row.number)) and entry.row == row else SavedPaper(row, row.subject)
        for row in rows
    ]


def changed_rows(before: Sequence[SavedPaper], after: Sequence[SavedPaper]) -> set[int]:
    """Return the numbers of the new and changed rows. A first citation key is no change: any program that names a paper
    gives one."""
    rows = {entry.row.number: entry.row for entry in before}
    return {
        number
        for number, row in ((entry.row.number, entry.row) for entry in after)
        if (earlier := rows.get(number)) is None or earlier != (row if earlier.key else row._replace(key=""))
    }


def filtered(among: Sequence[SavedPaper], wanted: Filter) -> Sequence[SavedPaper]:
    """Return the entries of `among` that match `wanted`."""
    return filters.chosen(among, wanted, attrgetter("subject"))


def ordered(among: Sequence[SavedPaper], by: NamedOrder) -> list[SavedPaper]:
    """Sort `among` by an order, the last saved first among equals."""
    saved = orders.ordered(among, "saved", attrgetter("row.sortable"))
    return orders.ordered(saved, by.order.name, attrgetter("row.sortable"), by.reverse)


@dataclass(frozen=True, slots=True)
class KeptFilter:
    """A filter to choose: its `name`, its `text` for the filter line, and its number of papers; None if only the
    library can count them. A tag is indented by `level` steps; `kept` says whether the settings have the filter."""

    name: str
    text: str
    papers: int | None = None
    level: int = 0
    kept: bool = False


def kept_filters(among: Sequence[SavedPaper], kept: Mapping[str, str]) -> list[KeptFilter]:
    """Return all papers, then the person's filters, then the tags, each with its number of papers in `among`."""
    mine = [KeptFilter(name, text, _count(among, text), kept=True) for name, text in kept.items()]
    return [KeptFilter("all", "", len(among)), *mine, *_tags(among)]


def _count(among: Sequence[SavedPaper], text: str) -> int | None:
    wanted = parsed(text, SHELF)
    return None if wanted.needs_library else len(filtered(among, wanted))


def _tags(among: Sequence[SavedPaper]) -> list[KeptFilter]:
    """Return each tag and each level above it; a paper counts once per level, whatever number of its tags is below."""
    counts: Counter[str] = Counter()
    names: dict[str, str] = {}
    for entry in among:
        levels = {level.casefold(): level for tag in entry.row.tags for level in _levels(tag)}
        counts.update(levels.keys())
        names = levels | names
    ordered = sorted(counts, key=lambda tag: tag.split("/"))
    return [
        KeptFilter(f"#{names[tag].rpartition('/')[2]}", _filter_of(names[tag]), counts[tag], tag.count("/"))
        for tag in ordered
    ]


def _levels(tag: str) -> list[str]:
    """Return the levels of a tag: `a`, `a/b` and `a/b/c` for `a/b/c`."""
    parts = tag.split("/")
    return ["/".join(parts[: end + 1]) for end in range(len(parts))] if all(parts) else [tag]


def _filter_of(tag: str) -> str:
    return f'tag:"{tag}"' if any(letter in tag for letter in ' |"') else f"tag:{tag}"


@dataclass(frozen=True, slots=True)
class ColumnOption:
    """A column of the shelf table that can be shown or hidden."""

    name: str
    chosen: bool


_CHOICE_COLUMNS: tuple[Column[ColumnOption], ...] = (
    Column("", 2, lambda row: TableCell("✔" if row.chosen else "", "good")),
    Column("", 0, lambda row: TableCell(row.name, "plain" if row.chosen else "quiet")),
)


class ColumnList(Table[ColumnOption], inherit_bindings=False):
    """The columns, with the chosen ones first, in their order."""

    HEAD = 0
    BINDINGS = bindings("one column of the shelf", "lists")
    DEFAULT_CSS = "ColumnList, ColumnList:focus { height: 14; border: none; }"


class ColumnChoice(Dialog[tuple[str, ...] | None]):
    """Returns the names of the chosen columns in order; None if cancelled."""

    DEFAULT_CSS = "ColumnChoice > Vertical { width: 44; }"
    BINDINGS = bindings("choosing the columns of the shelf", "dialogs")
    AUTO_FOCUS = "ColumnList"
    heading = "Columns"

    def __init__(self, every: Sequence[str], chosen: Sequence[str]) -> None:
        super().__init__()
        names = [*chosen, *(name for name in every if name not in chosen)]
        self._options = [ColumnOption(name, name in chosen) for name in names]

    def parts(self) -> Iterator[Widget]:
        yield ColumnList(_CHOICE_COLUMNS, lambda column_option: column_option.name, id="columns")

    def on_mount(self) -> None:
        self._list.show(self._options)

    @property
    def _list(self) -> ColumnList:
        return self.query_one(ColumnList)

    def action_switch(self) -> None:
        index = self._list.place
        name, chosen = self._options[index].name, self._options[index].chosen
        self._options[index] = ColumnOption(name, not chosen or name == "title")  # a row needs its title
        self._list.show([*self._options])

    def action_shift(self, steps: int) -> None:
        index = self._list.place
        other = min(max(index + steps, 0), len(self._options) - 1)
        self._options.insert(other, self._options.pop(index))
        self._list.show([*self._options])

    def action_keep(self) -> None:
        self.dismiss(tuple(option.name for option in self._options if option.chosen))


def _name(kept_filter: KeptFilter) -> TableCell:
    return TableCell(
        "  " * kept_filter.level + kept_filter.name,
        "accent" if kept_filter.name.startswith("#") and not kept_filter.kept else "plain",
    )


_FILTER_COLUMNS: tuple[Column[KeptFilter], ...] = (
    Column("", 0, _name),
    Column("", 6, lambda row: TableCell("" if row.papers is None else f"{row.papers:,}"), right=True),
)


class SideList(Table[KeptFilter], inherit_bindings=False):
    """Filters and tags, each with its number of papers."""

    HEAD = 0
    BINDINGS = bindings("saved filters and tags of the shelf", "lists")
    DEFAULT_CSS = "SideList { width: 26; display: none; }"

    def __init__(self) -> None:
        super().__init__(_FILTER_COLUMNS, lambda row: (row.kept, row.text), id="side")


_RATINGS: dict[Feedback, TableCell] = {1: TableCell("▲", "good"), 0: TableCell(" "), -1: TableCell("▼", "trouble")}
_LEAST_FITTED, _FITTED = 12, 16
"""The least cells of a fitted column, and those that there must be room for."""
_CUT = 10
"""Hidden letters that a cut text counts for besides its own, so that few texts are cut rather than many by little."""
_LEAST_TITLE = 40
"""The title gets at least these cells and half of the table; other columns share the rest."""


def _title(entry: SavedPaper) -> TableCell:
    if entry.row.retracted:
        return TableCell(f"RETRACTED {unmarked(title_text(entry.row), True)}", "trouble")
    return TableCell(title_text(entry.row), "plain" if entry.row.read else "strong")


def _rating(entry: SavedPaper) -> TableCell:
    rating = _RATINGS[entry.row.rating]
    return TableCell(f"{rating.text}{'✎' if entry.row.noted else ''}", rating.tone)


def _cited(entry: SavedPaper) -> TableCell:
    return TableCell("" if entry.row.citations is None else f"{entry.row.citations:,}")


def _tags_text(entry: SavedPaper) -> str:
    return " ".join(f"#{tag}" for tag in entry.row.tags)


COLUMNS: Mapping[str, Column[SavedPaper]] = {
    "rating": Column("", 2, _rating, order="rating"),
    "title": Column("Title", 0, _title, order="title"),
    "author": Column(
        "Authors", 28, lambda row: TableCell(short_names(row.row.authors, row.row.et_al)), order="author", fitted=True
    ),
    "year": Column("Year", 5, lambda row: TableCell(str(row.row.year or "")), order="year"),
    "tags": Column("Tags", 28, lambda row: TableCell(_tags_text(row), "accent"), order="tags", fitted=True),
    "venue": Column("Venue", 28, lambda row: TableCell(row.row.venue), order="venue", fitted=True),
    "citations": Column("Cited", 7, _cited, order="citations", right=True),
    "key": Column("Key", 28, lambda row: TableCell(row.row.key), order="key", fitted=True),
    "pdf": Column(
        "PDF", 4, lambda row: TableCell("file" if row.row.filed else "free" if row.row.free else ""), order="pdf"
    ),
    "read": Column("Read", 10, lambda row: TableCell(row.row.read_on[:10]), order="read"),
    "saved": Column("Saved", 10, lambda row: TableCell(row.row.saved[:10]), order="saved"),
    "found": Column("Found", 10, lambda row: TableCell(row.row.first_seen[:10]), order="found"),
}
"""The columns, by the name of the order that sorts by them."""


class ShelfTable(Table[SavedPaper]):
    """Saved papers to choose from; their keys are their numbers in the library."""

    def __init__(self, names: Sequence[str] = Preferences().shelf_columns) -> None:
        super().__init__([], lambda entry: entry.row.number, id="shelf")
        self.names = names
        """The names of the columns; empty ones are hidden, and as many others shown as leave room for the title."""
        self._lengths: Mapping[str, Counter[int]] = {}
        """How often each length of a text occurs in the title's column and in those that are fitted."""
        self._widths: dict[int, list[tuple[Column[SavedPaper], int]]] = {}

    def tell(self, every: int, wanted: Filter, order: NamedOrder, marks: str) -> None:
        """Show above how many of `every` are shown and marked; below, the order."""
        shown = len(self.rows)
        many = f"{shown:,} of {every:,}" if wanted.terms else f"{every:,}"
        below = "no match" if every and not shown else order.order.title(order.reverse)
        self.entitle(plain(f"Shelf {many}{marks}"), plain(below))

    def tell_columns(self, among: Sequence[SavedPaper], order: NamedOrder) -> None:
        """Show the person's columns, except empty ones, and mark the head of the `order`."""
        names = self.names if "title" in self.names else ("title", *self.names)
        columns = filled([COLUMNS[name] for name in names], among)
        lengths = {
            column.title: Counter(cell_len(column.cell(row).text) for row in among)
            for column in columns
            if column.fitted or not column.width
        }
        self._widths.clear()
        if lengths != self._lengths:
            self._lengths = lengths
            self._drawn.clear()
            self.refresh()
        self.set_columns(columns, order.order.name, order.order.descending is not order.reverse)

    def widths(self, width: int) -> list[tuple[Column[SavedPaper], int]]:
        if self._columns and width not in self._widths:
            self._widths[width] = self._shared(width)
        return self._widths.get(width, [])

    def _shared(self, width: int) -> list[tuple[Column[SavedPaper], int]]:
        """Return the columns that leave room for the title, with their cells. Those that are fitted get cells of the
        title as long as that saves more cut texts and letters than it costs."""
        least_title = max(_LEAST_TITLE, width // 2)
        room = width - 2 - least_title
        shown: dict[Column[SavedPaper], int] = {}
        for column in self._columns:
            least = min(column.width, _LEAST_FITTED) if column.fitted else column.width
            wanted = min(column.width, _FITTED) if column.fitted else least
            if wanted < room - sum(cells + 1 for cells in shown.values() if cells) or not wanted:
                shown[column] = least
        title = next(column for column in shown if not column.width)
        shown[title] = max(width - 2 - sum(shown.values()) - len(shown), 8)
        least_title = min(least_title, max(self._lengths[title.title], default=0))

        def saved(column: Column[SavedPaper], more: int) -> float:
            """Return how much the costs of a column and the title fall per cell if the column gets `more` cells."""
            own, titles = shown[column], shown[title]
            gain = self._cost(column, own) - self._cost(column, own + more)
            return (gain - self._cost(title, titles - more) + self._cost(title, titles)) / more

        while steps := [
            (gain, column, more)
            for column, cells in shown.items()
            for more in range(1, min(column.width - cells, shown[title] - least_title) + 1)
            if column.fitted and (gain := saved(column, more)) >= 0
        ]:
            _, column, more = max(steps, key=itemgetter(0))
            shown[column] += more
            shown[title] -= more
        return list(shown.items())

    def _cost(self, column: Column[SavedPaper], cells: int) -> int:
        """Return how many letters of a column are hidden, and for each cut text `_CUT` more."""
        lengths = self._lengths[column.title].items()
        return sum((length - cells + _CUT) * number for length, number in lengths if length > cells)


class ShelfScreen(PaperActions, SortedScreen):
    """The shelf as a table. Beside it is the page of the paper under the cursor, if there is room, and on the other
    side, on request, the saved filters and the tags."""

    DEFAULT_CSS = """
    ShelfScreen #page { width: 38%; display: none; }
    ShelfScreen.-wide #page { display: block; }
    ShelfScreen #middle { width: 1fr; }
    ShelfScreen.sided #side { display: block; }
    ShelfScreen.sided.-narrow #side { width: 1fr; }
    ShelfScreen.sided.-narrow #middle { display: none; }
    """
    BINDINGS = bindings("shelf", "any paper")
    AUTO_FOCUS = "#shelf"
    orders = OF_SHELF

    def __init__(self) -> None:
        super().__init__()
        self.order = named("saved")
        self._all: Sequence[SavedPaper] = ()
        self._read = False
        self._changed: set[int] = set()

    def compose(self) -> ComposeResult:
        with Panes(id="panes"):
            yield SideList()
            with Vertical(id="middle"):
                yield ShelfTable(self.app.settings.preferences.shelf_columns)
                yield FilterLine(SHELF)
            yield PaperPage("page")
        yield Footer()

    def on_mount(self) -> None:
        self._page.border_title = Content("Paper")
        self._side.entitle(Content("Filters"), plain(f"{self.app.key_shown('library.keep')} saves the filter"))
        self.show_filtered()

    @property
    def _empty(self) -> Content:
        """Text on how to save papers, for an empty shelf."""
        save, bring = self.app.key_shown("paper.save"), self.app.key_shown("app.import")
        lines = ["Nothing is saved yet. Try:", f"  {save}  on a paper of any search", f"  {bring}  to import a file"]
        return Content("\n").join(plain(line, QUIET) for line in lines)

    @property
    def _table(self) -> ShelfTable:
        return self.query_one(ShelfTable)

    @property
    def _side(self) -> SideList:
        return self.query_one(SideList)

    @property
    def _page(self) -> PaperPage:
        return self.query_one(PaperPage)

    async def library_changed(self) -> None:
        store, order, before, by_others = self.app.store, self.order, self._all, self.app.follower.by_others
        every = await asyncio.to_thread(lambda: ordered(entries(shelf.rows(store), before), order))
        if self._read and every == self._all and not self.query_one(FilterLine).wanted.needs_library:
            self._show_page()  # the page shows more about its paper than the table
            return
        if self._read:
            # What others change may come in several steps: each adds its signs, and the person's next change ends them.
            self._changed = self._changed | changed_rows(before, every) if by_others else set()
            self._table.note(self._changed)
        self._all, self._read = every if order == self.order else ordered(every, self.order), True
        there = {entry.row.number for entry in self._all}
        self.marked = {key: None for key in self.marked if key in there}
        self.show_marks()
        self.show_filtered()
        await self._show_side()

    def show_filtered(self) -> None:
        self._table.show_nothing(Content("") if self._all or not self._read else self._empty)
        wanted = self.query_one(FilterLine).wanted
        if wanted.needs_library:
            self._look_into_full_texts(wanted)
        else:
            self._show_rows(filtered(self._all, wanted))

    @work(group="full texts", exclusive=True)
    async def _look_into_full_texts(self, wanted: Filter) -> None:
        """Show the papers that the library selects, which alone has full texts, unless the filter has changed."""
        with self.app.reporting():
            chosen = await asyncio.to_thread(lambda: {row.number for row in shelf.rows(self.app.store, filters=wanted)})
            if wanted == self.query_one(FilterLine).wanted:
                self._show_rows([entry for entry in self._all if entry.row.number in chosen])

    async def _show_side(self) -> None:
        """Count the papers of each saved filter again, if the list of filters is shown."""
        if self.has_class("sided"):
            every, kept = self._all, self.app.settings.filters
            rows = await asyncio.to_thread(kept_filters, every, kept)
            text = self.query_one(FilterLine).value.strip()
            self._side.show(rows, next(((row.kept, row.text) for row in rows if row.text == text), None))

    def _show_rows(self, rows: Sequence[SavedPaper]) -> None:
        self._table.tell_columns(self._all, self.order)
        self._table.show(rows)
        self._entitle()
        self._show_page()
        self.refresh_bindings()

    def _entitle(self) -> None:
        """Show above the table how many papers there are and are marked, below it the order."""
        if self._read:
            self._table.tell(len(self._all), self.query_one(FilterLine).wanted, self.order, self.marks_told)
        else:
            self._table.entitle(plain("Shelf: reading…"), plain(self.order.order.title(self.order.reverse)))

    def on_resize(self) -> None:
        self.call_after_refresh(self._show_page)  # the page may have become visible

    def _show_page(self) -> None:
        if not self._page.display:
            return
        number = self._number
        if number is None:
            self._page.show(None, empty_page())
        elif paper := self.paper_of(number):
            self._page.show(number, page(paper, shelved=self._shelved(number), passages=self._passages(number)))

    def _shelved(self, number: int) -> Shelved | None:
        with self.app.reporting():
            return shelf.shelved(self.app.store, number)
        return None

    def _passages(self, number: int) -> Sequence[Passage]:
        """Return where the paper's full text has the words of the filter, if the filter searches full texts."""
        wanted = self.query_one(FilterLine).wanted
        with self.app.reporting():
            return page_texts.passages(self.app.store, number, wanted) if wanted.in_full_texts else ()
        return ()

    @on(Table.Highlighted, "#shelf")
    def _highlighted(self) -> None:
        self._page.at_rest(self._at_rest)

    def _at_rest(self) -> None:
        self._show_page()
        if self._page.display and self.key is not None:
            self.looking_at(self.key)

    @on(Table.Selected, "#shelf")
    def _selected(self) -> None:
        self.open_at_hand()

    @property
    def key(self) -> int | None:
        """The paper's number; None while the filters have the focus."""
        return None if self.is_mounted and self._side.has_focus else self._number

    @property
    def _number(self) -> int | None:
        row = self._table.row if self.is_mounted else None
        return row.row.number if row else None

    def paper_of(self, key: int) -> Paper | None:
        with self.app.reporting():
            return next(iter(papers.by_ids(self.app.store, [key])), None)
        return None

    async def read_papers(self, keys: Sequence[int]) -> list[Paper]:
        return await asyncio.to_thread(self._papers_at, keys)

    def _papers_at(self, numbers: Sequence[int]) -> list[Paper]:
        try:
            return papers.by_ids(self.app.store, numbers)
        except CacheError as error:
            self.app.call_from_thread(self.app.say, str(error), "error", 10)
            return []

    def numbers_of(self, keys: Sequence[int]) -> Callable[[], Sequence[PaperId]]:
        # The numbers are known and suffice; reading 10,000 records would take seconds.
        numbers = [PaperId(key) for key in keys]
        return lambda: numbers

    def keys_shown(self) -> Sequence[int]:
        return [row.row.number for row in self._table.rows]

    @property
    def saved_keys(self) -> Set[int]:
        return set(self.keys_chosen)

    def show_marks(self) -> None:
        self._table.mark(self.marked)
        self._entitle()

    @property
    def walked(self) -> RowList[Any]:
        return self._table

    def to_list(self) -> None:
        self.set_focus(self._table)

    def order_by(self, order: NamedOrder) -> None:
        self.order = order
        self._all = ordered(self._all, order)
        self.show_filtered()

    @property
    def order_cycle(self) -> Sequence[str]:
        """The last saved first, then the columns."""
        return list(dict.fromkeys(["saved", *self._table.names]))

    @on(Table.HeadClicked)
    def _head_clicked(self, event: Table.HeadClicked) -> None:
        """Sort by the column; when called again, reverse the order."""
        again = event.order == self.order.order.name
        self.order_by(named(event.order, again and not self.order.reverse))

    def action_columns(self) -> None:

        def use(names: Sequence[str] | None) -> None:
            if names is not None:
                self._table.names = names
                self.show_filtered()
                if problem := self.app.change_setting("shelf_columns", ",".join(names)):
                    self.app.say(f"The columns could not be saved: {problem}", "warning", 10)

        self.app.push_screen(ColumnChoice(OF_SHELF, self._table.names), use)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "keep_filter":
            wanted = self.query_one(FilterLine).wanted
            return bool(wanted.terms and not wanted.problems)
        if action == "forget_filter":
            return self._side.row is not None and self._side.row.kept
        return super().check_action(action, parameters)

    async def action_side(self) -> None:
        """Go to the saved filters; from there, close them."""
        if self._side.has_focus:
            self.remove_class("sided")
            self.to_list()
            return
        self.add_class("sided")
        await self._show_side()
        self.set_focus(self._side)

    @on(Table.Highlighted, "#side")
    def _filter_highlighted(self, event: Table.Highlighted) -> None:
        """Preview the filter, unless another one that is not saved would be lost."""
        text = self.query_one(FilterLine).value.strip()
        if self._side.has_focus and any(row.text == text for row in self._side.rows):
            self._use_filter(event.row)

    @on(Table.Selected, "#side")
    def _filter_chosen(self, event: Table.Selected) -> None:
        self._use_filter(event.row)
        if self.has_class("-narrow"):
            self.remove_class("sided")
        self.to_list()

    def _use_filter(self, chosen: KeptFilter) -> None:
        line = self.query_one(FilterLine)
        line.value = chosen.text
        line.keep()

    @work(group=PROMPTS)
    async def action_keep_filter(self) -> None:
        text = self.query_one(FilterLine).value.strip()
        names = {kept: name for name, kept in self.app.settings.filters.items()}
        asking = TextPrompt(f"Save the filter “{text}” as", names.get(text, text), replaced=True)
        name = await self.app.push_screen_wait(asking)
        if name and (name := clean_text(name, 100)):
            self._set_filter(name, text)

    def action_forget_filter(self) -> None:
        if (row := self._side.row) and row.kept:
            self._set_filter(row.name, "")

    @work(group="side")
    async def _set_filter(self, name: str, text: str) -> None:
        if problem := self.app.change_filter(name, text):
            self.app.say(problem, "error", 10)
            return
        self.app.say(f"Saved “{name}” · {self.app.key_shown('library.side')} filters" if text else f"Deleted “{name}”")
        await self._show_side()

    def action_back(self) -> None:
        """Go from the filters to the papers; then remove the marks; then leave the filter; then go to the searches."""
        if self._side.has_focus:
            if self.has_class("-narrow"):
                self.remove_class("sided")
            self.to_list()
        elif not (self.drop_marks() or self.out_of_filter()):
            self.app.action_go("search")
