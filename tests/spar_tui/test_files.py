"""Files are written whole or not at all."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from random import Random

import pytest

from spar_tui import files
from spar_tui.errors import Failure, UsageError
from spar_tui.files import locked, read_old, replace_file


def test_a_file_gets_its_new_bytes_and_keeps_its_mode(tmp_path: Path) -> None:
    file = tmp_path / "refs.bib"
    file.write_bytes(b"old")
    file.chmod(0o640)
    replace_file(file, b"new", b"old")
    assert file.read_bytes() == b"new"
    assert file.stat().st_mode & 0o777 == 0o640
    assert [one.name for one in tmp_path.iterdir()] == ["refs.bib"]


def test_what_a_killed_process_left_is_cleared_away_and_nothing_else_is(tmp_path: Path) -> None:
    for name in ("refs.bib", ".refs.bib.abc.spar-new", ".refs.bib.swp", ".other.bib.abc.spar-new"):
        (tmp_path / name).write_bytes(b"old")
    replace_file(tmp_path / "refs.bib", b"new", b"old")
    assert sorted(one.name for one in tmp_path.iterdir()) == [".other.bib.abc.spar-new", ".refs.bib.swp", "refs.bib"]


def test_a_link_is_followed_and_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real.bib").write_bytes(b"old")
    link = tmp_path / "link.bib"
    link.symlink_to("real.bib")
    replace_file(link, b"new", b"old")
    assert link.is_symlink()
    assert (tmp_path / "real.bib").read_bytes() == b"new"


def test_a_file_that_was_changed_meanwhile_is_left_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "refs.bib"
    file.write_bytes(b"somebody else's")
    with pytest.raises(Failure, match="another program changed"):
        replace_file(file, b"new", b"old")
    assert file.read_bytes() == b"somebody else's"
    assert len(list(tmp_path.iterdir())) == 1


def test_a_file_that_has_appeared_meanwhile_is_left_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "refs.bib"
    file.write_bytes(b"here first")
    with pytest.raises(Failure):
        replace_file(file, b"new", None)
    assert file.read_bytes() == b"here first"


def test_a_read_only_file_is_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "refs.bib"
    file.write_bytes(b"old")
    file.chmod(0o444)
    if os.geteuid() == 0:  # who may write everything
        monkeypatch.setattr(os, "access", lambda path, mode: bool(Path(path).stat().st_mode & 0o222))
    with pytest.raises(Failure, match="read-only"):
        replace_file(file, b"new", b"old")
    assert file.read_bytes() == b"old"


def test_what_is_no_file_is_refused_in_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UsageError, match="is a folder"):
        read_old(tmp_path)
    with pytest.raises(UsageError, match="not a regular file"):
        read_old(Path(os.devnull))
    with pytest.raises(Failure, match="cannot be written"):
        replace_file(tmp_path / "nowhere" / "refs.bib", b"new", None)
    monkeypatch.setattr(files, "LARGEST", 3)
    (tmp_path / "large.bib").write_bytes(b"long")
    with pytest.raises(UsageError, match="4 bytes"):
        read_old(tmp_path / "large.bib")


def test_links_that_form_a_circle_are_refused_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "one.bib").symlink_to(tmp_path / "two.bib")
    (tmp_path / "two.bib").symlink_to(tmp_path / "one.bib")
    with pytest.raises(UsageError, match="circle"):
        replace_file(tmp_path / "one.bib", b"new", None)


def test_two_who_write_the_same_file_take_turns(tmp_path: Path) -> None:
    file, order = tmp_path / "refs.bib", list[str]()

    def write(name: str) -> None:
        with locked(file, tmp_path / "locks"):
            order.append(f"{name} begins")
            time.sleep(0.05)
            order.append(f"{name} ends")

    threads = [threading.Thread(target=write, args=(name,)) for name in ("one", "two", "three")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(order[place].split()[0] == order[place + 1].split()[0] for place in (0, 2, 4))


WRITER = """
import sys
from pathlib import Path
from spar_tui.files import replace_file
file, old = Path(sys.argv[1]), Path(sys.argv[1]).read_bytes()
print("ready", flush=True)
while True:
    new = b"B" * 4_000_000 if old[:1] == b"A" else b"A" * 4_000_000
    replace_file(file, new, old)
    old = new
"""


def test_a_process_that_is_killed_leaves_the_old_file_or_the_new_one(tmp_path: Path) -> None:
    file, dice = tmp_path / "refs.bib", Random(1)
    file.write_bytes(b"A" * 4_000_000)
    for _ in range(4):
        process = subprocess.Popen([sys.executable, "-c", WRITER, str(file)], stdout=subprocess.PIPE,
                                   cwd=Path(__file__).parents[3])  # fmt: skip
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(dice.uniform(0.0, 0.1))
        process.send_signal(signal.SIGKILL)
        process.wait()
        process.stdout.close()
        found = file.read_bytes()
        assert found in (b"A" * 4_000_000, b"B" * 4_000_000)
