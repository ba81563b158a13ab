"""The library file is opened only if it is whole and ours; what is refused is left byte for byte as it was."""

import os
import sqlite3
import stat
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlite_utils import Database, Migrations

from cache import errors, papers, schema, version
from cache.migrations import LIBRARY
from cache.store import LONG, Store, upgrade
from tests.cache.conftest import make_paper, name
from tests.spar_tui.running import forked_python

ROOT = Path(__file__).parents[2]
_SPOIL = """
import sys
import threading
import time
with open(sys.argv[1], "r+b") as file:
    file.seek(4096)
    file.write(bytes([255]) * 4096 * 20)
"""
_OPEN_AND_CLOSE = """
import sys
import threading
import time
from pathlib import Path
from cache.store import LONG, Store
Store.open(Path(sys.argv[1])).close()
"""

_COUNT_CONNECTIONS = """
import sys
from pathlib import Path
from cache.store import Store
connected = []
sys.addaudithook(lambda event, arguments: event == "sqlite3.connect" and connected.append(arguments))
Store.open(Path(sys.argv[1])).close()
print(len(connected))
"""


def _filled(path: Path, count: int = 50) -> None:
    with Store.open(path) as store:
        text = "words " * 300
        papers.remember(store, [make_paper(f"Paper {n}", f"pmid:{n + 1}", abstract=text) for n in range(count)])


def _refused(path: Path, error: type[errors.CacheError]) -> str:
    """The sentence of the refusal, after a check that no byte has changed."""
    before = path.read_bytes()
    with pytest.raises(error) as caught:
        Store.open(path)
    assert path.read_bytes() == before
    assert str(path) in caught.value.sentence
    return caught.value.sentence


def test_a_missing_library_is_made_for_its_owner_alone_with_its_folders(tmp_path: Path) -> None:
    path = tmp_path / "new" / "deep" / "library.db"
    with Store.open(path) as store:
        papers.remember(store, [make_paper("Kept", "pmid:1")])
        for file in path.parent.iterdir():
            assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == stat.S_IMODE(path.parent.parent.stat().st_mode) == 0o700
    with Store.open(path) as store:
        assert papers.find(store, [name("pmid:1")]) is not None


def test_an_empty_file_is_a_fresh_library(path: Path) -> None:
    path.touch(mode=0o644)
    Store.open(path).close()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    Store.open(path).close()


