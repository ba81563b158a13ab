"""Many lists become one order by the ranks alone."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.builtin.arithmetic import K, fused, reciprocal_rank


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
