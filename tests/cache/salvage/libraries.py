"""Libraries with rows in every table, and ways to damage them."""

import sqlite3
from collections.abc import Iterable
from contextlib import closing
from functools import cache
from pathlib import Path
from random import Random

from cache.packing import compress
from cache.salvage.merging import roots_of, tables_of
from cache.salvage.pages import INNER_INDEX, LEAF_INDEX, LEAF_TABLE, PageCell, PageFile, TreePage, Trees, Value
from cache.store import Store

Values = tuple[Value, ...]

PAGE = 4096
TIME = "2026-11-2{}T09:41:07.000000Z"
WORDS = "retrieval dense sparse corpus token query graph neural α-helix naïve 深度学习 citation".split()
ROWID_TABLES = {"answers", "runs", "citation_keys", "watches", "text_vectors"}
"""Whose rows have a rowid that is no column."""


def fill(path: Path, dice: Random, papers: int, first: int = 1) -> None:
    """Add papers from number `first` on, and for each some rows of every other table."""
    with Store.open(path) as store, store.writing() as db:
        for number in range(first, first + papers):
            _add_paper(db, dice, number)
            if number % 4 == 0:
                _add_saved(db, dice, number)
            if number % 10 == 0:
                _add_run(db, dice, number)
            if number % 25 == 0:
                _add_watch(db, dice, number)


def rows_of(path: Path) -> dict[str, set[Values]]:
    """All rows of each table that holds more than what is made of the others."""
    with closing(sqlite3.connect(path)) as db:
        names = [name for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        kept = [name for name in names if not name.startswith(("sqlite_", "_sqlite", "paper_")) and "_fts" not in name]
        return {
            name: set(db.execute(f"SELECT {'rowid, ' if name in ROWID_TABLES else ''}* FROM {name}")) for name in kept
        }


def _text(dice: Random, words: int) -> str:
    return " ".join(dice.choices(WORDS, k=words))


def _time(dice: Random) -> str:
    return TIME.format(dice.randrange(10))


def _insert(db: sqlite3.Connection, table: str, *values: object) -> None:
    db.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(values))})", values)


def _add_paper(db: sqlite3.Connection, dice: Random, number: int) -> None:
    title, abstract = f"{number}: {_text(dice, 8)}", _text(dice, dice.choice((0, 40, 150, 900)))
    date, seen = dice.choice((None, "2020", "2021-05-06")), _time(dice)
    key, authors = title.casefold(), _text(dice, 4)
    record = f'{{"title": "{title}", "abstract": "{abstract}"}}'
    _insert(
        db,
        "papers",
        number,
        date,
        2020,
        seen,
        seen,
        f"author {number % 9}",
        key,
        title,
        "Venue",
        authors,
        abstract,
        record,
    )
    for scheme in ("doi", "pmid", "arxiv")[: dice.randrange(1, 4)]:
        _insert(db, "identifiers", scheme, f"10.1/{dice.randrange(10**6)}.{number}", number)
    for cited in range(dice.choice((0, 3, 12))):
        _insert(db, "citation_links", number, "doi", f"10.1/{dice.randrange(10**6)}.{cited}")
    _insert(db, "tellings", dice.randbytes(20), number)
    _insert(db, "text_vectors", "model", dice.randbytes(32), dice.randbytes(dice.choice((64, 1536, 6000))))
    answer = compress(_text(dice, 200))
    _insert(db, "answers", f"{number}.{dice.randrange(10**9)}", "arxiv", "search", answer, seen, seen)


