"""A damaged library is moved aside and the newest whole backup takes its place; what is not damaged is left alone."""

import os
import shutil
import sqlite3
import time
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from cache import papers, shelf
from cache.backup_files import daily_name
from cache.backups import keep_daily, only_one
from cache.errors import NotALibrary, RepairFailed, TooNew
from cache.repair import Later, Plan, planned, put_back
from cache.store import Store
from cache.version import VERSION
from tests.cache.conftest import make_paper, name
from tests.cache.test_backups import damage, fill, started, tell, titles_in

TODAY = datetime.now().astimezone().date()
LATER_TITLE = "Seen after the backup"


@pytest.fixture
def damaged(path: Path) -> Path:
    """A damaged library of 60 papers, with a backup of yesterday with 50."""
    fill(path, 50)
    keep_daily(path)
    daily_name(path, TODAY).rename(daily_name(path, TODAY - timedelta(days=1)))
    with Store.open(path) as store:
        found = [make_paper(f"{LATER_TITLE} {n}", f"pmid:{n + 900}") for n in range(10)]
        papers.remember(store, found)
        shelf.save(store, found[:2])
    damage_abstracts(path)
    return path


def damage_abstracts(path: Path) -> None:
    """Break a page of papers that the backup holds too; those that came later can be read past it."""
    content = path.read_bytes()
    pages = range(0, len(content), 4096)
    page = next(
        at for at in pages if b"Paper 20" in content[at : at + 4096] and b"words " * 50 in content[at : at + 4096]
    )
    with path.open("r+b") as file:
        file.seek(page)
        file.write(b"\xff" * 4096)


def plan_of(path: Path) -> Plan:
    plan = planned(path, 1)
    assert plan is not None
    return plan


def test_the_newest_backup_takes_the_place_and_the_damaged_bytes_are_kept(damaged: Path) -> None:
    before = damaged.read_bytes()
    plan = plan_of(damaged)
    assert damaged.read_bytes() == before  # planning changes nothing
    assert plan.backup.day == TODAY - timedelta(days=1)
    aside = put_back(plan)
    assert aside.read_bytes() == before
    assert aside.name.startswith("library.db.damaged-")
    assert titles_in(damaged) == 50
    with Store.open(damaged) as store:
        assert papers.find(store, [name("pmid:50")]) is not None
    assert plan.backup.file.exists()
    assert planned(damaged, 1) is None


_REPAIRER = """
import sys
from pathlib import Path
from cache.repair import planned, put_back
plan = planned(Path(sys.argv[1]), 1)
print("ready", flush=True)
sys.stdin.readline()
put_back(plan)
"""


def test_a_kill_at_any_moment_leaves_the_damaged_library_or_the_backup_and_loses_neither(damaged: Path) -> None:
    backup = daily_name(damaged, TODAY - timedelta(days=1))
    broken, whole, in_place = damaged.read_bytes(), backup.read_bytes(), set()
    for milliseconds in (*range(0, 60, 3), 100, 300, 1000):
        for left in damaged.parent.glob("*.damaged-*"):
            left.unlink()
        damaged.write_bytes(broken)
        process = started(_REPAIRER, damaged)
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        tell(process)
        time.sleep(milliseconds / 1000)
        process.kill()
        process.communicate(timeout=60)
        found = damaged.read_bytes()
        in_place.add(found == whole)
        assert found in (broken, whole)
        assert broken in [found, *(file.read_bytes() for file in damaged.parent.glob("*.damaged-*"))]
        assert backup.read_bytes() == whole
    assert in_place == {True, False}  # kills before the end and after it, or nothing was tried
    damaged.write_bytes(broken)
    for left in damaged.parent.glob("*.damaged-*"):
        left.unlink()
    put_back(plan_of(damaged))
    assert titles_in(damaged) == 50
    assert not list(damaged.parent.glob("*.tmp*"))


def test_what_was_saved_after_the_backup_is_named(damaged: Path) -> None:
    later = {one.what: one for one in plan_of(damaged).later}
    saved = later["saved papers"]
    assert saved == Later("saved papers", (f"{LATER_TITLE} 0", f"{LATER_TITLE} 1"), all_read=True)


