"""A row that cannot be read costs itself and no other: it is passed over, and named to whoever asks.

A cell can be damaged in a file whose pages are all in order: JSON cut short, a number where a date was. Every list that
is made of rows is made here.
"""

import json
from collections.abc import Callable, Iterable, Sequence
from threading import Lock
from typing import Any, NamedTuple, TypeVar

from cache.errors import UnreadableRow

T = TypeVar("T")
_FAULTS = (ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError)


class RowName(NamedTuple):
    """A row by its table and what it is called there."""

    table: str
    name: str


_passed_over: dict[RowName, None] = {}
_lock = Lock()


def lenient_text(raw: bytes) -> str:
    """The text of a cell; what is no UTF-8 in it becomes a replacement character."""
    return raw.decode("utf-8", "replace")


def readable(table: str, rows: Iterable[Sequence[Any]], read: Callable[[Sequence[Any]], T]) -> list[T]:
    """What `read` makes of each row of a table; one that cannot be read is passed over. Its first cell is its name."""
    results: list[T] = []
    for row in rows:
        try:
            results.append(read(row))
        except _FAULTS:
            with _lock:
                _passed_over[RowName(table, str(row[0]))] = None
    return results


def readable_row(table: str, row: Sequence[Any], read: Callable[[Sequence[Any]], T]) -> T:
    """What `read` makes of a row that was asked for by its name. Raises `UnreadableRow`."""
    try:
        return read(row)
    except _FAULTS:
        raise UnreadableRow(table, str(row[0])) from None


def take_passed_over() -> tuple[RowName, ...]:
    """The rows that were passed over since this was asked last."""
    with _lock:
        names = tuple(_passed_over)
        _passed_over.clear()
    return names


def json_object(text: str) -> dict[str, Any]:
    """The JSON object of a cell. Raises `ValueError`."""
    value = json.loads(text)
    if not isinstance(value, dict):
        raise ValueError("not an object")
    return value


def json_lists(texts: Sequence[str]) -> list[list[Any]]:
    """The JSON lists of many cells, read at once. Raises `ValueError` or `TypeError` if one is none."""
    values: list[list[Any]] = json.loads(f"[{','.join(texts)}]")
    if len(values) != len(texts) or any(type(value) is not list for value in values):
        raise ValueError("not lists")
    return values
