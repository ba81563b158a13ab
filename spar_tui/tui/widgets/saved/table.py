"""The table of saved papers."""

from collections.abc import Mapping, Sequence

from cache.conditions.filters import Filter
from cache.conditions.orders import NamedOrder, short_names
from cache.reading_history import Feedback
from spar_tui.math_text import title_text, unmarked
from spar_tui.settings import Preferences
from spar_tui.tui.commands import bindings
from spar_tui.tui.models.shelf_rows import KeptFilter, SavedPaper
from spar_tui.tui.widgets.table import Column, Table, TableCell, filled
from spar_tui.tui.widgets.text import plain


def _name(kept_filter: KeptFilter) -> TableCell:
    return TableCell(
        "  " * kept_filter.level + kept_filter.name,
        "accent" if kept_filter.name.startswith("#") and not kept_filter.kept else "plain",
    )


_COLUMNS: tuple[Column[KeptFilter], ...] = (
    Column("", 0, _name),
    Column("", 6, lambda row: TableCell("" if row.papers is None else f"{row.papers:,}"), right=True),
)


class SideList(Table[KeptFilter], inherit_bindings=False):
    """Filters and tags, each with its number of papers."""

    HEAD = 0
    BINDINGS = bindings("side list", "lists")
    DEFAULT_CSS = "SideList { width: 26; display: none; }"

    def __init__(self) -> None:
        super().__init__(_COLUMNS, lambda row: (row.kept, row.text), id="side")


_RATINGS: dict[Feedback, TableCell] = {1: TableCell("▲", "good"), 0: TableCell(" "), -1: TableCell("▼", "trouble")}
_LEAST_FITTED = 12
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


def _tags(entry: SavedPaper) -> str:
    return " ".join(f"#{tag}" for tag in entry.row.tags)


COLUMNS: Mapping[str, Column[SavedPaper]] = {
    "rating": Column("", 2, _rating, order="rating"),
    "title": Column("Title", 0, _title, order="title"),
    "author": Column("Authors", 16, lambda row: TableCell(short_names(row.row.authors, row.row.et_al)), order="author"),
    "year": Column("Year", 5, lambda row: TableCell(str(row.row.year or "")), order="year"),
    "tags": Column("Tags", 28, lambda row: TableCell(_tags(row), "accent"), order="tags", fitted=True),
    "venue": Column("Venue", 20, lambda row: TableCell(row.row.venue), order="venue", fitted=True),
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
        self.set_columns(columns, order.order.name, order.order.descending is not order.reverse)

    def widths(self, width: int) -> list[tuple[Column[SavedPaper], int]]:
        room = width - 2 - max(_LEAST_TITLE, width // 2)
        shown = []
        for column in self._columns:
            cells = min(column.width, max(room - 1, _LEAST_FITTED)) if column.fitted else column.width
            if cells < room or not cells:
                shown.append((column, cells))
                room -= cells + 1 if cells else 0
        left = width - 2 - sum(cells for _, cells in shown) - len(shown)
        return [(column, cells or max(left, 8)) for column, cells in shown]
