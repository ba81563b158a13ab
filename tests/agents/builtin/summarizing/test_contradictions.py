"""Sentences that say opposite things of the same subject."""

import pytest

from agents.builtin.summarizing.contradictions import contradictions, negated


def test_sentences_that_say_the_opposite_of_the_same_are_found() -> None:
    texts = [
        "Daily aspirin reduces the risk of stroke in older adults.",
        "Rivers carry sand to the sea.",
        "Daily aspirin increases the risk of stroke in older adults.",
    ]
    assert contradictions(texts) == [(0, 2)]
    assert contradictions(texts[:2]) == []


@pytest.mark.parametrize(
    ("text", "denies"),
    [("Naps do not help.", True), ("Naps fail to help.", True), ("Naps help.", False), ("Nothing beats a nap.", False)],
)
def test_a_text_that_says_something_is_not_so_is_negated(text: str, denies: bool) -> None:
    assert negated(text) == denies
