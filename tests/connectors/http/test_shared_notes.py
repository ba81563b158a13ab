"""The folder in which processes keep their notes together, and what becomes of it where it cannot be used."""

import stat
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from connectors.errors import RateLimited
from connectors.http.rate_limiter import SharedNotes, why_unusable
from tests.connectors.http.test_client import ask
from tests.connectors.http.wired import with_http
from tests.services import Fault, Services

_HOLDING = """
import sys, time
from pathlib import Path
from connectors.http.rate_limiter import SharedNotes
notes = SharedNotes(Path(sys.argv[1]))
assert notes.take(0)
def hold(pace):
    print("held", flush=True)
    time.sleep(600)
notes.change(hold)
"""


def test_the_folder_is_made_for_its_owner_alone(tmp_path: Path) -> None:
    folder = tmp_path / "state" / "gates"
    assert why_unusable(folder) == ""
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_a_folder_that_others_can_read_is_closed_to_them(tmp_path: Path) -> None:
    (tmp_path / "gates").mkdir(mode=0o755)
    assert why_unusable(tmp_path / "gates") == ""
    assert stat.S_IMODE((tmp_path / "gates").stat().st_mode) == 0o700


def test_a_folder_that_cannot_be_is_named_with_its_reason(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "link").symlink_to(tmp_path)
    assert why_unusable(tmp_path / "file" / "gates") == "Not a directory"
    assert why_unusable(tmp_path / "file") == "File exists"
    assert why_unusable(tmp_path / "link") == "it is no folder"


def test_what_one_notes_another_reads(tmp_path: Path) -> None:
    SharedNotes(tmp_path / "a.json").change(lambda pace: replace(pace, next_start=5.0))
    assert SharedNotes(tmp_path / "a.json").read().next_start == 5.0


def test_a_killed_process_leaves_no_lock(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    holder = subprocess.Popen([sys.executable, "-c", _HOLDING, str(path)], stdout=subprocess.PIPE, text=True)
    assert holder.stdout is not None
    assert holder.stdout.readline() == "held\n"
    notes = SharedNotes(path)
    assert not notes.take(0)
    holder.kill()
    holder.communicate()
    assert notes.take(0)
    notes.give_back(0)
    notes.change(lambda pace: replace(pace, next_start=5.0))
    assert notes.read().next_start == 5.0


def test_without_a_folder_a_process_keeps_to_what_it_was_told_itself(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with Services(faults=[Fault("429", value="3600")]) as services:
        for _ in range(3):
            with pytest.raises(RateLimited):
                with_http(ask, services.url("openalex"), tmp_path / "file")
        assert len(services.log) == 1


def test_without_a_folder_requests_keep_their_number_under_way(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    notes, others = SharedNotes(tmp_path / "file" / "a.json"), SharedNotes(tmp_path / "file" / "a.json")
    assert notes.take(0)
    assert not others.take(0)
    notes.give_back(0)
    assert others.take(0)
