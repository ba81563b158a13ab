"""The one BM25 of the program, and the one measure of how much a term says."""

from collections import Counter
from math import log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.builtin.ranking.bm25 import K1, B, Bm25Index, best, bm25, idf, relevance, saturated
from tests.agents.scripted import paper

TEXTS = ["coral reef", "reef reef sand", "tide", "kelp otter kelp sand sand"]


def test_a_term_says_more_the_fewer_texts_have_it() -> None:
    rarity = [idf(having, 100) for having in range(101)]
    assert rarity == sorted(rarity, reverse=True)
    assert rarity[100] == pytest.approx(0, abs=0.01)
    assert idf(1, 100) == pytest.approx(log(101 / 1.5))


def test_a_gentle_one_lets_a_term_that_all_have_say_something() -> None:
    assert idf(100, 100, smoothing=0, gentle=True) == pytest.approx(log(2))
    assert idf(1, 100, gentle=True) == pytest.approx(idf(1, 100), abs=0.01)


@given(st.integers(0, 1_000), st.floats(0.01, 20))
def test_occurrences_are_worth_more_the_more_there_are_but_never_more_than_the_ceiling(
    frequency: int, relative_length: float
) -> None:
    worth = saturated(frequency, relative_length)
    assert 0 <= worth < saturated(frequency + 1, relative_length) <= K1 + 1


def test_texts_are_scored_as_the_index_scores_them() -> None:
    counted = [Counter(text.split()) for text in TEXTS]
    weights = {term: idf(sum(term in text for text in counted), len(counted)) for term in ("reef", "sand", "gull")}
    assert bm25(weights, counted) == pytest.approx(list(Bm25Index(TEXTS).scores("reef sand gull")))


def test_relevance_is_a_share_of_what_a_paper_full_of_the_question_would_have() -> None:
    papers = [paper("Coral reefs", abstract="Sand."), paper("Sand", abstract="On coral."), paper("Tides")]
    on_title, on_abstract, off = relevance("What do coral and coral reefs need?", papers)
    assert 1 > on_title > on_abstract > off == 0


def test_nothing_is_relevant_to_a_question_without_terms() -> None:
    assert relevance("what is it?", [paper("Coral reefs"), paper("(untitled)")]) == [0, 0]
    assert relevance("coral", []) == []


WORDS = st.sampled_from("coral reef sand tide kelp otter".split())
INDEXED = st.lists(st.lists(WORDS, max_size=12).map(" ".join), max_size=8)


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


@given(INDEXED, st.lists(WORDS, max_size=6))
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
