"""Files that the person named as a paper's, or that were beside the bibliography that names them.

A bibliography can name any file on the machine. spar opens only the files in this table without asking first.
"""

import sqlite3
from collections.abc import Iterable, Sequence

from cache.store import Store


def choose(db: sqlite3.Connection, paths: Iterable[str]) -> None:
    """Record that the person chose these files, within the caller's transaction."""
    db.executemany("INSERT OR IGNORE INTO chosen_files (path) VALUES (?)", [(path,) for path in paths])


def chosen_among(store: Store, paths: Sequence[str]) -> frozenset[str]:
    """Return the files that the person chose. Raises `CacheError`."""
    sql = "SELECT 1 FROM chosen_files WHERE path = ?"
    with store.reading() as db:
        return frozenset(path for path in paths if db.execute(sql, (path,)).fetchone())
