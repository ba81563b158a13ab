"""Copies of a library beside it: one before each upgrade, and one for each day on which it is used, of which the last
seven are kept.

A backup counts once it was opened and checked; until then it has a name that no backup has.
"""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import datetime
from enum import Enum
from pathlib import Path

from cache.backup_files import Backup, backups_of, daily_name, unfinished_of
from cache.errors import CacheError, Damaged, Foreign, NoBackup, fault_of, named_errors
from cache.schema import foreign_in, shield

KEPT = 7
"""How many daily backups there are at most."""
PATIENCE = 5.0
"""Seconds for which a locked library is waited for."""


class Done(Enum):
    """What came of a daily backup."""

    MADE = "made"
    THERE = "there"
    """There is one of today."""
    EMPTY = "empty"
    """The library holds no paper and no run, so there is nothing to lose."""
    ELSEWHERE = "elsewhere"
    """Another process makes it, or puts one back, just now."""


def back_up(path: Path, target: Path) -> None:
    """Copy the last saved state of the library at `path`; `target` is the whole, checked copy or is not there.

    Raises `sqlite3.Error`, `OSError`, or `Damaged` for what cannot be copied."""
    unfinished = target.with_name(target.name + ".tmp")
    _sweep(unfinished)
    try:
        os.close(os.open(unfinished, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        # Whoever may only read leaves an empty log behind, which looks like a crash.
        address = f"{path.absolute().as_uri()}?mode=rw"
        source = sqlite3.connect(address, uri=True, timeout=PATIENCE)
        with closing(source), closing(_opened(unfinished)) as copy:
            shield(source)
            _refuse_foreign(source, path)
            source.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE")  # one file, no log beside it
            if fault := fault_of(copy):
                raise Damaged(path, fault)
        to_disk(unfinished)
        unfinished.replace(target)
    except BaseException:
        with suppress(OSError):
            _sweep(unfinished)
        raise
    to_disk(target.parent)


def keep_daily(path: Path) -> Done:
    """Make today's backup of the library at `path` if there is none and no other process is at it; then the oldest go.

    Raises `NoBackup`, or `Damaged` for a library of which there can be none, with all earlier backups as they were."""
    try:
        with only_one(path) as here, named_errors(path, PATIENCE):
            return _keep_daily(path) if here else Done.ELSEWHERE
    except Damaged:
        raise
    except (CacheError, sqlite3.Error, OSError) as error:
        cause = error.__cause__ or error  # it is the copy that found no room, and not the library
        raise NoBackup(path, getattr(cause, "strerror", None) or str(cause)) from error


@contextmanager
def only_one(path: Path) -> Iterator[bool]:
    """Keep all other processes from making backups of the library at `path` or putting one back; whether no other is
    at it already. The lock dies with its process. Raises `OSError`."""
    from filelock import FileLock, Timeout

    lock = FileLock(lock_of(path), mode=0o600, thread_local=False)
    try:
        lock.acquire(blocking=False)
    except Timeout:
        yield False
        return
    try:
        os.utime(lock_of(path))
        yield True
    finally:
        lock.release()


def _keep_daily(path: Path) -> Done:
    target = daily_name(path, datetime.now().astimezone().date())
    if target.exists():
        return Done.THERE
    if _is_empty(path):
        os.utime(lock_of(path), (0, 0))  # nothing was attempted: what is saved next need not wait for an hour
        return Done.EMPTY
    for left in unfinished_of(path):
        left.unlink(missing_ok=True)
    back_up(path, target)
    for old in daily_of(path)[KEPT:]:
        old.file.unlink(missing_ok=True)
    return Done.MADE


def daily_of(path: Path) -> list[Backup]:
    """The daily backups of the library at `path`, the newest first."""
    return [backup for backup in backups_of(path) if backup.daily]


def lock_of(path: Path) -> Path:
    """The file that is locked while backups are made or put back; its date is that of the last attempt."""
    return path.with_name(f"{path.name}.backup.lock")


def _is_empty(path: Path) -> bool:
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True, timeout=PATIENCE)) as db:
        shield(db)
        _refuse_foreign(db, path)
        held: int = db.execute("SELECT EXISTS (SELECT 1 FROM papers) OR EXISTS (SELECT 1 FROM runs)").fetchone()[0]
    return not held


def _refuse_foreign(db: sqlite3.Connection, path: Path) -> None:
    """Raise `Foreign` if the schema holds anything that spar did not create."""
    if reason := foreign_in(db):
        raise Foreign(path, reason)


def _opened(copy: Path) -> sqlite3.Connection:
    db = sqlite3.connect(copy, isolation_level=None)
    db.execute("PRAGMA synchronous = OFF")  # it counts only after `to_disk`
    return db


def _sweep(unfinished: Path) -> None:
    # A journal that was left over would be written into the next copy of the same name.
    for suffix in ("", "-journal", "-wal", "-shm"):
        unfinished.with_name(unfinished.name + suffix).unlink(missing_ok=True)


def to_disk(path: Path) -> None:
    """Have a file, or the names in a folder, survive a power loss."""
    if os.name == "nt" and path.is_dir():
        return  # Windows cannot open a folder, and orders its renames by itself
    # A file has to be open for writing there; a folder cannot be elsewhere.
    handle = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
