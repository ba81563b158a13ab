"""Consent to a change: only a clear yes counts."""

from hypothesis import given
from hypothesis import strategies as st

from agents.reading.follow_ups import consent, is_doubtful
from tests.rows import each

YES = """
y|yes|Yes.|yep|yes, please|yes please do|ok|okay|sure|sure, go ahead
do it|go ahead|please do|of course|confirm|agreed
make it so|ok, thanks|yes, thank you|great, do it|that's right|that is fine|sounds good|fine by me|yes!!|YES|please
yes, save them|go for it|absolutely|proceed|yes both|yes, all of them|fine, do that|why not|exactly|carry it out
"""
NO = """
n|no|No.|nope|no thanks|don't|do not|dont do it|cancel|stop|never mind|not now|leave it|forget it|better not|wait
hold on
i changed my mind|undo|not yet|abort|don't save it|no way|not at all|maybe later|absolutely not|skip it
no, leave it as it is|rejected
"""
NEITHER = """
thanks|great|yes and no|both|all|yes but tag it nlp|no, save BERT instead|yes, but only the first|no, yes|yesterday
papers by Bengio|okay then papers by Bengio|why?||   |?|yes: tag it rag|the note|who approved it?|can you do that
go back
sure? which ones|yes if it is free|never say never again|do you know BERT
"""


def answers(block: str) -> list[str]:
    return [answer for line in block.strip().splitlines() for answer in line.split("|")]


@each("answer", answers(YES))
def test_what_plainly_says_yes_is_a_yes(answer: str) -> None:
    assert consent(answer) is True


@each("answer", answers(NO))
def test_what_plainly_says_no_is_a_no(answer: str) -> None:
    assert consent(answer) is False


@each("answer", answers(NEITHER))
def test_anything_else_is_neither(answer: str) -> None:
    assert consent(answer) is None


@given(st.sampled_from(answers(YES)), st.sampled_from(["not", "only", "but", "if", "unless", "maybe"]))
def test_a_yes_with_a_limit_is_no_yes(answer: str, limit: str) -> None:
    assert consent(f"{answer} {limit}") is not True


def test_a_yes_to_another_change_is_none() -> None:
    assert consent("yes, remove it", {"save"}) is None
    assert consent("yes, remove it", {"unsave"}) is True


def test_a_long_answer_is_no_consent() -> None:
    assert consent("yes " * 30_000) is None


@each("answer", ["yes and no", "maybe", "no, yes"])
def test_an_answer_that_says_both_or_neither_is_doubtful(answer: str) -> None:
    assert is_doubtful(answer)
    assert not is_doubtful("papers by Lee")