def test_what_cannot_be_read_any_more_is_not_called_nothing(damaged: Path) -> None:
    os.truncate(damaged, 8192)
    assert all(not later.all_read for later in plan_of(damaged).later)
    assert plan_of(damaged).later


def test_a_damaged_backup_is_passed_over_and_named(damaged: Path) -> None:
    newest = daily_name(damaged, TODAY)
    shutil.copy(daily_name(damaged, TODAY - timedelta(days=1)), newest)
    damage(newest)
    plan = plan_of(damaged)
    assert (plan.backup.day, plan.unusable) == (TODAY - timedelta(days=1), (newest,))


def test_a_copy_of_before_an_upgrade_is_a_backup_too(damaged: Path) -> None:
    upgrade = damaged.with_name("library.db.before-v3.bak")
    daily_name(damaged, TODAY - timedelta(days=1)).rename(upgrade)
    put_back(plan_of(damaged))
    assert titles_in(damaged) == 50


def test_a_library_whose_first_bytes_are_gone_is_repaired_where_a_backup_tells_of_it(damaged: Path) -> None:
    with damaged.open("r+b") as file:
        file.write(b"\0" * 4096)
    aside = put_back(plan_of(damaged))
    assert aside.read_bytes()[:4096] == b"\0" * 4096
    assert titles_in(damaged) == 50


def test_the_log_of_the_damaged_file_goes_with_it(damaged: Path) -> None:
    log = damaged.with_name("library.db-wal")
    log.write_bytes(b"of the damaged file")
    aside = put_back(plan_of(damaged))
    assert not log.exists()
    assert aside.with_name(f"{aside.name}-wal").read_bytes() == b"of the damaged file"


def test_without_a_whole_backup_nothing_is_touched(damaged: Path) -> None:
    damage(daily_name(damaged, TODAY - timedelta(days=1)))
    before = {file: file.read_bytes() for file in damaged.parent.iterdir() if file.is_file()}
    with pytest.raises(RepairFailed, match="none of its 1 backups is whole"):
        planned(damaged, 1)
    daily_name(damaged, TODAY - timedelta(days=1)).unlink()
    with pytest.raises(RepairFailed, match="no backup"):
        planned(damaged, 1)
    assert damaged.read_bytes() == before[damaged]


def test_a_whole_library_needs_no_repair(path: Path) -> None:
    fill(path)
    keep_daily(path)
    assert planned(path, 1) is None


def test_a_library_of_a_newer_spar_is_never_touched_damaged_or_not(damaged: Path) -> None:
    with damaged.open("r+b") as file:  # where the header of SQLite's file format keeps `user_version`
        file.seek(60)
        file.write((VERSION + 1).to_bytes(4, "big"))
    before = damaged.read_bytes()
    with pytest.raises(TooNew):
        planned(damaged, 1)
    assert damaged.read_bytes() == before


def test_a_backup_of_a_newer_spar_is_not_put_back(damaged: Path) -> None:
    newest = daily_name(damaged, TODAY)
    shutil.copy(daily_name(damaged, TODAY - timedelta(days=1)), newest)
    with closing(sqlite3.connect(newest)) as db:
        db.execute(f"PRAGMA user_version = {VERSION + 1}")
    assert plan_of(damaged).backup.day == TODAY - timedelta(days=1)


def test_another_programs_database_is_left_as_it_is(path: Path) -> None:
    fill(path)
    keep_daily(path)
    path.unlink()
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE bookmarks (url)")
    with pytest.raises(NotALibrary):
        planned(path, 1)


def test_while_another_spar_is_at_the_backups_nothing_is_put_back(damaged: Path) -> None:
    before = damaged.read_bytes()
    with only_one(damaged) as alone:
        assert alone
        with pytest.raises(RepairFailed, match="another spar"):
            put_back(plan_of(damaged))
    assert damaged.read_bytes() == before
