"""Check that the tables, indexes and triggers of a library are those that spar creates: foreign ones could run
anything.

The digest identifies the schema of the current version in a millisecond. Any other schema is compared, row by row, with
that of an empty library of the same version. Tables that SQLite and its full-text index create are checked by name
only, because their SQL differs between versions of SQLite. An additional table, for example from a replication program,
is allowed if it computes nothing and refers to none of spar's tables.
"""

import os
import re
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager
from datetime import datetime, timedelta
from functools import cache, lru_cache
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from cache.errors import Damaged, Foreign, NotAFile, NotALibrary, TooNew, Unwritable, fault_of, named_errors
from cache.timestamps import parsed, stamp
from cache.version import APPLICATION_ID, SCHEMA, VERSION

_SQL = "SELECT CAST(type AS BLOB), CAST(name AS BLOB), CAST(tbl_name AS BLOB), CAST(sql AS BLOB) FROM sqlite_schema"
"""Read as bytes, because a name need not be valid text."""
_OF_SQLITE = frozenset({"sqlite_sequence", "sqlite_stat1", "sqlite_stat2", "sqlite_stat3", "sqlite_stat4"})
_BY_NAME = re.compile(r"_sqlite_migrations|\w+_fts_(data|idx|content|docsize|config)")
_TYPES = ("view", "trigger", "table", "index")
_COMPUTES_OR_REFERS = re.compile(r"\b(as|check|collate|generated|references|virtual|where)\b")


class SchemaRow(NamedTuple):
    """A table, index, trigger or view; `sql` is "" if the row is checked by name only."""

    type: str
    name: str
    table: str
    sql: str


def shield(db: sqlite3.Connection, *, triggers: bool = False) -> None:
    """Keep the file's schema from calling unsafe functions, and SQL from writing to SQLite's internal tables.

    Set `triggers` for a connection that writes: spar's triggers fill full-text indexes, which older versions of SQLite
    allow only to a trusted schema.
    """
    trusted = triggers and not _fills_words_untrusted()
    db.execute(f"PRAGMA trusted_schema = {'ON' if trusted else 'OFF'}")
    db.execute("PRAGMA cell_size_check = ON")
    if setconfig := getattr(db, "setconfig", None):  # since Python 3.12
        setconfig(sqlite3.SQLITE_DBCONFIG_DEFENSIVE, True)  # type: ignore[attr-defined]


@cache
def _fills_words_untrusted() -> bool:
    """Whether this SQLite lets a trigger of an untrusted schema write to a full-text index."""
    with closing(sqlite3.connect(":memory:")) as db:
        db.executescript(
            "PRAGMA trusted_schema = OFF; CREATE VIRTUAL TABLE words USING fts5 (x); CREATE TABLE t (x);"
            "CREATE TRIGGER added AFTER INSERT ON t BEGIN INSERT INTO words VALUES (new.x); END"
        )
        try:
            db.execute("INSERT INTO t VALUES ('x')")
        except sqlite3.OperationalError:
            return False
        return True


def is_current(db: sqlite3.Connection) -> bool:
    """Whether the schema is exactly that of the current version."""
    return digest(rows_of(db)) == SCHEMA


def foreign_in(db: sqlite3.Connection) -> str:
    """Describe how the schema differs from spar's (foreign parts, a missing part, a newer version); "" if it does not.
    Raises `sqlite3.Error`."""
    [encoding] = db.execute("PRAGMA encoding").fetchone()
    if encoding != "UTF-8":
        return f"spar did not make a library in {encoding}"
    rows = rows_of(db)
    if not rows or digest(rows) == SCHEMA:
        return ""
    [version] = db.execute("PRAGMA user_version").fetchone()
    if version > VERSION:
        return "a newer spar made it"
    own_rows = _made(version)
    names = {row.name for row in own_rows}
    strange = (row for row in rows - own_rows if not _is_harmless(row, names))
    foreign = sorted(strange, key=lambda row: (_TYPES.index(row.type), row.name))
    if foreign:
        listing = ", ".join(f"the {row.type} {row.name}" for row in foreign[:3]) + (", …" if len(foreign) > 3 else "")
        return f"spar did not make {listing}"
    missing = sorted(own_rows - rows) if version else []
    return f"it lacks the {missing[0].type} {missing[0].name}" if missing else ""


def rows_of(db: sqlite3.Connection) -> frozenset[SchemaRow]:
    """Return the schema without SQLite's internal tables and automatic indexes. Raises `sqlite3.Error`."""
    return _rows(tuple(db.execute(_SQL)))


@lru_cache(maxsize=8)
def _rows(raw: tuple[tuple[bytes | None, ...], ...]) -> frozenset[SchemaRow]:
    return frozenset(
        SchemaRow(kind, name, table, "" if kind == "table" and _BY_NAME.fullmatch(name) else " ".join(sql.split()))
        for kind, name, table, sql in ([(cell or b"").decode("utf-8", "replace") for cell in row] for row in raw)
        if not (kind == "index" and not sql) and not (kind == "table" and name in _OF_SQLITE)
    )


@lru_cache(maxsize=8)
def digest(rows: frozenset[SchemaRow]) -> str:
    """Return a hash that identifies a schema."""
    return sha256(repr(sorted(map(tuple, rows))).encode()).hexdigest()


