"""A whole session in tmux at 80x24: ask, watch, read, keep, find again, export, quit; with a model and without."""

import shutil
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.services import Services
from tests.services.model.server import ScriptedModel
from tests.spar_tui.overlap_model import overlap_script
from tests.spar_tui.running import PATIENCE, command, environment, wait_until
from tests.spar_tui.tui.real_terminal import ask_only

pytestmark = pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed")
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


@contextmanager
def resources(home: Path, more: Mapping[str, str]) -> Iterator[Tmux]:
    """`spar` in a shell in tmux; the shell says how `spar` ended."""
    with_terminal = environment(home, {"TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "EDITOR": "true", **more})
    # A server of its own each time: the one before may still be on its way out.
    tmux = Tmux(home / f"tmux{len(list(home.glob('tmux*')))}", with_terminal)
    program = " ".join(command())
    tmux.run(
        "new-session",
        "-d",
        "-s",
        "desk",
        "-c",
        str(home),
        "-x",
        "80",
        "-y",
        "24",
        f"{program}; echo ended with $?; sleep 600",
    )
    try:
        yield tmux
    finally:
        tmux.run("kill-server")


@pytest.fixture(scope="module")
def services() -> Iterator[Services]:
    with Services() as running:
        yield running


@pytest.mark.parametrize("with_model", [False, True], ids=["without a model", "with a model"])
def test_a_sitting_from_the_question_to_the_bibliography(with_model: bool, services: Services, tmp_path: Path) -> None:
    ask_only(tmp_path, "openalex")
    with ScriptedModel(overlap_script) as model:
        more = {**services.environment, **(model.environment if with_model else {})}
        with resources(tmp_path, more) as tmux:
            tmux.until("What do you want to know?")
            tmux.type("dense retrieval of scientific passages")
            tmux.press("Enter")
            tmux.until("✔ finished")
            tmux.press("Enter")
            page = tmux.until("Found by")
            assert ("judged by the model" in page) == with_model
            tmux.press("Escape")
            tmux.until("Papers")
            tmux.press("s")
            tmux.until("★")
            tmux.press("2")
            tmux.until("Shelf 1")
            tmux.press("X")
            tmux.until("Export 1 paper")
            tmux.press("Enter")
            wait_until((tmp_path / "papers.bib").exists)
            tmux.press("C-q")
            assert "ended with 0" in tmux.until("ended with")
    assert (tmp_path / "papers.bib").read_text().count("@") == 1
    assert (0 < model.calls <= 20) == with_model


def test_quitting_in_the_middle_keeps_the_run_and_the_next_start_goes_on(services: Services, tmp_path: Path) -> None:
    ask_only(tmp_path, "openalex")
    slow = Services(latency=60)
    with slow:
        with resources(tmp_path, slow.environment) as tmux:
            tmux.until("What do you want to know?")
            tmux.type("dense retrieval")
            tmux.press("Enter")
            tmux.until("● ")
            tmux.press("C-q")
            assert "ended with 0" in tmux.until("ended with")
        with resources(tmp_path, services.environment) as tmux:
            tmux.until("cut off")
            tmux.press("Down")
            tmux.press("Enter")
            tmux.until("✔ finished")
            tmux.press("C-q")
            tmux.until("ended with 0")
