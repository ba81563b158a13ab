"""Copies of a library beside it: one before each upgrade, and one for each day of use, of which the last seven are
kept. A copy gets the name of a backup only after it was opened and checked."""

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
"""Maximum number of daily backups."""
PATIENCE = 5.0
"""Seconds to wait for a locked library."""


class BackupOutcome(Enum):
    """The outcome of a daily backup."""

    MADE = "made"
    THERE = "there"
    """Today's backup exists already."""
    EMPTY = "empty"
    """The library has no paper and no run, so there is nothing to back up."""
    ELSEWHERE = "elsewhere"
    """Another process is making or restoring a backup."""


def back_up(path: Path, target: Path) -> None:
    """Copy the last committed state of the library at `path` to `target`, which is complete and checked or does not
    exist. Raises `sqlite3.Error`, `OSError`, or `Damaged` if the library cannot be copied."""
    unfinished = target.with_name(target.name + ".tmp")
    _sweep(unfinished)
    try:
        os.close(os.open(unfinished, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        # A read-only connection leaves an empty log behind, which looks like a crash.
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


def keep_daily(path: Path) -> BackupOutcome:
    """Make today's backup of the library at `path` unless it exists or another process is at it; then delete the
    oldest.

    Raises `NoBackup`, or `Damaged` if the library cannot be backed up; then all earlier backups remain.
    """
    try:
        with only_one(path) as acquired, named_errors(path, PATIENCE):
            return _keep_daily(path) if acquired else BackupOutcome.ELSEWHERE
    except Damaged:
        raise
    except (CacheError, sqlite3.Error, OSError) as error:
        cause = error.__cause__ or error  # the copy found no space, not the library
        raise NoBackup(path, getattr(cause, "strerror", None) or str(cause)) from error


@contextmanager
def only_one(path: Path) -> Iterator[bool]:
    """Lock the backups of the library at `path`; yield False if another process holds the lock. The lock ends with
    its process. Raises `OSError`."""
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


def _keep_daily(path: Path) -> BackupOutcome:
    target = daily_name(path, datetime.now().astimezone().date())
    if target.exists():
        return BackupOutcome.THERE
    if _is_empty(path):
        os.utime(lock_of(path), (0, 0))  # nothing was tried: the next change need not wait for an hour
        return BackupOutcome.EMPTY
    for leftover in unfinished_of(path):
        leftover.unlink(missing_ok=True)
    back_up(path, target)
    for old in daily_of(path)[KEPT:]:
        old.file.unlink(missing_ok=True)
    return BackupOutcome.MADE


def daily_of(path: Path) -> list[Backup]:
    """Return the daily backups of the library at `path`, newest first."""
    return [backup for backup in backups_of(path) if backup.daily]


def lock_of(path: Path) -> Path:
    """Return the file that is locked while backups are made or restored; its date is that of the last attempt."""
    return path.with_name(f"{path.name}.backup.lock")


def _is_empty(path: Path) -> bool:
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True, timeout=PATIENCE)) as db:
        shield(db)
        _refuse_foreign(db, path)
        filled: int = db.execute("SELECT EXISTS (SELECT 1 FROM papers) OR EXISTS (SELECT 1 FROM runs)").fetchone()[0]
    return not filled


def _refuse_foreign(db: sqlite3.Connection, path: Path) -> None:
    """Raise `Foreign` if the schema holds anything that spar did not create."""
    if reason := foreign_in(db):
        raise Foreign(path, reason)


def _opened(copy: Path) -> sqlite3.Connection:
    db = sqlite3.connect(copy, isolation_level=None)
    db.execute("PRAGMA synchronous = OFF")  # durable only after `to_disk`
    return db


def _sweep(unfinished: Path) -> None:
    # A leftover journal would be applied to the next copy of the same name.
    for suffix in ("", "-journal", "-wal", "-shm"):
        unfinished.with_name(unfinished.name + suffix).unlink(missing_ok=True)


def to_disk(path: Path) -> None:
    """Flush a file, or the names in a folder, to the disk, so that they survive a power loss."""
    if os.name == "nt" and path.is_dir():
        return  # Windows cannot open a folder, and orders renames itself
    # Windows can flush only files opened for writing; other systems cannot open folders for writing.
    handle = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
