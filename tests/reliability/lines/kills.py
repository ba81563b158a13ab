"""Line 1: SIGKILL at any moment of saves, exports, upgrades, and of every verb that writes."""

import sqlite3
import time
from contextlib import closing
from pathlib import Path

from cache import shelf
from cache.store import Store
from cache.version import VERSION
from spar_tui.files import replace_file
from tests.cache.conftest import make_paper
from tests.reliability.libraries import corrupt, fill, halves, lost, older, raw
from tests.reliability.line import Figure, Line, Trial, harm
from tests.reliability.processes import Tell, Work, done, killed
from tests.reliability.verbs import kill_verbs

LARGE = 4_000_000
OLD, NEW = b"A" * LARGE, b"B" * LARGE
STRAIGHT = 60
"""Kills of the controls, which must find harm."""


def measure(trial: Trial) -> Line:
    saves, exports, upgrades = trial.many(6, 200), trial.many(5, 100), trial.many(3, 50)
    verbs = kill_verbs(trial) if trial.full else None
    found = [
        *of_saves(trial, saves),
        *of_exports(trial, exports),
        *of_upgrades(trial, upgrades),
        *(verbs.figures if verbs else ()),
    ]
    controls = () if not trial.full else (
        harm("broken exports with a plain write", broken_exports(trial, STRAIGHT, write_straight)[0]),
        harm("corrupt databases without a journal", corrupt_without_journal(trial, STRAIGHT)),
    )  # fmt: skip
    tried = (
        f"a process is killed at {saves} random moments while it saves papers one by one, {exports} times while it "
        f"replaces a file of {LARGE // 1_000_000} MB, and {upgrades} times while it upgrades libraries of versions 1 "
        f"to {VERSION - 1}"
    )
    return Line(
        1, "killed (kill -9)", f"{tried}{verbs.tried if verbs else ''}", tuple(found), controls,
        tests=(
            "tests/cache/test_processes.py", "tests/cache/test_backups.py", "tests/cache/test_repair.py",
            "tests/spar_tui/test_files.py", "tests/spar_tui/cli/test_resume.py",
        ),
    )  # fmt: skip


def save_papers(tell: Tell, path: Path, first: int) -> None:
    with Store.open(path) as store:
        for number in range(first, first + 100_000):
            shelf.save(store, [make_paper(f"Paper {number}", f"pmid:{number}", cites="pmid:1")], ["kept"])
            tell(number)


def of_saves(trial: Trial, kills: int) -> list[Figure]:
    dice = trial.dice
    missing = bad = half = 0
    slowest = 0.0
    for kill in range(kills):
        path = (
            trial.folder / f"saves-{kill // 20}" / "spar.db"
        )  # a new one now and then: checking a large one takes long
        if not path.exists():
            fill(path, 10)
        acknowledged = killed(save_papers, path, 1_000 * (kill + 1), after=dice.uniform(0, 0.2))
        begun = time.monotonic()
        with Store.open(path) as store:
            slowest = max(slowest, time.monotonic() - begun)
            missing += lost(store, acknowledged)
            half = max(half, halves(store))
        bad += corrupt(path)
    return [
        Figure("acknowledged papers lost", missing),
        Figure("papers saved in part", half), Figure("corrupt libraries", bad),
        Figure("slowest start afterwards", round(slowest, 2), 2, unit=" s"),
    ]  # fmt: skip


def replace_over_and_over(tell: Tell, file: Path) -> None:
    old = file.read_bytes()
    while True:
        new = NEW if old == OLD else OLD
        replace_file(file, new, old)
        old = new


def write_straight(tell: Tell, file: Path) -> None:
    new = NEW
    while True:
        with open(file, "wb") as out:
            out.write(new)
        new = OLD if new == NEW else NEW


def of_exports(trial: Trial, kills: int) -> list[Figure]:
    broken, file = broken_exports(trial, kills, replace_over_and_over)
    replace_file(file, OLD, file.read_bytes())
    left = [one for one in file.parent.iterdir() if one != file]
    return [Figure("broken exports", broken), Figure("temporary files left after the next export", len(left))]


def broken_exports(trial: Trial, kills: int, work: Work) -> tuple[int, Path]:
    """How often the file was neither the old one nor the new."""
    file, dice, broken = trial.folder / str(getattr(work, "__name__", "work")) / "refs.bib", trial.dice, 0
    file.parent.mkdir()
    for _ in range(kills):
        file.write_bytes(OLD)
        killed(work, file, after=dice.uniform(0, 0.1))
        broken += file.read_bytes() not in (OLD, NEW)
    return broken, file


def open_library(tell: Tell, path: Path) -> None:
    Store.open(path).close()


def of_upgrades(trial: Trial, kills: int) -> list[Figure]:
    dice, missing, bad = trial.dice, 0, 0
    for kill in range(kills):
        path = trial.folder / f"upgrade-{kill}" / "spar.db"
        path.parent.mkdir()
        template = trial.folder / f"version-{1 + kill % (VERSION - 1)}.db"
        if not template.exists():
            older(template, 1 + kill % (VERSION - 1), 40)
            path.write_bytes(template.read_bytes())
            lasts = done(open_library, path)[1]
            path.unlink()
        path.write_bytes(template.read_bytes())
        killed(open_library, path, after=dice.uniform(0, lasts))
        with Store.open(path) as store:
            missing += lost(store, list(range(1, 41)))
        bad += corrupt(path)
    return [Figure("papers lost in an upgrade", missing), Figure("libraries corrupted by an upgrade", bad)]


def insert_rows(tell: Tell, path: Path) -> None:
    with raw(path, "OFF", "MEMORY") as db:
        first = int(db.execute("SELECT coalesce(max(id), 0) FROM rows").fetchone()[0]) + 1
        for number in range(first, first + 1_000_000, 50):
            db.execute("BEGIN IMMEDIATE")
            db.executemany("INSERT INTO rows VALUES (?, ?)", [(n, f"{n * 7919 % 1000} {n}" * 20)
                                                               for n in range(number, number + 50)])  # fmt: skip
            db.execute("COMMIT")


def corrupt_without_journal(trial: Trial, kills: int) -> int:
    dice, bad = trial.dice, 0
    for kill in range(kills):
        path = trial.folder / f"raw-{kill}.db"
        killed(insert_rows, path, after=dice.uniform(0.02, 0.4))
        bad += _bad(path)
    return bad


def _bad(path: Path) -> bool:
    if not path.exists():
        return False
    try:
        with closing(sqlite3.connect(path)) as db:
            return bool(db.execute("PRAGMA integrity_check").fetchone() != ("ok",))
    except sqlite3.DatabaseError:
        return True
