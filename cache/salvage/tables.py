"""The tables of a library as b-trees of a file: columns, indexes, and first pages."""

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass

from cache.salvage.pages import Cell, Value
from cache.salvage.trees import Column, Key, Tree, Trees, ordered

_REMADE = ("paper_tokens", "paper_facts", "_sqlite_migrations")
"""Tables that spar derives from others, or fills when it creates a library."""
_NOTHING = type(None)
_TYPES: dict[str, tuple[type, ...]] = {"TEXT": (str,), "INTEGER": (int,), "REAL": (int, float), "BLOB": (bytes,)}
_SCHEMA = (
    Column("type", (str,)), Column("name", (str,)), Column("tbl_name", (str,)), Column("rootpage", (int,)),
    Column("sql", (str, _NOTHING)),
)  # fmt: skip
_ROWID = "rowid"

Row = Mapping[str, Value]


@dataclass(frozen=True)
class Table:
    """A table of a library: its tree, the trees of its indexes, and the columns that identify a row.

    The rows of a table that is not `kept` are rebuilt; its tree is read only to find out which pages belong to it.
    """

    name: str
    tree: Tree
    indexes: tuple[Tree, ...]
    identity: tuple[Column, ...]
    rowid: str
    """The column that holds the rowid; "rowid" if no column does, "" if the table has no rowid."""
    kept: bool

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns in a `Row` of this table."""
        stored = tuple(column.name for column in self.tree.columns)
        return (_ROWID, *stored) if self.rowid == _ROWID else stored

    def row(self, cell: Cell) -> Row:
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


def tables_of(db: sqlite3.Connection, roots: Mapping[str, int]) -> list[Table]:
    """Return the tables of the library `db`, kept ones first. `roots` has their first pages in the damaged file."""
    tables = [_table(db, name, bool(kept), roots) for name, kept in db.execute(_TABLES).fetchall()]
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
    found = {str(name): root for kind, name, _, root, _ in reversed(entries) if kind in ("table", "index")}
    return {**fallback, **{name: root for name, root in found.items() if isinstance(root, int) and root}}


def roots_in(db: sqlite3.Connection) -> dict[str, int]:
    """Return the first page of each table and index of an intact database."""
    return dict(db.execute("SELECT name, rootpage FROM sqlite_schema WHERE rootpage > 0"))


def _table(db: sqlite3.Connection, name: str, kept: bool, roots: Mapping[str, int]) -> Table:
    info = db.execute(f"PRAGMA table_info('{name}')").fetchall()
    [sql] = db.execute("SELECT sql FROM sqlite_schema WHERE name = ?", [name]).fetchone()
    primary = [column for _, column, *_ in sorted((row for row in info if row[5]), key=lambda row: int(row[5]))]
    types = {column: _types(kind, bool(required)) for _, column, kind, required, *_ in info}
    rowid = "" if sql.endswith("WITHOUT ROWID") else primary[0] if int in types[primary[0]] else _ROWID
    columns = {column: Column(column, (_NOTHING,) if column == rowid else kinds) for column, kinds in types.items()}
    tree, indexes = Tree(name, tuple(columns.values()), 0, roots.get(name, 0)), []
    for _, index, _, origin, _ in db.execute(f"PRAGMA index_list('{name}')").fetchall():
        fields = []
        for _, number, column, _, collation, _ in db.execute(f"PRAGMA index_xinfo('{index}')").fetchall():
            named = rowid if number == -1 else column or ""
            kinds = (int,) if named == rowid else types.get(named, ())
            fields.append(Column(named, kinds, collation == "NOCASE"))
        if origin == "pk":
            columns |= {column.name: column for column in fields if column.name in primary}
        if origin == "pk" and not rowid:
            tree = Tree(name, tuple(fields), len(primary), roots.get(name, 0))
        else:
            indexes.append(Tree(index, tuple(fields), len(fields), roots.get(index, 0)))
    return Table(name, tree, tuple(indexes), tuple(columns[column] for column in primary), rowid, kept)


def _types(declared: str, required: bool) -> tuple[type, ...]:
    """Return the types that a column may hold; empty if its declaration has no type."""
    types = _TYPES.get(declared, ())
    return types if required or not types else (*types, _NOTHING)
