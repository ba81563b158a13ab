"""What is saved is saved: with two writers, with a process that is killed, and on a full disk."""

import random
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from cache import papers, runs
from cache.errors import Locked
from cache.store import Store
from tests.cache.conftest import make_paper, name

ROOT = Path(__file__).parents[2]

_PRELUDE = """
import sys
from pathlib import Path
from cache import papers, runs
from cache.store import Store
path, who, wanted = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
"""
_WRITER = """
with Store.open(path) as store:
    run = runs.start(store, "search", who)
    for number in range(wanted):
        runs.append(store, run, "searcher", "found", {"number": number})
"""
_SAVER = """
from tests.cache.conftest import make_paper
with Store.open(path) as store:
    for number in range(int(who), int(who) + wanted):
        papers.remember(store, [make_paper(f"Paper {number}", f"pmid:{number}", author=f"A{number}", cites="pmid:1")])
        print(number, flush=True)
"""
_ON_A_FULL_DISK = """
import resource, sys
from cache.errors import DiskFull
from tests.cache.conftest import make_paper
sys.dont_write_bytecode = True  # or half a module could be left, which Python takes for a whole one
resource.setrlimit(resource.RLIMIT_FSIZE, (600_000, 600_000))
try:
    with Store.open(path) as store:
        for number in range(1, wanted):
            papers.remember(store, [make_paper(f"Paper {number}", f"pmid:{number}", abstract=f"{number} " * 900)])
            print(number, flush=True)
except DiskFull as error:
    print(error.sentence, file=sys.stderr)
"""


def _start(code: str, path: Path, who: str, wanted: int) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", _PRELUDE + code, str(path), who, str(wanted)]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, stderr=pipe, text=True)


_OPENER = """
print("ready", flush=True)
sys.stdin.readline()
Store.open(path).close()
"""


def _opened(path: Path) -> subprocess.Popen[str]:
    """A process that opens the library at `path` as soon as it is told to."""
    opener = _start(_OPENER, path, "", 0)
    assert opener.stdout is not None
    assert opener.stdout.readline() == "ready\n"
    return opener


def test_a_library_mends_itself_after_a_kill_at_any_moment_of_its_first_opening(disk: Path) -> None:
    left = set()
    for number, milliseconds in enumerate([0, 1, 3, 8, 20, 40, 80, 320]):
        path = disk / f"{number}.db"
        opener = _opened(path)
        assert opener.stdin is not None
        opener.stdin.write("now\n")
        opener.stdin.flush()
        time.sleep(milliseconds / 1000)
        opener.kill()
        opener.communicate(timeout=60)
        left.add(path.stat().st_size if path.exists() else None)
        with Store.open(path) as store:
            papers.remember(store, [make_paper("Kept", "pmid:1")])
    assert len(left) > 1  # kills before the end and after it, or nothing was tried


def test_processes_that_open_a_new_library_at_once_all_get_it(path: Path) -> None:
    openers = [_opened(path) for _ in range(4)]
    for opener in openers:
        assert opener.stdin is not None
        opener.stdin.write("now\n")
        opener.stdin.flush()
    for opener in openers:
        _, complaint = opener.communicate(timeout=60)
        assert (opener.returncode, complaint) == (0, "")


def test_two_processes_write_2000_rows_each_at_once_into_a_fresh_library(path: Path) -> None:
    writers = [_start(_WRITER, path, who, 2_000) for who in ("one", "two")]
    for writer in writers:
        _, complaint = writer.communicate(timeout=120)
        assert (writer.returncode, complaint) == (0, "")
    with Store.open(path) as store:
        written = {run.question: len(runs.events(store, run.id)) for run in runs.recent(store)}
    assert written == {"one": 2_000, "two": 2_000}


def test_nothing_that_was_acknowledged_is_lost_when_the_process_is_killed(disk: Path) -> None:
    path = disk / "library.db"
    Store.open(path).close()
    chance = random.Random(20261121)
    acknowledged: list[int] = []
    for round_number in range(8):
        saver = _start(_SAVER, path, str(1 + round_number * 10_000), 10_000)
        assert saver.stdout is not None
        acknowledged.append(int(saver.stdout.readline()))
        time.sleep(chance.random() * 0.05)
        saver.send_signal(signal.SIGKILL)
        rest, _ = saver.communicate(timeout=60)
        acknowledged += map(int, rest.split("\n")[:-1])
    with Store.open(path) as store:
        assert len(acknowledged) > 8
        for number in acknowledged:
            assert papers.find(store, [name(f"pmid:{number}")]) is not None
        with store.writing() as db:
            db.execute("INSERT INTO papers_fts (papers_fts) VALUES ('integrity-check')")
            halves = "SELECT count(*) FROM papers WHERE id NOT IN (SELECT paper FROM identifiers)"
            assert db.execute(halves).fetchone() == (0,)


@pytest.mark.skipif(sys.platform == "win32", reason="needs a limit on file sizes")
def test_on_a_full_disk_the_reason_is_named_and_what_was_saved_stays(path: Path) -> None:
    saver = _start(_ON_A_FULL_DISK, path, "disk", 5_000)
    output, complaint = saver.communicate(timeout=60)
    acknowledged = list(map(int, output.split()))
    assert "Free space on the disk" in complaint
    assert "Traceback" not in complaint
    assert 0 < len(acknowledged) < 4_000
    with Store.open(path) as store:
        assert all(papers.find(store, [name(f"pmid:{number}")]) for number in acknowledged)


def test_a_library_that_stays_locked_is_named_as_locked(path: Path) -> None:
    Store.open(path).close()
    with Store.open(path, wait=0.2) as store, closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(Locked, match=r"another process for more than 0\.2 seconds"):
            runs.start(store, "search", "whales")
        other.execute("ROLLBACK")
        runs.start(store, "search", "whales")
