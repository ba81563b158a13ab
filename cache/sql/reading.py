"""The only access to the library for SQL from a model or a person: `read_sql`.

A query's text is not searched for forbidden words; SQLite itself enforces the rules. Each query has its own read-only
connection, on which the views of `views.py` are created before the authorizer is set. From then on the authorizer
decides on every table, column and function that SQLite compiles: what is not listed is refused without running.

Two properties of SQLite determine the design:

- It reports within which view a column is read, but reports a common table expression with a view's name as that view.
  So each view reads an inner one with a random name, which no query can know: only that one may read the file's tables.
- It copies common table expressions wherever they are named, before it asks the authorizer or the clock: two mentions
  each, thirty deep, make a thousand million copies. So the mentions are counted first.
"""

import math
import re
import secrets
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import NamedTuple

from cache.conditions import sql as conditions
from cache.conditions.filters import parsed
from cache.conditions.scopes import LIBRARY
from cache.errors import SqlRefused, Vanished, named_errors
from cache.sql.facts import complete
from cache.sql.views import FULL_TEXT, OPEN, VIEWS
from cache.store import WAIT, Store
from connectors.identifiers import is_preprint_doi
from connectors.records.visible import visible

Value = str | int | float | None


class SqlRows(NamedTuple):
    """The result of a query; `cut` if there were more rows than were read."""

    columns: tuple[str, ...]
    rows: list[tuple[Value, ...]]
    cut: bool


class SqlBounds(NamedTuple):
    """Limits of a query: rows, bytes of text in them, seconds."""

    rows: int = 200
    size: int = 200_000
    seconds: float = 1.0


_LENGTH = 100_000
"""Maximum length of a text, in bytes: a function takes milliseconds for it, and some hundreds fit into memory."""
_LIMITS = {
    sqlite3.SQLITE_LIMIT_LENGTH: _LENGTH,
    sqlite3.SQLITE_LIMIT_SQL_LENGTH: 10_000,
    sqlite3.SQLITE_LIMIT_COLUMN: 100,
    sqlite3.SQLITE_LIMIT_EXPR_DEPTH: 200,
    sqlite3.SQLITE_LIMIT_COMPOUND_SELECT: 20,
    sqlite3.SQLITE_LIMIT_VDBE_OP: 100_000,
    sqlite3.SQLITE_LIMIT_FUNCTION_ARG: 16,
    sqlite3.SQLITE_LIMIT_ATTACHED: 0,
    sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH: 100,
    sqlite3.SQLITE_LIMIT_VARIABLE_NUMBER: 10_000,
    sqlite3.SQLITE_LIMIT_TRIGGER_DEPTH: 1,
    sqlite3.SQLITE_LIMIT_WORKER_THREADS: 0,
}
_COPIES = 1_000
"""Maximum number of copies that SQLite makes of common table expressions."""
_MATCHINGS = 30
"""Maximum number of `LIKE`s in a query: SQLite checks the clock only between rows."""
_STEPS = 1_000
"""SQLite steps between two checks of the clock: some tens of microseconds."""
_MEMORY = 8_000
"""Kilobytes of the file held in memory; larger sorts use files."""

FUNCTIONS = frozenset(
    "abs avg bm25 coalesce count cume_dist date datetime dense_rank first_value glob group_concat ifnull iif instr"
    " julianday lag last_value lead length like lower ltrim match max meets min nth_value ntile nullif percent_rank"
    " random rank round row_number rtrim sign strftime string_agg substr substring sum time total trim typeof unicode"
    " unixepoch upper".split()
)
"""The functions that queries may call. None makes long texts from short ones (`printf`, `replace`, `hex`,
`zeroblob`), none reaches outside the database, and `snippet` and `highlight` would quote spar's notes as abstracts."""


