"""Which groups of a history are subjects, each with a place among the first."""

import pytest

from agents.builtin.taste.tokens import LEAST_SHARE, weighty


@pytest.mark.parametrize(
    ("groups", "subjects"),
    [
        ([[1, 2, 3], [4, 5, 6]], [[1, 2, 3], [4, 5, 6]]),
        ([[1, 2, 3, 4, 5], [6]], [[1, 2, 3, 4, 5]]),
        ([[1, 2, 3], [4], [5]], [[1, 2, 3], [4, 5]]),
        ([[1, 2, 3, 4, 5, 6, 7, 8], [9], [10]], [[1, 2, 3, 4, 5, 6, 7, 8], [9, 10]]),
        ([list(range(18)), [18], [19]], [list(range(18))]),
        ([[1], [2]], [[1], [2]]),
        ([[1]], [[1]]),
        ([], []),
    ],
    ids=[
        "two subjects",
        "a single paper beside several is none",
        "single papers beside several count together",
        "small ones count together",
        "small ones that are little together do not count",
        "two papers on two subjects",
        "one paper",
        "nothing",
    ],
)
def test_what_is_a_subject_of_a_history(groups: list[list[int]], subjects: list[list[int]]) -> None:
    weights = {paper: 1.0 for group in groups for paper in group}
    assert weighty(groups, weights, LEAST_SHARE) == subjects
