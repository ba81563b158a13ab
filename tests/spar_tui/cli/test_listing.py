"""What is printed of a paper."""

from dataclasses import replace

from connectors.paper import Paper
from connectors.records.merging import merge
from spar_tui.cli.listing import paper_page
from spar_tui.phrases import CONCERN
from spar_tui.terminal import Style
from spar_tui.tui.widgets.paper_page import title
from tests.agents.scripted import paper

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
