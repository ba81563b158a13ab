"""A backup of each day on which the library is used, that counts only when it is whole, and that nobody waits for."""

import os
import sqlite3
import stat
import subprocess
import sys
import threading
import time
from contextlib import closing
from datetime import date, datetime, timedelta
from pathlib import Path

import pytest

from cache import papers, upkeep
from cache.backup_files import backups_of, daily_name
from cache.backups import BackupOutcome, keep_daily, lock_of
from cache.errors import Damaged, NoBackup
from cache.store import Store
from cache.upkeep import keep_daily_unasked
from tests.cache.conftest import make_paper, name
from tests.spar_tui.running import wait_until

ROOT = Path(__file__).parents[2]


def today() -> date:
    """The day now, which can change while other tests run."""
    return datetime.now().astimezone().date()


_KEEPER = """
import sys
from pathlib import Path
from cache.backups import keep_daily
print("ready", flush=True)
sys.stdin.readline()
print(keep_daily(Path(sys.argv[1])).value, flush=True)
"""
_ON_A_FULL_DISK = """
import resource, sys
from pathlib import Path
from cache.backups import keep_daily
from cache.errors import NoBackup
sys.dont_write_bytecode = True  # or half a module could be left, which Python takes for a whole one
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
try:
    keep_daily(Path(sys.argv[1]))
except NoBackup as error:
    print(error.sentence)
"""


def fill(path: Path, count: int = 50) -> None:
    with Store.open(path) as store:
        text = "words " * 300
        made = [make_paper(f"Paper {n}", f"pmid:{n + 1}", author=f"Author{n}", abstract=text) for n in range(count)]
        papers.remember(store, made)  # by different authors, or each title would be compared with all others


def titles_in(path: Path) -> int:
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        found: int = db.execute("SELECT count(*) FROM papers").fetchone()[0]
    return found


