"""The daily upkeep of a library: today's backup, and then what makes the file smaller. Nobody waits for it: a small
library is seen to within a blink when the work with it is done, a large one by a process of its own.
"""

import os
import sqlite3
import sys
import threading
import time
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from cache.backup_files import daily_name
from cache.backups import Done, keep_daily, lock_of
from cache.errors import CacheError
from cache.free_pages import compact, file_space, give_back
from cache.paths import resolved
from cache.store import Store

BLINK = 4 * 1024 * 1024
"""Bytes up to which a library is copied in some hundredths of a second, less than a process takes to start."""
TRIED_AGAIN = 3600
"""Seconds after which a backup that could not be made is tried again unasked: a full disk stays full for a while."""
MOMENT = 64 * 1024 * 1024
"""Bytes in use up to which a file is compacted, in about half a second."""
PATIENCE = 1.0
"""Seconds for which a locked library is waited for; the rest is done on another day."""

MAKER = "backup"
"""Name of the thread that waits for the process that makes a backup."""

_MAKE = "import sys; sys.path[:] = sys.argv[2:]; from cache.upkeep import main; main(sys.argv[1])"


def keep_daily_unasked(path: Path) -> None:
    """Have today's backup made if it is due, and the file shortened, without keeping anybody; what goes wrong is for
    `spar doctor` to tell."""
    path = resolved(path)
    with suppress(CacheError, OSError):
        if not _is_due(path):
            return
        if path.stat().st_size <= BLINK:
            _keep(path)
            return
        import subprocess

        here = [str(Path(folder).absolute()) for folder in sys.path if folder]
        quiet = subprocess.DEVNULL
        command = [sys.executable, "-P", "-c", _MAKE, str(path), *here]
        # It outlives this process and its terminal, and holds open none of the pipes that somebody reads.
        maker = subprocess.Popen(command, stdin=quiet, stdout=quiet, stderr=quiet, start_new_session=True)
        # Somebody has to wait for its end, or it stays in the system's list of processes as long as we live.
        threading.Thread(target=maker.wait, name=MAKER, daemon=True).start()


def main(path: str) -> None:
    """Make the backup in a process of its own, which leaves the processor to whoever wants it."""
    if hasattr(os, "nice"):
        os.nice(10)
    with suppress(CacheError):
        _keep(Path(path))


def _keep(path: Path) -> None:
    """Make today's backup, and the library's file smaller once there is one. Raises `CacheError`."""
    if keep_daily(path) is Done.MADE:
        tidy(path)


def tidy(path: Path, moment: int = MOMENT) -> None:
    """Pack the runs of earlier versions, each in a transaction of its own, and shorten the file.

    A file that has to be compacted first stays as long as it is if more than `moment` bytes are in use. Raises
    `CacheError`.
    """
    from cache import runs

    with Store.open(path, wait=PATIENCE) as store:
        for run in runs.unpacked(store):
            runs.pack(store, run)
        space = file_space(store)
        if (space.half_empty or not space.steady) and space.size - space.unused <= moment:
            with suppress(sqlite3.OperationalError):  # while another statement of this thread is under way
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
