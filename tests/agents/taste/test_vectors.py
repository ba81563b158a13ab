"""How near candidates are to a history by their vectors."""

import math

from hypothesis import given
from hypothesis import strategies as st

from agents.meaning.kept import packed
from agents.taste.vectors import nearness


def unit(angle: float) -> bytes:
    return packed([math.cos(angle), math.sin(angle)])


def test_what_points_where_the_history_points_is_nearer_than_what_does_not() -> None:
    vectors = {0: unit(0.0), 1: unit(0.1), 2: unit(0.05), 3: unit(0.02), 10: unit(0.04), 11: unit(1.5)}
    near, far = nearness(vectors, [10, 11], [0, 1, 2, 3])
    assert near > far
    assert far < 0


def test_the_same_candidates_are_as_near_in_any_order() -> None:
    vectors = {key: unit(0.1 * key) for key in range(8)}
    assert nearness(vectors, [5, 6, 7], [0, 1, 2, 3]) == nearness(vectors, [7, 6, 5], [3, 2, 1, 0])[::-1]


@given(st.lists(st.floats(0, 6), min_size=1, max_size=6), st.lists(st.floats(0, 6), min_size=1, max_size=6))
def test_nearness_is_always_a_number(history: list[float], candidates: list[float]) -> None:
    vectors = {key: unit(angle) for key, angle in enumerate([*history, *candidates])}
    found = nearness(vectors, range(len(history), len(vectors)), range(len(history)))
    assert len(found) == len(candidates)
    assert all(map(math.isfinite, found))
