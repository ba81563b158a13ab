"""Build a new library from the readable rows of a damaged one and, for the rest, from a backup.

Both have the same history, so a row has the same key in each. A row of the damaged file is newer and wins. The backup
only supplies rows that may have been on damaged pages, so rows deleted since the backup stay deleted. SQLite rebuilds
all indexes, including full-text ones, as rows are added.
"""

import json
import sqlite3
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Self

from cache.salvage.pages import Key, PageCell, PageFile, RecordColumn, Tree, Trees, Value, ordered

_REMADE = ("paper_tokens", "paper_facts", "_sqlite_migrations")
"""Tables that spar derives from others, or fills when it creates a library."""
_NOTHING = type(None)
_TYPES: dict[str, tuple[type, ...]] = {"TEXT": (str,), "INTEGER": (int,), "REAL": (int, float), "BLOB": (bytes,)}
_SCHEMA = (
    RecordColumn("type", (str,)), RecordColumn("name", (str,)), RecordColumn("tbl_name", (str,)),
    RecordColumn("rootpage", (int,)), RecordColumn("sql", (str, _NOTHING)),
)  # fmt: skip
_ROWID = "rowid"

Row = Mapping[str, Value]


@dataclass(frozen=True)
class SalvagedTable:
    """A table of a library: its tree, the trees of its indexes, and the columns that identify a row.

    The rows of a table that is not `kept` are rebuilt; its tree is read only to find out which pages belong to it.
    """

    name: str
    tree: Tree
    indexes: tuple[Tree, ...]
    identity: tuple[RecordColumn, ...]
    rowid: str
    """The column that holds the rowid; "rowid" if no column does, "" if the table has no rowid."""
    kept: bool

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns in a `Row` of this table."""
        stored = tuple(column.name for column in self.tree.columns)
        return (_ROWID, *stored) if self.rowid == _ROWID else stored

    def row(self, cell: PageCell) -> Row:
        """Convert a record of the tree to a row."""
        row = {column.name: value for column, value in zip(self.tree.columns, cell.values, strict=True)}
        return row | {self.rowid: cell.rowid} if self.rowid else row

    def recognized_by(self, row: Row) -> Key:
        """Return the key of a row, which is the same in every copy of a library."""
        return tuple(ordered(row[column.name], column) for column in self.identity)

    def may_have_lost(self, row: Row) -> bool:
        """Whether the row belongs in a gap of the tree."""
        key = ((1, row[self.rowid]),) if self.rowid else self.recognized_by(row)
        return self.tree.may_miss(key)  # type: ignore[arg-type]  # a rowid is a number


def tables_of(db: sqlite3.Connection, roots: Mapping[str, int]) -> list[SalvagedTable]:
    """Return the tables of the library `db`, kept ones first. `roots` has their first pages in the damaged file."""
    tables = [_table(db, name, bool(is_kept), roots) for name, is_kept in db.execute(_TABLES).fetchall()]
    return sorted(tables, key=lambda table: not table.kept)


_TABLES = f"""
    SELECT name, name NOT IN {_REMADE} AND NOT EXISTS (
        SELECT 1 FROM sqlite_schema words WHERE words.sql LIKE 'CREATE VIRTUAL%' AND t.name GLOB words.name || '_*')
    FROM sqlite_schema t WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' AND name != 'sqlite_sequence'