def damage(path: Path) -> None:
    with path.open("r+b") as file:
        file.seek(path.stat().st_size // 2 // 4096 * 4096)
        file.write(b"\xff" * 4096)


def started(code: str, path: Path) -> subprocess.Popen[str]:
    pipe = subprocess.PIPE
    return subprocess.Popen([sys.executable, "-c", code, str(path)], cwd=ROOT, stdin=pipe, stdout=pipe, text=True)


def keeper(path: Path) -> subprocess.Popen[str]:
    """A process that makes the backup as soon as it is told to."""
    process = started(_KEEPER, path)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


def tell(process: subprocess.Popen[str]) -> None:
    assert process.stdin is not None
    process.stdin.write("now\n")
    process.stdin.flush()


def test_a_backup_holds_all_that_was_saved_and_is_its_owners_alone(path: Path) -> None:
    fill(path)
    with Store.open(path) as store:  # while it is open, and its newest paper stands in the log only
        papers.remember(store, [make_paper("In the log", "pmid:99")])
        assert keep_daily(path) is BackupOutcome.MADE
    [backup] = backups_of(path)
    assert (backup.file, backup.day) == (path.with_name(f"library.db.{today()}.bak"), today())
    assert {stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()} == {0o600}
    with Store.open(backup.file) as store:
        assert papers.find(store, [name("pmid:99")]) is not None


def test_there_is_at_most_one_a_day(path: Path) -> None:
    fill(path)
    keep_daily(path)
    before = daily_name(path, today()).stat()
    assert keep_daily(path) is BackupOutcome.THERE
    assert daily_name(path, today()).stat() == before


def test_a_library_without_anything_in_it_pushes_no_backup_out(path: Path) -> None:
    Store.open(path).close()
    assert keep_daily(path) is BackupOutcome.EMPTY
    assert backups_of(path) == []
    fill(path)
    keep_daily_unasked(path)
    assert [backup.day for backup in backups_of(path)] == [today()]


def kept_days(path: Path, *days: date) -> None:
    for day in days:
        daily_name(path, day).write_bytes(b"kept")


def test_seven_days_are_kept_and_copies_of_upgrades_do_not_count(path: Path) -> None:
    fill(path)
    kept_days(path, *(today() - timedelta(days=ago) for ago in range(1, 12)))
    upgrade = path.with_name("library.db.before-v3.bak")
    upgrade.touch()
    keep_daily(path)
    kept = sorted(daily_name(path, today() - timedelta(days=ago)) for ago in range(7))
    assert sorted(path.parent.glob("*.bak")) == [*kept, upgrade]


def test_a_backup_of_a_day_to_come_is_never_the_newest_and_goes_first(path: Path) -> None:
    fill(path)
    kept_days(path, *(today() + timedelta(days=ahead) for ahead in range(1, 9)))
    keep_daily(path)
    assert backups_of(path)[0].day == today()
    assert len(backups_of(path)) == 7


def test_no_older_backup_goes_for_one_of_a_damaged_library(path: Path) -> None:
    fill(path)
    kept_days(path, *(today() - timedelta(days=ago) for ago in range(1, 9)))
    before = {file: file.read_bytes() for file in path.parent.glob("*.bak*")}
    damage(path)
    with pytest.raises(Damaged):
        keep_daily(path)
    assert {file: file.read_bytes() for file in path.parent.glob("*.bak*")} == before


@pytest.mark.skipif(sys.platform == "win32", reason="needs a limit on file sizes")
def test_a_full_disk_costs_the_backup_only(path: Path) -> None:
    fill(path, 200)
    kept_days(path, *(today() - timedelta(days=ago) for ago in range(1, 9)))
    before = {file.name for file in path.parent.glob("*.bak*")}
    told, _ = started(_ON_A_FULL_DISK, path).communicate(timeout=60)
    assert "could not be backed up" in told
    assert {file.name for file in path.parent.glob("*.bak*")} == before
    assert titles_in(path) == 200


def test_a_folder_that_cannot_be_written_costs_the_backup_only(path: Path) -> None:
    fill(path)
    lock_of(path).mkdir()  # as little a file to lock as one in a read-only folder
    with pytest.raises(NoBackup, match="could not be backed up"):
        keep_daily(path)
    keep_daily_unasked(path)
    assert backups_of(path) == []


def test_what_could_not_be_made_is_tried_again_after_an_hour_and_not_at_every_verb(path: Path) -> None:
    fill(path)
    lock_of(path).touch()
    keep_daily_unasked(path)
    assert backups_of(path) == []
    long_ago = time.time() - 3601
    os.utime(lock_of(path), (long_ago, long_ago))
    keep_daily_unasked(path)
    assert [backup.day for backup in backups_of(path)] == [today()]


def test_of_two_processes_at_once_one_makes_it(path: Path) -> None:
    fill(path, 2_000)
    keepers = [keeper(path) for _ in range(3)]
    for process in keepers:
        tell(process)
    told = [process.communicate(timeout=60)[0].strip() for process in keepers]
    assert told.count("made") == 1
    assert set(told) <= {"made", "there", "elsewhere"}
    assert titles_in(backups_of(path)[0].file) == 2_000


def test_a_kill_at_any_moment_leaves_no_half_backup_that_counts(disk: Path) -> None:
    path = disk / "library.db"
    fill(path, 3_000)
    kept_days(path, today() - timedelta(days=1))
    todays, cut_off, whole = daily_name(path, today()), 0, 0
    for number, milliseconds in enumerate(range(0, 100, 10)):
        process = keeper(path)
        tell(process)
        while number % 2 and process.poll() is None and not (todays.exists() or any(path.parent.glob("*.tmp*"))):
            time.sleep(0.001)  # every second kill comes after the copy has begun, however busy the machine is
        time.sleep(milliseconds / 2_000)
        process.kill()
        process.communicate(timeout=60)
        cut_off += any(path.parent.glob("*.tmp*"))
        counted = [backup.file for backup in backups_of(path) if backup.day == today()]
        assert all(titles_in(file) == 3_000 for file in counted)
        whole += bool(counted)
        todays.unlink(missing_ok=True)
    assert cut_off  # kills in the middle, or nothing was tried
    assert keep_daily(path) is BackupOutcome.MADE
    assert titles_in(todays) == 3_000
    assert not list(path.parent.glob("*.tmp*"))
    assert titles_in(path) == 3_000


def test_a_large_library_is_copied_by_a_process_of_its_own(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(path)
    monkeypatch.setattr(upkeep, "BLINK", 0)
    keep_daily_unasked(path)
    wait_until(lambda: bool(backups_of(path)))
    assert titles_in(backups_of(path)[0].file) == 50
    wait_until(lambda: upkeep.MAKER not in {thread.name for thread in threading.enumerate()})  # it is waited for
