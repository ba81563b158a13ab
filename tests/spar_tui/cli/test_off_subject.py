"""What a person is told when no paper at hand is about the question."""

from pathlib import Path

import pytest

from tests.spar_tui.in_process import answer, spar

QUESTION = "does coffee reduce sleep quality?"


def test_a_question_that_no_paper_is_about_says_so_and_shows_the_nearest(tmp_path: Path) -> None:
    """Papers were found and are printed, so the exit code is 0; 3 means that there is nothing to print."""
    ran = spar(tmp_path, "search", QUESTION, "--offline")
    assert ran.returncode == 0
    assert ran.stdout.startswith("No relevant paper found. Closest matches:\n  1. ")
    assert "spar: no relevant paper found; listed are the closest matches." in ran.stderr
    assert " 0 judged relevant" in ran.stderr


def test_an_object_says_so_by_its_counts_and_relevances(tmp_path: Path) -> None:
    found = answer(tmp_path, "search", QUESTION, "--offline")
    assert found["counts"]["kept"] == 0
    assert found["papers"]
    assert all(paper["relevance"] < 0.25 for paper in found["papers"])


def test_where_something_is_relevant_nothing_of_the_kind_is_said(tmp_path: Path) -> None:
    assert "no relevant paper found" not in spar(tmp_path, "search", "variational autoencoders", "--offline").stderr


@pytest.mark.parametrize("flags", [("--facets", "--no-evolution"), ("--resume", "last", "--no-facets")])
def test_facets_cannot_be_asked_for_where_no_query_may_evolve_nor_changed_later(
    flags: tuple[str, ...], tmp_path: Path
) -> None:
    question = [] if "--resume" in flags else [QUESTION]
    ran = spar(tmp_path, "search", *question, "--offline", *flags)
    assert ran.returncode == 2
    assert "facets" in ran.stderr


def test_papers_that_are_not_relevant_give_no_further_query(tmp_path: Path) -> None:
    ran = spar(tmp_path, "search", "trade guilds in medieval Florence since 1300", "--offline")
    left_out = "no references were followed and no further queries were sent"
    assert f"spar: No relevant paper found, so {left_out}." in ran.stderr
    assert "round 2" not in spar(tmp_path, "log", "last").stdout
