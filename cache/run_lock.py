"""A lock for the process that continues a run. The system releases it when the process ends, for whatever reason."""

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from filelock import BaseFileLock

PATIENCE = 0.1
"""Seconds to wait for a lock, because a process that checks it holds it for a moment."""


class RunLock:
    """The lock on one run of the library at `library`. Only one process at a time can hold it.

    If the file system supports no locks, every process may continue the run.
    """

    def __init__(self, library: Path, run: str) -> None:
        self._file = _file(library, run)
        self._lock: BaseFileLock | None = None

    def take(self, patience: float = PATIENCE) -> bool:
        """Acquire the lock until `free` or the end of the process. Return False if another holds it for `patience`
        seconds."""
        from filelock import FileLock, Timeout

        if self._lock is None:
            lock = FileLock(self._file, mode=0o600, thread_local=False)
            try:
                self._file.parent.mkdir(mode=0o700, exist_ok=True)
                lock.acquire(timeout=patience, poll_interval=PATIENCE / 10)
            except Timeout:
                return False
            except (OSError, NotImplementedError):
                return True
            self._lock = lock
        return True

    def free(self) -> None:
        """Release the lock."""
        if self._lock is not None:
            with suppress(OSError):  # fails on Windows while another process checks the lock
                self._file.unlink(missing_ok=True)
            self._lock.release()
            self._lock = None


def is_carried_on(library: Path, run: str) -> bool:
    """Whether this process or another holds the lock on the run."""
    if not _file(library, run).exists():
        return False
    lock = RunLock(library, run)
    free = lock.take(0)
    lock.free()  # deletes the file too, which a killed process left behind
    return not free


def _file(library: Path, run: str) -> Path:
    return library.with_name(f"{library.name}.running") / f"{run}.lock"
