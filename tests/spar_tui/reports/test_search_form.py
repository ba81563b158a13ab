"""What a person writes into the form of a report is kept as they wrote it, item by item."""

from hypothesis import given
from hypothesis import strategies as st

from spar_tui.reports.search_form import FIELDS, answers_in, form_text, missing_headings

lines = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=20).map(lambda text: f"x{text}")
answers = st.dictionaries(st.sampled_from(sorted(FIELDS)), st.lists(lines, min_size=1, max_size=3).map("\n".join))


@given(answers)
def test_a_form_that_nobody_changes_says_the_same(before: dict[int, str]) -> None:
    assert answers_in(form_text("20261126-1000-abcd", "a question", before)) == before


def test_a_form_without_a_heading_is_told_from_a_whole_one() -> None:
    form = form_text("run", "a question", {4: "by hand", 6: "the makers"})
    assert missing_headings(form) == []
    assert missing_headings("\n".join(line for line in form.splitlines() if not line.startswith("[6]"))) == [6]
    assert missing_headings("") == list(FIELDS)


def test_an_empty_form_answers_nothing() -> None:
    assert answers_in(form_text("run", "[3] a question\n[4] that looks like a form", {})) == {}


def test_what_stands_before_the_first_heading_or_below_an_unknown_one_is_no_answer_of_its_own() -> None:
    assert answers_in("hello\n[3] Registries: which?\nClinicalTrials.gov\n[99] is a note\n") == {
        3: "ClinicalTrials.gov\n[99] is a note"
    }
