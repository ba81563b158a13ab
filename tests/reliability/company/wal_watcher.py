"""Watch whether `spar.db-wal` stays in place while an app is open, without ever opening the library."""

import os
from contextlib import suppress
from pathlib import Path
from threading import Event, Lock, Thread
from types import TracebackType
from typing import Self

EVERY = 0.05
"""Seconds between checks."""


class WalWatcher:
    """Watches the write-ahead log beside `library` during the `with` block.

    `vanished` counts how often the log was missing, or was not the file that an open app writes to. `looks` counts the
    checks while an app was open.
    """

    def __init__(self, library: Path) -> None:
        self._log = library.with_name(library.name + "-wal")
        self._broken: dict[int, bool] = {}
        self._lock, self._over = Lock(), Event()
        self._thread = Thread(target=self._watch, name="watcher of the write-ahead log")
        self.looks = self.vanished = 0

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._over.set()
        self._thread.join()

    def app_opened(self, process: int) -> None:
        """Start checking that the log is the file of this app too."""
        with self._lock:
            self._broken[process] = False

    def app_closes(self, process: int) -> None:
        """Stop checking for this app: it is about to end, and the last app may delete the log."""
        with self._lock:
            self._broken.pop(process, None)

    def _watch(self) -> None:
        while not self._over.wait(EVERY):
            with self._lock:
                self.looks += bool(self._broken)
                for process, was_broken in self._broken.items():
                    is_broken = self._is_broken(process)
                    self.vanished += is_broken and not was_broken
                    self._broken[process] = is_broken

    def _is_broken(self, process: int) -> bool:
        written = set()
        descriptors = Path(f"/proc/{process}/fd")
        with suppress(OSError):  # the app has just ended
            for descriptor in os.listdir(descriptors):
                with suppress(OSError):  # closed meanwhile
                    if os.readlink(descriptors / descriptor).removesuffix(" (deleted)") == str(self._log):
                        written.add((descriptors / descriptor).stat().st_ino)
        try:
            return bool(written - {self._log.stat().st_ino})
        except FileNotFoundError:
            return True