def read_sql(
    library: Store | Path,
    sql: str,
    parameters: Sequence[Value] | Mapping[str, Value] = (),
    bounds: SqlBounds = SqlBounds(),  # noqa: B008  # a frozen value
) -> SqlRows:
    """Return the rows of one `SELECT` over the views, as plain values without invisible characters.

    Raises `SqlRefused` if the query is not allowed, is wrong or takes too much, `CacheError` if the library cannot be
    read. It blocks: call it in a thread. No `sql` can change anything.
    """
    _look_over(sql)
    if isinstance(library, Store) and not complete(library, bounds.seconds):
        raise _stopped(f"there are many new papers, and reading them took {bounds.seconds:g} s; ask again")
    path, wait = (library.path, library.wait) if isinstance(library, Store) else (library, WAIT)
    if not path.exists():
        raise Vanished(path)
    with named_errors(path, wait), _door(path, wait) as door:
        return door.read(sql, parameters, bounds)


class _Door:
    """A connection that can only read the views."""

    def __init__(self, db: sqlite3.Connection, secret: str, library: Callable[[], sqlite3.Connection]) -> None:
        self.db, self.deadline, self.denied, self.shut, self.matchings = db, math.inf, "", False, 0
        self.library, self.chosen = library, dict[str, frozenset[int]]()
        db.create_function("meets", 2, self._meets, deterministic=True)
        self.inner = frozenset(_inner(view.name, secret) for view in VIEWS)
        self.stored = frozenset(name.lower() for (name,) in db.execute("SELECT name FROM main.sqlite_master"))
        db.set_authorizer(self._authorize)
        db.set_progress_handler(self._is_late, _STEPS)

    def read(self, sql: str, parameters: Sequence[Value] | Mapping[str, Value], bounds: SqlBounds) -> SqlRows:
        self.deadline, self.shut = time.monotonic() + bounds.seconds, True
        try:
            cursor = self.db.execute(sql, parameters)
            if cursor.description is None:
                raise _refused("it returns no columns")
            columns = tuple(_plain(name)[:100] for name, *_ in cursor.description)
            rows, truncated = _fetched(cursor, bounds)
        except (sqlite3.Error, sqlite3.Warning, OverflowError) as error:
            raise self._error_for(error, bounds) from error
        return SqlRows(columns, rows, truncated)

    def _error_for(self, error: Exception, bounds: SqlBounds) -> Exception:
        """Return the error to raise for `error`; unchanged if it is about the file."""
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
        if code == sqlite3.SQLITE_INTERRUPT:
            return _stopped(f"it took longer than {bounds.seconds:g} s")
        if code in (sqlite3.SQLITE_TOOBIG, sqlite3.SQLITE_NOMEM):
            return _stopped("a text or the query itself is too large")
        if self.denied:
            return _refused(self.denied)
        if code in (sqlite3.SQLITE_ERROR, sqlite3.SQLITE_MISUSE, sqlite3.SQLITE_MISMATCH, sqlite3.SQLITE_RANGE):
            return _refused(_plain(str(error)))
        return error

    def _meets(self, number: Value | bytes, text: Value | bytes) -> bool:
        """Whether a paper meets a filter. Matches are looked up once per filter text."""
        text_value = str(_value(text))
        if text_value not in self.chosen:
            filters = parsed(text_value, LIBRARY)
            wrong = "; ".join(filters.problems) or ("" if filters.terms else "meets() needs a filter")
            if wrong or filters.of("fulltext"):
                self.denied = _plain(wrong or "in:fulltext is not allowed")
                raise ValueError(self.denied)
            with closing(self.library()) as db:
                db.set_progress_handler(self._is_late, _STEPS)
                condition, values = conditions.clause(filters, db, indexed=True)
                rows = f"SELECT p.id FROM papers p LEFT JOIN shelf s ON s.paper = p.id WHERE {condition}"
                self.chosen[text_value] = frozenset(paper for (paper,) in db.execute(rows, values))
        return number in self.chosen[text_value]

    def _is_late(self) -> bool:
        return time.monotonic() > self.deadline

    def _authorize(
        self, action: int, first: str | None, second: str | None, base: str | None, within: str | None
    ) -> int:
        if not self.shut:
            return sqlite3.SQLITE_OK
        ours = within in self.inner or first in self.inner
        why = "" if ours else self._objection(action, first or "", second or "", base)
        self.denied = self.denied or why
        return sqlite3.SQLITE_DENY if why else sqlite3.SQLITE_OK

    def _objection(self, action: int, first: str, second: str, base: str | None) -> str:
        """Return why SQLite may not do this; "" if it may."""
        if action == sqlite3.SQLITE_FUNCTION:
            return self._objection_to_function(second.lower())
        if action != sqlite3.SQLITE_READ:
            return "" if action in _ACTS else "it would do more than read"
        name = first.lower()
        if second:
            home = "main" if name == FULL_TEXT.name else "temp"
            open_ = base == home and second.lower() in _COLUMNS.get(name, ())
        else:
            # A table of which no column is read, by the name in the query: a view, or a common table expression.
            open_ = base is None and (name in _COLUMNS or not (name in self.stored or name.startswith("sqlite_")))
        return "" if open_ else f"{_plain(first)[:60]}{'.' * bool(second)}{_plain(second)[:60]} is not allowed"

    def _objection_to_function(self, name: str) -> str:
        self.matchings += name in ("like", "glob")
        if self.matchings > _MATCHINGS:
            return f"it has more than {_MATCHINGS} LIKE or GLOB"
        return "" if name in FUNCTIONS else f"the function {_plain(name)[:60]}() is not allowed"


