"""Notes that all `spar` processes of one person on a machine keep together, one small file per service.

A file is read and changed under a lock; which requests are under way is held by locks of their own. The system frees
both when a process dies. Where the folder cannot be used, a process keeps its notes to itself: it is as polite as it
can be alone, and `spar doctor` says so.
"""

import os
import stat
import tempfile
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path

from filelock import FileLock, Timeout

from connectors.http.pace import Pace, dumped, loaded

_PATIENCE = 2.0
"""Seconds to wait for who reads or writes the notes, which takes them a thousandth; one who is stopped takes longer."""
_own: dict[Path, Pace] = {}
"""What this process knows of each service."""
_own_places: dict[Path, set[int]] = {}


def why_unusable(folder: Path) -> str:
    """Why processes cannot share notes in `folder`; "" if they can. Makes it, and makes it the person's alone."""
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        found = folder.lstat()
        if not stat.S_ISDIR(found.st_mode):
            return "it is no folder"
        if hasattr(os, "getuid"):
            if found.st_uid != os.getuid():
                return "it belongs to somebody else"
            if stat.S_IMODE(found.st_mode) != 0o700:
                folder.chmod(0o700)
        with tempfile.TemporaryFile(dir=folder):
            return ""
    except OSError as error:
        return error.strerror or type(error).__name__


class SharedNotes:
    """The notes of one service, in the file `path`, and its places: the requests that may be under way."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._shared = not why_unusable(path.parent)
        self._lock = FileLock(f"{path}.lock", timeout=_PATIENCE, thread_local=False)
        self._held: dict[int, FileLock] = {}

    def read(self) -> Pace:
        """What is noted; nothing yet if the notes are missing or damaged, for nothing else depends on them."""
        if not self._shared:
            return _own.get(self._path, Pace())
        try:
            return loaded(self._path.read_text("utf-8"))
        except FileNotFoundError:
            return Pace()
        except OSError:
            return _own.get(self._path, Pace())
        except (ValueError, TypeError, KeyError, AttributeError):
            return Pace()

    def change(self, change: Callable[[Pace], Pace]) -> Pace:
        """Note what `change` makes of what is noted, with nobody else in between. Raises what `change` raises."""
        try:
            with self._lock if self._shared else nullcontext():
                return self._changed(change)
        except (Timeout, OSError, NotImplementedError):
            return self._changed(change, alone=True)

    def take(self, place: int) -> bool:
        """Hold a place until it is given back or the process dies; False if somebody holds it."""
        if self._shared:
            lock = FileLock(f"{self._path}.slot{place}", thread_local=False)
            try:
                lock.acquire(blocking=False)
            except Timeout:
                return False
            except (OSError, NotImplementedError):
                pass
            else:
                self._held[place] = lock
                return True
        taken = _own_places.setdefault(self._path, set())
        free = place not in taken
        taken.add(place)
        return free

    def give_back(self, place: int) -> None:
        if lock := self._held.pop(place, None):
            lock.release()
        else:
            _own_places.get(self._path, set()).discard(place)

    def _changed(self, change: Callable[[Pace], Pace], alone: bool = False) -> Pace:
        before = _own.get(self._path, Pace()) if alone else self.read()
        after = change(before)
        if after != before and self._shared and not alone:
            fresh = self._path.with_suffix(".new")
            fresh.write_text(dumped(after), "utf-8")
            fresh.replace(self._path)
        _own[self._path] = after
        return after
