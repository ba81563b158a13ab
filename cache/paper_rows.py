"""Rows of tables about papers, as mappings and as JSON."""

import json
import sqlite3
from collections.abc import Iterable
from typing import Any

Row = dict[str, Any]

DERIVED = frozenset({"paper_tokens", "paper_facts", "full_texts"})
"""Tables derived from a paper or its file, computed again when needed."""


_ENCODER = json.JSONEncoder(ensure_ascii=False, default=lambda blob: {"hex": blob.hex()})


def referring(db: sqlite3.Connection) -> list[tuple[str, str]]:
    """Return each table and column that refers to papers."""
    return db.execute(
        'SELECT t.name, f."from" FROM sqlite_schema t JOIN pragma_foreign_key_list(t.name) f'
        " WHERE t.type = 'table' AND f.\"table\" = 'papers'"
    ).fetchall()


def rows_where(
    db: sqlite3.Connection, table: str, condition: str, values: Iterable[Any], columns: str = "*"
) -> list[Row]:
    """Return the rows of a table that meet the condition."""
    rows = db.execute(f'SELECT {columns} FROM "{table}" WHERE {condition}', [*values])
    names = [column[0] for column in rows.description]
    return [dict(zip(names, row, strict=True)) for row in rows]


def insert(db: sqlite3.Connection, table: str, row: Row, otherwise: str = "IGNORE") -> None:
    """Insert a row with the conflict clause `otherwise`."""
    names, marks = ", ".join(f'"{name}"' for name in row), ", ".join("?" * len(row))
    db.execute(f'INSERT OR {otherwise} INTO "{table}" ({names}) VALUES ({marks})', [*row.values()])


def rows_to_json(value: object) -> str:
    """Return rows as JSON, blobs in hexadecimal."""
    return _ENCODER.encode(value)


def rows_from_json(text: str) -> Any:
    """Return the rows that `rows_to_json` wrote. Raises `ValueError`."""
    return json.loads(
        text, object_hook=lambda mapping: bytes.fromhex(mapping["hex"]) if mapping.keys() == {"hex"} else mapping
    )
