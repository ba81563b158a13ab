"""`spar bench --recommend` as a person or a script runs it."""

from pathlib import Path

import pytest

from agents.bench.recommending.report import NO_TIME
from agents.bench.recommending.systems import SYSTEMS
from tests.agents.bench import tiny
from tests.agents.bench.test_recommending import written
from tests.spar_tui.in_process import answer, spar


@pytest.fixture
def libraries(tmp_path: Path) -> str:
    (tmp_path / "reefs").mkdir()
    return str(written(tmp_path / "reefs"))


def test_every_way_is_measured_for_every_history(libraries: str, tmp_path: Path) -> None:
    told = answer(tmp_path, "bench", libraries, "--recommend", "--history", "1,all", "--tag-free")
    assert (told["collection"], told["people"], told["tag_free"]) == ("reefs", 3, True)
    assert [one["history"] for one in told["histories"]] == [1, "all"]
    assert all(set(one["arms"]) == set(SYSTEMS) for one in told["histories"])


def test_the_same_command_measures_the_same_again(libraries: str, tmp_path: Path) -> None:
    command = ("bench", libraries, "--recommend", "--queries", "2", "--history", "2", "--seed", "4")
    told = answer(tmp_path, *command)
    assert told["people"] == 2
    assert told == answer(tmp_path, *command)


def test_arms_are_chosen_and_vanilla_is_always_beside_them(libraries: str, tmp_path: Path) -> None:
    told = answer(tmp_path, "bench", libraries, "--recommend", "--arms", "arag")
    assert list(told["histories"][0]["arms"]) == ["arag", "vanilla"]


def test_the_table_says_that_libraries_have_no_order_of_time(libraries: str, tmp_path: Path) -> None:
    ran = spar(tmp_path, "bench", libraries, "--recommend")
    assert ran.returncode == 0
    assert ran.stdout.startswith("reefs · 3 people · half: all\n\nwhole library known ")
    assert ran.stdout.endswith(f"{NO_TIME}\n")


@pytest.mark.parametrize(
    ("flags", "complaint"),
    [
        (["--recommend", "--history", "0"], "--history '0' is no number of papers"),
        (["--recommend", "--history", "some"], "--history 'some' is no number of papers"),
        (["--recommend", "--arms", "bm25"], "--arms 'bm25' cannot be measured here"),
        (["--recommend", "--live"], "--recommend goes without --live"),
        (["--recommend", "--judge", "perfect"], "--recommend goes without --live, --summary and --judge"),
        (["--history", "3"], "--history and --tag-free go with --recommend only"),
        (["--tag-free"], "--history and --tag-free go with --recommend only"),
    ],
)
def test_flags_that_do_not_go_together_are_refused(
    libraries: str, tmp_path: Path, flags: list[str], complaint: str
) -> None:
    ran = spar(tmp_path, "bench", libraries, *flags)
    assert ran.returncode == 2
    assert complaint in ran.stderr


def test_a_collection_without_libraries_is_named(tmp_path: Path) -> None:
    ran = spar(tmp_path, "bench", str(tiny.write(tmp_path / "atolls")), "--recommend")
    assert ran.returncode == 2
    assert "holds no libraries of people" in ran.stderr