def _add_saved(db: sqlite3.Connection, dice: Random, number: int) -> None:
    now = _time(dice)
    _insert(db, "shelf", number, now, None, dice.choice((-1, 0, 1)), _text(dice, 30), None, "{}")
    for tag in {*dice.choices(WORDS, k=2)}:
        _insert(db, "tags", number, tag)
    _insert(db, "citation_keys", f"Key{number}", number, now)
    _insert(
        db, "originals", None, number, f"Key{number}", dice.randbytes(32), f"@misc{{Key{number}, {_text(dice, 60)}}}"
    )
    _insert(db, "imported_notes", None, number, _text(dice, 30))
    _insert(db, "chosen_files", f"/papers/{number}.pdf")
    _insert(db, "acts", None, number, "saved", now, None)
    _insert(db, "full_texts", None, number, "a.pdf", dice.randbytes(32), 3, 0, "", now)
    [text] = db.execute("SELECT max(id) FROM full_texts").fetchone()
    for page in range(1, 4):
        _insert(db, "page_texts", None, text, page, f"{number}.{page} {_text(dice, 300)}")
    if number % 8 == 0:
        _insert(db, "corrections", number, f'{{"title": "{_text(dice, 20)}"}}')
        _insert(db, "set_aside", number, now)
        _insert(db, "merges", None, number, number, 10**6 + number, "author", "{}", now, _text(dice, 90), "{}")


def _add_run(db: sqlite3.Connection, dice: Random, number: int) -> None:
    run, now = f"{dice.getrandbits(64):016x}", _time(dice)
    _insert(db, "runs", run, "search", _text(dice, 7), "{}", "finished", now, now, '{"shown": 9}')
    for event in range(30):
        score = dice.choice((None, 0.5, 3, dice.random()))
        _insert(db, "events", run, event, "judge", "verdict", _text(dice, dice.choice((5, 60, 1200))), score, now)
    for batch in range(30, 34):
        _insert(db, "event_batches", run, batch, dice.randbytes(dice.choice((90, 700, 9000))))
    for rank in range(9):
        _insert(db, "run_papers", run, rank, number - rank, _text(dice, 20))
    _insert(db, "acts", None, number, "opened", now, run)
    _insert(db, "model_replies", f"{dice.getrandbits(64):x}", "http://m", "m", _text(dice, 50), _text(dice, 700), now)


def _add_watch(db: sqlite3.Connection, dice: Random, number: int) -> None:
    now = _time(dice)
    _insert(db, "watches", f"Watch {number}", _text(dice, 7), "{}", now, None)
    _insert(db, "watch_looks", f"Watch {number}", "arxiv", now)
    for paper in range(max(1, number - 20), number):
        _insert(db, "watch_papers", f"Watch {number}", paper, now)
    line = db.execute("INSERT INTO profile (facet, text, made) VALUES ('like', ?, ?)", [_text(dice, 9), now]).lastrowid
    _insert(db, "profile_papers", line, number)


def damage(path: Path, pages: Iterable[int], junk: bytes) -> None:
    """Overwrite pages, the first being 1."""
    with path.open("r+b") as file:
        for number in pages:
            file.seek((number - 1) * PAGE)
            file.write(junk)


class _Noting(PageFile):
    """Notes for each record on which pages it stands."""

    def __init__(self, path: Path) -> None:
        self.where: dict[PageCell, frozenset[int]] = {}
        self._number, self._read = 0, set[int]()
        super().__init__(path)

    def page(self, number: int) -> TreePage | None:
        self._number = number
        return super().page(number)

    def _bytes(self, number: int) -> bytes:
        self._read.add(number)
        return super()._bytes(number)

    def _cell(self, data: bytes, kind: int, at: int) -> PageCell:
        self._read = {self._number}
        cell = super()._cell(data, kind, at)
        self.where[cell._replace(child=kind)] = frozenset(self._read)
        return cell


@cache
def standing(path: Path) -> dict[tuple[str, Values], frozenset[int]]:
    """On which pages of a whole library, which stays as it is, each row stands, by its table and its values."""
    rows = {}
    with _Noting(path) as pages, closing(sqlite3.connect(path)) as db:
        trees = Trees(pages)
        for table in filter(lambda table: table.kept, tables_of(db, roots_of(trees, {}))):
            kinds = (INNER_INDEX, LEAF_INDEX) if table.tree.keys else (LEAF_TABLE,)
            for cell in trees.cells(table.tree):
                [where] = [pages.where[key] for kind in kinds if (key := cell._replace(child=kind)) in pages.where]
                row = table.row(cell)
                rows[table.name, tuple(row[column] for column in table.columns)] = where
    return rows
