"""Whether a sentence has only the numbers of what it rests on."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.builtin.text.numbers import are_among, quantities


@pytest.mark.parametrize(
    ("sentence", "evidence", "stands"),
    [
        ("It fell by 0.81.", "a fall of 0.81 (0.7 to 0.9)", True),
        ("It fell by 0.88.", "a fall of 0.81 (0.7 to 0.9)", False),
        ("It fell by .5 points.", "0.50 points", True),
        ("There were 1250 patients.", "1,250 patients", True),
        ("There were 1.25 patients.", "1,250 patients", False),
        ("Twelve patients were treated.", "12 patients", True),
        ("Twenty-three patients were treated.", "23 patients", True),
        ("Twenty-four patients were treated.", "23 patients", False),
        ("One of them was treated.", "all were treated", True),
        ("They got 5 mg.", "5 mg a day", True),
        ("They got 5 g.", "5 mg a day", False),
        ("They got 5 milligrams.", "5 mg a day", True),
        ("They got 5.", "5 mg a day", True),
        ("Accuracy was 91 percent.", "an accuracy of 91%", True),
        ("Accuracy was 91%.", "91 patients", True),
        ("Accuracy was 91%.", "91 years", False),
        ("The change was -0.5.", "a change of −0.5", True),
        ("The change was +0.5.", "a change of −0.5", False),
        ("It fell by 0.5.", "a change of −0.5", True),
        ("In 2010–2015 it rose.", "from 2010 to 2015", True),
        ("GPT-4 and p53 and COVID-19 rose.", "GPT-4 rose, and so did p53 and COVID-19", True),
    ],
)
def test_each_number_has_its_value_sign_and_unit(sentence: str, evidence: str, stands: bool) -> None:
    assert are_among(sentence, evidence) is stands


def test_what_is_known_besides_need_not_stand_there() -> None:
    assert are_among("Two papers of 2019 say so.", "they say so", frozenset({2, 2019}))


@given(st.text(max_size=60))
def test_every_text_has_its_own_numbers(text: str) -> None:
    assert are_among(text, text)


@given(st.decimals(0, 10**6, places=2))
def test_a_number_is_read_however_it_is_written(value: Decimal) -> None:
    for written in (f"{value:f}", f"{value:,f}", f"{value:f}".replace(".", "·")):
        assert [one.value for one in quantities(f"a rise of {written} mg")] == [value.normalize()]