def _header_alone(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA journal_mode = WAL")


def _header_and_application(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute(f"PRAGMA application_id = {version.APPLICATION_ID}")


def _journal(path: Path) -> None:
    """The journal of a first write into an empty file: no page to put back, and the file had none (SQLite's format of
    a rollback journal)."""
    header = bytes.fromhex("d9d505f920a163d7") + struct.pack(">IIIII", 0, 1, 0, 512, 4096)
    path.with_name(f"{path.name}-journal").write_bytes(header.ljust(512, b"\0"))


def _nothing_but_a_journal(path: Path) -> None:
    path.touch()
    _journal(path)


def _header_with_a_journal(path: Path) -> None:
    _header_alone(path)
    _journal(path)


def _half_a_log(path: Path) -> None:
    """All tables stand in the log, half of which reached the disk."""
    copy, log = path.with_name("copy"), path.with_name(f"{path.name}-wal")
    with Store.open(path):
        subprocess.run(["cp", path, copy], check=True)
        subprocess.run(["cp", log, f"{copy}-wal"], check=True)
    copy.replace(path)
    copy.with_name("copy-wal").replace(log)
    os.truncate(log, log.stat().st_size // 2)


def _some_steps(path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        LIBRARY.apply(Database(db), stop_before="0003_shelf")


_CUT_OFF = [
    Path.touch, _nothing_but_a_journal, _header_with_a_journal, _header_alone, _header_and_application, _half_a_log,
    _some_steps,
]  # fmt: skip


@pytest.mark.parametrize("cut_off", _CUT_OFF, ids=lambda cut_off: cut_off.__name__.strip("_"))
def test_a_library_whose_making_was_cut_off_is_made_whole_without_a_word(
    cut_off: Callable[[Path], None], path: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    Store.open(tmp_path / "whole.db").close()
    cut_off(path)
    with Store.open(path) as store:
        papers.remember(store, [make_paper("Kept", "pmid:1")])
    assert _schema(path) == _schema(tmp_path / "whole.db")
    assert capfd.readouterr() == ("", "")
    assert not list(tmp_path.glob("*.bak"))


def test_another_programs_database_with_a_journal_is_left_as_it_is(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE bookmarks (url)")
    _journal(path)
    before = path.read_bytes()
    with pytest.raises(errors.CacheError):
        Store.open(path)
    assert path.read_bytes() == before


def _schema(path: Path) -> tuple[list[tuple[str, str]], int]:
    """Tables, indexes and triggers, and the version."""
    with closing(sqlite3.connect(path)) as db:
        found = db.execute("SELECT type, name FROM sqlite_schema ORDER BY type, name").fetchall()
        return found, db.execute("PRAGMA user_version").fetchone()[0]


def test_every_write_is_on_the_disk_when_it_returns(store: Store) -> None:
    with store.reading() as db:
        assert db.execute("PRAGMA synchronous").fetchone() == (2,)
        assert db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert db.execute("PRAGMA foreign_keys").fetchone() == (1,)


def test_random_bytes_are_no_library(path: Path) -> None:
    path.write_bytes(os.urandom(5000))
    assert "not a SQLite database" in _refused(path, errors.NotALibrary)


def test_another_programs_database_is_no_library(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE bookmarks (url)")
    assert "another program" in _refused(path, errors.NotALibrary)


def test_a_library_of_a_newer_spar_is_refused_by_name(path: Path) -> None:
    _filled(path)
    with closing(sqlite3.connect(path)) as db:
        db.execute(f"PRAGMA user_version = {version.VERSION + 1}")
    assert "Upgrade spar" in _refused(path, errors.TooNew)


def test_the_log_of_a_library_of_a_newer_spar_is_not_written_into_it(path: Path) -> None:
    """Only reading leaves it where it is: the last connection that writes would copy it into the file."""
    _filled(path)
    with closing(sqlite3.connect(path)) as db:
        db.execute(f"PRAGMA user_version = {version.VERSION + 1}")
        copy, log = path.with_name("copy"), path.with_name(f"{path.name}-wal")
        subprocess.run(["cp", path, copy], check=True)
        subprocess.run(["cp", log, f"{copy}-wal"], check=True)
    copy.replace(path)
    copy.with_name("copy-wal").replace(log)
    before = log.read_bytes()
    assert before
    _refused(path, errors.TooNew)
    assert log.read_bytes() == before


@pytest.mark.parametrize("mode", [0o600, 0o644], ids=["private", "readable by others"])
def test_an_opened_library_is_readable_by_its_owner_alone(mode: int, path: Path) -> None:
    _filled(path)
    path.chmod(mode)
    with Store.open(path) as store:
        papers.remember(store, [make_paper("Kept", "pmid:90")])
        assert {stat.S_IMODE(file.stat().st_mode) for file in path.parent.glob(f"{path.name}*")} == {0o600}


def test_a_whole_library_is_opened_by_one_connection(path: Path) -> None:
    """SQLite reads the whole schema again for each."""
    _filled(path)
    opening = forked_python("-c", _COUNT_CONNECTIONS, str(path))
    assert subprocess.run(opening, capture_output=True, text=True, cwd=ROOT).stdout == "1\n"


def test_one_damaged_page_is_found_at_the_next_start(path: Path) -> None:
    _filled(path)
    with path.open("r+b") as file:
        file.seek(path.stat().st_size // 2 // 4096 * 4096)
        file.write(b"\xff" * 4096)
    assert "damaged" in _refused(path, errors.Damaged)


def test_a_schema_with_bytes_that_are_no_text_is_damage(path: Path) -> None:
    """SQLite quotes the bytes in its message, which Python cannot decode then."""
    Store.open(path).close()
    path.write_bytes(path.read_bytes().replace(b"CREATE TABLE papers", b"CREATE \x9eABLE papers", 1))
    with pytest.raises(errors.Damaged):
        Store.open(path)


def test_a_cut_file_is_damaged(path: Path) -> None:
    _filled(path)
    os.truncate(path, path.stat().st_size // 3)
    _refused(path, errors.Damaged)


def test_a_damaged_library_offers_its_backup(path: Path) -> None:
    _filled(path)
    os.truncate(path, 4096)
    assert _refused(path, errors.Damaged).endswith("makes a new one from what can still be read.")
    path.with_name("library.db.2026-11-22.bak").touch()
    assert _refused(path, errors.Damaged).endswith("what can still be read and the backup of 2026-11-22.")


def test_a_folder_is_refused(path: Path) -> None:
    path.mkdir()
    with pytest.raises(errors.NotAFile, match="is not a file"):
        Store.open(path)


def test_a_path_below_a_file_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(errors.Unwritable, match="cannot be written"):
        Store.open(tmp_path / "file" / "library.db")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_folder_cannot_be_written(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(errors.Unwritable, match="make its folder writable"):
        Store.open(tmp_path / "library.db")


def test_a_library_that_was_deleted_while_open_takes_no_more_writes(store: Store) -> None:
    store.path.unlink()
    with pytest.raises(errors.Vanished, match="nothing more was saved"):
        papers.remember(store, [make_paper("Lost")])
    assert not store.path.exists()


def test_threads_read_and_write_side_by_side(store: Store) -> None:
    def work(who: int) -> int:
        for number in range(20):
            papers.remember(store, [make_paper(f"Paper {number}", f"pmid:{1 + who * 100 + number}", author=f"A{who}")])
            assert papers.find(store, [name(f"pmid:{1 + who * 100 + number}")])
        return 20

    with ThreadPoolExecutor(8) as threads:
        assert sum(threads.map(work, range(8))) == 160
    with store.reading() as db:
        assert db.execute("SELECT count(*) FROM papers").fetchone() == (160,)


def test_a_library_behind_a_symlink_is_written_where_it_lies(tmp_path: Path) -> None:
    (tmp_path / "link.db").symlink_to(tmp_path / "real.db")
    Store.open(tmp_path / "link.db").close()
    assert (tmp_path / "real.db").stat().st_size > 0
    assert (tmp_path / "link.db").is_symlink()


def test_a_big_library_is_checked_once_a_day(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schema, "SMALL", 0)
    _filled(path)
    noon = datetime(2026, 11, 21, 12, tzinfo=UTC)
    checked = []
    for hours in (0, 1, 23, 25, 24):  # the last is before the check that came before it: a clock that went back
        found = schema.inspect(path, noon + timedelta(hours=hours), 1)
        checked.append(found.checked)
        Store.open(path, lambda h=hours: noon + timedelta(hours=h)).close()  # type: ignore[misc]
    assert checked == [True, False, False, True, True]


def test_a_transaction_that_fails_leaves_nothing(store: Store) -> None:
    def break_off() -> None:
        with store.writing():
            papers.remember(store, [make_paper("Half", "pmid:1")])
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        break_off()
    assert papers.find(store, [name("pmid:1")]) is None


def test_an_upgrade_keeps_a_checked_copy_of_what_was_there(path: Path) -> None:
    _filled(path)
    with Store.open(path) as store, store.writing() as db:
        upgrade(db, path, version.VERSION + 1, _next_steps())
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (version.VERSION + 1,)
        assert db.execute("SELECT count(*) FROM dreams").fetchone() == (0,)
    backup = path.with_name(f"library.db.before-v{version.VERSION + 1}.bak")
    assert stat.S_IMODE(backup.stat().st_mode) == 0o600
    with Store.open(backup) as store:
        assert papers.find(store, [name("pmid:50")]) is not None


def test_an_upgrade_that_fails_changes_nothing(path: Path) -> None:
    _filled(path)
    steps = _next_steps()

    @steps(name="fails")
    def fails(db: Database) -> None:
        raise ZeroDivisionError

    with Store.open(path) as store, pytest.raises(ZeroDivisionError), store.writing() as db:
        upgrade(db, path, version.VERSION + 2, steps)
    with Store.open(path) as store, store.reading() as db:
        assert db.execute("SELECT count(*) FROM sqlite_schema WHERE name = 'dreams'").fetchone() == (0,)


def test_the_version_counts_the_steps() -> None:
    with closing(Database(memory=True)) as database:
        assert len(LIBRARY.pending(database)) == version.VERSION


def _next_steps() -> Migrations:
    steps = Migrations("library of tomorrow")

    @steps(name="dreams")
    def dreams(db: Database) -> None:
        db.execute("CREATE TABLE dreams (paper INTEGER)")

    return steps


def test_the_write_count_tells_own_writes_from_those_of_others(store: Store) -> None:
    before = store.write_count()
    assert papers.any_known(store) is False
    assert store.write_count() == before
    papers.remember(store, [make_paper("Own", "pmid:1")])
    own = store.write_count()
    assert own.own != before.own
    assert own.others == before.others
    with ThreadPoolExecutor(1) as threads:
        threads.submit(papers.remember, store, [make_paper("Another's", "pmid:2")]).result()
    assert store.write_count().others != own.others
    assert store.write_count().own == own.own


def test_two_stores_of_a_process_share_the_connection_of_a_thread(store: Store) -> None:
    with Store.open(store.path) as other, store.writing() as db:
        papers.remember(other, [make_paper("Within the other's transaction", "pmid:1")])
        with other.reading() as same:
            assert same is db
    assert papers.find(store, [name("pmid:1")]) is not None


def test_each_store_waits_as_long_as_it_was_asked_to(store: Store) -> None:
    with closing(sqlite3.connect(store.path, isolation_level=None)) as process:
        process.execute("BEGIN IMMEDIATE")
        for wait in (0.01, 0.02):
            with Store.open(store.path, wait=wait) as hurried, pytest.raises(errors.Locked, match=f"{wait:g} seconds"):
                papers.remember(hurried, [make_paper("Late")])


def test_a_closed_store_is_closed_though_another_has_the_library_open(store: Store) -> None:
    other = Store.open(store.path)
    other.close()
    other.close()
    with pytest.raises(sqlite3.ProgrammingError):
        other.reading()
    assert papers.remember(store, [make_paper("Open", "pmid:1")])


def test_a_library_that_took_the_place_of_an_open_one_is_opened_anew(store: Store, tmp_path: Path) -> None:
    Store.open(tmp_path / "new.db").close()
    (tmp_path / "new.db").replace(store.path)
    with Store.open(store.path) as new:
        papers.remember(new, [make_paper("In the new one", "pmid:1")])
    with pytest.raises(errors.Vanished):
        papers.remember(store, [make_paper("In the old one")])


@pytest.mark.parametrize("suffix", ["", "-wal", "-shm"])
@pytest.mark.parametrize("opening", [Path.read_bytes, lambda path: os.open(path, os.O_RDONLY)], ids=["open", "os.open"])
def test_nothing_beside_sqlite_opens_the_file_of_an_open_library(
    opening: Callable[[Path], object], suffix: str, store: Store
) -> None:
    with pytest.raises(PermissionError, match="spar has it open as its library"):
        opening(store.path.with_name(store.path.name + suffix))


def test_a_link_to_an_open_library_is_not_opened_either(store: Store, tmp_path: Path) -> None:
    (tmp_path / "link.bib").symlink_to(store.path)
    os.link(store.path, tmp_path / "same.bib")
    for link in ("link.bib", "same.bib"):
        with pytest.raises(PermissionError):
            (tmp_path / link).read_text()


def test_the_file_of_a_closed_library_is_a_file_as_any_other(path: Path) -> None:
    Store.open(path).close()
    assert path.read_bytes().startswith(b"SQLite format 3")


@pytest.mark.skipif(not Path("/proc/locks").exists(), reason="the locks of this system cannot be listed")
def test_a_library_opened_again_keeps_its_lock_and_its_log(store: Store) -> None:
    """What an app loses whose lock is gone: the next process is the last one, as it believes, and deletes the log."""
    papers.remember(store, [make_paper("Saved before", "pmid:1")])
    before = _locks(store.path)
    with pytest.raises(PermissionError):
        store.path.read_bytes()
    Store.open(store.path).close()
    subprocess.run([sys.executable, "-c", _OPEN_AND_CLOSE, store.path], cwd=ROOT, check=True)
    assert _locks(store.path) == before > 0
    assert store.path.with_name(f"{store.path.name}-wal").exists()
    papers.remember(store, [make_paper("Saved after", "pmid:2")])
    with closing(sqlite3.connect(store.path)) as process:
        assert process.execute("SELECT count(*) FROM papers").fetchone() == (2,)


def _locks(path: Path) -> int:
    """How many locks this process holds on a file (proc(5): columns 5 and 6 are the process and the file)."""
    rows = [line.split() for line in Path("/proc/locks").read_text().splitlines()]
    return sum(row[4] == str(os.getpid()) and row[5].endswith(f":{path.stat().st_ino}") for row in rows)


def test_damage_is_told_only_of_a_file_that_a_fresh_connection_finds_damaged(store: Store) -> None:
    """What one connection has seen may be its own: here SQLite's words are put into its mouth."""
    papers.remember(store, [make_paper("Kept", "pmid:1")])
    corrupt = sqlite3.DatabaseError("database disk image is malformed")
    corrupt.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
    with pytest.raises(errors.Misread, match=r"malformed.+found the file intact"), store.reading():
        raise corrupt
    assert papers.find(store, [name("pmid:1")]) is not None


def test_a_page_damaged_while_the_library_is_open_is_told_as_damage(path: Path) -> None:
    _filled(path)
    with Store.open(path) as store:
        subprocess.run([sys.executable, "-c", _SPOIL, path], check=True)
        with pytest.raises(errors.Damaged), store.reading() as db:
            db.execute("SELECT sum(length(record)) FROM papers").fetchall()


def test_a_writer_that_writes_all_the_time_keeps_no_other_out(store: Store) -> None:
    """An import's long transactions, one after the other; another connection gets its turn before they end."""
    rounds: list[int] = [0]
    others: list[int] = []
    under_way = threading.Event()

    def import_much() -> None:
        for _ in range(100):
            with store.writing():
                under_way.set()
                time.sleep(LONG * 1.2)
            rounds[0] += 1
            if others:
                return

    with ThreadPoolExecutor(1) as threads:
        importing = threads.submit(import_much)
        under_way.wait()
        papers.remember(store, [make_paper("Saved meanwhile", "pmid:1")])
        others.append(rounds[0])
        importing.result()
    assert others[0] < 50


def test_a_library_that_a_newer_spar_upgraded_meanwhile_takes_no_more_writes(store: Store) -> None:
    with closing(sqlite3.connect(store.path)) as newer:
        newer.execute(f"PRAGMA user_version = {version.VERSION + 1}")
    with pytest.raises(errors.TooNew, match="Upgrade spar"):
        papers.remember(store, [make_paper("In the old way", "pmid:1")])
    with store.reading() as db:
        assert db.execute("SELECT count(*) FROM papers").fetchone() == (0,)
