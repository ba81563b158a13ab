"""A quote is kept only as it stands in the paper it is said to be from."""

import re

from hypothesis import given
from hypothesis import strategies as st

from agents.evidence.quotes import LONGEST_QUOTE, noted_words, verbatim_quote
from tests.agents.scripted import paper
from tests.rows import each

PAPER = paper(
    "Attention is all you need",
    "10.1000/attention",
    abstract="The dominant models are “complex” recurrent networks. We propose the Transformer — a simple one.",
)


@each(
    ("quote", "stands"),
    [
        ("We propose the Transformer", "We propose the Transformer"),
        ("we propose  the transformer - a simple one", "We propose the Transformer — a simple one"),
        ('"complex" recurrent networks', "“complex” recurrent networks"),
        ("attention is all you need", "Attention is all you need"),
        ("We propose a Transformer", ""),
        ("the Transformer propose We", ""),
        (
            "dominant models … Transformer",
            "dominant models are “complex” recurrent networks. We propose the Transformer",
        ),
        ("Transformer … dominant models", ""),
        ("dominant models [...] LSTM", ""),
        ("complexrecurrent net-works", "“complex” recurrent networks"),
        ("The dominant models are complex neural networks", ""),
        ("The dominant model are complex recurrent networks", "The dominant models are “complex” recurrent networks"),
        ("The dominant models are not complex recurrent networks", ""),
        ("dominant are complex recurrent networks we propose", ""),
        (
            "dominant models complex recurrent networks we propose",
            "dominant models are “complex” recurrent networks. We propose",
        ),
        ("They say that Transformers are a simple kind of network", ""),
        ("propos", ""),
        ("", ""),
        ("…", ""),
    ],
)
def test_a_quote_stands_if_its_words_stand_there_in_their_order(quote: str, stands: str) -> None:
    assert verbatim_quote(quote, PAPER) == stands


RESULTS = paper(
    "Ef\ufb01cient re-ranking",
    "10.1000/reranking",
    abstract="Our na\u00efve baseline does not improve: it reaches 59 percent of the ef\ufb01ciency of "
    "state-of-the-art systems.",
)


@each(
    ("quote", "stands"),
    [
        ("Efficient reranking", "Ef\ufb01cient re-ranking"),
        ("our naive baseline", "Our na\u00efve baseline"),
        ("the efficiency of state of the art systems", "the ef\ufb01ciency of state-of-the-art systems"),
        (
            "it reaches 59 percent of an efficiency of state-of-the-art",
            "it reaches 59 percent of the ef\ufb01ciency of state-of-the-art",
        ),
        ("it reaches 95 percent of the efficiency of state-of-the-art", ""),
        ("it reaches percent of the efficiency of state-of-the-art", ""),
        ("Our naive baseline does improve: it reaches 59 percent", ""),
    ],
)
def test_what_is_nearly_copied_stands_but_for_figures_and_what_turns_it_around(quote: str, stands: str) -> None:
    assert verbatim_quote(quote, RESULTS) == stands


FIGURES = paper(
    "A trial",
    "10.1000/trial",
    abstract="The mean change was -0.5 mmol/L (95% CI -0.9 to -0.1), and HbA1c ≥7.5% fell from 25% to 37%. Doses of "
    "<0.05 (p<0.05, r=−0.31) were “safe and cheap”. None of the 18 patients had a relapse, and high-risk groups did "
    "well. We counted 10,000 cells of 1.25 nm in 2010 with [Fe/H] of -1.2 dex. An increased risk of cancer was "
    "found in the older group of patients. Does it last longer?",
)


@each(
    ("copied", "told"),
    [
        ("0.5 mmol/L (95% CI -0.9 to -0.1", "-0.5 mmol/L (95% CI -0.9 to -0.1)"),
        ("25% to 37", "25% to 37%"),
        ("7.5% fell", "≥7.5% fell"),
        ("0.31) were", "−0.31) were"),
        ("0.05 (p<0.05", "<0.05 (p<0.05"),
        ("safe and cheap", "“safe and cheap”"),
        ("cheap", "cheap"),
        ("risk groups did well", "risk groups did well"),
        ("Fe/H of -1.2 dex", "[Fe/H] of -1.2 dex"),
        ("p&lt;0.05", "p<0.05"),
        ("10000 cells of 1·25 nm", "10,000 cells of 1.25 nm"),
        ("0.9 to -0.1),", "-0.9 to -0.1),"),
        ("in the older group of patients.", "in the older group of patients."),
        ("Does it last longer", "Does it last longer?"),
    ],
)
def test_signs_units_and_brackets_of_the_first_and_last_word_are_told_along(copied: str, told: str) -> None:
    assert verbatim_quote(copied, FIGURES) == told


SPELLED = paper(
    "Spellings",
    "10.1000/spelled",
    abstract="Müller saw TGF-β at 5 mug/dL in re-established tumour-promoting cells, no emesis (12/20 (60%) vs 7). "
    "Signalling by beta-lactamase fell in a linear way.",
)


@each(
    ("copied", "told"),
    [
        ("Mueller saw TGF-beta at 5 µg/dL", "Müller saw TGF-β at 5 mug/dL"),
        ("IN REESTABLISHED TUMOURPROMOTING CELLS", "in re-established tumour-promoting cells"),
        ("(12/20 (60%) vs 7)", "(12/20 (60%) vs 7)"),
        ("sign-\nalling by β-lactamase fell", "Signalling by beta-lactamase fell"),
        ("by beta-lactamase fell in a non-linear way", ""),
    ],
)
def test_letters_may_be_written_out_though_no_word_may_be_added(copied: str, told: str) -> None:
    assert verbatim_quote(copied, SPELLED) == told


@each("copied", ["HbA1c ≤7.5% fell", "cells of 1.25 mm", "95% CI 0.9 to 0.1", "r=0.31"])
def test_another_sign_unit_or_relation_is_another_number(copied: str) -> None:
    assert verbatim_quote(copied, FIGURES) == ""


def test_a_letter_too_much_in_a_long_word_is_a_slip() -> None:
    assert verbatim_quote("risk of cancerr was", FIGURES) == ""
    spelled = paper("A trial", "10.1000/spelled", abstract="Severe hypoglycaemia was rare.")
    assert verbatim_quote("severe hypoglycemia was", spelled) == "Severe hypoglycaemia was"


@each("copied", ["10,000 cells of 12.5 nm", "1000 cells", "cells of 1 25 nm", "10.000 cells"])
def test_figures_that_stand_elsewhere_in_a_number_are_another_number(copied: str) -> None:
    assert verbatim_quote(copied, FIGURES) == ""


def test_a_quote_does_not_begin_behind_its_negation() -> None:
    assert verbatim_quote("of the 18 patients had a relapse", FIGURES) == "None of the 18 patients had a relapse"
    assert verbatim_quote("high-risk groups did well", FIGURES) == "high-risk groups did well"


def test_a_word_that_begins_otherwise_is_no_slip() -> None:
    """It may be the opposite."""
    assert verbatim_quote("An increased risk of cancer was found in older group of patients", FIGURES)
    assert verbatim_quote("A decreased risk of cancer was found in the older group of patients", FIGURES) == ""


def test_of_parts_that_stand_far_apart_the_longest_is_told() -> None:
    far = paper(
        "Far", "10.1000/far", abstract="We begin here. " + "And so on. " * 30 + "At last we come to an end there."
    )
    assert verbatim_quote("We begin … at last we come to an end", far) == "At last we come to an end"


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
