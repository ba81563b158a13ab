"""Bad terminals and bad surroundings: the app starts, says what is wrong, and leaves the terminal as it was."""

import os
import random
import signal
import sqlite3
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from cache import runs, shelf
from cache.store import Store
from tests.services import Services
from tests.spar_tui.running import PATIENCE, command, environment
from tests.spar_tui.tui.real_terminal import ENTER_APP, LEAVE_APP, Terminal, ask_only, opened
from tests.spar_tui.tui.world import SPARSE

ASK = b"hat do you want to know?"


def ready(terminal: Terminal) -> None:
    terminal.until_open()
    terminal.until(ASK)


def left_as_it_was(terminal: Terminal) -> None:
    """The shell's screen is back, the keys are echoed, and nobody was told of a fault."""
    assert terminal.output.rindex(LEAVE_APP) > terminal.output.rindex(ENTER_APP)
    assert terminal.echoes
    assert "Traceback" not in terminal.said


@pytest.mark.parametrize("first", [(150, 36), (1, 1)])
def test_it_opens_and_quits_at_every_size(first: tuple[int, int], tmp_path: Path) -> None:
    with opened(tmp_path, size=first) as terminal:
        terminal.until_open()
        for size in ((80, 24), (40, 10), (20, 5), first):
            terminal.rest()
            terminal.resize(*size)
        terminal.rest()
        terminal.type("\x11")
        assert terminal.ended() == 0
        left_as_it_was(terminal)


@pytest.mark.parametrize(
    "more",
    [
        {"TERM": "vt100", "LC_ALL": "C", "LANG": "C"},
        {"TERM": "linux", "NO_COLOR": "1"},
        {"TERM": "tmux-256color", "COLORTERM": "truecolor", "TMUX": "/nowhere,1,0",
         "SSH_CONNECTION": "10.0.0.1 22 10.0.0.2 22"},
    ],
    ids=lambda more: " ".join(more),
)  # fmt: skip
def test_it_opens_in_every_surrounding_and_writes_nothing_to_standard_error(
    more: dict[str, str], tmp_path: Path
) -> None:
    with (tmp_path / "log").open("wb") as log, opened(tmp_path, more=more, errors=log) as terminal:
        ready(terminal)
        terminal.type("ä")
        terminal.until("ä".encode())
        terminal.type("\x11")
        assert terminal.ended() == 0
        left_as_it_was(terminal)
    assert (tmp_path / "log").read_bytes() == b""


def test_a_dumb_terminal_gets_the_help_instead(tmp_path: Path) -> None:
    with opened(tmp_path, more={"TERM": "dumb"}) as terminal:
        assert terminal.ended() == 0
        assert ENTER_APP not in terminal.output
        assert b"search" in terminal.output
        assert b"TERM is dumb" in terminal.output


def test_a_terminal_resized_madly_during_a_search_stays_whole(tmp_path: Path) -> None:
    chance = random.Random(7)
    with Services(latency=0.05) as services, opened(tmp_path, more=services.environment, size=(150, 36)) as terminal:
        ready(terminal)
        terminal.type("dense retrieval\r")
        for _ in range(20):
            terminal.resize(chance.randint(1, 200), chance.randint(1, 60))
            terminal.type(chance.choice(["j", "t", "\t", "z", ">", "\x1b[B"]))
            terminal.read(0.03)
        terminal.resize(100, 30)
        terminal.rest()
        terminal.type("\x11")
        assert terminal.ended() == 0
        left_as_it_was(terminal)


def test_broken_settings_are_named_by_line_and_left_alone(tmp_path: Path) -> None:
    home = tmp_path / "spar"
    home.mkdir()
    (home / "config.toml").write_text("limit = 5\nsources = = 1\n")
    with opened(tmp_path) as terminal:
        ready(terminal)
        terminal.until(b"line 2")
        terminal.type("\x11")
        assert terminal.ended() == 0
    assert (home / "config.toml").read_text() == "limit = 5\nsources = = 1\n"


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is forbidden to root")
def test_settings_that_cannot_be_written_are_said(tmp_path: Path) -> None:
    home = tmp_path / "spar"
    home.mkdir()
    (home / "config.toml").write_text("limit = 5\n")
    with opened(tmp_path) as terminal:
        ready(terminal)
        home.chmod(0o500)
        terminal.type("\x10light\r")
        terminal.until(b"could not be saved")
        home.chmod(0o700)
        terminal.type("\x11")
        assert terminal.ended() == 0


def test_a_settings_file_that_is_a_folder_is_said_and_a_theme_is_used_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "spar" / "config.toml").mkdir(parents=True)
    with opened(tmp_path) as terminal:
        ready(terminal)
        terminal.until(b"cannot be read")
        terminal.type("\x10light\r")
        terminal.until(b"could not be saved")
        terminal.type("\x11")
        assert terminal.ended() == 0


