"""How well bibliographies are read: known works set in the styles of the field, read back and compared."""

from collections import Counter
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.pdf.entries import entries, works_of
from connectors.pdf.layout import legible
from connectors.records.matching import title_key
from tests.connectors.pdf.bibliographies import SETTINGS, Setting, lines_of
from tests.connectors.pdf.known_works import BUILT_ON, HELD_OUT
from tests.connectors.pdf.measuring import counts, shares
from tests.rows import each

SHARED = Path(__file__).parents[4] / "shared"
FLOOR = {"entries": 99.0, "title": 97.0, "author": 98.0, "year": 99.0, "identifiers": 99.0}


@cache
def counts_in(setting: Setting, held_out: bool) -> Counter[str]:
    """How the works are read in this setting; computed once for the tests of each and of all."""
    works = HELD_OUT if held_out else BUILT_ON
    return counts(works, works_of(lines_of(works, setting)))


@each("setting", SETTINGS, ids=lambda one: f"{one.style}{one.hang and ' hanging'}{' gaps' * one.gaps}")
def test_a_bibliography_in_a_style_of_the_field_is_read_whole(setting: Setting) -> None:
    """Nineteen entries in twenty of every style are found with the right title, and nothing is made up."""
    for held_out in (False, True):
        got = shares([counts_in(setting, held_out)])
        assert got["entries"] >= 97, got
        assert got["title"] >= 90, got
        assert got["extra"] == 0, got


def test_works_that_no_one_looked_at_before_are_read_as_well_as_the_others() -> None:
    """Over all styles, entries and their parts are right in nearly every case, for works held out too."""
    for held_out in (False, True):
        got = shares([counts_in(setting, held_out) for setting in SETTINGS])
        assert {kind: got[kind] for kind, floor in FLOOR.items() if got[kind] < floor} == {}


def test_a_second_list_of_references_is_read_too() -> None:
    first = lines_of(BUILT_ON[:6], Setting("ieee", True))
    second = [
        line.replace("References", "Supplementary References") for line in lines_of(HELD_OUT[:6], Setting("acl", False))
    ]
    titles = {title_key(work.title) for work in works_of([*first, *second])}
    assert {title_key(work.title) for work in (*BUILT_ON[:6], *HELD_OUT[:6])} <= titles


def test_references_without_a_heading_are_found_by_their_numbers() -> None:
    lines = [line for line in lines_of(BUILT_ON, Setting("ieee", True)) if line != "References"]
    assert shares([counts(BUILT_ON, works_of(lines))])["entries"] >= 95


def test_a_text_without_references_has_none() -> None:
    assert works_of(["Introduction", "In 2020 Smith et al. (2019) showed this.", "It was [1] good."]) == ()


@given(st.lists(st.text(max_size=90), max_size=60))
def test_any_lines_at_all_are_read_without_an_error(lines: list[str]) -> None:
    works_of(["References", *lines])


_PIECES = st.sampled_from(
    ["[1]", "[2]", "3.", "Smith, J.", "and", "A. Doe", "(2019).", "Deep learning.", "In Proc.", "", "  ", "12(3):4–5",
     "2020.", "10.1000/abc.", "arXiv:2004.04906", "—", "“", ":", "et al.", "References", "Appendix", "https://a.example/"]
)  # fmt: skip


@given(st.lists(st.lists(_PIECES, max_size=8).map(" ".join), max_size=50))
def test_entries_never_overlap(lines: list[str]) -> None:
    """Whatever stands in a list, an entry is a run of its lines that no other entry has."""
    spans = entries(lines)
    assert all(0 <= start < end <= len(lines) for start, end in spans)
    assert all(one[1] <= other[0] for one, other in pairwise(spans))


@pytest.mark.skipif(not SHARED.exists(), reason="the shared papers are not here")
@pytest.mark.parametrize(("paper", "entries_in_it"), [("spar", 27), ("arag", 18), ("interecagent", 56)])
def test_the_bibliographies_of_real_papers_are_found_whole(paper: str, entries_in_it: int) -> None:
    lines = [legible(line) for line in (SHARED / "papers" / f"{paper}.txt").read_text("utf-8").splitlines()]
    works = works_of(lines)
    assert len(works) == entries_in_it
    assert all(work.title and work.first_author and work.year for work in works)
