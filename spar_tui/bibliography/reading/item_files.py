"""Read the entries of files whose records become CSL items."""

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import TypeVar

from spar_tui.bibliography.reading.csl_json import item_entry
from spar_tui.bibliography.reading.entries import MOST_ENTRIES, found_of
from spar_tui.bibliography.reading.entries_read import FileEntries, Problem
from spar_tui.bibliography.reading.name_lines import names_in, order_of
from spar_tui.bibliography.reading.translation import PEOPLE_IN_CSL, SECONDARY, FieldTable, Item, item_of

T = TypeVar("T")


def found_in_items(items: Iterable[tuple[int, Item]], problems: Sequence[Problem] = ()) -> FileEntries:
    """Return the entries of items with their lines. Raises `ValueError` if there are too many."""
    return found_of((item_entry(item, line) for line, item in bounded(items)), problems)


def found_in_fields(
    records: Iterable[tuple[int, Iterable[tuple[str, str]]]], table: FieldTable, problems: Sequence[Problem] = ()
) -> FileEntries:
    """Return the entries of records, given as fields with their lines; all names decide the order of each one."""
    listed = [(line, list(fields)) for line, fields in bounded(records)]
    if not table.order:
        people = {name for name, member in table.members.items() if member in PEOPLE_IN_CSL or member in SECONDARY}
        cells = (text for _, fields in listed for name, text in fields if name in people)
        table = table._replace(order=order_of(name for cell in cells for name in names_in(cell)))
    return found_in_items(((line, item_of(fields, table)) for line, fields in listed), problems)


def bounded(records: Iterable[T]) -> list[T]:
    """Return the records as a list. Raises `ValueError` if there are too many, before processing them."""
    first = list(islice(records, MOST_ENTRIES + 1))
    if len(first) > MOST_ENTRIES:
        raise ValueError(f"it has more than {MOST_ENTRIES:,} records; split it")
    return first
