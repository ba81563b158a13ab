"""The open library file: its connections, transactions and locks.

A process has one `Connections` object per library, however many `Store`s it opens on it, and each thread has one
connection, so a read in `asyncio.to_thread` never waits for the event loop's. Only SQLite opens the file, its log and
its shared memory: closing any other descriptor of it would drop the locks that every connection of this process holds
(SQLite, "How To Corrupt An SQLite Database File", 2.2), and the next process would delete the log under this one. An
audit hook rejects every other attempt to open it, for example as a bibliography that somebody names by mistake.

Every write transaction starts with `BEGIN IMMEDIATE`: a writer waits up to `wait` seconds and then never fails
half-way. After a long transaction a connection pauses for a moment so that others can write; an import that writes all
the time blocks nobody. When `writing()` has returned, the changes are on the disk (WAL with `synchronous=FULL`).
"""

import errno
import os
import sqlite3
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager, suppress
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, NewType, Self

from cache.backup_files import before_upgrade_name
from cache.backups import back_up
from cache.errors import Locked, TooNew, Unwritable, Vanished, named_errors
from cache.paths import resolved
from cache.readable_rows import lenient_text
from cache.schema import connected, inspect, note_check, shield
from cache.timestamps import utc_now
from cache.version import UPGRADED, VERSION

if TYPE_CHECKING:
    from sqlite_utils import Migrations


def upgrade(db: sqlite3.Connection, path: Path, version: int, steps: "Migrations | None" = None) -> None:
    """Apply the missing steps up to `version`, all or none; the caller holds the write lock. An existing library is
    first copied to `<name>.before-v<version>.bak`."""
    current: int = db.execute("PRAGMA user_version").fetchone()[0]
    if current >= version:
        return
    if current:
        back_up(path, before_upgrade_name(path, version))
    from sqlite_utils import Database

    from cache.migrations import LIBRARY

    (steps or LIBRARY).apply(Database(db, execute_plugins=False, recursive_triggers=False))
    db.execute(f"PRAGMA user_version = {version}")
    if current:
        db.execute("INSERT OR REPLACE INTO upkeep VALUES (?, '')", (UPGRADED,))


WAIT = 10.0
"""Default number of seconds to wait for a locked file."""
PAGES_HELD = 32 * 1024 * 1024
"""Bytes of the file that a connection may hold in memory: a large import is a third faster than with SQLite's 2 MB."""
LOG_PAGES = 4_000
"""Pages (16 MB) after which the log is written back into the file."""
LONG = 0.1
"""Seconds of a transaction after which the next writer goes first."""
TURN = 0.02
"""Seconds that the next writer has to begin: twice the pause between two of its attempts."""
_BESIDE = ("-wal", "-shm")
"""Suffixes of the write-ahead log and the shared memory of a library."""
PaperId = NewType("PaperId", int)
"""The number of a work in the library."""
Parameters = Sequence[Any] | Mapping[str, Any]
"""The values of the placeholders in an SQL statement."""


class WriteCount(NamedTuple):
    """Two numbers that change with each write: `others` with those of other threads and processes, `own` with those of
    the calling thread."""

    others: int
    own: int


