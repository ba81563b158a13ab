"""Check a library file before opening it for writing: its owner program, its version, its pages, and whether its schema
could run foreign code.

A file that fails a check stays unchanged. This module writes nothing, except that SQLite rolls back a transaction that
a killed process left in one of spar's libraries.
"""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from cache.errors import Damaged, Foreign, NotAFile, NotALibrary, TooNew, Unwritable, fault_of, named_errors
from cache.schema import foreign_in, shield
from cache.timestamps import parsed, stamp
from cache.version import APPLICATION_ID, VERSION

SMALL = 32 * 1024 * 1024
"""Bytes up to which a file is checked at every start: that takes some hundredths of a second."""
CHECKED_FOR = timedelta(days=1)
CHECKED_FOR_AFTER_CRASH = timedelta(hours=1)
"""A write-ahead log that is left over tells of a crash, or only of another spar at work: hence not at every start."""


class FileState(NamedTuple):
    """What is at the path: a library or nothing yet, and whether its pages were all read just now."""

    library: bool
    checked: bool


def inspect(path: Path, now: datetime, wait: float) -> FileState:
    """Look at the file; returns only if it may be opened for writing, else raises the `CacheError` that says why not.

    `wait` is how many seconds a locked file is waited for.
    """
    if path.is_dir():
        raise NotAFile(path)
    if not _size(path):
        return FileState(library=False, checked=False)
    # The log is looked for first: opening the file, even for reading, makes an empty one.
    crashed = _size(_beside(path, "-wal")) > 0
    checked = _look_inside(path, now, wait, crashed)
    if not os.access(path, os.W_OK):
        raise Unwritable(path, "the file is read-only")
    return FileState(library=True, checked=checked)


def check(db: sqlite3.Connection, path: Path) -> None:
    """Raise `Damaged` unless every page of the database is in order."""
    if fault := fault_of(db):
        raise Damaged(path, fault)


def _look_inside(path: Path, now: datetime, wait: float, crashed: bool) -> bool:
    # A process killed while it turned the log on leaves a journal, which has to be written back before one can read.
    mode = "rw" if _size(_beside(path, "-journal")) and _is_ours(path, wait) else "ro"
    with _opened(path, f"mode={mode}", wait) as db:
        version, application, tables = _identity(db)
        if tables and application != APPLICATION_ID:
            raise NotALibrary(path, "it is another program's database", is_database=True)
        if version > VERSION:
            raise TooNew(path, version, VERSION)
        if reason := foreign_in(db):
            raise Foreign(path, reason)
        due = _check_is_due(db, path, now, crashed)
        if due:
            check(db, path)
        return due


def _is_ours(path: Path, wait: float) -> bool:
    """Whether the file is a library, or a database that has no table yet; its journal and its log are not looked at."""
    with _opened(path, "mode=ro&immutable=1", wait) as db:
        _, application, tables = _identity(db)
    return application == APPLICATION_ID or not (application or tables)


@contextmanager
def _opened(path: Path, options: str, wait: float) -> Iterator[sqlite3.Connection]:
    with named_errors(path, wait), closing(sqlite3.connect(f"{path.as_uri()}?{options}", uri=True, timeout=wait)) as db:
        try:
            shield(db)
            yield db
        except sqlite3.DatabaseError as error:
            if getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_NOTADB:
                raise NotALibrary(path, "it is no SQLite database") from None
            raise


def _identity(db: sqlite3.Connection) -> tuple[int, int, int]:
    """Version of the file, whose it is, and how many tables and indexes it has."""
    version, application, tables = db.execute(
        "SELECT user_version, application_id, (SELECT count(*) FROM sqlite_schema)"
        " FROM pragma_user_version, pragma_application_id"
    ).fetchone()
    return version, application, tables


def _check_is_due(db: sqlite3.Connection, path: Path, now: datetime, crashed: bool) -> bool:
    if _size(path) <= SMALL:
        return True
    row = db.execute("SELECT value FROM upkeep WHERE name = 'checked'").fetchone()
    lifetime = CHECKED_FOR_AFTER_CRASH if crashed else CHECKED_FOR
    return row is None or not timedelta(0) <= now - parsed(row[0]) < lifetime


def note_check(db: sqlite3.Connection, path: Path, now: datetime) -> None:
    """Remember in a library too big to be checked at every start that it was whole just now."""
    if _size(path) > SMALL:
        db.execute("INSERT OR REPLACE INTO upkeep VALUES ('checked', ?)", (stamp(now),))


def _beside(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0
