"""Abbreviations are found where a text defines them (Schwartz & Hearst 2003)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.builtin.text.abbreviations import abbreviations


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("retrieval-augmented generation (RAG)", {"RAG": "retrieval-augmented generation"}),
        ("RAG (retrieval-augmented generation) helps", {"RAG": "retrieval-augmented generation"}),
        ("trained convolutional neural networks (CNNs)", {"CNNs": "convolutional neural networks"}),
        ("heat shock protein 70 (HSP70)", {"HSP70": "heat shock protein 70"}),
        ("tumor necrosis factor alpha (TNF-alpha)", {"TNF-alpha": "tumor necrosis factor alpha"}),
        ("amyotrophic lateral sclerosis (ALS; Lou Gehrig's disease)", {"ALS": "amyotrophic lateral sclerosis"}),
        ("pre-training. named entity recognition (NER)", {"NER": "named entity recognition"}),
        ("as shown before (see Table 2) in 20 patients (20%)", {}),
        ("growth was slow (P < 0.05), as in (Devlin et al., 2018)", {}),
        ("(ABC)", {}),
    ],
)
def test_a_definition_in_brackets_is_found(text: str, found: dict[str, str]) -> None:
    assert abbreviations(text) == found


def test_the_first_definition_counts() -> None:
    text = "cystic fibrosis (CF) and collaborative filtering (CF)"
    assert abbreviations(text) == {"CF": "cystic fibrosis"}


@given(st.text(alphabet="abcABC ().;-1", max_size=200))
def test_every_long_form_stands_in_the_text_and_spells_its_short_form(text: str) -> None:
    for short, long in abbreviations(text).items():
        assert long in text
        letters = iter(long.lower())
        assert all(letter in letters for letter in short.lower() if letter.isalnum())
