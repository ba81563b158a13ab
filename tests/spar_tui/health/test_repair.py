"""`spar doctor --repair`: what it says and asks before it changes anything, and what it does then."""

import json
import sqlite3
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from cache import papers, shelf
from cache.backup_files import daily_name
from cache.backups import keep_daily
from cache.salvage.merging import tables_of
from cache.store import Store
from cache.version import VERSION
from spar_tui.health.repair import KINDS
from tests.cache.conftest import make_paper
from tests.spar_tui.in_process import spar
from tests.spar_tui.running import spar_answered

YESTERDAY = datetime.now().astimezone().date() - timedelta(days=1)


@pytest.fixture
def library(tmp_path: Path) -> Path:
    """A whole library of a person whose backup is of yesterday."""
    path = tmp_path / "spar" / "spar.db"
    with Store.open(path) as store:
        shelf.save(store, [make_paper(f"Early {n}", f"pmid:{n + 1}", abstract="words " * 900) for n in range(20)])
    keep_daily(path)
    backup = daily_name(path, YESTERDAY)
    daily_name(path, YESTERDAY + timedelta(days=1)).rename(backup)
    with Store.open(path) as store:
        found = [make_paper("Late", "pmid:900")]
        papers.remember(store, found)
        shelf.save(store, found)
    return path


@pytest.fixture
def damaged(library: Path) -> Path:
    """The same, with a page of early papers broken."""
    content = library.read_bytes()
    page = next(
        at
        for at in range(0, len(content), 4096)
        if b"Early 9" in content[at : at + 4096] and b"words " * 50 in content[at : at + 4096]
    )
    library.write_bytes(content[:page] + b"\xff" * 4096 + content[page + 4096 :])
    return library


def test_every_verb_names_the_damage_and_the_way_to_repair_it(damaged: Path, tmp_path: Path) -> None:
    ran = spar(tmp_path, "shelf")
    assert ran.returncode == 1
    assert "is damaged" in ran.stderr
    assert (
        f"`spar doctor --repair` makes a new one from what can still be read and the backup of {YESTERDAY}"
        in ran.stderr
    )
    assert "`spar doctor --repair`" in spar(tmp_path, "doctor", "--offline").stdout


def test_it_says_what_comes_from_where_and_does_what_it_says(damaged: Path, tmp_path: Path) -> None:
    before = damaged.read_bytes()
    ran = spar(tmp_path, "doctor", "--repair", "--yes")
    assert ran.returncode == 0, ran.stderr
    assert f"The library {damaged} is damaged" in ran.stderr
    assert f"The backup of {YESTERDAY} ({daily_name(damaged, YESTERDAY).name}) fills the gaps:" in ran.stderr
    table = {line[:22].strip(): line[22:].split() for line in ran.stderr.splitlines()}
    read, restored, unreadable = map(int, table["papers"])
    assert read + restored == 21
    assert restored > 0
    assert unreadable == 0
    assert table["saved papers"] == ["21", "0", "0"]
    [aside] = damaged.parent.glob("spar.db.damaged-*")
    assert ran.stdout == f"Repaired {damaged}. The damaged file is kept as {aside}.\n"
    assert aside.read_bytes() == before
    listed = json.loads(spar(tmp_path, "shelf", "--limit", "100", "--json").stdout)["papers"]
    assert {paper["title"] for paper in listed} == {"Late", *(f"Early {n}" for n in range(20))}
    again = spar(tmp_path, "doctor", "--repair")
    assert (again.returncode, again.stderr) == (0, "")
    assert "nothing to repair" in again.stdout


def test_without_a_terminal_nothing_is_done_unless_it_is_said_so(damaged: Path, tmp_path: Path) -> None:
    before = {file: file.read_bytes() for file in damaged.parent.iterdir()}
    ran = spar(tmp_path, "doctor", "--repair", stdin="yes\n")
    assert (ran.returncode, ran.stdout) == (2, "")
    assert "--yes answers yes" in ran.stderr
    assert damaged.read_bytes() == before[damaged]
    assert not list(damaged.parent.glob("*damaged*"))


@pytest.mark.parametrize(("reply", "repaired"), [("yes\n", True), ("no\n", False), ("\n", False)])
def test_on_a_terminal_it_is_asked_for_and_only_yes_means_yes(
    reply: str, repaired: bool, damaged: Path, tmp_path: Path
) -> None:
    before = damaged.read_bytes()
    asked, printed = spar_answered(tmp_path, reply, "doctor", "--repair")
    assert "is damaged" in asked
    assert (damaged.read_bytes() != before, "Repaired" in printed) == (repaired, repaired)
    assert bool(list(damaged.parent.glob("spar.db.damaged-*"))) == repaired


