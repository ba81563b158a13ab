"""Whether a library's tables, indexes and triggers are those that spar makes: those of a stranger could run anything.

The schema of this version is recognized by its digest, which costs a millisecond; any other one is compared, row by
row, with that of an empty library of its version. What SQLite and its index of words make for themselves is told by
name alone, for each version of SQLite writes it its own way. A further table, such as a program for replication adds,
is no harm while nothing in it is computed and nothing in it refers to a table of ours.
"""

import re
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from functools import cache
from hashlib import sha256
from typing import NamedTuple

from cache.version import SCHEMA, VERSION

_SQL = "SELECT CAST(type AS BLOB), CAST(name AS BLOB), CAST(tbl_name AS BLOB), CAST(sql AS BLOB) FROM sqlite_schema"
"""As bytes: a name need not be text."""
_OF_SQLITE = frozenset({"sqlite_sequence", "sqlite_stat1", "sqlite_stat2", "sqlite_stat3", "sqlite_stat4"})
_BY_NAME = re.compile(r"_sqlite_migrations|\w+_fts_(data|idx|content|docsize|config)")
_TYPES = ("view", "trigger", "table", "index")
_COMPUTES_OR_REFERS = re.compile(r"\b(as|check|collate|generated|references|virtual|where)\b")


class SchemaRow(NamedTuple):
    """A table, index, trigger or view; `sql` is "" where only its name tells whose it is."""

    type: str
    name: str
    table: str
    sql: str


def shield(db: sqlite3.Connection, *, triggers: bool = False) -> None:
    """Let nothing in the file's schema call what could do harm, and let no SQL write to where SQLite keeps its own.

    Our `triggers` fill indexes of words, which older versions of SQLite allow a trusted schema only."""
    if not triggers or _fills_words_untrusted():
        db.execute("PRAGMA trusted_schema = OFF")
    db.execute("PRAGMA cell_size_check = ON")
    if setconfig := getattr(db, "setconfig", None):  # from Python 3.12 on
        setconfig(sqlite3.SQLITE_DBCONFIG_DEFENSIVE, True)  # type: ignore[attr-defined]


@cache
def _fills_words_untrusted() -> bool:
    """Whether a trigger of a schema that is not trusted may write to an index of words."""
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
    """Whether the schema is that of this version, without anything beside it."""
    return digest(rows_of(db)) == SCHEMA


def foreign_in(db: sqlite3.Connection) -> str:
    """What the schema holds that spar did not make, or lacks; "" if it is spar's. Raises `sqlite3.Error`."""
    rows = rows_of(db)
    if not rows or digest(rows) == SCHEMA:
        return ""
    [version] = db.execute("PRAGMA user_version").fetchone()
    if version > VERSION:
        return "a newer spar made it"
    made = _made(version)
    names = {row.name for row in made}
    strange = (row for row in rows - made if not _is_harmless(row, names))
    foreign = sorted(strange, key=lambda row: (_TYPES.index(row.type), row.name))
    if foreign:
        named = ", ".join(f"the {row.type} {row.name}" for row in foreign[:3]) + (", …" if len(foreign) > 3 else "")
        return f"spar did not make {named}"
    missing = sorted(made - rows) if version else []
    return f"it lacks the {missing[0].type} {missing[0].name}" if missing else ""


def rows_of(db: sqlite3.Connection) -> frozenset[SchemaRow]:
    """The schema, but for what SQLite keeps in every file. Raises `sqlite3.Error`."""
    rows = ([(cell or b"").decode("utf-8", "replace") for cell in row] for row in db.execute(_SQL))
    return frozenset(
        SchemaRow(kind, name, table, "" if kind == "table" and _BY_NAME.fullmatch(name) else " ".join(sql.split()))
        for kind, name, table, sql in rows
        if not (kind == "index" and not sql) and not (kind == "table" and name in _OF_SQLITE)
    )


def digest(rows: Iterable[SchemaRow]) -> str:
    """What a schema is recognized by."""
    return sha256(repr(sorted(map(tuple, rows))).encode()).hexdigest()


def make_schema(db: sqlite3.Connection, version: int) -> None:
    """The tables of an empty library as they were in `version`."""
    from sqlite_utils import Database

    from cache.migrations import LIBRARY

    database = Database(db, execute_plugins=False, recursive_triggers=False)
    LIBRARY.apply(database, stop_before=[step.name for step in LIBRARY.pending(database)][version:])
    db.execute(f"PRAGMA user_version = {version}")


def _made(version: int) -> frozenset[SchemaRow]:
    """The schema of an empty library of `version`; of 0, which a library has that is being made, what any has had."""
    rows: frozenset[SchemaRow] = frozenset()
    for one in [version] if version else range(1, VERSION + 1):
        with closing(sqlite3.connect(":memory:", isolation_level=None)) as db:
            make_schema(db, one)
            rows |= rows_of(db)
    return rows


def _is_harmless(row: SchemaRow, ours: Iterable[str]) -> bool:
    """Whether a table or index that is not ours neither acts nor concerns a table of ours."""
    plain = row.sql.count("(") == 1 and not _COMPUTES_OR_REFERS.search(row.sql.lower())
    return row.type in ("table", "index") and plain and row.name not in ours and row.table not in ours
