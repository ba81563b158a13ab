"""The measures, against figures worked out by hand."""

from math import log2

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.bench.measures import difference, kept_measures, ranked_measures, share_found

GRADES = {"a": 2, "b": 1, "c": 1, "x": 0}


def test_ranked_measures_are_those_of_the_textbook() -> None:
    """Found: b at place 2, a at place 4, c nowhere; x is judged and not relevant, the rest is not judged."""
    found = ranked_measures(["x", "b", "u1", "a", "u2", "u3", "u4", "u5", "u6", "u7", "u8"], GRADES)
    ideal = 2 + 1 / log2(3) + 1 / log2(4)
    assert found == pytest.approx(
        {
            "recall@5": 2 / 3,
            "recall@10": 2 / 3,
            "recall@50": 2 / 3,
            "recall@100": 2 / 3,
            "precision@10": 0.2,
            "f1@10": 2 * 0.2 * (2 / 3) / (0.2 + 2 / 3),
            "ndcg@10": (1 / log2(3) + 2 / log2(5)) / ideal,
        }
    )


def test_what_stands_after_a_cutoff_does_not_count_before_it() -> None:
    found = ranked_measures([*(f"u{number}" for number in range(50)), "a"], GRADES)
    assert (found["recall@10"], found["recall@50"], found["recall@100"]) == pytest.approx((0, 0, 1 / 3))


def test_an_empty_answer_measures_nothing_but_zeros() -> None:
    assert set(ranked_measures([], GRADES).values()) == {0.0}
    assert set(kept_measures([], GRADES).values()) == {0.0}


def test_the_order_given_is_the_order_measured_even_where_names_sort_otherwise() -> None:
    assert ranked_measures(["a", "z"], {"z": 1})["ndcg@10"] == pytest.approx(1 / log2(3))
    assert ranked_measures(["z", "a"], {"z": 1})["ndcg@10"] == 1


def test_a_set_is_measured_by_its_hits() -> None:
    assert kept_measures(["a", "u", "x", "b"], GRADES) == pytest.approx(
        {"kept_precision": 1 / 2, "kept_recall": 2 / 3, "kept_f1": 4 / 7}
    )
    assert share_found(["c", "u"], GRADES) == pytest.approx(1 / 3)


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
