"""The journal: the rows about papers that a change wrote, before and after.

Temporary triggers fill it, so it covers every change of the library. The last steps are stored in the library, so that
another process can undo them (`cache.taking_back`).
"""

import json
import os
import re
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import sha256
from typing import Any, NamedTuple
from uuid import uuid4

from cache.packing import compress, decompress
from cache.paper_json import whole
from cache.paper_rows import DERIVED, Row, referring, rows_from_json, rows_to_json, rows_where
from cache.readable_rows import UNREADABLE
from cache.reading_history import LAST_CHANGES, forget_changes
from cache.store import Store

MOST_KEPT = 50
"""Maximum number of stored steps."""
MOST_BYTES = 4_000_000
"""Maximum size of the stored steps, in bytes; the oldest are deleted first."""
MOST_PAPERS = 2_000
"""Maximum number of papers in a stored step; a larger step also deletes the earlier ones."""
_LONG = 200
"""Length of a row, in characters, from which only its digest is stored."""
_STEP: ContextVar[str | None] = ContextVar("_STEP", default=None)
SESSION = "SPAR_SESSION"
"""Environment variable with the session of the program that started this one, which counts its changes as its own."""
_OWN_SESSION = uuid4().hex


class RowChange(NamedTuple):
    """A row before and after, None if it does not exist; for a row that exists both times, only the columns that
    differ. For a long inserted row, `after` is only a digest to compare with (`row_digest`)."""

    table: str
    key: tuple[Any, ...]
    before: Row | None
    after: Row | str | None
    paper: int


@dataclass(slots=True)
class Recording:
    """The rows that a change wrote, and pairs of merged papers; filled when it ends. `name` is its name in the
    library, "" if it is not stored."""

    rows: list[RowChange] = field(default_factory=list)
    joins: list[tuple[int, int]] = field(default_factory=list)
    name: str = ""

    @property
    def papers(self) -> frozenset[int]:
        """The papers of the rows."""
        return frozenset(row.paper for row in self.rows)


class JournalTable(NamedTuple):
    """A table of the journal: the columns of its key, and the column with the paper's number. `columns` are all
    columns with their declared types, including the rowid if the order of rows matters."""

    name: str
    key: tuple[str, ...]
    paper: str
    columns: tuple[tuple[str, str], ...]

    @property
    def where_key(self) -> str:
        """The SQL condition that a row has a key, in ?1, ?2 …; case-sensitive. It also compares by the column's own
        collation, because the exact comparison cannot use the index."""
        return " AND ".join(
            f'"{column}" = ?{number} AND "{column}" = ?{number} COLLATE BINARY'
            for number, column in enumerate(self.key, start=1)
        )

    @property
    def selected(self) -> str:
        """The columns to select."""
        return ", ".join(f'"{column}"' for column, _ in self.columns)


def tables(db: sqlite3.Connection) -> dict[str, JournalTable]:
    """Return the tables whose rows are recorded, by name."""
    referred = [("papers", "id"), *(pair for pair in referring(db) if pair[0] not in DERIVED)]
    return {table: _table(db, table, column) for table, column in referred}


def _table(db: sqlite3.Connection, table: str, paper: str) -> JournalTable:
    columns = db.execute(f'SELECT name, type, pk FROM pragma_table_info("{table}")').fetchall()
    keys = [(key_position, name) for name, _, key_position in columns if key_position]
    [definition] = db.execute("SELECT sql FROM sqlite_schema WHERE name = ?", (table,)).fetchone()
    numbered = len(keys) == 1 and any(key_position and kind == "INTEGER" for _, kind, key_position in columns)
    rowid = () if numbered or "WITHOUT ROWID" in definition.upper() else (("rowid", "INTEGER"),)
    all_columns = (*((name, kind) for name, kind, _ in columns), *rowid)
    return JournalTable(table, tuple(name for _, name in sorted(keys)), paper, all_columns)


@contextmanager
def as_one_step() -> Iterator[None]:
    """Store the changes of the block as one step, undone together."""
    token = _STEP.set(_STEP.get() or uuid4().hex)
    try:
        yield
    finally:
        _STEP.reset(token)