def make_schema(db: sqlite3.Connection, version: int) -> None:
    """Create the tables of an empty library of `version`."""
    from sqlite_utils import Database

    from cache.migrations import LIBRARY

    database = Database(db, execute_plugins=False, recursive_triggers=False)
    LIBRARY.apply(database, stop_before=[step.name for step in LIBRARY.pending(database)][version:])
    db.execute(f"PRAGMA user_version = {version}")


@cache
def _made(version: int) -> frozenset[SchemaRow]:
    """Return the schema of an empty library of `version`; for 0, a library that is still being created, of all
    versions."""
    rows: frozenset[SchemaRow] = frozenset()
    for number in [version] if version else range(1, VERSION + 1):
        with closing(sqlite3.connect(":memory:", isolation_level=None)) as db:
            make_schema(db, number)
            rows |= rows_of(db)
    return rows


def _is_harmless(row: SchemaRow, ours: Iterable[str]) -> bool:
    """Whether a foreign table or index computes nothing and refers to none of spar's tables."""
    plain = row.sql.count("(") == 1 and not _COMPUTES_OR_REFERS.search(row.sql.lower())
    return row.type in ("table", "index") and plain and row.name not in ours and row.table not in ours


SMALL = 32 * 1024 * 1024
"""Maximum size in bytes of a file that is checked at every start, in some hundredths of a second."""
CHECKED_FOR = timedelta(days=1)
CHECKED_FOR_AFTER_CRASH = timedelta(hours=1)
"""Minimum time between checks because of a leftover write-ahead log: it can mean a crash, or just another running
spar."""


class FileState(NamedTuple):
    """What is at the path: a library or nothing yet, and whether all its pages were just read."""

    library: bool
    checked: bool
    db: sqlite3.Connection | None = None
    """The connection that read it, if it was to be kept and can write."""


def inspect(path: Path, now: datetime, wait: float, keep: bool = False) -> FileState:
    """Check the file; return only if it may be opened for writing, else raise the `CacheError` with the reason.
    `wait` is the number of seconds to wait for a locked file.

    With `keep`, the connection stays open if that changes no file that is rejected: SQLite reads the schema once
    instead of twice, which takes a third of the time of opening.
    """
    if path.exists() and not path.is_file():
        raise NotAFile(path)
    if not _size(path):
        return FileState(library=False, checked=False)
    # The log is checked first, because opening the file creates an empty one, even for reading.
    crashed = _size(_beside(path, "-wal")) > 0
    writable = os.access(path, os.W_OK)
    # A connection that writes would copy a log or a journal into the file.
    keep = keep and writable and not crashed and not _size(_beside(path, "-journal"))
    state = _look_inside(path, now, wait, crashed, keep)
    if not writable:
        raise Unwritable(path, "the file is read-only")
    return state


def check(db: sqlite3.Connection, path: Path) -> None:
    """Raise `Damaged` unless every page of the database is intact."""
    if fault := fault_of(db):
        raise Damaged(path, fault)


def _look_inside(path: Path, now: datetime, wait: float, crashed: bool, keep: bool) -> FileState:
    # A process killed while switching to WAL leaves a journal, which must be rolled back before reading.
    mode = "rw" if keep or (_size(_beside(path, "-journal")) and _is_ours(path, wait)) else "ro"
    with _opened(path, f"mode={mode}", wait, keep) as db:
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
        db.execute("PRAGMA shrink_memory")  # who goes on with this connection reads the file, not the pages checked
        return FileState(library=True, checked=due, db=db if keep else None)


def _is_ours(path: Path, wait: float) -> bool:
    """Whether the file is a library, or a database without tables; its journal and log are ignored."""
    with _opened(path, "mode=ro&immutable=1", wait) as db:
        _, application, tables = _identity(db)
    return application == APPLICATION_ID or not (application or tables)


@contextmanager
def _opened(path: Path, options: str, wait: float, keep: bool = False) -> Iterator[sqlite3.Connection]:
    """Connect to the file; afterwards, close the connection, unless it is to `keep` and nothing was raised."""
    with named_errors(path, wait), ExitStack() as stack:
        db = stack.enter_context(closing(connected(path, options, wait)))
        try:
            shield(db)
            yield db
        except sqlite3.DatabaseError as error:
            code = getattr(error, "sqlite_errorcode", 0)
            if code == sqlite3.SQLITE_NOTADB:
                raise NotALibrary(path, "it is not a SQLite database") from None
            if code == sqlite3.SQLITE_ERROR:  # for example, a format that this SQLite does not know
                raise Damaged(path, str(error)) from None
            raise
        if keep:
            stack.pop_all()


def connected(path: Path, options: str, wait: float) -> sqlite3.Connection:
    """Return a connection without implicit transactions, which any thread may close. Raises `sqlite3.Error`."""
    address = f"{path.as_uri()}?{options}"
    return sqlite3.connect(address, uri=True, timeout=wait, isolation_level=None, check_same_thread=False)


def _identity(db: sqlite3.Connection) -> tuple[int, int, int]:
    """Return the version of the file, its application id, and the number of tables and indexes."""
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
    """Store in a library too large for a check at every start that it was intact just now."""
    if _size(path) > SMALL:
        db.execute("INSERT OR REPLACE INTO upkeep VALUES ('checked', ?)", (stamp(now),))


def _beside(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0
