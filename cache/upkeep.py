"""The daily upkeep of a library: today's backup, then shrinking the file. It blocks nobody: a small library is done
at once after the work with it, a large one in a separate process."""

import os
import sqlite3
import sys
import threading
import time
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from cache.backup_files import daily_name
from cache.backups import BackupOutcome, keep_daily, lock_of
from cache.errors import CacheError
from cache.free_pages import compact, file_space, give_back
from cache.paths import resolved
from cache.store import Store

BLINK = 4 * 1024 * 1024
"""Size, in bytes, up to which copying a library takes some hundredths of a second, less than starting a process."""
TRIED_AGAIN = 3600
"""Seconds after which a failed backup is retried automatically: a full disk stays full for a while."""
MOMENT = 64 * 1024 * 1024
"""Bytes in use up to which a file is compacted, in about half a second."""
PATIENCE = 1.0
"""Seconds to wait for a locked library; the rest is done on another day."""

MAKER = "backup"
"""Name of the thread that waits for the process that makes a backup."""

_MAKE = "import sys; sys.path[:] = sys.argv[2:]; from cache.upkeep import main; main(sys.argv[1])"


def keep_daily_unasked(path: Path) -> None:
    """Make today's backup if it is due, and shrink the file, without blocking anybody; `spar doctor` reports
    failures."""
    path = resolved(path)
    with suppress(CacheError, OSError):
        if not _is_due(path):
            return
        if path.stat().st_size <= BLINK:
            _keep(path)
            return
        import subprocess

        folders = [str(Path(folder).absolute()) for folder in sys.path if folder]
        quiet = subprocess.DEVNULL
        command = [sys.executable, "-P", "-c", _MAKE, str(path), *folders]
        # It outlives this process and its terminal, and keeps no pipe open.
        maker = subprocess.Popen(command, stdin=quiet, stdout=quiet, stderr=quiet, start_new_session=True)
        # A thread waits for its end, so that it does not stay a zombie.
        threading.Thread(target=maker.wait, name=MAKER, daemon=True).start()


def main(path: str) -> None:
    """Make the backup in a separate process, at low priority."""
    if hasattr(os, "nice"):
        os.nice(10)
    with suppress(CacheError):
        _keep(Path(path))


def _keep(path: Path) -> None:
    """Make today's backup and then shrink the library's file. Raises `CacheError`."""
    if keep_daily(path) is BackupOutcome.MADE:
        tidy(path)


def tidy(path: Path, moment: int = MOMENT) -> None:
    """Compress the runs of earlier versions, each in its own transaction, and shrink the file.

    A file that must be compacted first is left unchanged if more than `moment` bytes are in use. Raises `CacheError`.
    """
    from cache import runs

    with Store.open(path, wait=PATIENCE) as store:
        for run in runs.unpacked(store):
            runs.pack(store, run)
        space = file_space(store)
        if (space.half_empty or not space.steady) and space.size - space.unused <= moment:
            with suppress(sqlite3.OperationalError):  # if another statement of this thread is under way
                compact(store)
        else:
            give_back(store)


def _is_due(path: Path) -> bool:
    if daily_name(path, datetime.now().astimezone().date()).exists():
        return False
    try:
        since = time.time() - lock_of(path).stat().st_mtime
    except FileNotFoundError:
        return True
    return not 0 <= since < TRIED_AGAIN
