"""Vectors are kept for as long as they are true."""

from cache.store import Store
from cache.text_vectors import keep_vectors, kept_vectors

SLEEP, AWAKE = "Sleep and memory. Sleep helps.", "Sleep and memory. Sleep does not help."


def test_a_vector_is_found_again_in_its_space_only(store: Store) -> None:
    keep_vectors(store, "here model-1", {SLEEP: b"1234"})
    assert kept_vectors(store, "here model-1", [SLEEP]) == {SLEEP: b"1234"}
    assert kept_vectors(store, "here model-2", [SLEEP]) == {}


def test_a_text_that_says_something_else_has_no_vector(store: Store) -> None:
    keep_vectors(store, "here", {SLEEP: b"1234"})
    assert kept_vectors(store, "here", [AWAKE, SLEEP]) == {SLEEP: b"1234"}


def test_a_vector_made_again_replaces_the_one_before(store: Store) -> None:
    keep_vectors(store, "here", {SLEEP: b"1234"})
    keep_vectors(store, "here", {SLEEP: b"5678"})
    assert kept_vectors(store, "here", [SLEEP]) == {SLEEP: b"5678"}
