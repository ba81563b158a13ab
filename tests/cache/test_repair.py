"""A damaged library is made anew of its own pages and a backup; nothing that can be read is lost, whatever happens."""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path
from random import Random

import pytest

from cache import papers, shelf
from cache.backup_files import backups_of, daily_name
from cache.backups import keep_daily, only_one
from cache.errors import Locked, NotALibrary, RepairFailed, TooNew
from cache.repair import Repair, repair_of
from cache.salvage.pages import INNER, PageFile, Value
from cache.store import Store
from cache.version import VERSION
from tests.cache.conftest import make_paper, name
from tests.cache.salvage.libraries import PAGE, Values, damage, fill, rows_of, standing
from tests.cache.test_backups import started, tell
from tests.reliability.libraries import corrupt, older

YESTERDAY = datetime.now().astimezone().date() - timedelta(days=1)
JUNK = {"ones": b"\xff" * PAGE, "zeros": bytes(PAGE), "noise": Random(7).randbytes(PAGE)}
OLD, NEW = 80, 20
"""Papers that the backup holds, and those that came after it."""


@pytest.fixture(scope="session")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A whole library of which there is a backup of yesterday; since then rows were added, changed and deleted."""
    path = tmp_path_factory.mktemp("whole") / "library.db"
    fill(path, Random(1), OLD)
    keep_daily(path)
    backups_of(path)[0].file.rename(daily_name(path, YESTERDAY))
    fill(path, Random(2), NEW, first=OLD + 1)
    with Store.open(path) as store, store.writing() as db:
        for table, some in DELETED.items():
            db.execute(f"DELETE FROM {table} WHERE {some}")
        db.execute("UPDATE shelf SET note = 'changed since' WHERE paper % 12 = 0")
        db.execute("UPDATE papers SET abstract = 'changed since' WHERE id % 9 = 0")
    return path


DELETED = {
    "runs": "rowid % 5 = 1", "shelf": "paper % 24 = 0", "tags": "paper % 16 = 0", "citation_links": "citing % 30 = 1",
    "answers": "substr(key, 1, 1) = '3'", "acts": "id % 7 = 0", "profile": "id = 2", "watches": "rowid = 1",
}  # fmt: skip


@pytest.fixture
def library(whole: Path, tmp_path: Path) -> Path:
    """A copy of it with its backup."""
    shutil.copy(daily_name(whole, YESTERDAY), tmp_path)
    return Path(shutil.copy(whole, tmp_path / "library.db"))


def repaired(path: Path) -> Repair:
    with repair_of(path, 1) as repair:
        assert repair is not None
        repair.put_in_place()
    return repair


def unused(repair: Repair) -> set[tuple[str, Values]]:
    """The rows that were kept aside, each with its table."""
    lines = repair.unused_file.read_text("utf-8").splitlines() if repair.unused else []
    rows = [(line["table"], line["row"].values()) for line in map(json.loads, lines)]
    return {(table, tuple(bytes.fromhex(v["hex"]) if isinstance(v, dict) else v for v in row)) for table, row in rows}


def assert_nothing_readable_is_lost(path: Path, bad: set[int], junk: bytes, whole: Path, backup: bool = True) -> Repair:
    """Damage the pages `bad`, repair, and compare row by row with what stood on the other pages and in the backup."""
    rows, before = standing(whole), path.read_bytes()
    damage(path, bad, junk)
    broken = path.read_bytes()
    assert broken != before
    repair = repaired(path)
    assert repair.aside.read_bytes() == broken
    assert not corrupt(path)
    aside, made, kept = unused(repair), rows_of(path), rows_of(daily_name(whole, YESTERDAY))
    for (table, row), pages in rows.items():
        if pages & bad or row in made[table] or (table, row) in aside:
            continue
        assert table == "acts", f"{table} lacks {row[:2]}, which was not damaged"
        assert (*row[:-1], None) in made[table]  # it forgets a run that is lost
    for table, found in made.items():
        alien = {row for row in found if (table, row) not in rows and not (backup and row in kept[table])}
        assert not {row for row in alien if table != "acts" or row[-1] is not None}, f"{table} has rows of nobody's"
    torn = {part.table.name for part in repair.tables if part.torn}
    for table in made.keys() - torn - {"acts"}:
        assert {(table, row) for row in made[table]} <= rows.keys(), f"{table} was read whole and has deleted rows"
    for part in repair.tables:
        assert len(made[part.table.name]) == part.from_file + len(part.from_backup)
    return repair


def root_of(path: Path, name: str) -> int:
    with closing(sqlite3.connect(path)) as db:
        [page] = db.execute("SELECT rootpage FROM sqlite_schema WHERE name = ?", [name]).fetchone()
    return int(page)


@pytest.mark.parametrize("junk", JUNK)
@pytest.mark.parametrize("seed", range(3))
def test_what_stood_on_pages_that_are_not_damaged_is_there(seed: int, junk: str, library: Path, whole: Path) -> None:
    dice = Random(f"{seed} {junk}")
    count = library.stat().st_size // PAGE
    bad = {*dice.sample(range(2, count + 1), dice.choice((1, 5, 40, 200))), root_of(whole, "runs_by_start")}
    with_backup = seed % 3 > 0
    if not with_backup:
        daily_name(library, YESTERDAY).unlink()
    repair = assert_nothing_readable_is_lost(library, bad, JUNK[junk], whole, with_backup)
    assert (repair.backup is not None) == with_backup


def test_every_inner_page_can_be_damaged(library: Path, whole: Path, tmp_path: Path) -> None:
    """Which leads to all others below it: what stands on those is found all the same."""
    with PageFile(whole) as pages:
        numbers = [n for n in range(2, pages.count + 1) if (page := pages.page(n)) and page.kind in INNER]
    content = library.read_bytes()
    assert len(numbers) > 20
    for number in numbers[::12]:
        library.write_bytes(content)
        assert_nothing_readable_is_lost(library, {number}, JUNK["noise"], whole)
        for left in tmp_path.glob("library.db.damaged-*"):
            left.unlink()


@pytest.mark.parametrize("backup", [True, False])
@pytest.mark.parametrize("junk", JUNK)
def test_a_damaged_first_page_costs_nothing(junk: str, backup: bool, library: Path, whole: Path) -> None:
    """It has the header and the beginning of the list of tables."""
    if not backup:
        daily_name(library, YESTERDAY).unlink()
    expected = rows_of(library)
    assert_nothing_readable_is_lost(library, {1}, JUNK[junk], whole, backup)
    assert rows_of(library) == expected


def test_a_damaged_freelist_brings_no_deleted_row_back(library: Path, whole: Path) -> None:
    with PageFile(whole) as pages:
        free, _ = pages.free()
    assert free
    expected = rows_of(library)
    assert_nothing_readable_is_lost(library, {*free, root_of(whole, "runs_by_start")}, JUNK["noise"], whole)
    assert rows_of(library) == expected


@pytest.mark.parametrize("table", ["papers", "events", "citation_links", "text_vectors"])
def test_pages_are_found_that_an_outdated_page_above_them_does_not_lead_to(
    table: str, library: Path, whole: Path
) -> None:
    """As where two processes wrote without locks: pages of an earlier state stand among those of today."""
    before, page = rows_of(library), root_of(library, table)
    old = daily_name(whole, YESTERDAY).read_bytes()[(page - 1) * PAGE : page * PAGE]
    damage(library, [page], old)
    damage(library, [root_of(library, "runs_by_start")], JUNK["noise"])
    repaired(library)
    assert not corrupt(library)
    with PageFile(whole) as pages:
        above = pages.page(page)
    assert above is not None
    own = {cell.values for cell in above.cells}  # an inner page of a table without rowids has rows of its own
    assert before[table] - rows_of(library)[table] <= own


@pytest.mark.parametrize("part", [0.99, 0.6, 0.1])
def test_a_truncated_file_gives_what_is_left_and_the_backup_the_rest(part: float, library: Path, whole: Path) -> None:
    size = int(library.stat().st_size * part)
    os.truncate(library, size)
    repair = repaired(library)
    assert not corrupt(library)
    made, kept, aside = rows_of(library), rows_of(daily_name(whole, YESTERDAY)), unused(repair)
    for (table, row), pages in standing(whole).items():
        if max(pages) <= size // PAGE and row not in made[table] and (table, row) not in aside:
            assert table == "acts"
    if part < 0.5:
        assert {row[0] for row in made["papers"]} >= {row[0] for row in kept["papers"]}


def test_an_index_that_does_not_agree_is_made_anew(library: Path) -> None:
    expected = rows_of(library)
    with closing(sqlite3.connect(library)) as db:
        [root] = db.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'shelf_by_date'").fetchone()
        db.execute("PRAGMA writable_schema = ON")
        db.execute("UPDATE sqlite_schema SET rootpage = 0 WHERE name = 'shelf_by_date'")
        db.execute("UPDATE sqlite_schema SET sql = replace(sql, 'saved', 'rating') WHERE name = 'shelf_by_date'")
        db.execute("UPDATE sqlite_schema SET rootpage = ? WHERE name = 'shelf_by_date'", [root])
        db.commit()
    assert corrupt(library)
    repaired(library)
    assert rows_of(library) == expected


def test_an_index_of_words_that_does_not_agree_is_made_anew(library: Path) -> None:
    expected = rows_of(library)
    with closing(sqlite3.connect(library, isolation_level=None)) as db:
        db.execute("INSERT INTO papers_fts (papers_fts) VALUES ('delete-all')")
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    repaired(library)
    assert rows_of(library) == expected
    with closing(sqlite3.connect(library)) as db:
        assert db.execute("SELECT count(*) FROM papers_fts WHERE papers_fts MATCH 'venue'").fetchone() == (OLD + NEW,)


def page_of(whole: Path, table: str, wanted: Value) -> set[int]:
    """The pages of the row of `table` that begins with `wanted`."""
    [pages] = [pages for (of, row), pages in standing(whole).items() if of == table and row[0] == wanted]
    return set(pages)


def test_a_row_that_is_lost_comes_from_the_backup_as_it_was_then(library: Path, whole: Path) -> None:
    pages = page_of(whole, "papers", 36)
    repair = assert_nothing_readable_is_lost(library, pages, JUNK["ones"], whole)
    [found] = [part for part in repair.tables if part.table.name == "papers"]
    assert len(found.from_backup) > 0
    assert found.unreadable == 0
    [row] = [row for row in rows_of(library)["papers"] if row[0] == 36]
    assert "changed since" not in row


def test_rows_deleted_since_the_backup_stay_deleted_where_an_index_tells(library: Path, whole: Path) -> None:
    expected = {row[1] for row in rows_of(library)["runs"]}
    deleted = {row[1] for row in rows_of(daily_name(whole, YESTERDAY))["runs"]} - expected
    assert deleted
    repair = assert_nothing_readable_is_lost(library, {root_of(whole, "runs")}, JUNK["noise"], whole)
    made = {row[1] for row in rows_of(library)["runs"]}
    assert made <= expected
    assert next(one for one in repair.tables if one.table.name == "runs").unreadable == len(expected - made)


def test_what_nothing_gives_any_more_is_counted_where_an_index_tells(library: Path, whole: Path) -> None:
    pages = page_of(whole, "papers", OLD + 5)
    repair = assert_nothing_readable_is_lost(library, pages, JUNK["ones"], whole)
    lost = {row[0] for of, row in standing(whole) if of == "papers"} - {row[0] for row in rows_of(library)["papers"]}
    assert OLD + 5 in lost
    assert next(one for one in repair.tables if one.table.name == "papers").unreadable == len(lost)
    gone = {row for table, row in unused(repair) if table == "identifiers"}
    assert len(gone) == sum(row[-1] in lost for row in rows_of(whole)["identifiers"])


@pytest.mark.parametrize("spoil", [b"\xff\xfe", b"\0\0"])
def test_a_cell_that_is_no_text_is_kept_aside_and_its_row_comes_from_the_backup(spoil: bytes, library: Path) -> None:
    [[paper, note]] = [row[0:5:4] for row in rows_of(library)["shelf"] if row[0] == 20]
    content = library.read_bytes()
    at = content.index(str(note).encode())
    assert content.count(str(note).encode()) == 1
    library.write_bytes(content[:at] + spoil + content[at + 2 :])
    with closing(sqlite3.connect(library)) as db:
        db.execute("CREATE INDEX unsound ON shelf (note)")  # so that there is something that SQLite finds
        db.execute("PRAGMA writable_schema = ON")
        db.execute("UPDATE sqlite_schema SET sql = replace(sql, 'note', 'saved') WHERE name = 'unsound'")
        db.commit()
    repair = repaired(library)
    assert {row[4] for row in rows_of(library)["shelf"] if row[0] == paper} == {note}
    assert [table for table, _ in unused(repair)] == ["shelf"]


def test_a_backup_of_another_library_is_not_mixed_in(library: Path, whole: Path) -> None:
    other = library.with_name("other.db")
    fill(other, Random(9), OLD)
    with closing(sqlite3.connect(other, isolation_level=None)) as db:
        db.execute("UPDATE papers SET first_seen = '2020-01-01T00:00:00.000000Z'")
        db.execute("PRAGMA journal_mode = DELETE")
    other.replace(daily_name(library, YESTERDAY))
    repair = assert_nothing_readable_is_lost(library, page_of(whole, "papers", 30), JUNK["ones"], whole, backup=False)
    assert (repair.backup, repair.unusable) == (None, (daily_name(library, YESTERDAY),))


def test_a_damaged_backup_is_passed_over_and_named(library: Path, whole: Path) -> None:
    newest = daily_name(library, YESTERDAY + timedelta(days=1))
    shutil.copy(daily_name(library, YESTERDAY), newest)
    damage(newest, [300], JUNK["ones"])
    repair = assert_nothing_readable_is_lost(library, page_of(whole, "papers", 30), JUNK["ones"], whole)
    assert repair.backup is not None
    assert (repair.backup.day, repair.unusable) == (YESTERDAY, (newest,))


def test_a_backup_of_a_newer_spar_is_passed_over(library: Path, whole: Path) -> None:
    newest = daily_name(library, YESTERDAY + timedelta(days=1))
    shutil.copy(daily_name(library, YESTERDAY), newest)
    with closing(sqlite3.connect(newest)) as db:
        db.execute(f"PRAGMA user_version = {VERSION + 1}")
    damage(library, page_of(whole, "papers", 30), JUNK["ones"])
    assert repaired(library).unusable == (newest,)


@pytest.mark.parametrize("version", [1, VERSION // 2, VERSION - 1])
def test_a_library_and_a_backup_of_an_earlier_version_are_brought_up(version: int, path: Path) -> None:
    older(path, version, 40)
    shutil.copy(path, path.with_name(f"library.db.before-v{VERSION}.bak"))
    content = path.read_bytes()
    at = content.index(b"words of an abstract")
    damage(path, [at // PAGE + 1], JUNK["ones"])
    repair = repaired(path)
    assert not corrupt(path)
    with Store.open(path) as store:
        assert all(papers.find(store, [name(f"pmid:{number}")]) for number in range(1, 41))
    assert any(part.from_backup for part in repair.tables)


def test_the_log_of_a_killed_process_is_read_and_kept(library: Path, tmp_path: Path, whole: Path) -> None:
    with closing(sqlite3.connect(library, isolation_level=None)) as db:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("UPDATE shelf SET note = 'in the log' WHERE paper = 20")
        for suffix in ("", "-wal"):
            shutil.copy(f"{library}{suffix}", tmp_path / f"killed{suffix}")
    for suffix in ("", "-wal"):
        (tmp_path / f"killed{suffix}").rename(f"{library}{suffix}")
    log = library.with_name("library.db-wal").read_bytes()
    damage(library, {1, *page_of(whole, "papers", 30)}, JUNK["ones"])
    repair = repaired(library)
    assert not corrupt(library)
    assert {row[4] for row in rows_of(library)["shelf"] if row[0] == 20} == {"in the log"}
    assert repair.aside.with_name(f"{repair.aside.name}-wal").read_bytes() == log
    assert not library.with_name("library.db-wal").exists()


def test_nothing_is_changed_until_it_is_put_in_place(library: Path, whole: Path) -> None:
    damage(library, page_of(whole, "papers", 30), JUNK["ones"])
    before = {file: file.read_bytes() for file in library.parent.iterdir()}
    with repair_of(library, 1) as repair:
        assert repair is not None
    after = {file: file.read_bytes() for file in library.parent.iterdir()}
    assert {
        file: content for file, content in after.items() if not file.name.endswith((".lock", "-wal", "-shm"))
    } == before


_REPAIRER = """
import sys
from pathlib import Path
from cache.repair import repair_of
with repair_of(Path(sys.argv[1]), 1) as repair:
    print("ready", flush=True)
    sys.stdin.readline()
    repair.put_in_place()
