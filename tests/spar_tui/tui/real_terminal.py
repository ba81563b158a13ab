"""The real program in a real terminal: a pseudo-terminal, and a small screen that reads what is written to it."""

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import termios
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from tests.library import copied
from tests.spar_tui.running import PATIENCE, environment, forked

ROOT = Path(__file__).parents[3]
ENTER_APP, LEAVE_APP, TAKES_KEYS = b"\x1b[?1049h", b"\x1b[?1049l", b"\x1b[?1004h"


def ask_only(home: Path, *sources: str) -> None:
    """Let searches ask these sources alone: others have to be asked slowly, which is not what is looked at here."""
    (home / "spar").mkdir(exist_ok=True)
    (home / "spar" / "config.toml").write_text(f"sources = {list(sources)}\n")


@dataclass
class Terminal:
    """A terminal with a program in it."""

    process: subprocess.Popen[bytes]
    line: int
    output: bytearray = field(default_factory=bytearray)

    def type(self, keys: str) -> None:
        """Send `keys` as a terminal sends them."""
        os.write(self.line, keys.encode())

    def read(self, seconds: float) -> None:
        """Take what is written in the next `seconds`."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            ready, _, _ = select.select([self.line], [], [], min(left, 0.05))
            if ready and not self._take():
                return

    def rest(self, seconds: float = 0.2) -> None:
        """Take what is written until nothing came for so long."""
        while select.select([self.line], [], [], seconds)[0] and self._take():
            pass

    def _take(self) -> bool:
        try:
            part = os.read(self.line, 65_536)
        except OSError:  # how a pseudo-terminal says that the other side is closed
            return False
        self.output += part
        return bool(part)

    def until(self, words: bytes) -> None:
        """Wait until `words` are written."""
        end = time.monotonic() + PATIENCE
        while words not in self.output:
            if time.monotonic() > end:
                raise AssertionError(f"{words!r} never came; the last of it: {bytes(self.output[-2000:])!r}")
            ready, _, _ = select.select([self.line], [], [], 0.05)
            if ready and not self._take():
                raise AssertionError(f"ended before {words!r}: {bytes(self.output[-2000:])!r} {self.said}")

    def until_open(self) -> None:
        """Wait until the app takes keys; before, the terminal would take some of them for its own."""
        self.until(ENTER_APP)
        self.until(TAKES_KEYS)

    def close(self) -> None:
        """Take the terminal away from the program, as a closed window does; no signal tells it."""
        os.close(self.line)
        self.line = -1

    def resize(self, columns: int, lines: int) -> None:
        """Make the terminal another size."""
        _size(self.line, columns, lines)
        self.process.send_signal(signal.SIGWINCH)

    def ended(self) -> int:
        """Wait for the end; the exit code."""
        until = time.monotonic() + PATIENCE
        while self.process.poll() is None:
            assert time.monotonic() < until, f"still running: {bytes(self.output[-2000:])!r}"
            self.read(0.05)
        self.rest(0.1)
        return self.process.returncode

    @property
    def said(self) -> str:
        """What was written after the app gave the terminal back."""
        return self.output.rpartition(LEAVE_APP)[2].decode("utf-8", "replace")

    @property
    def echoes(self) -> bool:
        """Whether the terminal is as a shell needs it."""
        modes = termios.tcgetattr(self.line)[3]
        return bool(modes & termios.ECHO and modes & termios.ICANON)


@contextmanager
def opened(
    home: Path,
    arguments: Sequence[str] = (),
    more: Mapping[str, str] | None = None,
    size: tuple[int, int] = (80, 24),
    program: Sequence[str] | None = None,
    errors: IO[bytes] | None = None,
) -> Iterator[Terminal]:
    """`spar` with `arguments`, or `program`, in a terminal of its own with a home of its own and an empty library;
    its standard error may be sent into a file."""
    copied(home / "spar" / "spar.db")
    ours, theirs = pty.openpty()
    _size(theirs, *size)
    process = subprocess.Popen(
        list(program or forked(*arguments)),
        stdin=theirs,
        stdout=theirs,
        stderr=errors or theirs,
        env=environment(home, {"TERM": "xterm-256color", "OPENBLAS_NUM_THREADS": "1", **(more or {})}),
        cwd=ROOT,
        start_new_session=True,
    )
    os.close(theirs)
    terminal = Terminal(process, ours)
    try:
        yield terminal
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()
        if terminal.line >= 0:
            os.close(terminal.line)


def _size(line: int, columns: int, lines: int) -> None:
    fcntl.ioctl(line, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
