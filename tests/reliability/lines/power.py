"""Line 2: the power fails. What SQLite wrote and synced is noted by a layer under it, and played back up to any moment
with what was not synced dropped, or kept by chance, as a disk may."""

import sqlite3
from collections import defaultdict
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random

from cache import shelf
from cache.store import Store
from tests.cache.conftest import make_paper
from tests.reliability.libraries import lost, raw
from tests.reliability.line import Figure, Line, Trial, harm
from tests.reliability.power_layer import Noted, noted
from tests.reliability.processes import Tell, done

SAVED = 60


def measure(trial: Trial) -> Line:
    points = trial.many(20, 500)
    history = recorded(save_papers, trial.folder / "library" / "spar.db")
    missing, bad = played_back(history, points, trial, papers_lost)
    controls: tuple[Figure, ...] = ()
    if trial.full:
        normal = played_back(recorded(insert_normal, trial.folder / "normal" / "rows.db"), points, trial, rows_lost)
        off = played_back(recorded(insert_off, trial.folder / "off" / "rows.db"), points, trial, rows_lost)
        controls = (
            harm("moments that lose acknowledged rows with synchronous = NORMAL", normal[0]),
            harm("moments that damage the database with synchronous = OFF and no journal", off[1]),
        )
    syncs = sum(one.kind == "sync" for one in history)
    tried = (
        f"power is cut at {points} moments among {len(history)} writes and {syncs} syncs of {SAVED} saves; data that "
        "was not synced by then is dropped, all of it or random parts"
    )
    return Line(
        2, "power loss", tried,
        (Figure("moments that lose an acknowledged save", missing), Figure("corrupt libraries", bad)),
        controls, unseen="a real power cut; a disk that reports a sync it has not done",
        tests=("tests/cache/test_store.py",),
    )  # fmt: skip


def save_papers(tell: Tell, path: Path) -> None:
    with noted(path.parent, tell), Store.open(path) as store:
        for number in range(1, SAVED + 1):
            found = make_paper(f"Paper {number}", f"pmid:{number}", abstract=f"{number} words " * 200)
            shelf.save(store, [found], ["kept"])
            tell(Noted("acknowledged", "", number))
            if number % 20 == 0:
                with store.reading() as db:
                    db.execute("PRAGMA wal_checkpoint")


def insert_normal(tell: Tell, path: Path) -> None:
    _insert(tell, path, "NORMAL", "WAL")


def insert_off(tell: Tell, path: Path) -> None:
    _insert(tell, path, "OFF", "DELETE")


def _insert(tell: Tell, path: Path, synchronous: str, journal: str) -> None:
    with noted(path.parent, tell), raw(path, synchronous, journal) as db:
        for number in range(1, SAVED + 1):
            db.execute("INSERT INTO rows VALUES (?, ?)", (number, f"{number * 7919 % 1000} words " * 300))
            tell(Noted("acknowledged", "", number))


def recorded(work: Callable[..., None], path: Path) -> list[Noted]:
    path.parent.mkdir()
    told, _, code = done(work, path)
    assert code == 0, f"{work.__name__} ended with {code}"
    assert any(one.kind == "write" for one in told), "nothing was noted"
    return [one for one in told if isinstance(one, Noted)]


def played_back(
    history: list[Noted], points: int, trial: Trial, losses: Callable[[Path, list[int]], int]
) -> tuple[int, int]:
    """At how many of `points` moments something acknowledged is lost, and how often the file is not whole."""
    dice, missing, bad = trial.dice, 0, 0
    folder = trial.folder / "after"
    folder.mkdir(exist_ok=True)
    for _ in range(points):
        for left in folder.iterdir():
            left.unlink()
        moment = dice.randrange(1, len(history) + 1)
        for file, content in on_disk(history[:moment], dice).items():
            (folder / file).write_bytes(content)
        acknowledged = [one.at for one in history[:moment] if one.kind == "acknowledged"]
        path = folder / next(one.file for one in history if one.file and "-" not in one.file)
        if damaged(path):
            bad += 1
        else:
            missing += bool(losses(path, acknowledged))
    return missing, bad


def on_disk(history: list[Noted], dice: Random) -> dict[str, bytes]:
    """The files as a disk may have them that lost its power now: what was synced, and of the rest some or nothing."""
    files: dict[str, bytearray] = {}
    waiting: dict[str, list[Noted]] = defaultdict(list)
    for one in history:
        if one.kind == "sync":
            for change in waiting.pop(one.file, []):
                _apply(files, change)
        elif one.kind == "delete":
            waiting.pop(one.file, None)
            files.pop(one.file, None)
        elif one.kind != "acknowledged":
            waiting[one.file].append(one)
    share = dice.choice((0.0, 0.5))
    for changes in waiting.values():
        for change in changes:
            if dice.random() < share:
                _apply(files, change)
    return {file: bytes(content) for file, content in files.items()}


def _apply(files: dict[str, bytearray], change: Noted) -> None:
    content = files.setdefault(change.file, bytearray())
    if change.kind == "truncate":
        del content[change.at :]
        return
    if len(content) < change.at:
        content.extend(bytes(change.at - len(content)))
    content[change.at : change.at + len(change.data)] = change.data


def damaged(path: Path) -> bool:
    if not path.exists() or not path.stat().st_size:
        return False
    try:
        with closing(sqlite3.connect(path)) as db:
            return bool(db.execute("PRAGMA integrity_check").fetchone() != ("ok",))
    except sqlite3.DatabaseError:
        return True


def papers_lost(path: Path, numbers: list[int]) -> int:
    with Store.open(path) as store:
        return lost(store, numbers)


def rows_lost(path: Path, numbers: list[int]) -> int:
    if not path.exists():
        return len(numbers)
    try:
        with closing(sqlite3.connect(path)) as db:
            there = {row[0] for row in db.execute("SELECT id FROM rows")}
    except sqlite3.DatabaseError:  # the table itself is lost
        there = set()
    return len(set(numbers) - there)