@contextmanager
def recorded(store: Store) -> Iterator[Recording]:
    """Store the changes of the block, in one transaction, as a step that can be undone. Raises `CacheError`.

    Inside another `recorded` of the same thread they belong to that step, and this recording stays empty.
    """
    recording = Recording()
    with store.writing() as db:
        tables_now = tables(db)
        if not db.execute("SELECT 1 FROM temp.sqlite_schema WHERE name = 'journal'").fetchone():
            for statement in _statements(tuple(tables_now.values())):
                db.execute(statement)
        if db.execute("SELECT 1 FROM journal_on").fetchone():
            yield recording
            return
        db.execute("INSERT INTO journal_on VALUES (1)")
        try:
            yield recording
            recording.rows = [change for row in _written(db) if (change := _change(db, tables_now[row[0]], *row[1:]))]
            recording.joins = db.execute("SELECT DISTINCT gone, kept FROM journal_joins").fetchall()
        finally:
            if db.in_transaction:  # otherwise everything is rolled back already
                for table in ("journal_on", "journal", "journal_joins"):
                    db.execute(f"DELETE FROM {table}")
        if recording.rows:
            _keep(db, recording)


def _written(db: sqlite3.Connection) -> list[tuple[Any, ...]]:
    return db.execute("SELECT * FROM journal ORDER BY 1, 2, 3, 4").fetchall()


def _change(db: sqlite3.Connection, table: JournalTable, *record: Any) -> RowChange | None:
    """Return the change of a written row; None if it is unchanged."""
    *keys, text = record
    key = tuple(keys[: len(table.key)])
    before = None if text is None else rows_from_json(text)
    after = current_row(db, table, key)
    if before == after:
        return None
    paper = (after or before or {})[table.paper]
    if before is None:
        text = rows_to_json(after)
        return RowChange(table.name, key, None, after if len(text) < _LONG else row_digest(after), paper)
    if after is None:
        return RowChange(table.name, key, before, None, paper)
    if table.name == "papers":  # all other columns follow from the record
        try:
            before, after = ({"record": json.dumps(whole(row), ensure_ascii=False)} for row in (before, after))
        except UNREADABLE:
            return None
    columns = [name for name in before if before[name] != after[name]]
    was, became = ({name: row[name] for name in columns} for row in (before, after))
    return RowChange(table.name, key, was, became, paper) if columns else None


def current_row(db: sqlite3.Connection, table: JournalTable, key: Sequence[Any]) -> Row | None:
    """Return the current row with this key."""
    return next(iter(rows_where(db, table.name, table.where_key, key, table.selected)), None)


def row_digest(row: Row | None) -> str:
    """Return a text that identifies the contents of a row."""
    return sha256(rows_to_json(row).encode("utf-8", "surrogatepass")).hexdigest()[:16]


_KEY = ("k0", "k1", "k2")


@lru_cache(maxsize=4)
def _statements(journal_tables: tuple[JournalTable, ...]) -> tuple[str, ...]:
    keys = ", ".join(f"{name} NOT NULL" for name in _KEY)
    return (
        f"CREATE TEMP TABLE journal (name TEXT NOT NULL, {keys}, was TEXT, PRIMARY KEY (name, {', '.join(_KEY)}))",
        "CREATE TEMP TABLE journal_joins (gone INTEGER, kept INTEGER)",
        "CREATE TEMP TABLE journal_on (on_now INTEGER)",
        *_triggers(journal_tables),
    )


def _triggers(journal_tables: tuple[JournalTable, ...]) -> Iterator[str]:
    """Yield the triggers of a connection, which record each row before its first change while `journal_on` has a row.
    Creating them per change would take ten times as long as a change.

    For SQLite a replaced row is not deleted, so it is recorded before the insertion.
    """
    for table in journal_tables:
        name = table.name
        same_key = " AND ".join(f'"{name}"."{column}" = new."{column}"' for column in table.key)
        quoted = f'"{name}"'
        was, old, new = (_noted(table, row) for row in (quoted, "old", "new"))
        for event, body in {
            "BEFORE INSERT": f'{_note(was)} FROM "{name}" WHERE {same_key} AND {_new(table, quoted)};',
            "AFTER INSERT": f"{_note(new, 'NULL')} WHERE {_new(table, 'new')};",
            "AFTER UPDATE": f"{_note(old)} WHERE {_new(table, 'old')}; {_note(new, 'NULL')} WHERE {_new(table, 'new')};"
            f' INSERT INTO journal_joins SELECT old."{table.paper}", new."{table.paper}"'
            f' WHERE old."{table.paper}" != new."{table.paper}";',
            "AFTER DELETE": f"{_note(old)} WHERE {_new(table, 'old')};",
        }.items():
            trigger = f"journal_{name}_{event.lower().replace(' ', '_')}"
            on = "WHEN EXISTS (SELECT 1 FROM journal_on)"
            yield f'CREATE TEMP TRIGGER {trigger} {event} ON main."{name}" {on} BEGIN {body} END'


class _RecordedRow(NamedTuple):
    key: str
    row: str


