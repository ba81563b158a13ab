"""Output to a terminal that may vanish or block.

A terminal may vanish without notice (a closed window, a cut connection) or stop accepting output (a stopped screen, a
hanging link). Neither may keep the app from ending: output that can no longer be drawn is dropped.
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
"""Seconds to wait for a terminal that accepts no output, once the app is ending."""
_LOOK = 0.1


class TerminalOutput:
    """Writes text to a terminal from one thread; any thread or signal handler may call `hurry`."""

    def __init__(self, terminal: TextIO) -> None:
        self._encoding = terminal.encoding
        self._line = _opened_anew(terminal.fileno())
        self._waiting: list[str] = []
        self._until: float | None = None
        self._lost = False

    def hurry(self) -> None:
        """Wait at most `PATIENCE` seconds more for the terminal, because the app is ending."""
        self._until = self._until or time.monotonic() + PATIENCE

    def fileno(self) -> int:
        return self._line

    def write(self, text: str) -> None:
        """Keep `text` for the next flush."""
        self._waiting.append(text)

    def flush(self) -> None:
        """Write the kept text; if the terminal is lost, drop it."""
        left = memoryview("".join(self._waiting).encode(self._encoding, "replace"))
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
    """Open the terminal behind `line` again, so that non-blocking mode does not affect other programs."""
    try:
        return os.open(os.ttyname(line), os.O_WRONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    except OSError:
        return line


def terminal_of(*streams: TextIO | None) -> TextIO | None:
    """Return the first of `streams` that is a terminal; a stream may be redirected to a file, or closed."""
    return next((stream for stream in streams if stream is not None and stream.isatty()), None)


def is_there(line: int) -> bool:
    """Whether the terminal behind `line` still exists."""
    return os.isatty(line)


def driver() -> "type[Driver] | None":
    """Return the app's driver on this system; None for Textual's own."""
    if sys.platform == "win32":
        return None
    from textual.drivers.linux_driver import LinuxDriver

    class TerminalDriver(LinuxDriver):
        """Draws through `TerminalOutput`; ignores input errors once the terminal is gone."""

        def __init__(
            self, app: "App[object]", *, debug: bool = False, mouse: bool = True, size: tuple[int, int] | None = None
        ) -> None:
            super().__init__(app, debug=debug, mouse=mouse, size=size)
            terminal = terminal_of(sys.__stderr__, sys.__stdout__)
            self.output = TerminalOutput(terminal) if terminal else None
            self._file = self.output  # type: ignore[assignment]  # it is only written to

        def run_input_thread(self) -> None:
            try:
                super().run_input_thread()
            except OSError:
                if is_there(self.fileno):
                    raise

    return TerminalDriver
