"""`pytest --workers` reports what pytest reports, and what becomes of the processes that run the tests."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
FILES = {
    "test_good.py": "def test_a(tmp_path): pass\ndef test_b(tmp_path): assert not list(tmp_path.iterdir())\n",
    "test_bad.py": "def test_c(): pass\ndef test_d():\n    print(6 * 7)\n    assert 1 == 2\n",
    "test_dead.py": "import os\ndef test_e(): os._exit(7)\ndef test_f(): pass\n",
    "test_error.py": "import pytest\n@pytest.fixture\ndef broken(): raise OSError\ndef test_g(broken): pass\n",
}


def run(folder: Path, *options: str) -> tuple[dict[str, str], str]:
    """How each of the tests in `FILES` went, and all that pytest says."""
    for name, text in FILES.items():
        (folder / name).write_text(text)
    (folder / "pytest.ini").write_text("[pytest]\n")
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "tests.workers", "-p", "no:cacheprovider", "--rootdir", folder, "-rA",
            *options, folder],
        capture_output=True, text=True, cwd=ROOT,
    )  # fmt: skip
    return {
        name: how for how, name in re.findall(r"^(PASSED|FAILED|ERROR) \S+::(test_\w)", ran.stdout, re.M)
    }, ran.stdout


def test_tests_go_as_in_one_process_and_a_process_that_dies_fails_one_test(tmp_path: Path) -> None:
    went, said = run(tmp_path, "--workers", "2")
    assert went == {
        "test_a": "PASSED", "test_b": "PASSED", "test_c": "PASSED", "test_d": "FAILED", "test_e": "FAILED",
        "test_f": "PASSED", "test_g": "ERROR",
    }  # fmt: skip
    assert "ended with exit code 7" in said
    assert "\n42\n" in said
    assert "2 failed, 4 passed, 1 error" in said


def test_no_test_begins_after_as_many_failures_as_were_allowed(tmp_path: Path) -> None:
    went, said = run(tmp_path, "--workers", "1", "-x")
    assert "stopping after 1 failures" in said
    assert list(went.values()).count("FAILED") == 1
    assert len(went) < 7
