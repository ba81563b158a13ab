"""Rebuild a damaged library from the pages that can still be read and, for the rest, its newest intact backup.

Nothing is destroyed: the damaged file is first copied, with its log, and the copy is kept. The damaged file stays in
place, closed to all other processes, until the new library has been built and checked.
"""

import shutil
import sqlite3
import struct
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import BinaryIO

from cache.backup_files import Backup, backups_of
from cache.backups import back_up, only_one, to_disk
from cache.errors import CacheError, Damaged, NotALibrary, RepairFailed, fault_of
from cache.salvage import holder
from cache.salvage.merging import Merging, TableSalvage, UnusedRows, roots_in
from cache.salvage.pages import PAGE_SIZE, PageFile
from cache.schema import foreign_in, inspect, make_schema, shield
from cache.store import Store, upgrade
from cache.timestamps import utc_now
from cache.version import APPLICATION_ID, VERSION

_HEADER = struct.Struct(">8I")
_FRAME = struct.Struct(">6I")
_MAGIC = {0x377F0682: "<", 0x377F0683: ">"}
"""Magic number of a log, and the byte order of its checksums."""
_MASK = 0xFFFFFFFF


def apply_log(database: Path, log: Path) -> None:
    """Write the finished transactions of `log` into `database`, up to the first damaged frame.

    Raises `OSError`.
    """
    with log.open("rb") as frames, database.open("r+b") as file:
        for number, at, size in _committed(frames):
            frames.seek(at)
            file.seek((number - 1) * size)
            file.write(frames.read(size))


def _committed(file: BinaryIO) -> list[tuple[int, int, int]]:
    """Return the number, the offset in the log, and the size of each page that finished transactions wrote."""
    header = file.read(_HEADER.size)
    if len(header) < _HEADER.size:
        return []
    magic, _, size, _, *salts = _HEADER.unpack(header)[:6]
    order = _MAGIC.get(magic, "<")
    sums = _checksum(header[:24], order, (0, 0))
    if sums != _HEADER.unpack(header)[6:]:
        return []
    frames: list[tuple[int, int, int]] = []
    last_commit = 0
    while True:
        frame, page = file.read(_FRAME.size), file.read(size)
        if len(page) < size:
            break
        number, pages, *proofs = _FRAME.unpack(frame)
        sums = _checksum(page, order, _checksum(frame[:8], order, sums))
        if proofs != [*salts, *sums]:
            break
        frames.append((number, file.tell() - size, size))
        last_commit = len(frames) if pages else last_commit
    return frames[:last_commit]


def _checksum(data: bytes, order: str, sums: tuple[int, int]) -> tuple[int, int]:
    first, second = sums
    words = struct.unpack(f"{order}{len(data) // 4}I", data)
    for even, odd in zip(words[::2], words[1::2], strict=True):
        first = first + even + second & _MASK
        second = second + odd + first & _MASK
    return first, second


@dataclass(frozen=True)
class Repair:
    """A new library, ready to replace the damaged one."""

    path: Path
    reason: str
    """The fault of the damaged library."""
    backup: Backup | None
    unusable: tuple[Path, ...]
    """Newer backups that are damaged, of another version, or of another library."""
    tables: tuple[TableSalvage, ...]
    unused: int
    """Number of rows that could be read but fit nowhere; they are in `unused_file`."""
    aside: Path
    """Path for the damaged file."""
    _work: Path

    @property
    def unused_file(self) -> Path:
        """The file of rows that fit nowhere, as JSON lines."""
        return self.aside.with_name(f"{self.aside.name}.unused.jsonl")

    def put_in_place(self) -> None:
        """Replace the damaged library with the new one, and keep a copy of the damaged one.

        If the process is killed, either the damaged or the new library remains. Raises `RepairFailed`.
        """
        path = self.path
        with _repair_errors(path):
            if self.aside.exists():
                raise FileExistsError(0, f"{self.aside.name} is there already")
            copy = self._work / path.name
            for suffix in ("", *holder.BESIDE):
                if (file := _beside(copy, suffix)).exists():
                    file.rename(_beside(self.aside, suffix))
            if self.unused:
                (self._work / _UNUSED).rename(self.unused_file)
            to_disk(path.parent)
            # This file includes the contents of the log; if the process is killed and the log stays, it is harmless.
            if (merged := self._work / _MERGED).exists():
                merged.replace(path)
            for suffix in holder.BESIDE:
                _beside(path, suffix).unlink(missing_ok=True)
            (self._work / _NEW).replace(path)
            to_disk(path.parent)


_CHECKED, _MERGED, _NEW, _BACKUP, _UNUSED = "checked.db", "merged.db", "new.db", "backup.db", "unused.jsonl"


