"""The files that the person said are a paper's, or that lay beside the bibliography that named them.

A bibliography can name any file of the machine. Only those kept here are opened without a question.
"""

import sqlite3
from collections.abc import Iterable, Sequence

from cache.store import Store


def choose(db: sqlite3.Connection, paths: Iterable[str]) -> None:
    """Keep that the person chose these files, within a transaction of the caller."""
    db.executemany("INSERT OR IGNORE INTO chosen_files (path) VALUES (?)", [(path,) for path in paths])


def chosen_among(store: Store, paths: Sequence[str]) -> frozenset[str]:
    """Those of the files that the person chose. Raises `CacheError`."""
    sql = "SELECT 1 FROM chosen_files WHERE path = ?"
    with store.reading() as db:
        return frozenset(path for path in paths if db.execute(sql, (path,)).fetchone())
