"""Find rows with unreadable cells in a library whose pages are all intact."""

import json

from cache.packing import decompress
from cache.readable_rows import UNREADABLE, RowName
from cache.store import Store

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


def damaged_rows(store: Store) -> list[RowName]:
    """Return the rows with a cell that should hold JSON, a time or a text and does not. Raises `CacheError`."""
    faults: dict[str, list[str]] = {}
    for table, (_, columns) in _JSON.items():
        faults[table] = [f"NOT coalesce(json_valid({column}), 0)" for column in columns]
    for table, columns in _MOMENTS.items():
        faults.setdefault(table, []).extend(f"julianday({column}) IS NULL" for column in columns)
    rows: list[RowName] = []
    with store.reading() as db:
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