"""
"""The tables, and whether to keep each; tables that SQLite creates for a full-text index are not kept."""


def roots_of(trees: Trees, fallback: Mapping[str, int]) -> dict[str, int]:
    """Return the first page of each table and index, from as much of the file's own list as can be read.

    Also searches for parts of the list that no page points to any more. Entries missing from the list come from
    `fallback`.
    """
    schema = Tree("sqlite_schema", _SCHEMA, 0, root=1)
    entries = [cell.values for cell in trees.cells(schema)]
    if schema.gaps:
        entries += [cell.values for _, cell in trees.strays([schema])]
    roots = {str(name): root for kind, name, _, root, _ in reversed(entries) if kind in ("table", "index")}
    return {**fallback, **{name: root for name, root in roots.items() if isinstance(root, int) and root}}


def roots_in(db: sqlite3.Connection) -> dict[str, int]:
    """Return the first page of each table and index of an intact database."""
    return dict(db.execute("SELECT name, rootpage FROM sqlite_schema WHERE rootpage > 0"))


def _table(db: sqlite3.Connection, name: str, is_kept: bool, roots: Mapping[str, int]) -> SalvagedTable:
    info = db.execute(f"PRAGMA table_info('{name}')").fetchall()
    [sql] = db.execute("SELECT sql FROM sqlite_schema WHERE name = ?", [name]).fetchone()
    primary = [column for _, column, *_ in sorted((row for row in info if row[5]), key=lambda row: int(row[5]))]
    types = {column: _types(kind, bool(required)) for _, column, kind, required, *_ in info}
    rowid = "" if sql.endswith("WITHOUT ROWID") else primary[0] if int in types[primary[0]] else _ROWID
    columns = {
        column: RecordColumn(column, (_NOTHING,) if column == rowid else kinds) for column, kinds in types.items()
    }
    tree, indexes = Tree(name, tuple(columns.values()), 0, roots.get(name, 0)), []
    for _, index, _, origin, _ in db.execute(f"PRAGMA index_list('{name}')").fetchall():
        fields = []
        for _, number, column, _, collation, _ in db.execute(f"PRAGMA index_xinfo('{index}')").fetchall():
            name_of_column = rowid if number == -1 else column or ""
            kinds = (int,) if name_of_column == rowid else types.get(name_of_column, ())
            fields.append(RecordColumn(name_of_column, kinds, collation == "NOCASE"))
        if origin == "pk":
            columns |= {column.name: column for column in fields if column.name in primary}
        if origin == "pk" and not rowid:
            tree = Tree(name, tuple(fields), len(primary), roots.get(name, 0))
        else:
            indexes.append(Tree(index, tuple(fields), len(fields), roots.get(index, 0)))
    return SalvagedTable(name, tree, tuple(indexes), tuple(columns[column] for column in primary), rowid, is_kept)


def _types(declared: str, required: bool) -> tuple[type, ...]:
    """Return the types that a column may hold; empty if its declaration has no type."""
    types = _TYPES.get(declared, ())
    return types if required or not types else (*types, _NOTHING)


class UnusedRows:
    """The file at `path`, created with its first row, as a context manager; `count` is its number of rows."""

    def __init__(self, path: Path) -> None:
        self.path, self.count = path, 0
        self._file = path.open("w", encoding="utf-8")

    def add(self, table: str, row: Mapping[str, Value], reason: str) -> None:
        """Append a row of `table`; bytes are written in hexadecimal. Raises `OSError`."""
        values = {name: {"hex": value.hex()} if isinstance(value, bytes) else value for name, value in row.items()}
        self._file.write(json.dumps({"table": table, "reason": reason, "row": values}, ensure_ascii=False) + "\n")
        self.count += 1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._file.close()


_COUNTERS = (RecordColumn("name", (str,)), RecordColumn("seq", (int,)))
"""Columns of `sqlite_sequence`, which prevents reusing the number of a deleted row."""


@dataclass
class TableSalvage:
    """Row counts of one table, by origin."""

    table: SalvagedTable
    from_file: int = 0
    """Rows from the damaged file."""
    from_backup: set[Key] = field(default_factory=set)
    """Rows from the backup."""
    unreadable: int | None = 0
    """Number of rows that neither file has; None if some may be missing and their number is unknown."""
    intact: int = 0
    """Number of rows read outside gaps."""
    rejects: set[Key] = field(default_factory=set)
    """Rows that violate the schema."""
    expected: set[Key] | None = None
    """All rows of the gaps, from an intact index; None if there is none."""
    doubtful: bool = False
    """Whether an intact index names more rows than the table has."""

    @property
    def torn(self) -> bool:
        """Whether rows of the damaged file may be missing."""
        return bool(self.table.tree.gaps or self.rejects)

    def may_have_held(self, row: Row) -> bool:
        """Whether a row of the backup may have been in an unreadable place of the damaged file."""
        key, table = self.table.recognized_by(row), self.table
        if key in self.rejects or self.expected is not None:
            return key in self.rejects or key in (self.expected or ())
        # A row without a number of its own gets another rowid when it is written anew.
        return table.rowid == "rowid" or table.may_have_lost(row)


class Merging:
    """Fills the empty library `db`, within the caller's transaction. Rows that do not fit go to `unused`."""

    def __init__(self, db: sqlite3.Connection, unused: UnusedRows) -> None:
        self._db, self._unused = db, unused
        self.tables: list[TableSalvage] = []

    def salvage(self, pages: PageFile, fallback: Mapping[str, int]) -> None:
        """Add the rows that `pages` still hold. `fallback` has the first pages of tables that the file's own list no
        longer names.

        Raises `sqlite3.Error`, `OSError`.
        """
        trees = Trees(pages)
        roots = roots_of(trees, fallback)
        tables = tables_of(self._db, roots)
        self.tables = [TableSalvage(table) for table in tables if table.kept]
        for part in self.tables:
            self._take_tree(part, trees)
        counters = Tree("sqlite_sequence", _COUNTERS, 0, roots.get("sqlite_sequence", 0))
        self._count_on(cell.values for cell in trees.cells(counters))
        for part in self.tables:
            for index in part.table.indexes:
                self._take_index(part, index, trees, pages)
        remade = [tree for table in tables if not table.kept for tree in (table.tree, *table.indexes)]
        for tree in remade:
            deque(trees.cells(tree), maxlen=0)  # so that its pages do not count as strays
        self._take_strays(trees, remade)

    def is_related(self) -> bool:
        """Whether the library attached as `backup` is an earlier state of this one, by the papers of both.

        Another library that was started in the same folder has other papers under the same numbers. Raises
        `sqlite3.Error`.
        """
        shared, same = self._db.execute(
            "SELECT count(*), total(a.first_seen = b.first_seen) FROM main.papers a JOIN backup.papers b ON a.id = b.id"
        ).fetchone()
        return bool(2 * same >= shared)

    def restore(self) -> None:
        """Add missing rows from the library attached as `backup`. Raises `sqlite3.Error`, `OSError`."""
        names = {name for (name,) in self._db.execute("SELECT name FROM backup.sqlite_schema WHERE type = 'table'")}
        for part in self.tables:
            table = part.table
            if not part.torn or table.name not in names:
                continue
            for values in self._db.execute(f"SELECT {_listed(table.columns)} FROM backup.{table.name}"):
                row = dict(zip(table.columns, values, strict=True))
                key = table.recognized_by(row)
                if part.may_have_held(row) and not self._holds(table, key) and self._add(table, row):
                    part.from_backup.add(key)
        self._count_on(self._db.execute("SELECT name, seq FROM backup.sqlite_sequence"))

    def finish(self) -> None:
        """Count the rows that are lost, and remove those whose paper, run or other parent is missing.

        Raises `sqlite3.Error`, `OSError`.
        """
        for part in self.tables:
            if part.expected is not None or not (part.table.tree.gaps or part.doubtful):
                keys = part.rejects | (part.expected or set())
                part.unreadable = sum(not self._holds(part.table, key) for key in keys)
            else:
                part.unreadable = None
        # A row that is removed may be the parent of others; the triggers of a table act on tables that came later.
        while sum(map(self._remove_orphans, reversed(self.tables))):
            pass

    def _take_tree(self, part: TableSalvage, trees: Trees) -> None:
        """Add the rows of the table's own tree."""
        table = part.table
        for cell in trees.cells(table.tree):
            row = table.row(cell)
            if self._add(table, row):
                part.from_file += 1
            else:
                part.rejects.add(table.recognized_by(row))
            part.intact += not table.may_have_lost(row)
        for cell in table.tree.misfits:
            self._unused.add(table.name, table.row(cell), "it has values that such a row cannot have")

    def _take_index(self, part: TableSalvage, index: Tree, trees: Trees, pages: PageFile) -> None:
        """Find out from an index which rows were in the gaps of its table, and add those that it holds completely."""
        table, names = part.table, [column.name for column in index.columns]
        rows = (dict(zip(names, cell.values, strict=True)) for cell in trees.cells(index))
        if not {column.name for column in table.identity} <= {*names}:
            deque(rows, maxlen=0)  # so that its pages do not count as strays
            return
        inside: list[Row] = []
        outside = 0
        for entry in rows:
            if table.may_have_lost(entry):
                inside.append(entry)
            else:
                outside += 1
        if outside == part.intact and not index.gaps:
            part.expected = set(map(table.recognized_by, inside))
        doubtful = outside > part.intact and not index.gaps
        part.doubtful = part.doubtful or doubtful
        if {*table.columns} <= {*names}:
            for cell in Trees(pages).cells(index) if doubtful else ():
                inside.append(dict(zip(names, cell.values, strict=True)))
            for row in inside:
                self._take_missing(part, row)

    def _take_strays(self, trees: Trees, remade: Sequence[Tree]) -> None:
        """Add rows from pages that no page or the wrong page points to."""
        for part in self.tables:
            for cell in part.table.tree.misplaced:
                self._take_missing(part, part.table.row(cell))
        of = {part.table.name: part for part in self.tables}
        known_trees = [tree for part in self.tables for tree in (part.table.tree, *part.table.indexes)]
        for owners, cell in trees.strays([*known_trees, *remade]):
            for part in filter(None, (of.get(tree.name) for tree in owners)):
                row = part.table.row(cell)
                if len(owners) == 1 or part.expected is not None:
                    self._take_missing(part, row)
                elif part.torn:
                    names = " or ".join(tree.name for tree in owners)
                    self._unused.add(part.table.name, row, f"it was on a page of {names}")

    def _take_missing(self, part: TableSalvage, row: Row) -> None:
        """Add a row found elsewhere in the damaged file, unless it is there already or was deleted."""
        key = part.table.recognized_by(row)
        if (part.expected is None or key in part.expected) and not self._holds(part.table, key):
            part.from_file += self._add(part.table, row)

    def _remove_orphans(self, part: TableSalvage) -> int:
        """Remove rows without a parent and return their number. Where the schema says SET NULL, clear the reference
        instead."""
        table, count = part.table, 0
        links = self._db.execute(f"PRAGMA foreign_key_list({table.name})").fetchall()
        for _, _, parent, column, key, _, deletion, _ in links:
            match = f'SELECT 1 FROM {parent} p WHERE p."{key}" = {table.name}."{column}"'
            orphaned = f'"{column}" IS NOT NULL AND NOT EXISTS ({match})'
            if deletion == "SET NULL":
                self._db.execute(f'UPDATE {table.name} SET "{column}" = NULL WHERE {orphaned}')
                continue
            rows = self._db.execute(f"SELECT {_listed(table.columns)} FROM {table.name} WHERE {orphaned}").fetchall()
            [parents] = [other for other in self.tables if other.table.name == parent]
            for values in rows:
                row = dict(zip(table.columns, values, strict=True))
                if (identity := table.recognized_by(row)) in part.from_backup:
                    part.from_backup.remove(identity)
                    if not (parents.torn and parents.may_have_held({key: row[column]})):
                        continue  # the parent was deleted after the backup, and so was this row
                else:
                    part.from_file -= 1
                self._unused.add(table.name, row, f"its row of {parent} is missing")
            self._db.execute(f"DELETE FROM {table.name} WHERE {orphaned}")
            count += len(rows)
        return count

    def _count_on(self, counters: Iterable[tuple[Value, ...]]) -> None:
        """Prevent reusing numbers that a table has used before."""
        for name, number in list(counters):
            self._db.execute("UPDATE main.sqlite_sequence SET seq = max(seq, ?) WHERE name = ?", [number, name])
            self._db.execute(
                "INSERT INTO main.sqlite_sequence (name, seq) SELECT ?1, ?2 WHERE NOT EXISTS"
                " (SELECT 1 FROM main.sqlite_sequence WHERE name = ?1)",
                [name, number],
            )

    def _holds(self, table: SalvagedTable, key: Key) -> bool:
        same = " AND ".join(f'"{column.name}" = ?' for column in table.identity)
        sql = f"SELECT 1 FROM main.{table.name} WHERE {same}"
        return self._db.execute(sql, [value for _, value in key]).fetchone() is not None

    def _add(self, table: SalvagedTable, row: Row) -> bool:
        """Add a row and return True; on a violation of the schema keep it in `unused` and return False."""
        sql = f"INSERT INTO main.{table.name} ({_listed(table.columns)}) VALUES ({', '.join('?' * len(table.columns))})"
        try:
            self._db.execute(sql, [row[name] for name in table.columns])
        except sqlite3.IntegrityError as error:
            self._unused.add(table.name, row, str(error))
            return False
        return True


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f'"{name}"' for name in names)
