"""Which process carries a run on: it holds a lock that the system frees when the process ends, however it ends."""

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from filelock import BaseFileLock

PATIENCE = 0.1
"""Seconds to wait for a lock: whoever asks who holds it, holds it for a moment."""


class RunLock:
    """The lock on one run of the library at `library`. Only one process at a time holds it.

    Where no file can be locked, everybody may carry the run on.
    """

    def __init__(self, library: Path, run: str) -> None:
        self._file = _file(library, run)
        self._lock: BaseFileLock | None = None

    def take(self, patience: float = PATIENCE) -> bool:
        """Hold the lock until `free` or the end of the process; False if somebody else holds it for `patience`."""
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
        """Let others carry the run on."""
        if self._lock is not None:
            with suppress(OSError):  # on Windows while somebody looks at it
                self._file.unlink(missing_ok=True)
            self._lock.release()
            self._lock = None


def is_carried_on(library: Path, run: str) -> bool:
    """Whether somebody, of this process or another, holds the lock on the run."""
    if not _file(library, run).exists():
        return False
    lock = RunLock(library, run)
    free = lock.take(0)
    lock.free()  # and its file, which a killed process left behind
    return not free


def _file(library: Path, run: str) -> Path:
    return library.with_name(f"{library.name}.running") / f"{run}.lock"
