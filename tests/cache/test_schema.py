"""Libraries from somebody else: spar runs nothing foreign in them, and a repair keeps their papers."""

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from cache.backups import back_up
from cache.errors import Damaged, Foreign, NotAFile
from cache.names import beginning
from cache.repair import repair_of
from cache.schema import digest, foreign_in, make_schema, rows_of
from cache.store import Store
from cache.upkeep import keep_daily_unasked
from cache.version import APPLICATION_ID, SCHEMA, VERSION
from tests.cache.salvage.libraries import fill
from tests.cache.salvage.libraries import rows_of as rows_kept
from tests.library import copied

ENDLESS = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
FOREIGN = {
    "trigger t": "CREATE TRIGGER t AFTER INSERT ON shelf BEGIN DELETE FROM tags; END",
    "trigger e": f"CREATE TRIGGER e AFTER INSERT ON acts BEGIN INSERT INTO tags {ENDLESS} SELECT i, 'x' FROM n; END",
    "view papers": f"ALTER TABLE papers RENAME TO p; CREATE VIEW papers AS {ENDLESS} SELECT i AS id FROM n",
    "view v": "CREATE VIEW v AS SELECT * FROM papers",
    "index i": "CREATE INDEX i ON papers (printf('%.*c', 1000000000, title))",
    "index u": "CREATE UNIQUE INDEX u ON shelf (rating)",
    "index s": "CREATE INDEX s ON shelf (rating)",
    "table c": "CREATE TABLE c (x CHECK (length(printf('%.*c', 1000000000, x)) > 0))",
    "table g": "CREATE TABLE g (x, y AS (x || x))",
    "table f": "CREATE TABLE f (paper REFERENCES papers ON DELETE RESTRICT)",
    "table w": "CREATE VIRTUAL TABLE w USING fts5 (x)",
    "table tags": "DROP TABLE tags; CREATE TABLE tags (paper, tag DEFAULT (randomblob(9)))",
}  # fmt: skip


def changed(path: Path, sql: str) -> Path:
    with closing(sqlite3.connect(copied(path))) as db:
        db.execute("PRAGMA legacy_alter_table = ON")
        db.executescript(sql)
    return path


def test_the_schema_of_this_version_is_recognized_by_its_digest() -> None:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as db:
        make_schema(db, VERSION)
        assert digest(rows_of(db)) == SCHEMA


@pytest.mark.parametrize("named", FOREIGN)
def test_what_spar_did_not_make_is_named_and_nothing_is_run(path: Path, named: str) -> None:
    changed(path, FOREIGN[named])
    before = path.read_bytes()
    with pytest.raises(Foreign, match=rf"spar did not make .*the {named}.*`spar doctor --repair`"):
        Store.open(path)
    assert path.read_bytes() == before
    assert beginning(path, "tag", "") == []
    keep_daily_unasked(path)
    with pytest.raises(Foreign):
        back_up(path, path.with_name("copy.db"))
    assert [file.name for file in path.parent.glob("*.db*") if "lock" not in file.name] == [path.name]


def test_a_library_in_utf_16_is_named(path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA encoding = 'UTF-16'")
        make_schema(db, VERSION)
        db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    with pytest.raises(Foreign, match="UTF-16"):
        Store.open(path)


def test_a_format_that_this_sqlite_does_not_know_is_named(path: Path) -> None:
    words = path.with_name("words.db")
    changed(words, "UPDATE papers_fts_config SET v = 99 WHERE k = 'version'")
    with pytest.raises(Damaged, match="invalid fts5 file format"):
        Store.open(words)
    with open(copied(path), "r+b") as file:
        file.seek(44)  # the schema format in the header
        file.write(bytes([0, 0, 0, 9]))
    with pytest.raises(Damaged, match="unsupported file format"):
        Store.open(path)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no pipes with a name in a folder")
def test_a_pipe_in_place_of_a_library_is_refused(path: Path) -> None:
    os.mkfifo(path)
    with pytest.raises(NotAFile, match="not a file"):
        Store.open(path)


def test_a_table_that_is_missing_is_named(path: Path) -> None:
    changed(path, "DROP TRIGGER paper_facts_outdated")
    with pytest.raises(Foreign, match="it lacks the trigger paper_facts_outdated"):
        Store.open(path)


@pytest.mark.parametrize(
    "sql",
    ["CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER)", "ANALYZE",
     "CREATE TABLE mine (x TEXT, y TEXT); CREATE INDEX by_x ON mine (x)"],
)  # fmt: skip
def test_a_table_apart_from_ours_in_which_nothing_is_computed_is_no_harm(path: Path, sql: str) -> None:
    changed(path, sql)
    Store.open(path).close()


@pytest.mark.parametrize("version", [*range(1, VERSION)])
def test_an_older_schema_is_compared_with_that_of_its_version(path: Path, version: int) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        make_schema(db, version)
        assert foreign_in(db) == ""
        db.execute("CREATE TRIGGER t AFTER INSERT ON papers BEGIN DELETE FROM papers; END")
        assert foreign_in(db) == "spar did not make the trigger t"


@pytest.mark.parametrize("named", ["trigger t", "trigger e", "view v", "index s", "table c"])
def test_a_repair_copies_the_rows_into_a_library_without_it(path: Path, named: str) -> None:
    fill(copied(path), Random(7), 60)
    before = rows_kept(path)
    changed(path, FOREIGN[named])
    with repair_of(path, 1.0) as repair:
        assert repair is not None
        assert repair.reason == f"spar did not make the {named}"
        repair.put_in_place()
    Store.open(path).close()
    after = rows_kept(path)
    assert after == {table: rows for table, rows in before.items() if table in after}
    assert after.keys() == before.keys()


def test_a_library_whose_papers_are_a_view_is_made_anew_of_what_tables_of_ours_it_has(path: Path) -> None:
    fill(copied(path), Random(7), 20)
    backup = path.with_name(f"{path.name}.before-v{VERSION}.bak")
    back_up(path, backup)
    changed(path, FOREIGN["view papers"])
    with repair_of(path, 1.0) as repair:
        assert repair is not None
        repair.put_in_place()
    with Store.open(path) as store, store.reading() as db:
        assert db.execute("SELECT count(*) FROM papers").fetchone() == (20,)


def counted(act: Callable[[sqlite3.Connection], object], path: Path) -> int:
    """Return how many hundreds of steps of SQLite's virtual machine an action takes."""
    steps = 0

    def step() -> int:
        nonlocal steps
        steps += 1
        return 0

    with closing(sqlite3.connect(path)) as db:
        db.set_progress_handler(step, 100)
        act(db)
    return steps


def test_looking_at_the_schema_takes_as_much_in_a_large_library_as_in_a_small_one(path: Path) -> None:
    fill(copied(path), Random(7), 4)
    few = counted(foreign_in, path)
    fill(path, Random(8), 400, first=5)
    assert counted(foreign_in, path) == few <= 40
