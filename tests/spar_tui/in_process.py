"""`spar` as its console script runs it, in this process, which spares the second that a new one takes."""

import io
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from cache.readable_rows import take_passed_over
from spar_tui.__main__ import main
from tests.library import copied
from tests.spar_tui.running import environment


def spar(
    home: Path, *arguments: str, more: Mapping[str, str] | None = None, stdin: str = "", new: bool = False
) -> subprocess.CompletedProcess[str]:
    """What `spar` with `arguments` prints, and its exit code; sources are out of reach unless `more` says where. Unless
    it is `new`, there is an empty library."""
    if not new:
        copied(home / "spar" / "spar.db")
    take_passed_over()  # a new process has passed over nothing
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    variables = environment(home, more)  # before any is taken away: it keeps some
    with pytest.MonkeyPatch.context() as patch:
        for name in list(os.environ):
            patch.delenv(name)
        for name, value in variables.items():
            patch.setenv(name, value)
        patch.setattr(sys, "argv", ["spar", *arguments])
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode()), "utf-8"))
        patch.setattr(sys, "stdout", out)
        patch.setattr(sys, "stderr", err)
        with pytest.raises(SystemExit) as ended:
            main()
    said, told = (stream.buffer.getvalue().decode() for stream in (out, err))
    return subprocess.CompletedProcess(["spar", *arguments], int(ended.value.code or 0), said, told)


def answer(home: Path, *arguments: str, more: Mapping[str, str] | None = None) -> Any:
    """The object that `spar … --json` prints."""
    ran = spar(home, *arguments, "--json", more=more)
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)
