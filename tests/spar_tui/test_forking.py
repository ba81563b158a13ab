"""A forked `spar` does what a started one does: tests that only look at its output may start it either way."""

import os
import pty
import re
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.library import copied
from tests.services import Services
from tests.spar_tui.running import ROOT, command, environment, forked, wait_until

BIB = "@article{a, title = {Größe der Teile}, author = {Bär, Ada}, year = 2020}\n"
CHANGING = re.compile(r"\b[0-9a-f]{32}\b|\d{8}-\d{4}-\w{4}|\d+\.\d+ s\b|\"seconds\": [\d.]+|\d\d:\d\d:\d\d\S*")
"""The names of a lock and a run, and times."""


def outcome(start: Callable[..., list[str]], home: Path, arguments: tuple[str, ...]) -> tuple[int, str, str, list[str]]:
    """The exit code, both outputs, and what is in the folder afterwards of `spar` started so."""
    home.mkdir()
    copied(home / "spar" / "spar.db")
    (home / "in.bib").write_text(BIB)
    ran = subprocess.run(
        start(*arguments), env=environment(home, {"PYTHONPATH": str(ROOT), "TZ": "Pacific/Kiritimati"}), cwd=home,
        input=BIB, capture_output=True, text=True, umask=0o027,
    )  # fmt: skip
    files = sorted(CHANGING.sub("…", f"{file.relative_to(home)} {file.stat().st_mode:o}") for file in home.rglob("*"))
    out, err = (CHANGING.sub("…", text.replace(str(home), "~")) for text in (ran.stdout, ran.stderr))
    return ran.returncode, out, err, files


@pytest.mark.parametrize(
    "arguments", [("import", "-"), ("export", "--shelf", "-o", "out.bib"), ("serach", "attention")], ids=" ".join
)
def test_output_exit_code_and_files_are_the_same(arguments: tuple[str, ...], tmp_path: Path) -> None:
    assert outcome(forked, tmp_path / "forked", arguments) == outcome(command, tmp_path / "started", arguments)


def test_nothing_is_left_of_the_program_before(tmp_path: Path) -> None:
    arguments = ("config", "set", "limit", "7")
    first, again = (outcome(forked, tmp_path / name, arguments) for name in ("first", "again"))
    assert first == again
    assert outcome(forked, tmp_path / "other", ("config", "get", "limit"))[1] != "7\n"


@pytest.mark.parametrize("start", [forked, command])
def test_a_terminal_is_one_and_ctrl_c_ends_it(start: Callable[..., list[str]], tmp_path: Path) -> None:
    copied(tmp_path / "spar" / "spar.db")
    person, terminal = pty.openpty()
    with Services(latency=30) as services:
        process = subprocess.Popen(
            start("search", "attention"), env=environment(tmp_path, {**services.environment, "TERM": "xterm"}),
            stdin=terminal, stdout=terminal, stderr=terminal, cwd=ROOT,
        )  # fmt: skip
        os.close(terminal)
        wait_until(lambda: bool(services.log))
        process.send_signal(signal.SIGINT)
        assert process.wait() == 130
    assert b"\x1b[" in os.read(person, 100_000)  # a line that is written over
    os.close(person)


def test_a_program_that_a_signal_ends_ends_so(tmp_path: Path) -> None:
    process = subprocess.Popen(forked("mcp"), env=environment(tmp_path), stdin=subprocess.PIPE, cwd=ROOT)
    process.kill()
    assert process.wait() == -signal.SIGKILL
    assert process.stdin
    process.stdin.close()
