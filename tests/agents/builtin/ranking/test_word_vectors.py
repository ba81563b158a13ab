"""The table of word vectors: what it says of texts, whatever it was made of, and how it is kept."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from agents.builtin.ranking import word_vectors
from agents.builtin.ranking.word_vectors import LEVELS, is_known, likely_terms, packed, unpacked, vector
from agents.builtin.text.terms import terms
from agents.run.retrieval.meaning import PAIRS

WORDS = "sleep memory bacteria vaccine influenza cancer graphs compilers retrieval zzyzx".split()
texts = st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join)
rows = arrays(np.uint8, array_shapes(min_dims=2, max_dims=2, max_side=6))


def near(asked: str, *others: str) -> list[float]:
    return [float(vector(Counter(terms(other))) @ vector(Counter(terms(asked)))) for other in others]


def test_most_questions_are_nearer_to_a_paper_on_them_in_other_words_than_to_those_of_seven_other_fields() -> None:
    questions, papers = zip(*PAIRS, strict=True)
    found = np.array([near(question, *papers) for question in questions])
    assert (found.argmax(axis=1) == np.arange(len(PAIRS))).sum() >= 6  # chance is 1


def test_a_word_that_the_table_lacks_is_likely_what_words_with_its_ending_are() -> None:
    assert not is_known("silicosi")
    assert likely_terms("silicosi") == ["cryptococcosi"]
    assert likely_terms("zzyzx") == []


def test_words_of_one_meaning_are_nearer_than_words_of_two() -> None:
    for word, like, unlike in (
        ("cancer", "tumor", "compiler"),
        ("physician", "doctor", "graph"),
        ("wage", "salary", "enzyme"),
        ("turbine", "engine", "vaccine"),
        ("vaccine", "immunization", "planet"),
    ):
        assert near(word, like) > near(word, unlike)


def test_what_the_table_does_not_know_is_near_to_nothing() -> None:
    assert near("zzyzx", "sleep", "zzyzx") == [0, 0]
    assert near("", "sleep") == near("sleep", "") == [0]


def test_a_rare_word_says_more_of_a_text_than_a_common_one() -> None:
    rare, common = near("mitochondria method", "mitochondria", "method")
    assert rare > common


@given(text=texts.filter(lambda text: set(text.split()) - {"zzyzx"}))
def test_the_vector_of_a_text_has_the_length_one_and_the_order_of_its_words_says_nothing(text: str) -> None:
    assert near(text, text, " ".join(reversed(text.split()))) == pytest.approx([1, 1], abs=1e-5)


@given(rows)
def test_what_was_packed_comes_back(kept: "np.typing.NDArray[np.uint8]") -> None:
    levels = unpacked(kept)
    assert levels.shape == (len(kept), 4 * kept.shape[1])
    assert set(levels.ravel().tolist()) <= set(LEVELS)
    uneven = levels * 0.5  # scaled rows keep their levels only where the scale is that of the root of the mean square
    again, _ = packed(uneven)
    assert (np.sign(unpacked(again)) == np.sign(levels)).all()


def test_two_bits_keep_the_direction_of_a_row_and_its_length_beside_the_others() -> None:
    made = np.random.default_rng(0).standard_normal((50, 128)).astype(np.float32)
    made *= np.linspace(0.2, 1, 50, dtype=np.float32)[:, None]
    kept, scales = packed(made)
    read = unpacked(kept) * scales[:, None]
    lengths, made_lengths = np.linalg.norm(read, axis=1), np.linalg.norm(made, axis=1)
    assert ((read * made).sum(axis=1) / lengths / made_lengths).min() > 0.9
    assert lengths / lengths.max() == pytest.approx(made_lengths / made_lengths.max(), abs=0.1)


def test_the_table_holds_terms_as_texts_are_read_and_is_small() -> None:
    table = word_vectors._table()
    assert len(table.rows) == len(table.vectors) == len(table.scales)
    assert "retriev" in table.rows
    assert "retrieval" not in table.rows
    assert table.vectors.nbytes < 1_300_000
