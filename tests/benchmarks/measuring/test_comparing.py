"""The difference between two systems, against figures worked out by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.benchmarks.measuring.comparing import difference


def test_two_equal_ways_do_not_differ() -> None:
    same = difference([0.1, 0.5, 0.9], [0.1, 0.5, 0.9])
    assert (same.difference, same.low, same.high, same.ratio) == (0, 0, 0, 1)


def test_a_gain_that_every_question_shows_is_certain() -> None:
    gain = difference([0.3, 0.4, 0.9], [0.1, 0.2, 0.7])
    assert (gain.difference, gain.low, gain.high) == pytest.approx((0.2, 0.2, 0.2))
    assert gain.ratio == pytest.approx(1.6)


def test_a_gain_on_one_question_of_many_is_not_certain() -> None:
    gain = difference([1.0, *[0.5] * 9], [0.0, *[0.5] * 9])
    assert gain.low == 0 < gain.difference < gain.high


def test_the_interval_is_near_that_of_the_normal_distribution_where_there_are_many_questions() -> None:
    ours = [(number * 7919 % 1000) / 1000 for number in range(1000)]
    spread = 1.96 * (sum((one - 0.4995) ** 2 for one in ours) / 1000) ** 0.5 / 1000**0.5
    told = difference(ours, [0.0] * 1000)
    assert (told.low, told.high) == pytest.approx((0.4995 - spread, 0.4995 + spread), abs=0.002)
    assert told.ratio is None


SHARES = st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=20)


@given(SHARES, st.integers(0, 5))
def test_the_interval_is_the_same_for_the_same_seed_and_turns_with_the_sides(
    pairs: list[tuple[float, float]], seed: int
) -> None:
    ours, theirs = [one for one, _ in pairs], [other for _, other in pairs]
    there, again, back = difference(ours, theirs, seed), difference(ours, theirs, seed), difference(theirs, ours, seed)
    assert there == again
    assert (there.low, there.high) == pytest.approx((-back.high, -back.low))
    assert there.low - 1e-9 <= there.high
