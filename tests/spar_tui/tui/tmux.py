"""The real program in a window of tmux: keys are pressed, and what stands on the screen is read."""

import shlex
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from tests.spar_tui.running import PATIENCE, environment, forked

ROOT = Path(__file__).parents[3]


class Tmux:
    """A tmux server of its own with one window."""

    def __init__(self, socket: Path, environment: Mapping[str, str]) -> None:
        self._socket, self._environment = socket, environment

    def run(self, *arguments: str) -> str:
        """A tmux command; what it prints."""
        ran = subprocess.run(
            ["tmux", "-f", "/dev/null", "-S", str(self._socket), *arguments],
            env=self._environment, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE,
        )  # fmt: skip
        return ran.stdout

    def press(self, *keys: str) -> None:
        """Press keys by tmux's names for them."""
        self.run("send-keys", "-t", "desk", *keys)

    def type(self, text: str) -> None:
        """Type `text`, letter by letter."""
        self.run("send-keys", "-t", "desk", "-l", text)

    def paste(self, text: str) -> None:
        """Paste `text`, as a terminal does that marks what is pasted."""
        self.run("set-buffer", text)
        self.run("paste-buffer", "-p", "-t", "desk")

    @property
    def screen(self) -> str:
        """What the terminal shows."""
        return self.run("capture-pane", "-p", "-t", "desk")

    def until(self, words: str) -> str:
        """Wait until `words` are on the screen; the screen."""
        end = time.monotonic() + PATIENCE
        while words not in (shown := self.screen):
            assert time.monotonic() < end, f"{words!r} never came:\n{shown}"
            time.sleep(0.1)
        return shown

    def settled(self) -> str:
        """The screen once it has not changed for a while."""
        before = ""
        while (shown := self.screen) != before:
            before = shown
            time.sleep(0.5)
        return shown


@contextmanager
def in_tmux(home: Path, more: Mapping[str, str], columns: int = 80, lines: int = 24) -> Iterator[Tmux]:
    """`spar` of this checkout in a shell in tmux; the shell says how `spar` ended."""
    own = {"TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "EDITOR": "true", "PYTHONPATH": str(ROOT)}
    with_terminal = environment(home, {**own, **more})
    # A server of its own each time: the one before may still be on its way out.
    tmux = Tmux(home / f"tmux{len(list(home.glob('tmux*')))}", with_terminal)
    program = shlex.join(forked())
    tmux.run(
        "new-session",
        "-d",
        "-s",
        "desk",
        "-c",
        str(home),
        "-x",
        str(columns),
        "-y",
        str(lines),
        f"{program}; echo ended with $?; sleep 600",
    )
    try:
        yield tmux
    finally:
        tmux.run("kill-server")