"""


def test_a_kill_at_any_moment_leaves_the_damaged_library_or_the_new_one(disk: Path) -> None:
    library = disk / "library.db"
    fill(library, Random(1), 12)
    damage(library, page_of(library, "papers", 8), JUNK["ones"])
    broken, in_place = library.read_bytes(), set()
    for milliseconds in (0, 2, 4, 8, 16, 1000):
        for left in library.parent.glob("*.damaged-*"):
            left.unlink()
        library.write_bytes(broken)
        process = started(_REPAIRER, library)
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        tell(process)
        time.sleep(milliseconds / 1000)
        process.kill()
        process.communicate(timeout=60)
        in_place.add(damaged := library.read_bytes() == broken)
        assert damaged or not corrupt(library)
        assert broken in [library.read_bytes(), *(file.read_bytes() for file in library.parent.glob("*.damaged-*"))]
    assert in_place == {True, False}  # kills before the end and after it, or nothing was tried
    library.write_bytes(broken)
    for left in library.parent.glob("*.damaged-*"):
        left.unlink()
    repaired(library)
    assert not corrupt(library)
    assert not list(library.parent.glob("*.tmp*"))


_HOLDER = """
import os, sqlite3, sys
db = sqlite3.connect(sys.argv[1])
db.execute("PRAGMA user_version").fetchone()
if len(sys.argv) > 2:
    os.close(os.open(sys.argv[1], os.O_RDONLY))  # which drops the locks on the file, and leaves those on its memory