class _Seat:
    """One thread's connection as a context manager; holds the re-entrant lock `taken` while in use."""

    def __init__(self, db: sqlite3.Connection, path: Path, wait: float) -> None:
        self.db, self.taken, self.thread = db, threading.RLock(), threading.current_thread()
        self._path, self._began, self._next_turn = path, 0.0, 0.0
        self.be_patient(wait)

    def be_patient(self, wait: float) -> None:
        """Wait up to `wait` seconds for a locked file from now on."""
        self.db.execute(f"PRAGMA busy_timeout = {round(wait * 1000)}")
        self.wait, self._errors = wait, named_errors(self._path, wait)

    # A class, because a large import enters half a million times, which a generator would make twice as slow.
    def __enter__(self) -> sqlite3.Connection:
        self.taken.acquire()
        return self.db

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.taken.release()
        self._errors.__exit__(kind, error, at)

    def begin(self) -> None:
        """Begin a write transaction as soon as no other connection writes. Raises `sqlite3.OperationalError`."""
        if (rest := self._next_turn - time.monotonic()) > 0:  # even to sleep for no time gives a busy processor away
            time.sleep(rest)
        # SQLite itself retries only every tenth of a second, which seldom falls between two transactions.
        self.db.execute("PRAGMA busy_timeout = 0")
        try:
            _once_free(lambda: self.db.execute("BEGIN IMMEDIATE"), self.wait)
        finally:
            self.be_patient(self.wait)
        self._began = time.monotonic()

    def end(self) -> None:
        """Note the end of a transaction; after a long one the next transaction waits briefly."""
        now = time.monotonic()
        if now - self._began > LONG:
            self._next_turn = now + TURN


class Connections:
    """All connections of this process to one library file, a connection per thread."""

    _opened: ClassVar[dict[Path, "Connections"]] = {}
    _opening: ClassVar = threading.Lock()

    def __init__(self, path: Path) -> None:
        self.path, self.inode = path, _inode(path)
        self.beside = {path.with_name(f"{path.name}{suffix}") for suffix in _BESIDE}
        self._users = 0
        self._own = threading.local()
        self._seats: list[_Seat] = []
        self._lock = threading.Lock()
        self._closed = False

    @classmethod
    def of(cls, path: Path, now: Callable[[], datetime], wait: float) -> "Connections":
        """Return the connections to the library at `path`. The first call checks the file, and creates or upgrades
        it."""
        with cls._opening:
            connections = cls._opened.get(path)
            if connections is None or connections.inode != _inode(path):
                connections = cls._first(path, now, wait)
            connections._users += 1
            return connections

    @classmethod
    def refuse_others(cls, target: object) -> None:
        """Raise `PermissionError` if `target`, which is not opened by SQLite, is a file of an open library."""
        if not cls._opened or not isinstance(target, (str, bytes, os.PathLike)):
            return
        file = Path(os.fsdecode(target))
        inode = _inode(file)
        beside = resolved(file) if file.name.endswith(_BESIDE) else None
        for connections in tuple(cls._opened.values()):
            if inode == connections.inode is not None or beside in connections.beside:
                raise PermissionError(errno.EACCES, "spar has it open as its library", str(file))

    @classmethod
    def _first(cls, path: Path, now: Callable[[], datetime], wait: float) -> "Connections":
        inode = _inode(path)
        state = inspect(path, now(), wait, keep=True)
        with ExitStack() as unfinished:
            if state.db:
                unfinished.callback(state.db.close)
            _make(path, wait)
            connections = cls(path)
            unfinished.callback(connections._close)
            if state.db and connections.inode == inode:
                connections._admit(state.db, wait)
            elif state.db:  # another file has taken its path
                state.db.close()
            with connections.seat(wait) as db:
                current = state.library and _version(db) >= VERSION
            if not current:
                with _transaction(connections.seat(wait)) as db:
                    upgrade(db, path, VERSION)
            if state.checked:
                # if the check is not stored, it is repeated
                with suppress(Locked), _transaction(connections.seat(wait)) as db:
                    note_check(db, path, now())
            unfinished.pop_all()
        cls._opened[path] = connections
        return connections

    def release(self) -> None:
        """Remove one user; the last one closes every connection when it is idle."""
        with self._opening:
            self._users -= 1
            if self._users:
                return
            if self._opened.get(self.path) is self:
                del self._opened[self.path]
        self._close()

    def seat(self, wait: float) -> _Seat:
        """Return this thread's connection, which waits up to `wait` seconds for a locked file."""
        seat: _Seat | None = getattr(self._own, "seat", None)
        if seat is None:
            self.refuse_if_vanished()
            with named_errors(self.path, wait):
                # Without `mode=rw` a library that was just deleted would be replaced by an empty one.
                db = connected(self.path, "mode=rw", wait)
            seat = self._admit(db, wait)
        elif seat.wait != wait:
            seat.be_patient(wait)
        return seat

    def _admit(self, db: sqlite3.Connection, wait: float) -> _Seat:
        """Make `db` the connection of this thread. Raises `CacheError`."""
        try:
            with named_errors(self.path, wait):
                _configure(db, wait)
                seat = _Seat(db, self.path, wait)
        except BaseException:
            db.close()
            raise
        self._own.seat = seat
        self._add(seat)
        return seat

    def _add(self, seat: _Seat) -> None:
        """Register a new connection, and close those of threads that have ended."""
        with self._lock:
            if self._closed:
                seat.db.close()
            dead_seats = {other for other in self._seats if not other.thread.is_alive()}
            self._seats = [seat, *(other for other in self._seats if other not in dead_seats)]
        for other in dead_seats:
            other.db.close()

    def refuse_if_vanished(self) -> None:
        """Raise `Vanished` if the path no longer names the open file."""
        # SQLite would go on writing to an unlinked file, which nobody could find again.
        if _inode(self.path) != self.inode:
            raise Vanished(self.path)

    def _close(self) -> None:
        with self._lock:
            self._closed = True
            seats, self._seats = self._seats, []
        for seat in seats:
            with seat.taken:
                seat.db.close()


