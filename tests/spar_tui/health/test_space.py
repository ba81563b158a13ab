"""`spar doctor` says what takes room in the library, and gives back what is unused when it is asked to."""

import re
from datetime import date, datetime, timedelta
from pathlib import Path

import pytest

from cache import papers
from cache.backup_files import daily_name
from cache.backups import keep_daily, lock_of, only_one
from cache.store import Store
from spar_tui.health.space import backups_told, space_told
from tests.cache.conftest import make_paper
from tests.kept_runs import unpacked
from tests.spar_tui.in_process import answer, spar


def test_the_parts_are_named_by_size_and_add_up_to_the_file(tmp_path: Path) -> None:
    path = unpacked(tmp_path) / "spar" / "spar.db"
    keep_daily(path)
    with Store.open(path) as store:
        told = space_told(store)
    sizes = [float(size) for size in re.findall(r"([\d.]+) MB", told.sentence)]
    *parts, backups = sizes
    assert told.sentence.startswith("searches and other runs ")
    assert parts == sorted(parts, reverse=True)
    assert abs(sum(parts) - path.stat().st_size / 1e6) < 0.1 * len(parts)
    assert backups > 0
    assert told.sentence.endswith("`spar history forget RUN` removes a run.")


def test_compacting_says_how_large_the_library_was_and_is(tmp_path: Path) -> None:
    path = unpacked(tmp_path) / "spar" / "spar.db"
    told = answer(tmp_path, "doctor", "--compact")
    assert told == {"database": str(path), "bytes_before": told["bytes_before"], "bytes": path.stat().st_size}
    assert told["bytes"] < told["bytes_before"] / 2
    assert re.fullmatch(rf"{path}: [\d.]+ MB before, [\d.]+ MB now\.\n", spar(tmp_path, "doctor", "--compact").stdout)
    assert spar(tmp_path, "doctor", "--compact", "--repair").returncode == 2


def today() -> date:
    """The day now, which can change while other tests run."""
    return datetime.now().astimezone().date()


@pytest.fixture
def library(tmp_path: Path) -> Path:
    path = tmp_path / "library.db"
    with Store.open(path) as store:
        papers.remember(store, [make_paper("Kept", "pmid:1")])
    return path


def test_the_newest_is_named_with_its_date_and_made_where_it_was_due(library: Path) -> None:
    told = backups_told(library)
    assert told.state == "ok"
    assert f"from {today()}: library.db.{today()}.bak, in {library.parent}" in told.sentence
    assert "made and checked just now" in told.sentence
    assert daily_name(library, today()).exists()
    again = backups_told(library)
    assert again.state == "ok"
    assert "just now" not in again.sentence


def test_older_ones_are_counted(library: Path) -> None:
    for ago in (1, 2):
        daily_name(library, today() - timedelta(days=ago)).touch()
    assert "(and 2 older ones)" in backups_told(library).sentence


def test_since_when_there_has_been_none_is_told_with_the_reason(library: Path) -> None:
    week_ago = today() - timedelta(days=7)
    daily_name(library, week_ago).touch()
    lock_of(library).mkdir()
    told = backups_told(library)
    assert told.state == "problem"
    assert told.sentence.startswith(f"none since {week_ago} (library.db.{week_ago}.bak). The library")
    assert "Is a directory" in told.sentence


def test_where_there_never_was_one_it_is_said_so(library: Path) -> None:
    lock_of(library).mkdir()
    assert backups_told(library).sentence.startswith("there is none. The library")


def test_an_empty_library_has_nothing_to_back_up(tmp_path: Path) -> None:
    Store.open(tmp_path / "library.db").close()
    told = backups_told(tmp_path / "library.db")
    assert told.state == "note"
    assert "no papers and no searches" in told.sentence


def test_one_that_is_being_made_is_not_called_missing(library: Path) -> None:
    keep_daily(library)
    daily_name(library, today()).rename(daily_name(library, today() - timedelta(days=1)))
    with only_one(library):
        told = backups_told(library)
    assert told.state == "ok"
    assert f"from {today() - timedelta(days=1)}" in told.sentence
    assert "another spar" in told.sentence
