"""What the built-in measure takes for support."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.bench.summary.judges import SUPPORTED, Lexicon

TEXTS = (
    "Daily aspirin reduces the risk of stroke in older adults.",
    "Sleep helps memory, and naps of 90 minutes help most.",
    "The trial found that naps do not help memory.",
)
LEXICON = Lexicon(TEXTS)


@pytest.mark.parametrize(
    ("claim", "text", "supported"),
    [
        ("Aspirin lowers the risk of stroke in adults.", TEXTS[0], True),
        ("Naps help memory.", TEXTS[1], True),
        ("Naps of 90 minutes help memory.", TEXTS[1], True),
        ("Naps of 20 minutes help memory.", TEXTS[1], False),
        ("Naps help memory.", TEXTS[2], False),
        ("Naps do not help memory.", TEXTS[2], True),
        ("Naps do not help memory.", TEXTS[1], False),
        ("Coffee keeps adults awake at night.", TEXTS[0], False),
        ("Naps help memory.", "", False),
        ("", TEXTS[0], False),
    ],
)
def test_a_text_supports_a_claim_whose_words_numbers_and_negation_it_has(
    claim: str, text: str, supported: bool
) -> None:
    assert (LEXICON.support(claim, text) >= SUPPORTED) == supported


def test_only_the_nearest_sentence_can_deny_a_claim() -> None:
    assert LEXICON.support("Naps help memory.", "Naps help memory. They do not harm anybody.") == 1


def test_rare_words_count_more() -> None:
    lexicon = Lexicon([*TEXTS, *["memory"] * 20])
    assert lexicon.share("memory aspirin", "aspirin") > 0.5 > lexicon.share("memory aspirin", "memory")


@given(st.sampled_from(TEXTS))
def test_every_text_supports_itself_wholly(text: str) -> None:
    assert LEXICON.support(text, text) == pytest.approx(1)


@given(st.text(max_size=60), st.text(max_size=60))
def test_support_is_a_share(claim: str, text: str) -> None:
    assert 0 <= LEXICON.support(claim, text) <= LEXICON.share(claim, text) <= 1 + 1e-9
