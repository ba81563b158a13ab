"""The index that a closed world is searched by."""

from math import log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.builtin.ranking.bm25 import K1, B, Bm25Index, best

WORDS = st.sampled_from("coral reef sand tide kelp otter".split())
TEXTS = st.lists(st.lists(WORDS, max_size=12).map(" ".join), max_size=8)


def by_definition(query: list[str], text: list[str], texts: list[list[str]]) -> float:
    """BM25 as the textbook writes it."""
    mean = sum(map(len, texts)) / len(texts)
    score = 0.0
    for term in query:
        having = sum(term in text for text in texts)
        idf = log(1 + (len(texts) - having + 0.5) / (having + 0.5))
        count = text.count(term)
        score += idf * count * (K1 + 1) / (count + K1 * (1 - B + B * len(text) / mean)) if count else 0.0
    return score


@given(TEXTS, st.lists(WORDS, max_size=6))
def test_scores_are_bm25_and_a_word_counts_as_often_as_the_question_has_it(texts: list[str], query: list[str]) -> None:
    split = [text.split() for text in texts]
    expected = [by_definition(query, text, split) for text in split]
    assert list(Bm25Index(texts).scores(" ".join(query))) == pytest.approx(expected)


def test_words_are_compared_without_their_endings_and_stop_words_say_nothing() -> None:
    index = Bm25Index(["Reefs are bleaching", "sand"])
    assert list(index.scores("the bleached reef") > 0) == [True, False]
    assert not index.scores("what are the of").any()


@given(st.lists(st.sampled_from([0.0, 1.0, 2.0, 2.5])), st.integers(0, 10))
def test_the_best_are_the_head_of_the_whole_order_ties_by_number_and_nothing_without_a_score(
    scores: list[float], limit: int
) -> None:
    import numpy as np

    whole = sorted((number for number, score in enumerate(scores) if score > 0), key=lambda one: (-scores[one], one))
    assert best(np.array(scores, dtype=float), limit) == whole[:limit]