print("open", flush=True)
sys.stdin.read()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no file is replaced there that another process has open")
@pytest.mark.parametrize("locks_dropped", [False, True])
def test_it_refuses_while_another_process_has_the_library_open(locks_dropped: bool, library: Path, whole: Path) -> None:
    damage(library, page_of(whole, "answers", min(int(str(row[0])) for row in rows_of(whole)["answers"])), JUNK["ones"])
    before = library.read_bytes()
    command = [sys.executable, "-c", _HOLDER, str(library), *(["dropped"] if locks_dropped else [])]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "open\n"
        number = other.pid if sys.platform == "linux" else ""
        with pytest.raises(RepairFailed, match=f"is open by process {number}.*it was not changed. End that spar"):
            repaired(library)
    assert library.read_bytes() == before
    assert not list(library.parent.glob("*damaged*"))
    repaired(library)


def test_it_refuses_while_this_process_has_the_library_open(library: Path, whole: Path) -> None:
    with Store.open(library) as store, store.reading():
        damage_by_hand = page_of(whole, "papers", 30)
        subprocess.run([sys.executable, "-c", _DAMAGER, str(library), *map(str, damage_by_hand)], check=True)
        with pytest.raises(RepairFailed, match=f"is open by process {os.getpid()}"):
            repaired(library)