_ACTS = (sqlite3.SQLITE_SELECT, sqlite3.SQLITE_RECURSIVE)
_COLUMNS = {view.name: frozenset(column.name for column in view.columns) for view in OPEN}


@contextmanager
def _door(path: Path, wait: float) -> Iterator[_Door]:
    library = partial(sqlite3.connect, f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=wait)
    db = library(isolation_level=None)
    try:
        db.text_factory = lambda raw: raw.decode("utf-8", "replace")
        # Sorting in memory has no limit, sorting in files has.
        db.execute("PRAGMA temp_store = FILE")
        db.execute(f"PRAGMA cache_size = -{_MEMORY}")
        db.execute("PRAGMA trusted_schema = OFF")
        db.create_function("is_preprint_doi", 1, is_preprint_doi, deterministic=True)
        db.create_function("instr", 2, _instr, deterministic=True)
        for name, stripped in {"trim": str.strip, "ltrim": str.lstrip, "rtrim": str.rstrip}.items():
            db.create_function(name, 2, partial(_trimmed, stripped), deterministic=True)
        secret = secrets.token_hex(16)
        for view in VIEWS:
            db.execute(f'CREATE TEMP VIEW "{_inner(view.name, secret)}" AS {view.sql}')
            db.execute(f'CREATE TEMP VIEW {view.name} AS SELECT * FROM "{_inner(view.name, secret)}"')
        door = _Door(db, secret, library)
        db.execute("PRAGMA query_only = ON")
        _ask_before(db)
        for limit, most in _LIMITS.items():
            db.setlimit(limit, most)
        yield door
    finally:
        db.close()


def _ask_before(db: sqlite3.Connection) -> None:
    """Make FTS5 prepare the statements that read its own tables: later the authorizer would refuse them. A `PRAGMA`
    would discard them again."""
    [titles] = db.execute("SELECT group_concat(title, ' ') FROM (SELECT title FROM papers ORDER BY id DESC LIMIT 20)")
    rare = max(_WORD.findall(titles[0] or ""), key=len, default="a")
    db.execute("SELECT bm25(papers_fts) FROM papers_fts WHERE papers_fts MATCH ? LIMIT 1", (f'"{rare}"',)).fetchall()
    for statement in _SCANS:
        db.execute(statement).fetchall()


_WORD = re.compile(r"[^\W_]+")
_SCANS = (
    "SELECT rowid FROM papers_fts LIMIT 1",
    "SELECT rowid FROM papers_fts ORDER BY rowid DESC LIMIT 1",
    "SELECT rowid FROM papers_fts WHERE rowid = 1",
)


def _instr(text: Value | bytes, part: Value | bytes) -> int | None:
    """Like SQLite's `instr`, which takes seconds for long repetitive texts."""
    return None if text is None or part is None else str(_value(text)).find(str(_value(part))) + 1


