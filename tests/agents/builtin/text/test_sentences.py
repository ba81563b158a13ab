"""Sentences of abstracts, and the one that says most about a question."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.builtin.text.sentences import LONGEST_QUOTE, best_sentence, sentences
from agents.builtin.text.terms import terms


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("One. Two! Three?", ["One.", "Two!", "Three?"]),
        ("We follow Smith et al. The rest is new.", ["We follow Smith et al. The rest is new."]),
        ("See Fig. 2 for J. Doe. Then go.", ["See Fig. 2 for J. Doe.", "Then go."]),
        ("It is 3.5 times faster. Really.", ["It is 3.5 times faster.", "Really."]),
        ("", []),
        ("no end", ["no end"]),
    ],
)
def test_texts_are_parted_where_sentences_end(text: str, parts: list[str]) -> None:
    assert sentences(text) == parts


@given(st.text(alphabet="aB .?!\n0é中。", max_size=200))
def test_sentences_stand_in_the_text_as_they_are_and_lose_no_letter(text: str) -> None:
    found = sentences(text)
    assert all(sentence in text for sentence in found)
    assert "".join("".join(found).split()) == "".join(text.split())


def test_the_sentence_with_most_of_the_questions_terms_is_chosen() -> None:
    text = "Retrieval matters. Sparse retrieval of passages is studied. We conclude."
    assert (
        best_sentence(frozenset(terms("sparse passage retrieval")), text) == "Sparse retrieval of passages is studied."
    )


def test_nothing_is_quoted_where_no_term_stands() -> None:
    assert best_sentence(frozenset(terms("sparse retrieval")), "We bake bread.") == ""


@given(st.lists(st.sampled_from(["sparse", "retrieval", "of", "bread", "is"]), min_size=1, max_size=200))
def test_a_quote_is_short_and_stands_word_for_word(words: list[str]) -> None:
    text = " ".join(words)
    quote = best_sentence(frozenset(terms("sparse retrieval")), text)
    assert quote in text
    assert len(quote) <= LONGEST_QUOTE


def test_words_before_an_initial_that_stood_there_before_are_told_in_their_own_place() -> None:
    assert sentences("It is by A. Smith. It is so. It is by A. Jones.") == [
        "It is by A. Smith.",
        "It is so.",
        "It is by A. Jones.",
    ]
