"""The library file, open: who may read and write it, and when.

Each thread has its own connection, so a read in `asyncio.to_thread` never waits for the loop's. Every write
transaction starts with `BEGIN IMMEDIATE`: a writer waits its turn, up to `wait` seconds, and then never fails half-way.
What `writing()` has returned from is on the disk (WAL with `synchronous=FULL`).
"""

import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import NewType, Self

from cache.errors import Locked, NotAFile, Unwritable, Vanished, named_errors
from cache.integrity import inspect, note_check
from cache.timestamps import utc_now
from cache.upgrade import upgrade
from cache.version import VERSION

WAIT = 10.0
"""Seconds for which a locked file is waited for, unless whoever opens it has less patience."""
PAGES_HELD = 32 * 1024 * 1024
"""Bytes of the file that a connection may hold in memory: a large import is a third faster than with SQLite's 2 MB."""
LOG_PAGES = 4_000
"""Pages (16 MB) after which the log is written back into the file."""
PaperId = NewType("PaperId", int)
"""The number of a work in the library."""


class _Seat:
    """A thread's connection, which `with` lends; the lock `taken` is held meanwhile, again by who holds it already."""

    def __init__(self, db: sqlite3.Connection, errors: named_errors) -> None:
        self.db, self.taken, self._errors = db, threading.RLock(), errors

    # A large import enters half a million times, which a generator would make twice as long.
    def __enter__(self) -> sqlite3.Connection:
        self.taken.acquire()
        return self.db

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.taken.release()
        self._errors.__exit__(kind, error, at)


class Store:
    """An open library. Use `Store.open`, then `reading()` and `writing()`; close it, or use it in a `with`."""

    def __init__(self, path: Path, wait: float) -> None:
        self.path, self.wait = path, wait
        self._own = threading.local()
        self._seats: list[_Seat] = []
        self._lock = threading.Lock()
        self._closed = False
        self._inode: tuple[int, int] | None = None

    @classmethod
    def open(cls, path: Path, now: Callable[[], datetime] = utc_now, wait: float | None = None) -> Self:
        """The library at `path`, made if there is none (mode 0600, its folders 0700), brought to today's schema.

        While another process writes, every access waits its turn for `wait` seconds (`WAIT` for None), then raises.

        Raises a `CacheError` and leaves the file alone if it is not a whole library that this version can write.
        """
        path = path.expanduser().resolve()
        wait = WAIT if wait is None else wait
        found = inspect(path, now(), wait)
        _make(path)
        store = cls(path, wait)
        store._inode = _inode(path)
        try:
            if not found.library or store._version() < VERSION:
                with store.writing() as db:
                    upgrade(db, path, VERSION)
            if found.checked:
                with suppress(Locked), store.writing() as db:  # not noted, it is only checked again
                    note_check(db, path, now())
        except BaseException:
            store.close()
            raise
        return store

    def reading(self) -> AbstractContextManager[sqlite3.Connection]:
        """This thread's connection, for `SELECT`s; raises `CacheError`."""
        return self._seat()

    def writing(self) -> AbstractContextManager[sqlite3.Connection]:
        """One write transaction: all of it is on the disk afterwards, or after an exception none of it.

        Within another `writing()` of the same thread it is a part of that transaction. Raises `CacheError`.
        """
        seat = self._seat()
        return seat if seat.db.in_transaction else self._transaction(seat)

    @contextmanager
    def _transaction(self, seat: _Seat) -> Iterator[sqlite3.Connection]:
        with seat as db:
            self._refuse_if_vanished()
            db.execute("BEGIN IMMEDIATE")
            try:
                yield db
                db.execute("COMMIT")
            except BaseException:
                _roll_back(db)
                raise

    def version_of_others(self) -> int:
        """A number that is another as soon as another thread or process has written; raises `CacheError`."""
        with self.reading() as db:
            version: int = db.execute("PRAGMA data_version").fetchone()[0]
        return version

    def close(self) -> None:
        """Close every thread's connection, each after what it is doing; closing twice is closing once."""
        with self._lock:
            self._closed = True
            seats, self._seats = self._seats, []
        for seat in seats:
            with seat.taken:
                seat.db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def _seat(self) -> _Seat:
        seat: _Seat | None = getattr(self._own, "seat", None)
        if seat is None:
            self._refuse_if_vanished()
            errors = named_errors(self.path, self.wait)
            with errors:
                seat = _Seat(_connect(self.path, self.wait), errors)
            self._own.seat = seat
            with self._lock:
                if self._closed:
                    seat.db.close()
                self._seats.append(seat)
        return seat

    def _version(self) -> int:
        with self.reading() as db:
            found: int = db.execute("PRAGMA user_version").fetchone()[0]
        return found

    def _refuse_if_vanished(self) -> None:
        # SQLite goes on writing to a file that has no name any more: nobody would ever find it again.
        if _inode(self.path) != self._inode:
            raise Vanished(self.path)


def _connect(path: Path, wait: float) -> sqlite3.Connection:
    # `close()` may come from another thread than the one that opened; `_Seat.taken` keeps the two apart.
    # Without `mode=rw` a library that was deleted a moment ago would be replaced by an empty one.
    address = f"{path.as_uri()}?mode=rw"
    db = sqlite3.connect(address, uri=True, timeout=wait, isolation_level=None, check_same_thread=False)
    try:
        _use_log(db, wait)
        db.execute("PRAGMA synchronous = FULL")
        db.execute("PRAGMA foreign_keys = ON")
        db.execute(f"PRAGMA cache_size = -{PAGES_HELD // 1024}")
        db.execute(f"PRAGMA wal_autocheckpoint = {LOG_PAGES}")
    except BaseException:
        db.close()
        raise
    return db


def _roll_back(db: sqlite3.Connection) -> None:
    if db.in_transaction:  # a full disk has rolled back by itself
        db.execute("ROLLBACK")


def _use_log(db: sqlite3.Connection, wait: float) -> None:
    """Switch the file to WAL; of two processes that do so at once one is told "locked" without having waited."""
    give_up = time.monotonic() + wait
    while True:
        try:
            db.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > give_up:
                raise
            time.sleep(0.02)


def _make(path: Path) -> None:
    """The file, empty if there was none, readable by its owner alone."""
    try:
        for folder in reversed([path.parent, *path.parent.parents]):
            if not folder.exists():
                with suppress(FileExistsError):
                    folder.mkdir(mode=0o700)
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
        if path.stat().st_mode & 0o077:
            path.chmod(0o600)
    except IsADirectoryError:
        raise NotAFile(path) from None
    except OSError as error:
        raise Unwritable(path, error.strerror or "it cannot be made") from error


def _inode(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
