"""Processes of their own, with what they used. Memory is that of the process alone: it is begun by a small interpreter,
for a new process is counted with what the one that began it held."""

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from tests.spar_tui.running import command, environment

ROOT = Path(__file__).parents[3]
_SMALL = """
import json, os, subprocess, sys, time
began = time.perf_counter()
process = subprocess.Popen(sys.argv[1:], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
_, status, used = os.wait4(process.pid, 0)
print(json.dumps([os.waitstatus_to_exitcode(status), used.ru_utime + used.ru_stime, time.perf_counter() - began,
                  used.ru_maxrss / 1024]))
"""


class Used(NamedTuple):
    """Seconds of the processor and by the clock, and the megabytes that were held at most."""

    processor: float
    clock: float
    megabytes: float


def ran(program: Sequence[str], home: Path) -> Used:
    """Run it to its end, which must be a good one."""
    small = subprocess.run([sys.executable, "-S", "-c", _SMALL, *program], env=environment(home), capture_output=True,
                           text=True, check=True, cwd=ROOT)  # fmt: skip
    code, *used = json.loads(small.stdout)
    assert code == 0, (program, code)
    return Used(*used)


def spar(home: Path, *arguments: str) -> Used:
    """`spar` with `arguments`; no source is within reach."""
    return ran(command(*arguments), home)


def python(home: Path, script: str) -> Used:
    """A script of its own."""
    return ran([sys.executable, "-c", script], home)