def _trimmed(stripped: Callable[[str, str], str], text: Value | bytes, letters: Value | bytes) -> str | None:
    """Like SQLite's own function, which takes minutes for many letters."""
    if text is None or letters is None:
        return None
    if len(whole := str(_value(letters))) > _LETTERS:
        raise ValueError(f"more than {_LETTERS} letters")
    return stripped(str(_value(text)), whole)


_LETTERS = 100


def _inner(name: str, secret: str) -> str:
    return f"{name} {secret}"


def _fetched(cursor: sqlite3.Cursor, bounds: SqlBounds) -> tuple[list[tuple[Value, ...]], bool]:
    """Return the rows within the limits, and whether there were more."""
    rows: list[tuple[Value, ...]] = []
    size = 0
    for cells in cursor:
        if len(rows) >= bounds.rows:
            return rows, True
        row = tuple(map(_value, cells))
        size += sum(len(value.encode()) if isinstance(value, str) else 8 for value in row)
        if size > bounds.size:
            return rows, True
        rows.append(row)
    return rows, False


def _value(cell: str | bytes | float | None) -> Value:
    if isinstance(cell, bytes):
        cell = cell.decode("utf-8", "replace")
    if isinstance(cell, str):
        return _plain(cell)
    return None if isinstance(cell, float) and not math.isfinite(cell) else cell


def _plain(text: str) -> str:
    if text.isascii() and text.isprintable():
        return text  # most are ASCII, and a query may read a hundred thousand
    return "\n".join(visible(line) for line in text.splitlines())


def _refused(why: str) -> SqlRefused:
    return SqlRefused(
        f"The query was not run: {why}. Only reading is allowed: one SELECT over"
        f" {', '.join(view.name for view in OPEN)} with common functions."
    )


def _stopped(why: str) -> SqlRefused:
    return SqlRefused(f"The query was stopped: {why}. Ask for less: fewer tables, a narrower WHERE, a LIMIT.")


_TOKEN = re.compile(
    r"""(?P<blank>\s+|--[^\n]*|/\*.*?(?:\*/|\Z))"""
    r"""|(?P<name>'(?>(?:[^']|'')*)'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|[^\W\d][\w$]*)"""
    r"""|(?P<other>\d\w*|.)""",
    re.DOTALL,
)


def _look_over(sql: str) -> None:
    """Raise `SqlRefused` for what the authorizer does not see: `EXPLAIN`, and unlimited copying."""
    if len(sql) > _LIMITS[sqlite3.SQLITE_LIMIT_SQL_LENGTH]:
        raise _stopped("a text or the query itself is too large")
    if any(letter == "\0" or "\ud800" <= letter <= "\udfff" for letter in sql):
        raise _refused("it has invalid characters")
    tokens = [match[0].casefold() for match in _TOKEN.finditer(sql) if match.lastgroup != "blank"]
    if not tokens or tokens[0] not in ("select", "with", "values"):
        raise _refused("it is not a SELECT")
    if math.prod(_mentions(tokens)) > _COPIES:
        raise _stopped("it uses the tables of WITH too often")


def _mentions(tokens: Sequence[str]) -> Iterator[int]:
    """Yield, for each name of a `WITH` clause, how often it is used like a table."""
    bare = [_unquoted(token) for token in tokens]
    for index, token in enumerate(tokens):
        if token == "as" and (name := _defined(bare, index)) is not None:
            count = sum(
                token_text == name and after != "." for token_text, after in zip(bare, [*tokens[1:], ""], strict=True)
            )
            yield max(1, count - 1)


def _unquoted(token: str) -> str:
    quote = token[0]
    if len(token) < 2 or quote not in "'\"`[":
        return token
    return token[1:-1] if quote == "[" else token[1:-1].replace(quote * 2, quote)


def _defined(bare: Sequence[str], index: int) -> str | None:
    """Return the name that the `AS` at `index` defines, before it or before its list of columns; None for any other
    AS."""
    follows = next((word for word in bare[index + 1 :] if word not in ("not", "materialized")), "")
    if follows != "(" or not index:
        return None
    if bare[index - 1] != ")":
        return bare[index - 1]
    opening = next((at for at in range(index - 1, 0, -1) if bare[at] == "("), 0)
    return bare[opening - 1]
