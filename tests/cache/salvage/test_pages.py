"""Pages are decoded as SQLite wrote them, whatever bytes stand on others, and logs are applied as SQLite does."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cache.repair import apply_log
from cache.salvage.merging import roots_in, roots_of, tables_of
from cache.salvage.pages import PageCell, PageFile, TreePage, Trees
from cache.store import Store
from tests.cache.salvage.libraries import PAGE, damage, fill, rows_of, standing


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("whole") / "library.db"
    fill(path, Random(1), papers=100)
    return path


def test_every_row_of_every_table_is_read_as_sqlite_reads_it(library: Path) -> None:
    by_sqlite = {(table, row) for table, rows in rows_of(library).items() for row in rows}
    assert standing(library).keys() == by_sqlite
    assert all(rows for table, rows in rows_of(library).items() if table != "upkeep")  # or nothing was tried


def test_every_index_names_every_row(library: Path) -> None:
    with PageFile(library) as pages, closing(sqlite3.connect(library)) as db:
        trees = Trees(pages)
        tables = [table for table in tables_of(db, roots_of(trees, {})) if table.kept]
        rows = {
            table.name: {table.recognized_by(table.row(cell)) for cell in trees.cells(table.tree)} for table in tables
        }
        for table in tables:
            for index in table.indexes:
                names = [column.name for column in index.columns]
                entries = [dict(zip(names, cell.values, strict=True)) for cell in trees.cells(index)]
                assert not index.gaps
                assert len(entries) == len(rows[table.name])
                if {column.name for column in table.identity} <= {*names}:
                    assert {table.recognized_by(entry) for entry in entries} == rows[table.name]


def test_a_list_of_tables_that_lost_its_first_page_is_found(library: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copy(library, tmp_path))
    damage(copy, [1], b"\xff" * PAGE)
    with PageFile(copy) as pages, closing(sqlite3.connect(library)) as db:
        assert roots_of(Trees(pages), {}) == roots_in(db)


def test_pages_of_the_freelist_are_known(library: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copy(library, tmp_path))
    with closing(sqlite3.connect(copy, isolation_level=None)) as db:
        db.execute("DELETE FROM answers")
        [count] = db.execute("PRAGMA freelist_count").fetchone()
    with PageFile(copy) as pages:
        free, whole = pages.free()
    assert len(free) == count > 0
    assert whole


@given(st.data())
def test_no_bytes_are_more_than_unreadable(
    library: Path, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    content = library.read_bytes()
    number = data.draw(st.integers(0, len(content) // PAGE - 1))
    start, junk = data.draw(st.integers(0, PAGE)), data.draw(st.binary(max_size=200))
    page = bytearray(content[number * PAGE : (number + 1) * PAGE])
    page[start : start + len(junk)] = junk
    copy = tmp_path_factory.mktemp("junk") / "library.db"
    copy.write_bytes(content[:PAGE] + page[:PAGE])
    with PageFile(copy) as pages:
        decoded = pages.page(2)
        assert decoded is None or all(isinstance(cell, PageCell) for cell in decoded.cells)
        assert pages.free()[0] <= {*range(1, pages.count + 1)}


def test_a_page_of_zeros_or_noise_is_none(tmp_path: Path) -> None:
    file = tmp_path / "noise"
    file.write_bytes(bytes(PAGE) + b"\xff" * PAGE + Random(1).randbytes(PAGE))
    with PageFile(file) as pages:
        assert (pages.count, [pages.page(number) for number in range(5)]) == (3, [None] * 5)


def test_a_page_with_a_broken_cell_gives_the_others(library: Path, tmp_path: Path) -> None:
    with PageFile(library) as pages:
        numbers = range(1, pages.count + 1)
        number, page = next(
            (n, page) for n in numbers if isinstance(page := pages.page(n), TreePage) and len(page.cells) > 9
        )
    copy = Path(shutil.copy(library, tmp_path))
    with copy.open("r+b") as file:
        file.seek((number - 1) * PAGE + 12)
        file.write(b"\xff\xff\xff\xff")  # where the third and fourth cell of a leaf begin
    with PageFile(copy) as pages:
        broken = pages.page(number)
        assert broken is not None
        assert not broken.whole
        assert {*broken.cells} < {*page.cells}
        assert len(broken.cells) >= len(page.cells) - 2


@pytest.fixture
def logged(tmp_path: Path) -> Path:
    """A database with a log of many transactions beside it, of which the last is not finished."""
    path = tmp_path / "open" / "library.db"
    Store.open(path).close()
    copy = tmp_path / "copy" / "library.db"
    copy.parent.mkdir()
    with closing(sqlite3.connect(path)) as db:
        for number in range(40):
            db.execute("INSERT INTO watches VALUES (?, ?, '{}', 'now', NULL)", [f"watch {number}", "words " * 400])
            db.commit()
        for suffix in ("", "-wal"):
            shutil.copy(f"{path}{suffix}", f"{copy}{suffix}")
    return copy


@pytest.mark.parametrize("cut", [0, 1, 100, 5_000, 50_000, 10**9])
def test_a_log_is_applied_as_sqlite_does_up_to_where_it_is_cut(logged: Path, tmp_path: Path, cut: int) -> None:
    log = logged.with_name("library.db-wal")
    log.write_bytes(log.read_bytes()[: -cut or None])
    apply_log(applied := Path(shutil.copy(logged, tmp_path / "applied.db")), log)
    with closing(sqlite3.connect(logged, isolation_level=None)) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    assert applied.read_bytes() == logged.read_bytes()


def test_a_damaged_log_is_applied_up_to_the_damage(logged: Path, tmp_path: Path) -> None:
    log = logged.with_name("library.db-wal")
    content = bytearray(log.read_bytes())
    content[len(content) // 2] ^= 1
    log.write_bytes(content)
    apply_log(applied := Path(shutil.copy(logged, tmp_path / "applied.db")), log)
    count = len(rows_of(applied)["watches"])
    assert 0 < count < 40
    with closing(sqlite3.connect(logged)) as db:
        assert db.execute("SELECT count(*) FROM watches").fetchone() == (count,)
