"""Skip rows that cannot be read, and remember their names for a warning.

A cell can be damaged although every page of the file is intact: truncated JSON, a number in place of a date. Every list
of rows goes through `readable`, so a damaged row never hides the others.
"""

import json
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from threading import Lock
from typing import Any, NamedTuple, TypeVar

from cache.errors import UnreadableRow
from cache.packing import decompress
from connectors.batches import in_batches

T = TypeVar("T")
UNREADABLE = (ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError, OverflowError)
"""The exceptions that reading a damaged cell can raise."""


class RowName(NamedTuple):
    """A row: its table and its name there."""

    table: str
    name: str


_passed_over: dict[RowName, None] = {}
_lock = Lock()


def lenient_text(raw: bytes) -> str:
    """Decode the text of a cell; invalid UTF-8 becomes replacement characters."""
    return raw.decode("utf-8", "replace")


def readable(
    table: str, rows: Iterable[Sequence[Any]], read: Callable[[Sequence[Any]], T], *, packed: bool = False
) -> list[T]:
    """Apply `read` to each row of a table and return the results. Skip rows that fail and remember them by their first
    cell. Only rows that are `packed` may hold bytes."""
    results: list[T] = []
    for row in rows:
        try:
            if not packed and bytes in map(type, row):
                raise TypeError("bytes in place of a text")
            results.append(read(row))
        except UNREADABLE:
            with _lock:
                _passed_over[RowName(table, str(row[0]))] = None
    return results


def readable_row(table: str, row: Sequence[Any], read: Callable[[Sequence[Any]], T]) -> T:
    """Apply `read` to a single row that the caller asked for. Raises `UnreadableRow`."""
    try:
        return read(row)
    except UNREADABLE:
        raise UnreadableRow(table, str(row[0])) from None


def take_passed_over() -> tuple[RowName, ...]:
    """Return the rows skipped since the last call."""
    with _lock:
        names = tuple(_passed_over)
        _passed_over.clear()
    return names


def json_object(text: str) -> dict[str, Any]:
    """Parse the JSON object in a cell. Raises `ValueError`."""
    value = json.loads(text)
    if not isinstance(value, dict):
        raise ValueError("not an object")
    return value


def readable_object(text: str) -> dict[str, Any]:
    """Parse the JSON object in a cell; return an empty one if the cell is damaged."""
    try:
        return json_object(text)
    except UNREADABLE:
        return {}


def json_lists(texts: Sequence[str]) -> list[list[Any]]:
    """Parse the JSON lists of many cells at once. Raises `ValueError` or `TypeError` if a cell holds anything else."""
    values: list[list[Any]] = json.loads(f"[{','.join(texts)}]")
    if len(values) != len(texts) or any(type(value) is not list for value in values):
        raise ValueError("not lists")
    return values


_AT_ONCE = 200
"""Maximum number of values in a query."""


def values_in(db: sqlite3.Connection, sql: str, values: Iterable[str | bytes]) -> set[str | bytes]:
    """Return the `values` that a query ending with IN finds."""
    distinct = list(dict.fromkeys(values))
    rows: set[str | bytes] = set()
    for some in in_batches(distinct, _AT_ONCE):
        rows |= {row[0] for row in db.execute(f"{sql} ({', '.join('?' * len(some))}) GROUP BY 1", some)}
    return rows


_JSON = {
    "papers": ("id", ("record", "authors")), "runs": ("id", ("parameters", "counts")),
    "events": ("run || ' ' || id", ("content",)), "run_papers": ("run || ' ' || rank", ("entry",)),
    "watches": ("name", ("parameters",)), "originals": ("id", ("entry",)), "shelf": ("paper", ("details",)),
    "corrections": ("paper", ("before",)), "merges": ("id", ("record", "before", "after")),
    "watch_looks": ("watch || ' ' || source", ()), "tags": ("paper", ()), "citation_keys": ("paper", ()),
}  # fmt: skip
"""For each table, the SQL for a row's name, and the columns with JSON."""
_MOMENTS = {
    "runs": ("started",), "events": ("timestamp",), "shelf": ("saved",), "acts": ("at",), "watches": ("made",),
    "profile": ("made",), "set_aside": ("at",), "watch_looks": ("looked",),
}  # fmt: skip

_PACKED = {"event_batches": ("run || ' ' || last", "events"), "answers": ("key", "answer")}
"""For each table, the SQL for a row's name, and the column with compressed JSON values, one a line."""


def damaged_rows(db: sqlite3.Connection) -> list[RowName]:
    """Return the rows with a cell that should hold JSON, a time or a text and does not. Raises `sqlite3.Error`."""
    faults: dict[str, list[str]] = {}
    for table, (_, columns) in _JSON.items():
        faults[table] = [f"NOT coalesce(json_valid({column}), 0)" for column in columns]
    for table, columns in _MOMENTS.items():
        faults.setdefault(table, []).extend(f"julianday({column}) IS NULL" for column in columns)
    rows: list[RowName] = []
    for table, conditions in faults.items():
        texts = db.execute("SELECT name FROM pragma_table_info(?) WHERE type = 'TEXT'", (table,)).fetchall()
        conditions += [f"typeof(\"{column}\") = 'blob'" for (column,) in texts]
        name = _JSON[table][0] if table in _JSON else "rowid"
        sql = f"SELECT {name} FROM {table} WHERE {' OR '.join(conditions)}"
        rows += [RowName(table, str(cell)) for (cell,) in db.execute(sql)]
    for table, (name, column) in _PACKED.items():
        cells = db.execute(f"SELECT {name}, {column} FROM {table}")
        rows += [RowName(table, key) for key, cell in cells if not _holds_json(cell)]
    return rows


def _holds_json(cell: bytes) -> bool:
    try:
        json.loads(f"[{decompress(cell).replace(chr(10), ',')}]")
    except UNREADABLE:
        return False
    return True
