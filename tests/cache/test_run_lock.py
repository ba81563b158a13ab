"""A run is carried on by one process at a time, and by nobody once that process is gone."""

import subprocess
import sys
from pathlib import Path

import pytest

from cache.run_lock import RunLock, is_carried_on
from tests.spar_tui.running import wait_until

ROOT = Path(__file__).parents[2]
RUN = "20261121-0941-k3f2"
_HOLD = """
import sys
from pathlib import Path
from cache.run_lock import RunLock
lock = RunLock(Path(sys.argv[1]), sys.argv[2])
print(lock.take(), flush=True)
sys.stdin.read()
"""


@pytest.fixture
def library(tmp_path: Path) -> Path:
    return tmp_path / "spar.db"


def test_a_run_is_carried_on_while_its_lock_is_held(library: Path) -> None:
    lock, other = RunLock(library, RUN), RunLock(library, RUN)
    assert not is_carried_on(library, RUN)
    assert lock.take()
    assert lock.take()
    assert is_carried_on(library, RUN)
    assert not is_carried_on(library, "another")
    assert not other.take()
    lock.free()
    assert not is_carried_on(library, RUN)
    assert other.take()
    other.free()
    assert list(library.parent.rglob("*.lock")) == []


def test_a_killed_process_carries_nothing_on(library: Path) -> None:
    command = [sys.executable, "-c", _HOLD, str(library), RUN]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "True\n"
        assert is_carried_on(library, RUN)
        assert not RunLock(library, RUN).take()
        process.kill()
    wait_until(lambda: not is_carried_on(library, RUN))
    assert list(library.parent.rglob("*.lock")) == []


def test_where_no_file_can_be_locked_everybody_may_carry_a_run_on(tmp_path: Path) -> None:
    (tmp_path / "spar.db.running").write_text("in the way")
    lock = RunLock(tmp_path / "spar.db", RUN)
    assert lock.take()
    assert not is_carried_on(tmp_path / "spar.db", RUN)
    lock.free()
