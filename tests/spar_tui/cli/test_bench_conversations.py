"""`spar bench --converse` as a person or a script runs it."""

from pathlib import Path

import pytest

from agents.bench.conversing.report import NO_MODEL
from tests.agents.bench.conversing import reefs
from tests.agents.bench.test_recommending import written
from tests.spar_tui.in_process import answer, spar


@pytest.fixture
def libraries(tmp_path: Path) -> str:
    (tmp_path / "reefs").mkdir()
    return str(written(tmp_path / "reefs"))


def test_people_are_measured_by_conversations_and_single_requests(libraries: str, tmp_path: Path) -> None:
    command = ("bench", libraries, "--converse", "--queries", "2", "--seed", "4")
    told = answer(tmp_path, *command)
    assert (told["collection"], told["people"]) == ("reefs", 2)
    assert list(told["tasks"]) == ["dialog", "retrieval", "ranking"]
    assert told == answer(tmp_path, *command)


def test_questions_are_measured_by_single_requests(tmp_path: Path) -> None:
    told = answer(tmp_path, "bench", str(reefs.write(tmp_path / "reefs")), "--converse", "--arms", "bm25")
    assert told["questions"] == 2
    assert {task: list(found["arms"]) for task, found in told["tasks"].items()} == {
        "retrieval": ["spar", "bm25"], "ranking": ["spar", "bm25"]
    }  # fmt: skip


def test_the_table_says_what_was_not_measured(libraries: str, tmp_path: Path) -> None:
    ran = spar(tmp_path, "bench", libraries, "--converse", "--queries", "1")
    assert ran.returncode == 0
    assert ran.stdout.startswith("reefs · 1 person · half: all\n")
    assert ran.stdout.endswith(f"{NO_MODEL}\n")


@pytest.mark.parametrize(
    ("flags", "complaint"),
    [
        (["--converse", "--recommend"], "--converse goes without"),
        (["--converse", "--live"], "--converse goes without"),
        (["--converse", "--judge", "perfect"], "--converse goes without"),
        (["--converse", "--history", "3"], "--converse goes without"),
        (["--converse", "--arms", "arag"], "--arms 'arag' cannot be measured here"),
    ],
)
def test_flags_that_do_not_go_together_are_refused(
    libraries: str, tmp_path: Path, flags: list[str], complaint: str
) -> None:
    ran = spar(tmp_path, "bench", libraries, *flags)
    assert ran.returncode == 2
    assert complaint in ran.stderr


def test_a_folder_without_documents_is_named(tmp_path: Path) -> None:
    ran = spar(tmp_path, "bench", str(tmp_path), "--converse")
    assert ran.returncode == 2
    assert "is no collection" in ran.stderr
