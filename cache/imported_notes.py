"""Notes that came with bibliographies, kept to distinguish them from what the person wrote."""

import sqlite3
from collections.abc import Iterable

from cache.store import PaperId, Store


def keep_imported(db: sqlite3.Connection, notes: Iterable[tuple[int, str]]) -> None:
    """Record that these notes of papers came with a bibliography, within the caller's transaction."""
    sql = (
        "INSERT INTO imported_notes (paper, text) SELECT ?1, ?2"
        " WHERE NOT EXISTS (SELECT 1 FROM imported_notes WHERE paper = ?1 AND text = ?2)"
    )
    db.executemany(sql, notes)


def imported_lines(store: Store, paper: PaperId) -> frozenset[str]:
    """Return the lines that bibliographies added to the paper's note, stripped. Raises `CacheError`."""
    with store.reading() as db:
        texts = db.execute("SELECT text FROM imported_notes WHERE paper = ?", (paper,)).fetchall()
    return frozenset(line.strip() for (text,) in texts for line in text.splitlines() if line.strip())
