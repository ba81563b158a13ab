"""A separate program that keeps all other processes out of a database file and copies it, with SQLite's files beside
it.

`holder.py DATABASE FOLDER` prints "held" once the copy is on the disk, and holds the file until its standard input
ends. It prints "open PROCESS" if another process has the database open ("open 0" if that process is unknown), or the
reason why it cannot copy the file. It is a separate program because closing a file drops all locks that the same
process has on it, including SQLite's. It imports no spar modules because spar starts it by its path.

Bytes that SQLite locks: https://www.sqlite.org/src/file/src/os.h (PENDING_BYTE) and os_unix.c (UNIX_SHM_BASE).
"""

import os
import shutil
import struct
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import BinaryIO

BESIDE = ("-wal", "-shm", "-journal")
_LOCKED = {"": (0x40000000, 512), "-shm": (120, 9)}
"""Byte range that a connection locks in the database and in its shared memory: first byte, number of bytes."""
_FLOCK = {
    "linux": ("hhqqi4x", ("type", "whence", "start", "length", "process")),
    "darwin": ("qqihh", ("start", "length", "process", "type", "whence")),
}
"""The `struct flock` of 64-bit systems."""


class InUse(Exception):
    """The process with this number has the file open; 0 if the number is unknown."""

    def __init__(self, process: int) -> None:
        super().__init__(process)
        self.process = process


def main(database: Path, folder: Path) -> None:
    """Lock and copy the database, report it, and wait."""
    files: dict[str, BinaryIO] = {}
    try:
        for suffix in ("", *BESIDE):
            file = database.with_name(database.name + suffix)
            if file.exists():
                files[suffix] = file.open("r+b")
                if suffix in _LOCKED:
                    _lock(files[suffix], *_LOCKED[suffix])
        for suffix, source in files.items():
            _copy(source, folder / (database.name + suffix))
    except InUse as in_use:
        print(f"open {in_use.process}", flush=True)  # noqa: T201  # for the parent
    except OSError as error:
        print(error.strerror or error, flush=True)  # noqa: T201
    else:
        if sys.platform == "win32":  # Windows replaces no file that a process has open, this one included
            _close(files.values())
        print("held", flush=True)  # noqa: T201
        sys.stdin.read()
    _close(files.values())  # not earlier: closing any of them drops its locks


def _close(files: Iterable[BinaryIO]) -> None:
    for file in files:
        file.close()


def _lock(file: BinaryIO, start: int, length: int) -> None:
    """Prevent SQLite in other processes from opening the file. Raises `InUse`, or `OSError` if there are no locks."""
    try:
        from fcntl import LOCK_EX, LOCK_NB, lockf
    except ImportError:  # Windows
        return
    try:
        lockf(file, LOCK_EX | LOCK_NB, length, start)
    except (BlockingIOError, PermissionError):
        raise InUse(_holder(file, start, length)) from None


def _holder(file: BinaryIO, start: int, length: int) -> int:
    """Return the number of the process that holds a lock there; 0 if the system does not report it."""
    from fcntl import F_GETLK, F_WRLCK, fcntl

    form, names = _FLOCK.get(sys.platform, ("", ()))
    values = {"type": F_WRLCK, "whence": os.SEEK_SET, "start": start, "length": length, "process": 0}
    try:
        answer = fcntl(file, F_GETLK, struct.pack(form, *(values[name] for name in names)))
        return int(dict(zip(names, struct.unpack(form, answer), strict=True)).get("process", 0))
    except (OSError, struct.error):
        return 0


def _copy(source: BinaryIO, copy: Path) -> None:
    with copy.open("xb") as target:
        shutil.copyfileobj(source, target, 1 << 20)
        target.flush()
        os.fsync(target.fileno())
    copy.chmod(0o600)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
