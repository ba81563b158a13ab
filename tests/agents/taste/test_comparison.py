"""The library, strangers and the person's own lines are compared with what the person likes."""

import math

from hypothesis import given
from hypothesis import strategies as st

from agents.meaning.kept import packed
from agents.taste.comparison import TasteComparison, heaviest, strangers
from agents.taste.context import read_context
from agents.taste.scoring import nearness
from cache import papers, profile
from cache.store import Store
from tests.agents.taste.world import NOON, WHALES, done, filled, paper


def test_the_nearest_papers_are_those_on_the_subject_that_are_not_closed(store: Store) -> None:
    whales, _ = filled(store)
    done(store, "read", *whales[:3])
    comparison = TasteComparison(store, read_context(store, NOON))
    nearest = comparison.nearest(comparison.similarity(comparison.wanted), 3)
    assert {comparison.number(place) for place in nearest} == set(whales[3:])


def test_a_line_of_the_persons_own_finds_papers_and_is_none(store: Store) -> None:
    _, compilers = filled(store)
    profile.add_line(store, "like", "register allocation in a compiler")
    comparison = TasteComparison(store, read_context(store, NOON))
    assert not comparison.history
    [place] = comparison.wanted
    assert comparison.number(place) is None
    assert place not in comparison.nearest(comparison.similarity(comparison.wanted), 99)
    [best] = comparison.nearest(comparison.similarity(comparison.wanted), 1)
    assert comparison.number(best) == compilers[0]


def test_a_line_of_dislikes_speaks_against(store: Store) -> None:
    filled(store)
    profile.add_line(store, "dislike", "whales")
    comparison = TasteComparison(store, read_context(store, NOON))
    assert len(comparison.unwanted) == 1
    assert not comparison.wanted


def test_what_the_library_has_is_no_stranger_and_of_strangers_each_work_is_one(store: Store) -> None:
    filled(store)
    new = paper("A whale of a time", "Whales.")
    assert strangers(store, [paper(*WHALES[0]), new, new]) == [new]
    comparison = TasteComparison(store, read_context(store, NOON), [new])
    assert comparison.paper(comparison.place_of_other(0)) == new


def test_a_paper_that_changed_is_compared_as_it_is_now(store: Store) -> None:
    whales, compilers = filled(store)
    done(store, "liked", *whales[:3])
    before = TasteComparison(store, read_context(store, NOON))
    papers.link(store, [paper(*WHALES[0])], papers.by_ids(store, [compilers[0]]))
    after = TasteComparison(store, read_context(store, NOON))
    place = after.index[compilers[0]]
    assert after.similarity(after.wanted)[place] > before.similarity(before.wanted)[place]
    assert after.index[whales[0]] in after.catalogue.linked_to(place)


def test_the_heaviest_come_first_and_lower_numbers_among_equals() -> None:
    assert heaviest({3: 0.5, 1: 0.5, 2: 0.9, 4: 0.1}, 3) == [2, 1, 3]


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