_DAMAGER = """
import sys
with open(sys.argv[1], "r+b") as file:
    for number in map(int, sys.argv[2:]):
        file.seek((number - 1) * 4096)
        file.write(b"\\xff" * 4096)
"""


def test_nobody_opens_the_library_while_it_is_repaired(library: Path, whole: Path) -> None:
    damage(library, page_of(whole, "papers", 30), JUNK["ones"])
    with repair_of(library, 1) as repair:
        with pytest.raises(Locked):
            Store.open(library, wait=0)
        assert repair is not None
        repair.put_in_place()
    with Store.open(library) as store:
        shelf.save(store, [make_paper("Saved after the repair", "pmid:1")])


def test_it_refuses_beside_a_backup_that_is_being_made(library: Path, whole: Path) -> None:
    damage(library, page_of(whole, "papers", 30), JUNK["ones"])
    before = library.read_bytes()
    with only_one(library) as alone:
        assert alone
        with pytest.raises(RepairFailed, match="another spar"):
            repaired(library)
    assert library.read_bytes() == before


@pytest.mark.parametrize("backup", [True, False])
def test_a_file_that_holds_nothing_of_a_library_is_replaced_only_by_a_backup(backup: bool, library: Path) -> None:
    library.write_bytes(b"not a database, but dear to somebody")
    if backup:
        expected = rows_of(daily_name(library, YESTERDAY))
        assert repaired(library).aside.read_bytes() == b"not a database, but dear to somebody"
        assert rows_of(library) == expected
        return
    daily_name(library, YESTERDAY).unlink()
    with pytest.raises(RepairFailed, match="nothing in it can be read, and there is no backup beside it"):
        repaired(library)
    assert library.read_bytes() == b"not a database, but dear to somebody"


