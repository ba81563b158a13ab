"""A quote is kept only as it stands in the paper it is said to be from."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.builtin.text.quotes import LONGEST_QUOTE, noted_words, verbatim_quote
from tests.agents.scripted import paper

PAPER = paper(
    "Attention is all you need",
    "10.1000/attention",
    abstract="The dominant models are “complex” recurrent networks. We propose the Transformer — a simple one.",
)


@pytest.mark.parametrize(
    ("quote", "stands"),
    [
        ("We propose the Transformer", "We propose the Transformer"),
        ("we propose  the transformer - a simple one", "We propose the Transformer — a simple one"),
        ('"complex" recurrent networks', "complex” recurrent networks"),
        ("attention is all you need", "Attention is all you need"),
        ("We propose a Transformer", ""),
        ("the Transformer propose We", ""),
        ("dominant models … Transformer", ""),
        ("propos", ""),
        ("", ""),
        ("…", ""),
    ],
)
def test_a_quote_stands_if_its_words_stand_there_in_their_order(quote: str, stands: str) -> None:
    assert verbatim_quote(quote, PAPER) == stands


def test_spars_note_on_a_paper_is_never_quoted() -> None:
    noted = paper("Attention", "10.1000/attention", described="Introduces the Transformer, built on attention.")
    assert verbatim_quote("Introduces the Transformer", noted) == ""
    assert noted_words("introduces the transformer", noted) == "Introduces the Transformer"
    assert noted_words("introduces a transformer", noted) == ""


def test_where_an_abstract_is_known_the_note_counts_for_nothing() -> None:
    both = paper("Attention", "10.1000/attention", abstract="We propose a model.", described="Introduces a model.")
    assert noted_words("Introduces a model", both) == ""


@given(st.data())
def test_every_run_of_words_of_an_abstract_stands_and_what_is_told_is_verbatim(data: st.DataObject) -> None:
    words = re.findall(r"\w+", PAPER.abstract)
    start = data.draw(st.integers(0, len(words) - 1))
    quote = " ".join(words[start : data.draw(st.integers(start + 1, len(words)))])
    found = verbatim_quote(quote, PAPER)
    assert found
    assert found in PAPER.abstract or found in PAPER.title


@given(st.text(max_size=80))
def test_whatever_is_quoted_what_is_kept_stands_word_for_word(quote: str) -> None:
    found = verbatim_quote(quote, PAPER)
    assert found in PAPER.abstract or found in PAPER.title


def test_whoever_copies_a_whole_page_quotes_nothing() -> None:
    page = paper("Long", "10.1000/long", abstract=" ".join(["word"] * (LONGEST_QUOTE + 1)))
    assert verbatim_quote(" ".join(["word"] * LONGEST_QUOTE), page)
    assert verbatim_quote(page.abstract, page) == ""
