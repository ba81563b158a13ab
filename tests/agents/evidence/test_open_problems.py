"""Sentences that name what is not known yet."""

from hypothesis import given
from hypothesis import strategies as st

from agents.evidence.open_problems import open_problem
from tests.rows import each


@each(
    ("text", "named"),
    [
        ("We prune tokens. How far pruning can go without loss remains an open question.", True),
        ("Further research is needed on languages other than English.", True),
        ("The mechanism behind the effect is poorly understood in older adults.", True),
        ("We release an open source index that everybody can use today.", False),
        ("The remaining tokens are pruned by their weights in the index.", False),
        ("It remains open.", False),
        ("How robust such detectors are remains unclear so far. We show that they are not robust at all.", False),
    ],
)
def test_a_sentence_that_names_an_open_problem_is_found_and_no_other(text: str, named: bool) -> None:
    assert bool(open_problem(text)) == named


@given(st.text(max_size=200))
def test_what_is_found_stands_in_the_text(text: str) -> None:
    assert open_problem(f"{text} It remains unclear whether this holds for every other text.") in (
        f"{text} It remains unclear whether this holds for every other text."
    )