def test_an_empty_file_with_a_backup_beside_it_is_damaged(library: Path) -> None:
    expected = rows_of(daily_name(library, YESTERDAY))
    library.write_bytes(b"")
    repaired(library)
    assert rows_of(library) == expected
    daily_name(library, YESTERDAY).unlink()
    library.write_bytes(b"")
    with repair_of(library, 1) as repair:
        assert repair is None


def test_a_whole_library_is_left_alone_even_while_it_is_open(library: Path) -> None:
    before = library.stat()
    with Store.open(library), repair_of(library, 1) as repair:
        assert repair is None
    assert library.stat().st_ino == before.st_ino


def test_a_library_of_a_newer_spar_is_never_touched_damaged_or_not(library: Path, whole: Path) -> None:
    damage(library, page_of(whole, "papers", 30), JUNK["ones"])
    with library.open("r+b") as file:  # where the header of SQLite's file format keeps `user_version`
        file.seek(60)
        file.write((VERSION + 1).to_bytes(4, "big"))
    before = library.read_bytes()
    with pytest.raises(TooNew):
        repaired(library)
    assert library.read_bytes() == before


def test_another_programs_database_is_left_as_it_is(library: Path) -> None:
    library.unlink()
    with closing(sqlite3.connect(library)) as db:
        db.execute("CREATE TABLE bookmarks (url)")
    with pytest.raises(NotALibrary):
        repaired(library)


