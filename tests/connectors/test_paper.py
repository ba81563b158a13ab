"""What is said of a paper in a line."""

import pytest

from connectors.paper import Author, Paper, all_authors, short_authors

ONE, TWO, THREE, FOUR = (Author(name, name[0]) for name in ("One", "Two", "Three", "Four"))


@pytest.mark.parametrize(
    ("paper", "short", "whole"),
    [
        (Paper("T", authors=(ONE, TWO)), "O One, T Two", "O One, T Two"),
        (Paper("T", authors=(ONE,), et_al=True), "O One et al.", "O One et al."),
        (Paper("T", authors=(ONE, TWO, THREE, FOUR)), "O One et al. (4)", "O One, T Two, T Three and 1 more"),
        (
            Paper("T", authors=(ONE, TWO, THREE, FOUR), et_al=True),
            "O One et al. (more than 4)",
            "O One, T Two, T Three et al.",
        ),
        (Paper("T", et_al=True), "", ""),
    ],
)
def test_a_list_of_authors_never_names_fewer_than_there_are(paper: Paper, short: str, whole: str) -> None:
    assert short_authors(paper) == short
    assert all_authors(paper, 3) == whole
