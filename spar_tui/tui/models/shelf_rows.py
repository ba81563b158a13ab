"""The rows of the shelf's table: filtered and ordered. No clock and no terminal."""

from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter

from cache.conditions import filters, orders
from cache.conditions.filters import Filter
from cache.conditions.orders import NamedOrder
from cache.conditions.table import Subject
from cache.shelf import ShelfRow


@dataclass(frozen=True, slots=True)
class Entry:
    """A saved paper, and what filters check of it."""

    row: ShelfRow
    subject: Subject


def entries(rows: Sequence[ShelfRow], before: Sequence[Entry] = ()) -> list[Entry]:
    """Return an entry for each row; reuse the entry in `before` of an unchanged row."""
    by_number = {entry.row.number: entry for entry in before}
    return [
        entry if (entry := by_number.get(row.number)) and entry.row == row else Entry(row, row.subject) for row in rows
    ]


def filtered(among: Sequence[Entry], wanted: Filter) -> Sequence[Entry]:
    """Return the entries of `among` that match `wanted`."""
    return filters.chosen(among, wanted, attrgetter("subject"))


def ordered(among: Sequence[Entry], by: NamedOrder) -> list[Entry]:
    """Sort `among` by an order, the last saved first among equals."""
    saved = orders.ordered(among, "saved", attrgetter("row.sortable"))
    return orders.ordered(saved, by.order.name, attrgetter("row.sortable"), by.reverse)


def next_order(by: NamedOrder, names: Sequence[str]) -> NamedOrder:
    """Return the order after this one: last saved first, then each of these columns."""
    cycle = list(dict.fromkeys(["saved", *names]))
    index = cycle.index(by.order.name) if by.order.name in cycle else -1
    return orders.named(cycle[(index + 1) % len(cycle)])
