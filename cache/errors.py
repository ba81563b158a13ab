"""Errors of the library file, each with one clear sentence.

CacheError(sentence)
  Unwritable     the folder or the file cannot be written
  NotAFile       the path is a folder or a device
  NotALibrary    the file is something else: not a database, or another program's
  Damaged        the file is a library with broken parts, as a fresh connection confirmed
    Foreign      the file is a library with tables, triggers or views that spar did not create
  Misread        SQLite reported damage, but a fresh connection found every page intact
  TooNew         a newer version of spar wrote the file
  Locked         another process kept the file locked for longer than we wait
  DiskFull       there is no space left; everything saved before is safe
  Vanished       the file was moved, deleted or replaced while it was open
  NoBackup       the library could not be copied
  RepairFailed   the library is damaged and could not be rebuilt
  UnreadableRow  a cell of the requested row is damaged
  NoSuchRun      no run, or more than one, has this name
    NoRunYet     `last` names no run, since there is none yet
  NoSuchWatch    no stored search has this name
  NoSuchLine     the person's profile has no line of this name
  NotOnShelf     the paper is not saved, so it can have no note, tag or rating
  KeyTaken       another paper has the citation key
  SqlRefused     the query is not allowed, is wrong, or takes too much

Raising one of them never changes the file.
"""

import sqlite3
from contextlib import closing
from pathlib import Path
from types import TracebackType

from cache.backup_files import backups_of

_BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
_BROKEN = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_UNREADABLE = (sqlite3.SQLITE_IOERR_READ, sqlite3.SQLITE_IOERR_SHORT_READ, sqlite3.SQLITE_IOERR_CORRUPTFS)
_FULL = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR)
_CLOSED = (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH)


class CacheError(Exception):
    """The library could not complete the operation. `sentence` says what failed, why, and what to do."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


class Unwritable(CacheError):
    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(
            f"The library {path} cannot be written ({reason}); make its folder writable or set SPAR_HOME to "
            "another folder."
        )


class NotAFile(CacheError):
    def __init__(self, path: Path) -> None:
        super().__init__(f"The library {path} is not a file; move it away or set SPAR_HOME to another folder.")


class NotALibrary(CacheError):
    def __init__(self, path: Path, content: str, is_database: bool = False) -> None:
        self.what, self.is_database = content, is_database
        advice = "Move it away" if is_database else "If it was one, run `spar doctor --repair`; else move it away"
        super().__init__(f"The file {path} is not a spar library ({content}); it was not changed. {advice}.")


class Damaged(CacheError):
    def __init__(self, path: Path, reason: str) -> None:
        self.reason = reason
        newest = next(iter(backups_of(path)), None)
        backup = f" and the backup of {newest.day}" if newest else ""
        super().__init__(
            f"The library {path} is damaged ({reason}); it was not changed. "
            f"`spar doctor --repair` makes a new one from what can still be read{backup}."
        )


class Foreign(Damaged):
    """The file is a library that holds something spar did not create, such as a trigger. Nothing of that was run."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(path, reason)
        self.sentence = (
            f"The library {path} has a foreign schema ({reason}). Nothing in it was used; "
            "`spar doctor --repair` copies its papers into a new library."
        )
        self.args = (self.sentence,)


class Misread(CacheError):
    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(
            f"The library {path} could not be used ({reason}), but a check found the file intact. "
            "Start spar again; if this happens again, run `spar doctor`."
        )


class TooNew(CacheError):
    def __init__(self, path: Path, version: int, newest: int) -> None:
        super().__init__(
            f"The library {path} was written by a newer spar (version {version} of the file, this spar reads "
            f"{newest}); it was not changed. Upgrade spar."
        )


class Locked(CacheError):
    def __init__(self, path: Path, seconds: float) -> None:
        super().__init__(
            f"The library {path} was locked by another process for more than {seconds:g} seconds; "
            "nothing was saved. End the other spar and try again."
        )


class DiskFull(CacheError):
    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(
            f"The library {path} needs more disk space ({reason}); saved data is safe. Free space on the disk."
        )


class Vanished(CacheError):
    def __init__(self, path: Path) -> None:
        super().__init__(
            f"The library {path} was moved, deleted or replaced while spar had it open; "
            "nothing more was saved. Start spar again."
        )