def test_a_library_locked_by_another_program_is_said_and_the_app_stays(tmp_path: Path) -> None:
    """A question asked meanwhile is not lost from the ask line, and can be asked when the lock is gone."""
    ask_only(tmp_path, "openalex")
    database = tmp_path / "spar" / "spar.db"
    with Store.open(database):
        pass
    other = sqlite3.connect(database, isolation_level=None)
    with Services() as services, opened(tmp_path, more=services.environment) as terminal:
        ready(terminal)
        other.execute("BEGIN IMMEDIATE")
        terminal.type("dense retrieval\r")
        terminal.until(b"locked")
        other.execute("ROLLBACK")
        other.close()
        terminal.type("\r")
        terminal.until(b"finished")
        terminal.type("\x11")
        assert terminal.ended() == 0
        left_as_it_was(terminal)
    with Store.open(database) as store:
        assert [run.state for run in runs.recent(store)] == ["finished"]


def test_a_suspended_app_is_drawn_whole_when_it_comes_back(tmp_path: Path) -> None:
    with opened(tmp_path, program=command()) as terminal:
        ready(terminal)
        terminal.type("\x1a")
        _, status = os.waitpid(terminal.process.pid, os.WUNTRACED)
        assert os.WIFSTOPPED(status)
        terminal.rest()
        terminal.output.clear()
        terminal.process.send_signal(signal.SIGCONT)
        ready(terminal)
        terminal.type("\x11")
        assert terminal.ended() == 0


def test_all_sources_failing_are_said_and_the_app_stays(tmp_path: Path) -> None:
    with opened(tmp_path, size=(110, 30)) as terminal:  # nobody listens where the services should be
        ready(terminal)
        terminal.type("dense retrieval\r")
        terminal.until(b"failed")
        terminal.type("\x11")
        assert terminal.ended() == 0
        left_as_it_was(terminal)


def kept(home: Path) -> list[str]:
    """How the searches in `home` ended."""
    with Store.open(home / "spar" / "spar.db") as store:
        return [run.state for run in runs.recent(store)]


@pytest.fixture(scope="module")
def slow() -> Iterator[Services]:
    """Services in whose searches one can come."""
    with Services(latency=60) as services:
        yield services


@pytest.mark.parametrize("end", ["SIGTERM", "SIGHUP", "SIGINT"])
def test_a_signal_to_end_gives_the_terminal_back_and_keeps_the_search(end: str, slow: Services, tmp_path: Path) -> None:
    with opened(tmp_path, more=slow.environment) as terminal:
        ready(terminal)
        terminal.type("dense retrieval\r")
        terminal.until(b"back")  # a key of the search's screen
        terminal.process.send_signal(getattr(signal, end))
        assert terminal.ended() == 0
        left_as_it_was(terminal)
    assert kept(tmp_path) == ["interrupted"]


def test_a_signal_to_end_does_not_wait_for_an_open_editor(tmp_path: Path) -> None:
    opened_file, editor = tmp_path / "opened", tmp_path / "editor"
    editor.write_text(f"#!/bin/sh\ntouch {opened_file}\nexec sleep 3600\n")
    editor.chmod(0o755)
    (tmp_path / "spar").mkdir()
    with Store.open(tmp_path / "spar" / "spar.db") as store:
        shelf.save(store, SPARSE[:1])
    with opened(tmp_path, more={"EDITOR": str(editor), "VISUAL": ""}) as terminal:
        ready(terminal)
        terminal.type("\x1bOR")  # F3
        terminal.until(b"Sparse retrieval")
        terminal.type("e")
        while not opened_file.exists():
            terminal.read(0.05)
        terminal.process.terminate()
        assert terminal.ended() == 0
        left_as_it_was(terminal)


def test_a_terminal_that_goes_without_a_word_ends_the_app_and_keeps_the_search(slow: Services, tmp_path: Path) -> None:
    with opened(tmp_path, more=slow.environment) as terminal:
        ready(terminal)
        terminal.type("dense retrieval\r")
        terminal.until(b"back")
        terminal.close()
        terminal.process.wait(PATIENCE)
    assert kept(tmp_path) == ["interrupted"]


def test_a_signal_ends_the_app_though_its_terminal_takes_nothing(slow: Services, tmp_path: Path) -> None:
    with opened(tmp_path, more=slow.environment, size=(200, 60)) as terminal:
        ready(terminal)
        terminal.type("dense retrieval\r")
        terminal.until(b"back")
        for turn in range(40):  # to be drawn again and again, more than a terminal holds that nobody reads
            terminal.resize(200 - turn % 2, 60)
            time.sleep(0.05)
        terminal.process.terminate()
        terminal.process.wait(PATIENCE)
    assert kept(tmp_path) == ["interrupted"]


def test_without_a_terminal_to_draw_on_one_is_told_so_beside_the_help(tmp_path: Path) -> None:
    ran = subprocess.run(
        command(), stdin=subprocess.DEVNULL, capture_output=True, text=True, env=environment(tmp_path), check=True
    )
    assert "search" in ran.stdout
    assert ran.stderr == "spar: the app needs a terminal; use the verbs above.\n"