def _noted(table: JournalTable, row: str) -> _RecordedRow:
    cells = ((name, f'{row}."{name}"', kind) for name, kind in table.columns)
    values = (f"'{name}', {_value(cell, kind)}" for name, cell, kind in cells)
    keys = [f'{row}."{name}"' for name in table.key] + ["''"] * (len(_KEY) - len(table.key))
    return _RecordedRow(f"'{table.name}', {', '.join(keys)}", f"json_object({', '.join(values)})")


def _value(cell: str, kind: str) -> str:
    if kind == "BLOB":
        return f"json_object('hex', hex({cell}))"
    return f"CASE typeof({cell}) WHEN 'blob' THEN CAST({cell} AS TEXT) ELSE {cell} END"  # a damaged cell contains bytes


def _note(record: _RecordedRow, was: str = "") -> str:
    return f"INSERT INTO journal SELECT {record.key}, {was or record.row}"


def _new(table: JournalTable, row: str) -> str:
    """Return the condition that the row is not recorded yet; the outer statement's conflict clause would override
    `OR IGNORE`."""
    keys = [f'{row}."{name}"' for name in table.key] + ["''"] * (len(_KEY) - len(table.key))
    same = " AND ".join(f"{name} = {value} COLLATE BINARY" for name, value in zip(_KEY, keys, strict=True))
    return f"NOT EXISTS (SELECT 1 FROM journal WHERE name = '{table.name}' AND {same})"


def session() -> str:
    """Return the session that this process belongs to, by default its own; steps are stored with it."""
    setting = os.environ.get(SESSION, "")
    return setting if setting.isalnum() else _OWN_SESSION


def made_here(name: str) -> bool:
    """Whether the stored part with this name was written in this session."""
    return name.rpartition(" ")[2].startswith(f"{session()}_")


class _Part(NamedTuple):
    """The name of a part of a step in the library. Its numbers (milliseconds, or the next number) increase in the
    order of writing, also after older parts are deleted. `step` begins with the session that made it."""

    number: int
    step: str
    papers: int

    @property
    def name(self) -> str:
        return f"{LAST_CHANGES} {self.number:015} {self.papers} {self.step}"


def _keep(db: sqlite3.Connection, recording: Recording) -> None:
    parts = _kept(db)
    number = max(time.time_ns() // 1_000_000, parts[0][0].number + 1 if parts else 0)
    part = _Part(number, f"{session()}_{_STEP.get() or uuid4().hex}", len(recording.papers))
    cell = compress(rows_to_json([[list(row) for row in recording.rows], recording.joins]))
    db.execute("INSERT INTO upkeep VALUES (?, ?)", (part.name, cell))
    recording.name = part.name
    others = [(other, size) for other, size in parts if other.step != part.step]
    if part.papers + sum(other.papers for other, _ in parts if other.step == part.step) > MOST_PAPERS:
        forget_changes(db)
    capacity = MOST_BYTES
    for index, (other, size) in enumerate(others, start=2):
        capacity -= size
        if index > MOST_KEPT or capacity < 0:
            forget_part(db, other.name)


def _kept(db: sqlite3.Connection) -> list[tuple[_Part, int]]:
    """Return the stored parts and their sizes, latest first."""
    rows = db.execute(f"SELECT name, length(value) FROM upkeep WHERE name GLOB '{LAST_CHANGES} *' ORDER BY name DESC")
    pattern = re.compile(rf"{LAST_CHANGES} (\d{{15}}) (\d+) (\w+)")
    names = ((pattern.fullmatch(name), size) for name, size in rows)
    return [(_Part(int(name[1]), name[3], int(name[2])), size) for name, size in names if name]


def newest(store: Store) -> str:
    """Return the name of the latest stored part, "" for none; later names are greater. Raises `CacheError`."""
    with store.reading() as db:
        return next((part.name for part, _ in _kept(db)), "")


def last_step(db: sqlite3.Connection) -> list[Recording]:
    """Return the last stored step, which may consist of several transactions, latest first; empty if there is none.
    Unreadable parts are deleted."""
    all_parts = [part for part, _ in _kept(db)]
    parts = list[Recording]()
    for part in all_parts:
        if parts and part.step != all_parts[0].step:
            break
        [cell] = db.execute("SELECT value FROM upkeep WHERE name = ?", (part.name,)).fetchone()
        try:
            rows, joins = rows_from_json(decompress(cell))
            changes = [RowChange(table, tuple(key), *rest) for table, key, *rest in rows]
            parts.append(Recording(changes, [(duplicate, became) for duplicate, became in joins], part.name))
        except (ValueError, TypeError):
            forget_part(db, part.name)
    return parts


def forget_part(db: sqlite3.Connection, name: str) -> None:
    """Delete the part stored under a name."""
    db.execute("DELETE FROM upkeep WHERE name = ?", (name,))
