"""What the library no longer needs is given back to the disk, and nobody waits or loses anything for it."""

import subprocess
import sys
import threading
import time
from itertools import islice
from pathlib import Path
from random import Random

import pytest

from cache import papers, runs, upkeep
from cache.free_pages import FileSpace, compact, file_space, give_back
from cache.paper_json import to_json
from cache.runs import Post
from cache.store import Store
from cache.upkeep import keep_daily_unasked, tidy
from tests.benchmarks.library_100k import generated
from tests.kept_runs import RUNS, stored_events, unpacked
from tests.library import copied
from tests.reliability.libraries import corrupt, fill
from tests.spar_tui.running import wait_until


def written(store: Store, number: int) -> str:
    """A run of a megabyte."""
    run, dice = runs.start(store, "search", f"whales {number}"), Random(number)
    for _ in range(20):
        posts = [Post("search", "note", {"work": work, "text": dice.randbytes(5_000).hex()}) for work in range(10)]
        runs.extend(store, run, posts)
    return run


def two_runs(store: Store) -> None:
    """A run that is kept, and one that is forgotten."""
    written(store, 1)
    written(store, 2)


def ids(store: Store) -> list[str]:
    """The runs in the order of their numbers."""
    return [run for (run,) in store.rows("SELECT id FROM runs ORDER BY question")]


def size(path: Path) -> int:
    return path.stat().st_size


def test_forgetting_a_run_makes_the_file_smaller(path: Path) -> None:
    with Store.open(copied(path.with_name("empty.db"))) as store:
        empty = file_space(store).size
    with Store.open(copied(path, two_runs)) as store:
        kept, forgotten = ids(store)
        before, events = file_space(store).size, runs.events(store, kept)
        runs.forget(store, forgotten)
        after = file_space(store)
        assert after.unused == 0
        assert after.size - empty < 0.6 * (before - empty)
        assert runs.events(store, kept) == events
    assert size(path) == after.size
    assert not corrupt(path)


def test_an_older_library_becomes_smaller_and_has_the_same_events(tmp_path: Path) -> None:
    path = unpacked(tmp_path) / "spar" / "spar.db"
    before, bytes_before = {run: stored_events(tmp_path, run) for run in RUNS.values()}, size(path)
    tidy(path)
    assert size(path) < bytes_before / 2
    assert {run: stored_events(tmp_path, run) for run in RUNS.values()} == before
    assert not corrupt(path)
    with Store.open(path) as store:
        assert file_space(store) == FileSpace(size(path), 0, True)


def test_after_an_upgrade_that_shortens_records_the_upkeep_writes_the_file_anew(path: Path) -> None:
    known = list(islice(generated(300), 300))
    with Store.open(copied(path)) as store:
        numbers = papers.remember(store, known)
        before = papers.by_ids(store, numbers)
        with store.writing() as db:  # as version 16 had it
            rows = [(to_json(paper), number) for paper, number in zip(before, numbers, strict=True)]
            db.executemany("UPDATE papers SET record = ? WHERE id = ?", rows)
            db.execute("DELETE FROM _sqlite_migrations WHERE name LIKE '0017%'")
            db.execute("PRAGMA user_version = 16")
        compact(store)
    longer = size(path)
    with Store.open(path) as store:
        assert file_space(store).half_empty
        assert papers.by_ids(store, numbers) == before
    tidy(path)
    with Store.open(path) as store:
        assert not file_space(store).half_empty
        assert papers.by_ids(store, numbers) == before
    assert size(path) < 0.85 * longer
    assert not corrupt(path)


def test_it_is_done_after_the_backup_of_the_day(tmp_path: Path) -> None:
    path = unpacked(tmp_path) / "spar" / "spar.db"
    Store.open(path).close()
    before = size(path)
    keep_daily_unasked(path)
    wait_until(lambda: upkeep.MAKER not in {thread.name for thread in threading.enumerate()})
    assert size(path) < before / 2
    [backup] = path.parent.glob("spar.db.????-??-??.bak")
    assert size(backup) >= before


def test_a_large_older_library_is_compacted_only_by_request(tmp_path: Path) -> None:
    path = unpacked(tmp_path) / "spar" / "spar.db"
    tidy(path, moment=4096)
    with Store.open(path) as store:
        space = file_space(store)
        give_back(store)
        assert file_space(store) == space
        assert space.unused
        assert not space.steady
        compact(store)
        smaller = file_space(store)
        assert smaller == FileSpace(smaller.size, 0, True)
        assert smaller.size <= space.size - space.unused + 4096


GIVING = """
import sys; from pathlib import Path; from cache.store import Store; from cache.free_pages import give_back, compact
with Store.open(Path(sys.argv[1])) as store:
    print("ready", flush=True)
    (compact if sys.argv[2] == "compact" else give_back)(store)
"""


@pytest.mark.parametrize("how", ["compact", "give back"])
@pytest.mark.parametrize("delay", [0.0, 0.02])
def test_a_process_that_is_killed_meanwhile_loses_nothing(disk: Path, how: str, delay: float) -> None:
    path = disk / "library.db"
    fill(copied(path, two_runs), 30)
    with Store.open(path) as store:
        kept, forgotten = ids(store)
        events = runs.events(store, kept)
        with store.writing() as db:
            db.execute("DELETE FROM runs WHERE id = ?", (forgotten,))
    process = subprocess.Popen([sys.executable, "-c", GIVING, str(path), how], stdout=subprocess.PIPE)
    assert process.stdout
    process.stdout.readline()
    time.sleep(delay)
    process.kill()
    process.wait()
    process.stdout.close()
    assert not corrupt(path)
    with Store.open(path) as store:
        assert runs.events(store, kept) == events
        give_back(store)
        assert file_space(store).unused == 0


def test_what_another_process_writes_meanwhile_is_there(path: Path) -> None:
    with Store.open(copied(path)) as store:
        forgotten = [written(store, number) for number in range(3)]
        other = runs.start(store, "search", "whales")
        process = subprocess.Popen([sys.executable, "-c", WRITING, str(path), other], stdout=subprocess.PIPE)
        assert process.stdout
        process.stdout.readline()
        for run in forgotten:
            runs.forget(store, run)
            give_back(store)
        assert process.wait() == 0
        process.stdout.close()
        assert [event.content for event in runs.events(store, other)] == list(range(50))
    assert not corrupt(path)


WRITING = """
import sys; from pathlib import Path; from cache import runs; from cache.store import Store
with Store.open(Path(sys.argv[1])) as store:
    print("ready", flush=True)
    for number in range(50):
        runs.append(store, sys.argv[2], "search", "note", number)
"""