def _audit(event: str, arguments: tuple[object, ...]) -> None:
    if event == "open":
        Connections.refuse_others(arguments[0])


# Python looks this attribute up at every event, thousands per start; a failed lookup costs seven times the hook.
_audit.__cantrace__ = False  # type: ignore[attr-defined]
sys.addaudithook(_audit)


class Store:
    """An open library. Use `Store.open`, then `reading()` and `writing()`; close it, or use it in a `with`."""

    def __init__(self, connections: Connections, wait: float, wait_here: float) -> None:
        self.path, self.wait, self._connections, self._closed = connections.path, wait, connections, False
        self._waits = {threading.get_ident(): wait_here}

    @classmethod
    def open(
        cls,
        path: Path,
        now: Callable[[], datetime] = utc_now,
        wait: float | None = None,
        wait_here: float | None = None,
    ) -> Self:
        """Open the library at `path`, creating it if needed (mode 0600, its folders 0700) and upgrading its schema.

        While another process writes, every access waits up to `wait` seconds (None: `WAIT`), then raises. In the thread
        that opens it, it waits `wait_here` seconds, if given, because an app is blocked meanwhile.

        Raises a `CacheError` and leaves the file unchanged if it is not an intact library that this version can write.
        """
        path = resolved(path)
        wait = WAIT if wait is None else wait
        wait_here = wait if wait_here is None else wait_here
        return cls(Connections.of(path, now, wait_here), wait, wait_here)

    def reading(self) -> AbstractContextManager[sqlite3.Connection]:
        """Return this thread's connection for `SELECT`s, as a context manager. Raises `CacheError`."""
        return self._seat()

    def writing(self) -> AbstractContextManager[sqlite3.Connection]:
        """Return a write transaction as a context manager: all of it is on the disk afterwards or, after an exception,
        none.

        Inside another `writing()` of the same thread it is part of that transaction. Raises `CacheError`.
        """
        seat = self._seat()
        if seat.db.in_transaction:
            return seat
        return self._transaction(seat)

    def rows(self, sql: str, parameters: Parameters = ()) -> list[Any]:
        """Return all rows of a `SELECT`. Raises `CacheError`."""
        with self.reading() as db:
            return db.execute(sql, parameters).fetchall()

    def row(self, sql: str, parameters: Parameters = ()) -> Any:
        """Return the first row of a `SELECT`; None if there is none. Raises `CacheError`."""
        with self.reading() as db:
            return db.execute(sql, parameters).fetchone()

    def write(self, sql: str, parameters: Parameters = ()) -> None:
        """Execute one statement in a write transaction. Raises `CacheError`."""
        with self.writing() as db:
            db.execute(sql, parameters)

    @contextmanager
    def _transaction(self, seat: _Seat) -> Iterator[sqlite3.Connection]:
        self._connections.refuse_if_vanished()
        with _transaction(seat) as db:
            if (version := _version(db)) > VERSION:
                raise TooNew(self.path, version, VERSION)
            yield db

    def write_count(self) -> WriteCount:
        """Return counters that change with every write, read by one statement. Raises `CacheError`."""
        with self.reading() as db:
            return WriteCount(db.execute("PRAGMA data_version").fetchone()[0], db.total_changes)

    def close(self) -> None:
        """Close the library, unless another `Store` of this process has it open. Can be called twice."""
        if not self._closed:
            self._closed = True
            self._connections.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def _seat(self) -> _Seat:
        if self._closed:
            raise sqlite3.ProgrammingError("Cannot operate on a closed library.")
        return self._connections.seat(self._waits.get(threading.get_ident(), self.wait))


