"""The log: what the program did and when, in a file that only the person can read, and with -v on standard error.

Modules write to it through `logging`, under the name "spar"; docs/log.md describes its contents. If the file cannot be
written, only the log is lost.
"""

import logging
import os
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import urlsplit

from connectors.http.secret import Secret, redact
from connectors.records.visible import visible
from spar_tui import __version__
from spar_tui.settings import Settings
from spar_tui.terminal import TELLING, report

MOST_BYTES = 1_000_000
"""Size in bytes from which the file is renamed to `.1`, replacing an earlier one."""
_LONGEST = 500
_SECRET_LIKE = 9
"""Minimum length of a path segment of a user-defined address that may be a key."""

LOG = logging.getLogger("spar")


def begin(settings: Settings) -> None:
    """Start logging, until the next call."""
    hidden = _secrets(settings)
    handlers: list[logging.Handler] = [LogFile(settings.places.log)]
    if TELLING.verbose:
        handlers.append(_Shown())
    for handler in handlers:
        handler.setFormatter(_Line(hidden))
    LOG.handlers, LOG.propagate = handlers, False
    LOG.setLevel(logging.INFO)


def why_unusable(path: Path) -> str:
    """Return the reason why the log cannot be written there; "" if it can."""
    try:
        os.close(_opened(path))
    except OSError as error:
        return error.strerror or type(error).__name__
    return ""


class LogFile(logging.Handler):
    """Appends lines to the file at `path`, so that several processes can share it. Creates the file with its first
    line, and stops after a failure."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._path, self._lost, self._headed = path, False, False

    def emit(self, record: logging.LogRecord) -> None:
        if self._lost:
            return
        lines = [self.format(record)]
        if not self._headed:
            head = {"name": "spar", "args": None, "msg": f"{__version__} {TELLING.verb}".rstrip()}
            lines, self._headed = [self.format(logging.makeLogRecord(record.__dict__ | head)), *lines], True
        try:
            self._write("".join(f"{line}\n" for line in lines))
        except OSError:
            self._lost = True

    def _write(self, text: str) -> None:
        handle = _opened(self._path)
        try:
            if os.fstat(handle).st_size >= MOST_BYTES:
                os.replace(self._path, self._path.with_name(f"{self._path.name}.1"))
                os.close(handle)
                handle = _opened(self._path)
            os.write(handle, text.encode("utf-8", "replace"))
        finally:
            os.close(handle)


class _Shown(logging.Handler):
    """Writes lines to standard error."""

    def emit(self, record: logging.LogRecord) -> None:
        report(self.format(record))


class _Line(logging.Formatter):
    """Formats each record as one line, without secrets and invisible characters."""

    def __init__(self, hidden: Sequence[Secret]) -> None:
        super().__init__("%(asctime)s.%(msecs)03d %(process)d %(name)s %(message)s", "%Y-%m-%d %H:%M:%S")
        self._hidden = hidden

    def format(self, record: logging.LogRecord) -> str:
        line = " ".join(visible(redact(super().format(record), self._hidden)).split())
        return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}…"


def _opened(path: Path) -> int:
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)
    return os.open(path, flags, 0o600)


def _secrets(settings: Settings) -> list[Secret]:
    """Return the strings that no line may contain: keys, the mail address, and possible keys in user-defined
    addresses."""
    access = settings.access
    parts = [part for url in access.urls.values() for part in urlsplit(url).path.split("/")]
    texts = [access.email or "", *(part for part in parts if len(part) >= _SECRET_LIKE)]
    return [*access.keys.values(), *(Secret(text) for text in texts if text)]
