"""What the processor's flags say of numbers nobody asked for is no fault of a search; medians are as numpy has them."""

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.builtin.arithmetic import K, fused, medians, reciprocal_rank, reckons
from tests.rows import each


def test_a_flag_raised_while_reckoning_ends_nothing() -> None:
    """Every warning is an error here, as it is where a person asks Python for that."""

    def overflows(by: float) -> float:
        return float((np.float32(3e38) * np.array([by], np.float32))[0])

    with pytest.raises(RuntimeWarning):
        overflows(10)
    assert reckons(overflows)(10) == float("inf")
    with pytest.raises(RuntimeWarning):  # outside of it nothing has changed
        overflows(10)


@each("count", [1, 2, 5, 8])
def test_medians_are_those_of_numpy(count: int) -> None:
    rows = np.random.default_rng(count).normal(size=(count, 3))
    assert (medians(rows) == np.median(rows, axis=0)).all()


def test_a_list_gives_one_over_k_and_the_rank() -> None:
    assert reciprocal_rank(1) == 1 / (K + 1)
    assert fused([1, 3]) == pytest.approx(1 / (K + 1) + 1 / (K + 3))


@given(st.lists(st.integers(1, 400), max_size=12), st.randoms(use_true_random=False))
def test_the_worth_does_not_depend_on_which_list_came_first(ranks: list[int], dice: Random) -> None:
    assert fused(dice.sample(ranks, len(ranks))) == fused(ranks)


def test_no_list_is_worth_nothing() -> None:
    assert fused([]) == 0


def test_standing_in_two_lists_beats_leading_one() -> None:
    assert fused([10, 10]) > fused([1])


def test_a_smaller_k_lets_the_head_of_a_list_stand_out() -> None:
    assert fused([1], k=20) / fused([10], k=20) > fused([1]) / fused([10])