def test_what_was_done_is_told_to_scripts(damaged: Path, tmp_path: Path) -> None:
    ran = spar(tmp_path, "doctor", "--repair", "--yes", "--json")
    told = json.loads(ran.stdout)
    assert (told["repaired"], told["backup"]["date"]) == (True, YESTERDAY.isoformat())
    assert Path(told["damaged_file"]).exists()
    assert {"kind": "saved papers", "damaged_file": 21, "backup": 0, "unreadable": 0} in told["kinds"]
    assert (told["unused"], told["unused_file"]) == (0, None)


def test_a_whole_library_is_left_alone_and_called_whole(library: Path, tmp_path: Path) -> None:
    before = library.read_bytes()
    ran = spar(tmp_path, "doctor", "--repair", "--yes")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout == f"{library}: nothing to repair; every page was read and is intact.\n"
    assert library.read_bytes() == before
    assert json.loads(spar(tmp_path, "doctor", "--repair", "--json").stdout)["repaired"] is False


def test_a_library_that_is_not_there_is_not_called_whole(tmp_path: Path) -> None:
    told = spar(tmp_path, "doctor", "--repair", new=True).stdout
    assert "there is no database yet" in told
    assert "in order" not in told
    assert not (tmp_path / "spar" / "spar.db").exists()


def test_a_library_that_went_missing_is_told_of_its_backup(library: Path, tmp_path: Path) -> None:
    library.unlink()
    told = spar(tmp_path, "doctor", "--repair", new=True).stdout
    assert f"a backup of {YESTERDAY}, which can be copied there: {daily_name(library, YESTERDAY)}" in told


def test_a_library_of_a_newer_spar_is_refused(damaged: Path, tmp_path: Path) -> None:
    with damaged.open("r+b") as file:  # where the header of SQLite's file format keeps `user_version`
        file.seek(60)
        file.write((VERSION + 1).to_bytes(4, "big"))
    before = damaged.read_bytes()
    ran = spar(tmp_path, "doctor", "--repair", "--yes")
    assert (ran.returncode, ran.stdout) == (1, "")
    assert "Upgrade spar" in ran.stderr
    assert damaged.read_bytes() == before


def test_without_a_whole_backup_it_saves_what_can_be_read_and_keeps_what_belongs_nowhere(
    damaged: Path, tmp_path: Path
) -> None:
    daily_name(damaged, YESTERDAY).write_bytes(b"cut")
    ran = spar(tmp_path, "doctor", "--repair", "--yes", "--json")
    assert ran.returncode == 0, ran.stderr
    assert f"The backup {daily_name(damaged, YESTERDAY).name} was not used" in ran.stderr
    assert "There is no intact backup, so it has only what could be read:" in ran.stderr
    told = json.loads(ran.stdout)
    assert (told["backup"], told["unusable"]) == (None, [str(daily_name(damaged, YESTERDAY))])
    [papers_] = [row for row in told["kinds"] if row["kind"] == "papers"]
    assert 0 < papers_["unreadable"] == 21 - papers_["damaged_file"]
    lines = [json.loads(line) for line in Path(told["unused_file"]).read_text("utf-8").splitlines()]
    assert len(lines) == told["unused"]
    saved = [line for line in lines if line["table"] == "shelf"]
    assert len(saved) == papers_["unreadable"]
    assert {line["reason"] for line in saved} == {"its row of papers is missing"}


def test_a_file_of_something_else_is_left_alone(library: Path, tmp_path: Path) -> None:
    for file in library.parent.glob("spar.db*"):
        file.unlink()
    library.write_bytes(b"no library")
    ran = spar(tmp_path, "doctor", "--repair", "--yes")
    assert (ran.returncode, ran.stdout) == (1, "")
    assert "nothing in it can be read" in ran.stderr
    assert "`spar doctor --repair`; else move it away" in spar(tmp_path, "shelf").stderr
    assert library.read_bytes() == b"no library"


def test_yes_alone_is_wrong_usage(tmp_path: Path) -> None:
    assert spar(tmp_path, "doctor", "--yes").returncode == 2


def test_every_table_that_is_saved_belongs_to_a_kind(library: Path) -> None:
    with closing(sqlite3.connect(library)) as db:
        saved = [table.name for table in tables_of(db, {}) if table.kept]
    assert sorted(saved) == sorted(name for tables in KINDS.values() for name in tables)