def test_numbers_of_deleted_papers_are_not_given_again(library: Path, whole: Path) -> None:
    with closing(sqlite3.connect(library, isolation_level=None)) as db:
        db.execute("UPDATE sqlite_sequence SET seq = 5000 WHERE name = 'papers'")
    damage(library, page_of(whole, "papers", 30), JUNK["ones"])
    repaired(library)
    with Store.open(library) as store:
        papers.remember(store, [make_paper("Found after the repair", "pmid:77")])
    assert max(row[0] for row in rows_of(library)["papers"] if isinstance(row[0], int)) == 5001


def test_a_full_disk_changes_nothing(library: Path, whole: Path) -> None:
    damage(library, page_of(whole, "papers", 30), JUNK["ones"])
    before = library.read_bytes()
    ran = subprocess.run(
        [sys.executable, "-c", _ON_A_FULL_DISK, str(library)], cwd=Path(__file__).parents[2], capture_output=True,
        text=True, check=True,
    )  # fmt: skip
    assert "could not be checked or repaired" in ran.stdout
    assert library.read_bytes() == before
    assert not list(library.parent.glob("*damaged*"))


_ON_A_FULL_DISK = """
import resource, signal, sys
from pathlib import Path
from cache.errors import RepairFailed
from cache.repair import repair_of
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
sys.dont_write_bytecode = True
resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))
try:
    with repair_of(Path(sys.argv[1]), 1) as repair:
        repair.put_in_place()
except RepairFailed as error:
    print(error.sentence)
"""
