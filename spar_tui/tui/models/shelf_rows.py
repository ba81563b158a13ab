"""What of the shelf is shown in its table: filtered and ordered. No clock and no terminal."""

from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter

from cache.filters import orders, subjects
from cache.filters.orders import Order
from cache.filters.subjects import Subject
from cache.filters.terms import Filter
from cache.shelf import ShelfRow


@dataclass(frozen=True, slots=True)
class Entry:
    """A saved paper, and what a filter looks at."""

    row: ShelfRow
    subject: Subject


def entries(rows: Sequence[ShelfRow], before: Sequence[Entry] = ()) -> list[Entry]:
    """An entry for each row; the one that stood in `before` for a row that is the same."""
    known = {entry.row.number: entry for entry in before}
    return [entry if (entry := known.get(row.number)) and entry.row == row else _entry(row) for row in rows]


def _entry(row: ShelfRow) -> Entry:
    text = subjects.text_of(row.title, row.authors, row.venue, row.year, row.tags, row.retracted)
    states = subjects.states_of(True, row.read, row.free, row.retracted)
    return Entry(row, Subject(text, row.year, row.citations, row.venue, row.authors, row.tags, states))


def filtered(among: Sequence[Entry], wanted: Filter) -> Sequence[Entry]:
    """Those of `among` that `wanted` asks for."""
    return subjects.chosen(among, wanted, attrgetter("subject"))


def ordered(among: Sequence[Entry], order: Order) -> list[Entry]:
    """`among` by `order`."""
    return orders.ordered(among, order, attrgetter("row"))
