"""What a person is told when no paper at hand is about the question."""

from dataclasses import replace
from pathlib import Path

import pytest

from connectors.paper import Paper
from connectors.records.merging import merge
from spar_tui.cli.listing import paper_page
from spar_tui.phrases import CONCERN
from spar_tui.terminal import Style
from spar_tui.tui.widgets.paper_page import title
from tests.agents.scripted import paper
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


TOLD = paper("Coffee and sleep", "10.1000/coffee", source="pubmed", keywords=["Sleep", "Behavior, Animal"])


def line(label: str, shown: Paper) -> str | None:
    """What stands behind `label` on the page of a paper; None where there is no such line."""
    found = [one for one in paper_page(shown, Style()) if one.startswith(f"{label} ")]
    assert len(found) <= 1
    return found[0].removeprefix(label).strip() if found else None


def test_the_keywords_of_a_paper_are_one_line_of_its_page() -> None:
    assert line("keywords", TOLD) == "Sleep · Behavior, Animal"


def test_a_paper_of_which_no_source_told_keywords_has_no_such_line() -> None:
    assert line("keywords", paper("Coffee and sleep", "10.1000/coffee", source="google")) is None


def test_an_expression_of_concern_is_told_on_the_page_in_the_terminal_and_in_the_app() -> None:
    assert line("concern", TOLD) is None
    worried = replace(TOLD, concern=True)
    assert line("concern", worried) == CONCERN
    assert CONCERN in title(worried).plain
    assert CONCERN not in title(TOLD).plain


def test_a_source_of_which_nothing_but_keywords_is_shown_is_named() -> None:
    shown = merge(TOLD, paper("Coffee and sleep", "10.1000/coffee", source="semanticscholar", keywords=["Medicine"]))
    assert {entry.source for entry in shown.provenance} == {"pubmed"}
    assert line("sources", shown) == "pubmed, semanticscholar"
