"""Write files atomically: a reader sees the old bytes or the new ones, never a part."""

import glob
import os
import re
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from itertools import count
from pathlib import Path

from filelock import FileLock, Timeout

from spar_tui.errors import Failure, UsageError

LONGEST_STEM = 100
_NO_STEM = re.compile(r'[\\/:*?"<>|\x00-\x1f#^\[\]]')
_UNFINISHED = ".spar-new"
WAIT = 10.0
"""Maximum number of seconds to wait for another `spar` that writes the same file."""
LARGEST = 200_000_000
"""Maximum number of bytes of a file that is read."""


def stem_of(key: str) -> str:
    """Return a file name, without suffix, for the paper with this citation key, valid on every file system."""
    return _NO_STEM.sub("_", key)[:LONGEST_STEM].strip(". ") or "_"


def read_old(path: Path) -> bytes | None:
    """Return the bytes at `path`; None if there is no file. Raises `UsageError` if it is not a regular file."""
    try:
        status = path.stat()
        if stat.S_ISDIR(status.st_mode):
            raise UsageError(f"{path} is a folder; name a file.")
        if not stat.S_ISREG(status.st_mode):
            raise UsageError(f"{path} is not a regular file; leave -o out to write to standard output.")
        if status.st_size > LARGEST:
            raise UsageError(f"{path} has {status.st_size:,} bytes; at most {LARGEST:,} are read.")
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise UsageError(f"{path} cannot be read ({error.strerror}).") from None


def resolved(path: Path) -> Path:
    """Return the target of `path`. Raises `UsageError` if its symbolic links form a loop."""
    try:
        return path.expanduser().resolve()
    except (OSError, RuntimeError):  # RuntimeError up to Python 3.12
        raise UsageError(f"{path} cannot be opened: its symbolic links form a loop; name another file.") from None


@contextmanager
def locked(path: Path, locks: Path) -> Iterator[None]:
    """Lock `path` against other `spar` processes, with a lock file in the folder `locks`. Raises `Failure`."""
    name = sha256(os.fsencode(resolved(path))).hexdigest()[:32]
    locks.mkdir(parents=True, exist_ok=True, mode=0o700)
    lock = FileLock(locks / f"{name}.lock", timeout=WAIT)
    try:
        lock.acquire()
    except Timeout:
        raise Failure(f"another spar is writing {path}; nothing was changed.") from None
    try:
        yield
    finally:
        lock.release()


def write_file(path: Path, new: bytes, locks: Path) -> None:
    """Replace the contents of the file by `new`. Raises `UserError` and leaves the file as it is."""
    with locked(path, locks):
        replace_file(path, new, read_old(path))


def replace_old(path: Path, new: bytes, old: bytes | None, locks: Path) -> None:
    """Replace `old`, the bytes read before, by `new`. Raises `UserError` and leaves the file as it is, also if it no
    longer contains `old`."""
    with locked(path, locks):
        replace_file(path, new, old)


def replace_with_backup(path: Path, new: bytes, old: bytes, locks: Path) -> Path:
    """Replace `old`, the bytes read before, by `new`; return the backup file with `old` (`refs.bib.orig`). Raises
    `UserError` and leaves the file as it is.
    """
    with locked(path, locks):
        target = resolved(path)
        names = (target.with_name(f"{target.name}.orig{number or ''}") for number in count())
        backup = next(name for name in names if not name.exists())
        replace_file(backup, old, None)
        replace_file(target, new, old)
    return backup


def replace_file(path: Path, new: bytes, old: bytes | None) -> None:
    """Replace `old`, the bytes read before (None for a missing file), by `new` in one step. The file must be `locked`.
    Follows links and keeps the file's mode; removes temporary files of killed processes. Raises `Failure`, and changes
    nothing, if the file cannot be written or no longer contains `old`.
    """
    target = resolved(path)
    if not target.parent.is_dir():
        raise Failure(f"{path} cannot be written: there is no folder {path.parent}; create it first.")
    if old is not None and not os.access(target, os.W_OK):
        # Renaming would bypass a file's write protection.
        raise Failure(f"{path} is read-only; it was not changed.")
    temporary: Path | None = None
    try:
        handle, name = tempfile.mkstemp(prefix=f".{target.name[:80]}.", suffix=_UNFINISHED, dir=target.parent)
        temporary = Path(name)
        with os.fdopen(handle, "wb") as file:
            file.write(new)
            file.flush()
            os.fsync(file.fileno())
        temporary.chmod(_mode(target))
        if read_old(target) != old:
            raise Failure(f"another program changed {path} meanwhile, so it was not written; try again.")
        temporary.replace(target)
        _sync_folder(target.parent)
        for leftover in target.parent.glob(f".{glob.escape(target.name[:80])}.*{_UNFINISHED}"):
            leftover.unlink(missing_ok=True)
    except OSError as error:
        raise Failure(f"{path} cannot be written ({error.strerror}); it was not changed.") from None
    finally:
        if temporary is not None:
            with suppress(FileNotFoundError):
                temporary.unlink()


def _mode(target: Path) -> int:
    try:
        return stat.S_IMODE(target.stat().st_mode)
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask


def _sync_folder(folder: Path) -> None:
    # Not every system can open a folder; the file itself is safe anyway.
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
