"""The way to the terminal on which the app is drawn: it takes nothing ill, whatever becomes of the terminal.

A terminal may vanish without a word (a window closed, a connection cut), or take no more (a stopped screen, a link that
hangs). Neither may keep the app from ending: what can no longer be drawn is dropped.
"""

import os
import select
import sys
import time
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from textual.app import App
    from textual.driver import Driver

PATIENCE = 1.0
"""Seconds for which a terminal that takes nothing is waited for, once the app is to end."""
_LOOK = 0.1


class Output:
    """Writes text to a terminal, from one thread; `hurry` may be called from any, even from a signal's handler."""

    def __init__(self, terminal: TextIO) -> None:
        self._encoding, self._errors = terminal.encoding, terminal.errors or "strict"
        self._line = _opened_anew(terminal.fileno())
        self._waiting: list[str] = []
        self._until: float | None = None
        self._lost = False

    def hurry(self) -> None:
        """The app is to end: from now on the terminal has only `PATIENCE` seconds left."""
        self._until = self._until or time.monotonic() + PATIENCE

    def fileno(self) -> int:
        return self._line

    def write(self, text: str) -> None:
        """Keep `text` for the next flush."""
        self._waiting.append(text)

    def flush(self) -> None:
        """Write what was kept; if the terminal is lost, drop it."""
        left = memoryview("".join(self._waiting).encode(self._encoding, self._errors))
        self._waiting.clear()
        while left and not self._lost:
            try:
                if select.select([], [self._line], [], _LOOK)[1]:
                    left = left[os.write(self._line, left) :]
                    continue
            except BlockingIOError:
                pass
            except OSError:
                self._lost = True
            if self._until and time.monotonic() > self._until:
                self._lost = True


def _opened_anew(line: int) -> int:
    """The terminal behind `line`, opened for us alone: not to wait in it must not be the way of other programs too."""
    try:
        return os.open(os.ttyname(line), os.O_WRONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    except OSError:
        return line


def terminal_of(*streams: TextIO | None) -> TextIO | None:
    """The first of `streams` that is a terminal; a stream may be a file into which the person put it, or closed."""
    return next((stream for stream in streams if stream is not None and stream.isatty()), None)


def is_there(line: int) -> bool:
    """Whether the terminal behind `line` is still there; one that has gone answers no question."""
    return os.isatty(line)


def driver() -> "type[Driver] | None":
    """How the app draws on this system; None for the library's own way."""
    if sys.platform == "win32":
        return None
    from textual.drivers.linux_driver import LinuxDriver

    class TerminalDriver(LinuxDriver):
        """Draws through `Output`; keys that come from nowhere any more are no fault."""

        def __init__(
            self, app: "App[object]", *, debug: bool = False, mouse: bool = True, size: tuple[int, int] | None = None
        ) -> None:
            super().__init__(app, debug=debug, mouse=mouse, size=size)
            terminal = terminal_of(sys.__stderr__, sys.__stdout__)
            self.output = Output(terminal) if terminal else None
            self._file = self.output  # type: ignore[assignment]  # it is only written to

        def run_input_thread(self) -> None:
            try:
                super().run_input_thread()
            except OSError:
                if is_there(self.fileno):
                    raise

    return TerminalDriver
