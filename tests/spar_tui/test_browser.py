"""What is opened in a browser is handed over, and nothing stays behind."""

import os
import subprocess
from pathlib import Path

import pytest

from spar_tui.browser import open_url
from spar_tui.errors import Failure
from tests.spar_tui.in_process import spar
from tests.spar_tui.running import wait_until


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
        open_url(f"https://example.org/{number}")
    wait_until(lambda: not [one for one in children() if "browse" in one])
    assert sorted((tmp_path / "asked").read_text().split()) == [f"https://example.org/{number}" for number in range(3)]


def test_a_browser_that_stays_open_keeps_nobody_waiting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    closed = tmp_path / "closed"
    browser(tmp_path, f"while [ ! -e {closed} ]; do sleep 0.1; done", monkeypatch)
    open_url("https://example.org/")
    assert [one for one in children() if "browse" in one]
    closed.touch()


def test_a_browser_that_fails_at_once_has_opened_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    browser(tmp_path, "exit 3", monkeypatch)
    with pytest.raises(Failure, match=r"code 3 and did not open https://example\.org/"):
        open_url("https://example.org/")


def test_the_command_line_keeps_what_was_opened_and_nothing_else(tmp_path: Path) -> None:
    spar(tmp_path, "search", "attention is all you need", "--offline", "--limit", "1")
    program = tmp_path / "browse"
    for code in (3, 0):
        program.write_text(f"#!/bin/sh\nexit {code}\n")
        program.chmod(0o700)
        ran = spar(tmp_path, "open", "@1", "--offline", more={"BROWSER": str(program)})
        assert (ran.returncode, ran.stdout[:4]) == (1 if code else 0, "http")
        acts = spar(tmp_path, "history", "reading", "--json").stdout
        assert ('"opened"' in acts) is (code == 0)


def test_a_browser_that_cannot_be_started_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "browse"
    program.write_text("not a program")
    program.chmod(0o700)
    monkeypatch.setenv("BROWSER", str(program))
    with pytest.raises(Failure, match="could not be started"):
        open_url("https://example.org/")
