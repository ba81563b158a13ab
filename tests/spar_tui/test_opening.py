"""What is opened in a browser is handed over, and nothing stays behind."""

import os
import subprocess
import time
from pathlib import Path

import pytest

from spar_tui.errors import Failure
from spar_tui.opening import hand_over


def children() -> list[str]:
    """The states and names of this process's children."""
    own = ["ps", "-o", "stat=,comm=", "--ppid", str(os.getpid())]
    return subprocess.run(own, capture_output=True, text=True, check=False).stdout.splitlines()


def browser(folder: Path, script: str, monkeypatch: pytest.MonkeyPatch) -> None:
    program = folder / "browse"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o700)
    monkeypatch.setenv("BROWSER", str(program))


def test_a_browser_that_ends_leaves_no_dead_process_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    browser(tmp_path, f'echo "$1" >> {tmp_path}/asked', monkeypatch)
    for number in range(3):
        hand_over(f"https://example.org/{number}")
    until = time.monotonic() + 10
    while time.monotonic() < until and any("browse" in one for one in children()):
        time.sleep(0.02)
    assert not [one for one in children() if "browse" in one]
    assert sorted((tmp_path / "asked").read_text().split()) == [f"https://example.org/{number}" for number in range(3)]


def test_a_browser_that_stays_open_keeps_nobody_waiting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    browser(tmp_path, "exec sleep 2", monkeypatch)
    began = time.monotonic()
    hand_over("https://example.org/")
    assert time.monotonic() - began < 1


def test_a_browser_that_cannot_be_started_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "browse"
    program.write_text("not a program")
    program.chmod(0o700)
    monkeypatch.setenv("BROWSER", str(program))
    with pytest.raises(Failure, match="could not be started"):
        hand_over("https://example.org/")