@contextmanager
def repair_of(path: Path, wait: float, begin: Callable[[str], object] = str) -> Iterator[Repair | None]:
    """Build a new library for the damaged one at `path`, as a context manager; yields None if nothing is wrong with
    that.

    Calls `begin` with the fault before building the new one, which may take minutes.

    No other process can open the library during the block. Without a call of `put_in_place` nothing changes. Raises
    `RepairFailed`, and the `CacheError` of a file that must not be changed.
    """
    reason = _refusal(path, wait)
    if reason is None:
        yield None
        return
    with ExitStack() as stack:
        with _repair_errors(path):
            if not stack.enter_context(only_one(path)):
                raise RepairFailed(path, "is being backed up or repaired by another spar", "try again in a minute")
            work = path.with_name(f"{path.name}.repair.tmp")
            if work.exists():
                shutil.rmtree(work)
            work.mkdir(mode=0o700)
            stack.callback(shutil.rmtree, work, ignore_errors=True)
            repair = None
            if reason := reason or _fault_in_copy(path, work / _CHECKED):
                begin(reason)
                stack.enter_context(_hold(path, work))
                repair = _build(path, reason, work)
        yield repair


@contextmanager
def _hold(path: Path, folder: Path) -> Iterator[None]:
    """Keep all other processes out of the library, and copy it into `folder`. Raises `RepairFailed`."""
    command = [sys.executable, "-I", "-S", str(holder.__file__), str(path), str(folder)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout is not None
        answer, _, number = process.stdout.readline().strip().partition(" ")
        if answer == "open":
            holder_name = f"by process {number}" if number != "0" else "by another process"
            raise RepairFailed(path, f"is open {holder_name}", "end that spar and try again")
        if answer != "held":
            raise OSError(0, f"{answer} {number}".strip() or "it cannot be copied")
        yield


@contextmanager
def _repair_errors(path: Path) -> Iterator[None]:
    """Turn errors of building or replacing a library into a `RepairFailed` with one sentence."""
    try:
        yield
    except RepairFailed:
        raise
    except (CacheError, sqlite3.Error, OSError, UnicodeDecodeError) as error:
        cause = error.__cause__ or error
        why = getattr(cause, "strerror", None) or str(cause)
        raise RepairFailed(
            path, f"could not be checked or repaired ({why})", "make room on the disk and its folder writable"
        ) from error


def _refusal(path: Path, wait: float) -> str | None:
    """Return the damage that prevents opening the library; "" if it opens, None if there is none."""
    try:
        if inspect(path, utc_now(), wait).library:
            return ""
        return "it is empty" if path.exists() and backups_of(path) else None
    except Damaged as damaged:
        return damaged.reason
    except NotALibrary as other:
        if other.is_database:
            raise
        return other.what  # the damage may be in the first bytes of a library


def _fault_in_copy(path: Path, copy: Path) -> str:
    """Return the first fault of a library that opens; "" if there is none. Checks a copy, so that no other process
    waits."""
    try:
        back_up(path, copy)
        with closing(_opened(copy)) as db:
            return _fault(db)
    except Damaged as damaged:
        return damaged.reason
    except UnicodeDecodeError:
        return "its schema cannot be read"
    except sqlite3.DatabaseError as error:
        if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_CORRUPT:
            raise
        return str(error)
    finally:
        copy.unlink(missing_ok=True)


def _fault(db: sqlite3.Connection) -> str:
    """Return the first fault in the pages, indexes and full-text indexes; "" if there is none. Raises
    `sqlite3.Error`."""
    if fault := fault_of(db, "integrity_check"):
        return fault
    db.execute("BEGIN IMMEDIATE")
    try:
        for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE sql LIKE 'CREATE VIRTUAL%'").fetchall():
            # 1 checks every word against the texts, not only the index itself.
            db.execute(f"INSERT INTO {name} ({name}, rank) VALUES ('integrity-check', 1)")
    finally:
        db.execute("ROLLBACK")
    return ""


def _build(path: Path, reason: str, work: Path) -> Repair | None:
    """Build the new library in the folder `work` from the copy there; return None if the copy is intact.

    Raises `RepairFailed` if there is nothing to build from; also `CacheError`, `sqlite3.Error`, `OSError`.
    """
    damaged = _with_its_log(work / path.name, work / _MERGED)
    if _is_library(damaged):
        return None
    backup, unusable = _newest_whole(path)
    new = work / _NEW
    if backup is not None:
        shutil.copyfile(backup.file, work / _BACKUP)
        Store.open(work / _BACKUP).close()
    with UnusedRows(work / _UNUSED) as unused:
        tables, backup_used = _merge(damaged, backup and work / _BACKUP, new, unused)
    if backup is not None and not backup_used:
        unusable = (*unusable, backup.file)
        backup = None
    if backup is None and not any(table.from_file for table in tables):
        cause = f"none of its {len(unusable)} backups is intact" if unusable else "there is no backup beside it"
        fault = f"is damaged ({reason}), nothing in it can be read, and {cause}"
        raise RepairFailed(path, fault, "move it away to start with an empty library, and keep it")
    Store.open(new).close()
    if not _is_library(new):
        raise OSError(0, "the new library is damaged")
    to_disk(new)
    aside = path.with_name(f"{path.name}.damaged-{datetime.now():%Y-%m-%d-%H%M%S}")
    return Repair(path, reason, backup, unusable, tuple(tables), unused.count, aside, work)


def _merge(damaged: Path, backup: Path | None, new: Path, unused: UnusedRows) -> tuple[list[TableSalvage], bool]:
    """Create `new` from the damaged file and the backup. Return the counts per table, and whether the backup belongs to
    this library."""
    roots, size = {}, PAGE_SIZE
    if backup is not None:
        with closing(_opened(backup)) as db:
            roots = roots_in(db)
            [size] = db.execute("PRAGMA page_size").fetchone()
    with PageFile(damaged, size) as pages, closing(sqlite3.connect(new, isolation_level=None)) as db:
        db.execute("PRAGMA synchronous = OFF")
        db.execute("PRAGMA auto_vacuum = INCREMENTAL")
        make_schema(db, pages.version or VERSION)
        merging = Merging(db, unused)
        db.execute("BEGIN IMMEDIATE")
        merging.salvage(pages, roots)
        db.execute("COMMIT")
        db.execute("BEGIN IMMEDIATE")
        upgrade(db, new, VERSION)
        db.execute("COMMIT")
        if backup is not None:
            db.execute("ATTACH ? AS backup", [str(backup)])
        related = backup is not None and merging.is_related()
        db.execute("BEGIN IMMEDIATE")
        if related:
            merging.restore()
        merging.finish()
        db.execute("COMMIT")
    return merging.tables, related


def _with_its_log(copy: Path, merged: Path) -> Path:
    """Return the copy with all finished transactions of its log or journal: `copy` itself, or `merged` if it has
    either."""
    log, journal = _beside(copy, "-wal"), _beside(copy, "-journal")
    if not any(file.exists() and file.stat().st_size for file in (log, journal)):
        return copy
    shutil.copyfile(copy, merged)
    if journal.exists():
        shutil.copyfile(journal, _beside(merged, "-journal"))
        with suppress(sqlite3.Error), closing(_opened(merged)) as db:
            db.execute("SELECT count(*) FROM sqlite_schema")  # SQLite rolls an unfinished transaction back
        _beside(merged, "-journal").unlink(missing_ok=True)
    if log.exists():
        apply_log(merged, log)
    to_disk(merged)
    return merged


def _newest_whole(path: Path) -> tuple[Backup | None, tuple[Path, ...]]:
    """Return the newest backup that is intact and that this version can open, and the newer ones that are not."""
    unusable: list[Path] = []
    for backup in backups_of(path):
        with suppress(sqlite3.Error), closing(_opened(backup.file, mode="ro")) as db:
            if _is_ours(db) and not foreign_in(db) and not fault_of(db):
                return backup, tuple(unusable)
        unusable.append(backup.file)
    return None, tuple(unusable)


def _is_library(file: Path) -> bool:
    """Whether the file, which no other process has open, is a library without a fault."""
    try:
        with closing(_opened(file)) as db:
            return (
                _is_ours(db)
                and not (foreign_in(db) or _fault(db))
                and db.execute("PRAGMA foreign_key_check").fetchone() is None
            )
    except (sqlite3.DatabaseError, UnicodeDecodeError):
        return False


def _is_ours(db: sqlite3.Connection) -> bool:
    [application], [version] = (db.execute(f"PRAGMA {name}").fetchone() for name in ("application_id", "user_version"))
    return bool(application == APPLICATION_ID and 0 < version <= VERSION)


def _opened(file: Path, wait: float = 0, mode: str = "rw") -> sqlite3.Connection:
    db = sqlite3.connect(f"{file.absolute().as_uri()}?mode={mode}", uri=True, timeout=wait, isolation_level=None)
    try:
        shield(db)
    except (sqlite3.Error, UnicodeDecodeError):
        db.close()
        raise
    return db


def _beside(file: Path, suffix: str) -> Path:
    return file.with_name(file.name + suffix)