class NoBackup(CacheError):
    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(
            f"The library {path} could not be backed up ({reason}); it and its earlier backups were not changed. "
            "Free space on the disk, and make its folder writable."
        )


class RepairFailed(CacheError):
    def __init__(self, path: Path, fault: str, advice: str) -> None:
        super().__init__(f"The library {path} {fault}; it was not changed. {advice[:1].upper()}{advice[1:]}.")


class NoSuchRun(CacheError):
    pass


class NoRunYet(NoSuchRun):
    pass


class UnreadableRow(CacheError):
    def __init__(self, table: str, name: str) -> None:
        super().__init__(
            f"{name[:60]} of the table {table} has a damaged cell. All other rows can be read; "
            "`spar doctor` counts damaged rows, and a backup may have this one."
        )


class NoSuchWatch(CacheError):
    def __init__(self, name: str) -> None:
        super().__init__(f"No search is watched as {name[:60]!r}; `spar watch --list` lists them.")


class NoSuchLine(CacheError):
    def __init__(self, name: int | str) -> None:
        remark = "" if str(name).isdecimal() else " (what is understood changes with what you do)"
        super().__init__(f"Your profile has no line {str(name)[:60]!r}{remark}; `spar profile` lists its lines.")


class NotOnShelf(CacheError):
    def __init__(self, paper: int | str) -> None:
        super().__init__(f"Paper {paper} is not on the shelf; save it first.")


class KeyTaken(CacheError):
    def __init__(self, key: str, bearer: str) -> None:
        super().__init__(f"The citation key {key} names another paper: {bearer}.")


class SqlRefused(CacheError):
    pass


_NO_SCHEMA = "its schema cannot be read"


class named_errors:  # noqa: N801  # used like a function: `with named_errors(…):`
    """Turn SQLite's errors inside the block into `CacheError`s about `path`; programming errors pass unchanged.

    `seconds` is how long the block waited for a locked file.
    """

    # A class, because the import of a generator's decorator costs some tenths of a second and every access needs this
    # block.
    def __init__(self, path: Path, seconds: float) -> None:
        self.path, self.seconds = path, seconds

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if isinstance(error, sqlite3.Error) and (translation := _named(error, self.path, self.seconds)):
            raise translation from error
        # in SQLite's own message about a fault, which quotes the damaged text
        if isinstance(error, UnicodeDecodeError):
            raise Damaged(self.path, _fault_of_file(self.path, self.seconds) or _NO_SCHEMA) from error


def _named(error: sqlite3.Error, path: Path, seconds: float) -> CacheError | None:
    extended: int = getattr(error, "sqlite_errorcode", 0)
    code = extended & 0xFF
    if code in _BUSY:
        return Locked(path, seconds)
    if code in _BROKEN or extended in _UNREADABLE:
        fault = _fault_of_file(path, seconds)
        return Damaged(path, fault) if fault else Misread(path, str(error))
    if code in _FULL:
        return DiskFull(path, str(error))
    return Unwritable(path, str(error)) if code in _CLOSED else None


def fault_of(db: sqlite3.Connection, check: str = "quick_check") -> str:
    """Return the first fault in the pages of a database or at the head of a full-text index, in SQLite's words; "" if
    all are intact. Raises `sqlite3.Error`.

    The `check` `integrity_check` also compares every index with its table.
    """
    [fault] = db.execute(f"PRAGMA {check}(1)").fetchone() or ["its pages cannot be read"]
    if fault == "ok":
        return _fault_of_words(db)
    return " ".join(str(fault).removeprefix("*** in database main ***").split())[:120]


def _fault_of_words(db: sqlite3.Connection) -> str:
    for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE name GLOB '*_fts'").fetchall():
        try:
            db.execute(f"SELECT 1 FROM {name} LIMIT 1").fetchone()
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode == sqlite3.SQLITE_ERROR:
                return str(error)
            raise
    return ""


def _fault_of_file(path: Path, seconds: float) -> str:
    """Like `fault_of`, on a connection of its own: a fault that another connection saw may be that connection's."""
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=seconds)) as db:
            return fault_of(db)
    except UnicodeDecodeError:
        return _NO_SCHEMA
    except sqlite3.Error as error:
        return str(error)