@contextmanager
def _transaction(seat: _Seat) -> Iterator[sqlite3.Connection]:
    with seat as db:
        seat.begin()
        try:
            yield db
            db.execute("COMMIT")
        except BaseException:
            _roll_back(db)
            raise
        finally:
            seat.end()


def _configure(db: sqlite3.Connection, wait: float) -> None:
    shield(db, triggers=True)
    db.text_factory = lenient_text
    # This affects new files; a file of an earlier version is converted when it is compacted (`free_pages`).
    db.execute("PRAGMA auto_vacuum = INCREMENTAL")
    # If two processes switch a file to WAL at once, one gets "locked" without having waited.
    _once_free(lambda: db.execute("PRAGMA journal_mode = WAL"), wait)
    db.execute("PRAGMA synchronous = FULL")
    db.execute("PRAGMA foreign_keys = ON")
    db.execute(f"PRAGMA cache_size = -{PAGES_HELD // 1024}")
    db.execute(f"PRAGMA wal_autocheckpoint = {LOG_PAGES}")


def _version(db: sqlite3.Connection) -> int:
    version: int = db.execute("PRAGMA user_version").fetchone()[0]
    return version


def _roll_back(db: sqlite3.Connection) -> None:
    if db.in_transaction:  # a full disk rolls back by itself
        db.execute("ROLLBACK")


def _once_free(action: Callable[[], object], wait: float) -> None:
    """Call `action`, retrying for `wait` seconds while another connection holds a lock."""
    give_up, pause = time.monotonic() + wait, 0.001
    while True:
        try:
            action()
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > give_up:
                raise
            time.sleep(pause)
            pause = min(2 * pause, TURN / 2)


def _make(path: Path, wait: float) -> None:
    """Create an empty file if there is none; it and its log are readable only by their owner."""
    try:
        for folder in reversed([path.parent, *path.parent.parents]):
            if not folder.exists():
                with suppress(FileExistsError):
                    folder.mkdir(mode=0o700)
        if not path.exists():
            mask = os.umask(0o077)
            try:
                with named_errors(path, wait), closing(sqlite3.connect(f"{path.as_uri()}?mode=rwc", uri=True)):
                    pass
            finally:
                os.umask(mask)
        for file in (path, *(path.with_name(f"{path.name}{suffix}") for suffix in _BESIDE)):
            with suppress(FileNotFoundError):
                if file.stat().st_mode & 0o077:
                    file.chmod(0o600)
    except OSError as error:
        raise Unwritable(path, error.strerror or "it cannot be made") from error


def _inode(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except (OSError, ValueError):
        return None
    return status.st_dev, status.st_ino
