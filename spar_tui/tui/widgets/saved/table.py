"""The saved papers as a table, wherever it is shown."""

from cache.conditions.filters import Filter
from cache.conditions.orders import ORDERS, short_names
from cache.shelf import Feedback
from spar_tui.tui.models.shelf_rows import Entry
from spar_tui.tui.widgets.table import Cell, Column, Table
from spar_tui.tui.widgets.text import plain

_RATINGS: dict[Feedback, Cell] = {1: Cell("▲", "good"), 0: Cell(" "), -1: Cell("▼", "trouble")}


def _title(one: Entry) -> Cell:
    if one.row.retracted:
        return Cell(f"RETRACTED {one.row.title}", "trouble")
    return Cell(one.row.title, "plain" if one.row.read else "strong")


_COLUMNS: tuple[Column[Entry], ...] = (
    Column("", 1, lambda one: Cell(" " if one.row.read else "•", "accent")),
    Column("", 1, lambda one: _RATINGS[one.row.rating], 60),
    Column("Title", 0, _title),
    Column("Authors", 16, lambda one: Cell(short_names(one.row.authors, one.row.et_al)), 60),
    Column("Year", 4, lambda one: Cell(str(one.row.year or ""))),
    Column("Venue", 20, lambda one: Cell(one.row.venue), 110),
    Column("Tags", 16, lambda one: Cell(" ".join(f"#{tag}" for tag in one.row.tags), "accent"), 80),
    Column("", 1, lambda one: Cell("✎" if one.row.noted else " "), 72),
    Column("Saved", 10, lambda one: Cell(one.row.saved[:10]), 100),
)


class ShelfTable(Table[Entry]):
    """Saved papers to choose from, each known by its number in the library."""

    DEFAULT_CSS = """
    ShelfTable { border: round $border-blurred; border-title-color: $foreground;
                 border-subtitle-color: $foreground 60%; scrollbar-size-vertical: 1; }
    ShelfTable:focus { border: round $border; background-tint: transparent; }
    """

    def __init__(self) -> None:
        super().__init__(_COLUMNS, lambda one: one.row.number, id="shelf")

    def tell(self, every: int, wanted: Filter, order: str, marks: str) -> None:
        """Say above how many of `every` are shown, and what is told of the marked ones; below, the order."""
        shown = len(self.rows)
        many = f"{shown:,} of {every:,}" if wanted.terms else f"{every:,}"
        below = "nothing meets the filter" if every and not shown else ORDERS[order].title()
        self.entitle(plain(f"Shelf {many}{marks}"), plain(below))
