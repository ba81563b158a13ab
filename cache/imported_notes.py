"""What bibliographies said in the notes of saved papers, so that it can be told from what the person wrote there."""

import sqlite3
from collections.abc import Iterable

from cache.store import PaperId, Store


def keep_imported(db: sqlite3.Connection, notes: Iterable[tuple[int, str]]) -> None:
    """Keep that these notes of papers came with a bibliography, within a transaction of the caller."""
    sql = (
        "INSERT INTO imported_notes (paper, text) SELECT ?1, ?2"
        " WHERE NOT EXISTS (SELECT 1 FROM imported_notes WHERE paper = ?1 AND text = ?2)"
    )
    db.executemany(sql, notes)


def imported_lines(store: Store, paper: PaperId) -> frozenset[str]:
    """The lines that bibliographies wrote into the paper's note, without blanks at their ends. Raises `CacheError`."""
    with store.reading() as db:
        texts = db.execute("SELECT text FROM imported_notes WHERE paper = ?", (paper,)).fetchall()
    return frozenset(line.strip() for (text,) in texts for line in text.splitlines() if line.strip())
