"""Looking at a library file before it is opened for writing: whose it is, of which version, and whether it is whole.

A file that does not pass is left byte for byte as it was. Nothing here writes, but that what a killed process had begun
to write in a library of ours is taken back.
"""

import os
import sqlite3
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from cache.errors import Damaged, NotAFile, NotALibrary, TooNew, Unwritable, named_errors
from cache.timestamps import parsed, stamp
from cache.version import APPLICATION_ID, VERSION

SMALL = 32 * 1024 * 1024
"""Bytes up to which a file is checked at every start: that takes some hundredths of a second."""
CHECKED_FOR = timedelta(days=1)
CHECKED_FOR_AFTER_CRASH = timedelta(hours=1)
"""A write-ahead log that is left over tells of a crash, or only of another spar at work: hence not at every start."""

_MAGIC = b"SQLite format 3\x00"
_HEADER = 108
"""Bytes of the file's header, and of its first page's, which counts the tables if there are few (SQLite's file format,
§1.3 and §1.6)."""
_LEAF = 13
"""A page that has entries alone, no pages below it."""


class Found(NamedTuple):
    """What is at the path: a library or nothing yet, and whether its pages were all read just now."""

    library: bool
    checked: bool


def inspect(path: Path, now: datetime, wait: float) -> Found:
    """Look at the file; returns only if it may be opened for writing, else raises the `CacheError` that says why not.

    `wait` is how many seconds a locked file is waited for.
    """
    header = _header(path)
    if not header:
        return Found(library=False, checked=False)
    if not header.startswith(_MAGIC):
        raise NotALibrary(path, "it is no SQLite database")
    if len(header) < _HEADER:
        raise Damaged(path, "it ends within its first line")
    _refuse_newer(path, int.from_bytes(header[60:64], "big"))
    if not os.access(path, os.W_OK):
        raise Unwritable(path, "the file is read-only")
    # The log is looked for first: opening the file, even for reading, makes an empty one.
    crashed = _size(path.with_name(path.name + "-wal")) > 0
    # A process killed while it turned the log on leaves a journal, which has to be written back before one can read.
    mode = "rw" if _size(path.with_name(path.name + "-journal")) > 0 and _is_ours(header) else "ro"
    return Found(library=True, checked=_look_inside(path, now, wait, crashed, mode))


def check(db: sqlite3.Connection, path: Path) -> None:
    """Raise `Damaged` unless every page of the database is in order."""
    found = [str(row[0]) for row in db.execute("PRAGMA quick_check(1)")]
    if found != ["ok"]:
        raise Damaged(path, " ".join(found[0].split())[:120] if found else "its pages cannot be read")


def _is_ours(header: bytes) -> bool:
    """Whether a library begins so, or a database that has no table yet."""
    application, tables = int.from_bytes(header[68:72], "big"), int.from_bytes(header[103:105], "big")
    return application == APPLICATION_ID or (application == 0 and header[100] == _LEAF and tables == 0)


def _look_inside(path: Path, now: datetime, wait: float, crashed: bool, mode: str) -> bool:
    address = f"{path.absolute().as_uri()}?mode={mode}"
    with named_errors(path, wait), closing(sqlite3.connect(address, uri=True, timeout=wait)) as db:
        version, application, tables = db.execute(
            "SELECT user_version, application_id, (SELECT count(*) FROM sqlite_schema)"
            " FROM pragma_user_version, pragma_application_id"
        ).fetchone()
        _refuse_newer(path, version)
        if tables and application != APPLICATION_ID:
            raise NotALibrary(path, "it is another program's database", is_database=True)
        due = _check_is_due(db, path, now, crashed)
        if due:
            check(db, path)
        return due


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


def _header(path: Path) -> bytes:
    """The first bytes; none if there is no file."""
    if path.is_dir():
        raise NotAFile(path)
    try:
        with path.open("rb") as file:
            return file.read(_HEADER)
    except FileNotFoundError:
        return b""
    except OSError as error:
        raise Unwritable(path, error.strerror or "it cannot be opened") from error


def _refuse_newer(path: Path, version: int) -> None:
    if version > VERSION:
        raise TooNew(path, version, VERSION)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0
