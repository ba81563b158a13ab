"""Which groups of a history are subjects, each with a place among the first."""

import pytest

from agents.builtin.taste.tokens import LEAST_SHARE, weighty, with_shares


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


def listed(shares: list[float], barred: frozenset[int] = frozenset()) -> list[int]:
    """The subjects of the first ten papers of a list that has thirty of the first, then thirty of the second."""
    order = list(range(60))
    return [paper // 30 for paper in with_shares(order, {at: at // 30 for at in order}, shares, 10, barred)[0][:10]]


@pytest.mark.parametrize(("shares", "fewer"), [([0.5, 0.5], 5), ([0.7, 0.3], 3), ([0.8, 0.15], 1), ([1.0], 0)])
def test_a_subject_has_its_share_of_the_places_and_one_among_the_first_five(shares: list[float], fewer: int) -> None:
    assert listed(shares).count(1) == fewer
    assert (1 in listed(shares)[:5]) is (fewer > 0)


def test_what_speaks_against_the_person_fills_no_share() -> None:
    assert listed([0.5, 0.5], barred=frozenset(range(30, 60))).count(1) == 0
