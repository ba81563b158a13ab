"""Libraries of a known content: whole ones, those of earlier versions, damaged ones."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from sqlite_utils import Database

from cache import papers, shelf
from cache.migrations import LIBRARY
from cache.store import Store
from tests.cache.conftest import make_paper, name

WORDS = "words of an abstract " * 40


def fill(path: Path, count: int = 50, first: int = 1) -> None:
    """Save papers `first` and on, each with a tag."""
    with Store.open(path) as store:
        found = [make_paper(f"Paper {n}", f"pmid:{n}", abstract=WORDS) for n in range(first, first + count)]
        shelf.save(store, found, ["kept"])


def older(path: Path, version: int, count: int = 50) -> None:
    """A library of `count` papers as spar left it when its schema was `version`."""
    fill(path.with_name("today.db"), count)
    with closing(Database(memory=True)) as blank:
        steps = [step.name for step in LIBRARY.pending(blank)]
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        LIBRARY.apply(Database(db), stop_before=steps[version] if version < len(steps) else None)
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("ATTACH ? AS today", (str(path.with_name("today.db")),))
        for table in ("papers", "identifiers", "shelf", "tags"):
            columns = ", ".join(_columns(db, "main", table) & _columns(db, "today", table))
            if columns:
                db.execute(f"INSERT INTO main.{table} ({columns}) SELECT {columns} FROM today.{table}")
        db.execute("DETACH today")
        db.execute(f"PRAGMA user_version = {version}")
    path.with_name("today.db").unlink()


def _columns(db: sqlite3.Connection, schema: str, table: str) -> set[str]:
    return {row[1] for row in db.execute(f"PRAGMA {schema}.table_info({table})")}


def corrupt(path: Path) -> bool:
    """Whether SQLite finds fault with the file, with its full-text index, or with what belongs together."""
    try:
        with closing(sqlite3.connect(path)) as db:
            if db.execute("PRAGMA integrity_check").fetchone() != ("ok",):
                return True
            if db.execute("PRAGMA foreign_key_check").fetchone() is not None:
                return True
            db.execute("INSERT INTO papers_fts (papers_fts) VALUES ('integrity-check')")
    except sqlite3.DatabaseError:
        return True
    return False


def halves(store: Store) -> int:
    """Papers of which only a part was saved: without their name, or on the shelf without their tag."""
    with store.reading() as db:
        nameless = "SELECT count(*) FROM papers WHERE id NOT IN (SELECT paper FROM identifiers)"
        untagged = "SELECT count(*) FROM shelf WHERE paper NOT IN (SELECT paper FROM tags)"
        return int(db.execute(nameless).fetchone()[0]) + int(db.execute(untagged).fetchone()[0])


def lost(store: Store, numbers: list[int]) -> int:
    """How many of the papers of these numbers are not there."""
    return sum(papers.find(store, [name(f"pmid:{number}")]) is None for number in numbers)


@contextmanager
def raw(path: Path, synchronous: str, journal: str = "WAL") -> Iterator[sqlite3.Connection]:
    """A database of one table as plain programs open it: the control of what `Store` does."""
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute(f"PRAGMA journal_mode = {journal}")
        db.execute(f"PRAGMA synchronous = {synchronous}")
        db.execute("CREATE TABLE IF NOT EXISTS rows (id INTEGER PRIMARY KEY, text TEXT)")
        db.execute("CREATE INDEX IF NOT EXISTS by_text ON rows (text)")
        yield db
