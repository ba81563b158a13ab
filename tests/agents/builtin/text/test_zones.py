"""Tests for the zones of an abstract."""

from hypothesis import given
from hypothesis import strategies as st

from agents.builtin.text.zones import findings

TRIAL = (
    "Iron deficiency is common in pregnancy and may remain unknown.",
    "To determine whether daily iron reduces anaemia.",
    "Women were randomly assigned to receive iron or placebo for 12 weeks.",
    "Haemoglobin was measured at baseline.",
    "Anaemia was found in 8 % of the iron group and 21 % of the placebo group (P<0.001).",
    "These findings suggest that daily iron should be offered to pregnant women.",
)
SYSTEM = (
    "Large language models are prone to hallucination, which remains a challenge.",
    "However, existing detectors are slow.",
    "We propose a detector that is trained on the activations of a single layer.",
    "It outperforms five baselines by 7 % and achieves higher precision than the strongest of them.",
)


def test_results_and_conclusions_report_findings_and_what_stands_before_them_does_not() -> None:
    assert [one > 0.5 for one in findings(TRIAL)] == [False, False, False, False, True, True]


def test_a_result_is_more_likely_a_finding_than_the_background_in_any_field() -> None:
    *before, result = findings(SYSTEM)
    assert result > 2 * max(before)


def test_zones_follow_each_other_so_the_same_sentence_is_a_finding_only_behind_the_methods() -> None:
    number = "Anaemia was found in 40 % of pregnant women."
    assert findings((number, *TRIAL[1:]))[0] < 0.5 < findings((*TRIAL[:4], number))[-1]


@given(st.lists(st.text(max_size=200), max_size=30))
def test_each_sentence_has_one_probability(texts: list[str]) -> None:
    probabilities = findings(texts)
    assert len(probabilities) == len(texts)
    assert all(0 <= one <= 1 for one in probabilities)
