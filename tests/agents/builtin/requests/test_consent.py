"""A yes to a change: only what plainly says yes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.builtin.requests.consent import consent, is_doubtful

YES = """
y|yes|Yes.|yep|yeah|yes, please|yes please do|ok|okay|sure|sure, go ahead|do it|go ahead|please do|go on|of course
confirm|confirmed|agreed|make it so|yes do it|ok do it|ok, thanks|yes, thank you|great, do it|perfect, go ahead
that's right|that is fine|sounds good|fine by me|yes!!|YES|y.|yes, save them|go for it|absolutely|proceed|i do|please
this you may execute|you have my permission|I give my consent|it may be done|please carry it out|I have no objections
the change is approved|your proposal is accepted|Decision: yes.|yes please, both of them|go right ahead|Answer: granted
yes both|yes, both|yes, all of them|yes that's fine|fine, do that|yeah why not|correct|ok yes|ok, yes|yes yes|exactly
yes, that would be lovely|accepted|granted - please apply the changes|uh-huh|my answer is yes|you may proceed|yes: do so
yes (tag to be added)|it is approved|Reply: yes, carry it out|oh sure, that would be nice|yes, this you can do
sure thing|yes, tag both|do exactly that|yes that is what I meant|yes please, all of it|looks good, go ahead|of course
"""
NO = """
n|no|No.|nope|nah|no thanks|no, thank you|don't|do not|dont do it|cancel|stop|never mind|nevermind|not now|leave it
no, leave it as it is|leave it as it is|forget it|better not|rather not|wait|hold on|i changed my mind|undo
no, that is wrong|not yet|please don't|abort|keep it|don't save it|no way
no don't|hmm, no|cancel that please|oh no, stop|no, please leave it|not at all|no, leave them as they are|no, keep it
rejected|no removal please|Reply: no|no, they can stay there|better leave it as it is|rather don't do it after all
that is declined|please make no change|I would prefer no change|the record should stay unchanged|I am against it
I refuse
do not carry it out|nothing should be changed|this you may not execute|I'd rather you did not|Declined (no removal)
skip it|not this time|absolutely not|maybe later|no no, forget that|oops, no|do not bother|no, none of them
"""
NEITHER = """
thanks|thank you|great|right|nice|perfect|cool|good|well|hm|yes and no|both|
all|yes but tag it nlp|no, save BERT instead|fine|yes, but only the first|no, yes|yesterday
yes, and tag them rag|save the second instead|which papers?|papers by Bengio|okay then papers by Bengio|why?||   |?
yes: tag it rag|save: BERT|yes (but only the first)|record|the note|note to be added|removal|who approved it?|Decision:
can you do that|do you have papers|shall I do it|yes, do it for one of them|apply the filter|make it three|do not stop
execute it for the first only|you may if you must|tag it nlp|then do it tomorrow|go back|make a summary|never say never
no papers by Bengio|not the first|sure? which ones|go back to the list|do you know BERT|yes if it is free
"""


def answers(block: str) -> list[str]:
    return [answer for line in block.strip().splitlines() for answer in line.split("|")]


@pytest.mark.parametrize("answer", answers(YES))
def test_what_plainly_says_yes_is_a_yes(answer: str) -> None:
    assert consent(answer) is True


@pytest.mark.parametrize("answer", answers(NO))
def test_what_plainly_says_no_is_a_no(answer: str) -> None:
    assert consent(answer) is False


@pytest.mark.parametrize("answer", answers(NEITHER))
def test_a_courtesy_or_anything_else_is_neither(answer: str) -> None:
    assert consent(answer) is None


def test_a_long_answer_is_no_consent_whatever_it_begins_with() -> None:
    assert consent("yes " * 30_000) is None


LIMITS = [
    "not",
    "only",
    "but",
    "except",
    "if",
    "first",
    "unless",
    "maybe",
    "instead",
    "later",
    "some",
    "half",
    "without",
]


@given(st.sampled_from(answers(YES)), st.sampled_from(LIMITS), st.sampled_from(["it", "them", "that", ""]))
def test_a_yes_with_a_limit_behind_it_is_none(answer: str, limit: str, what: str) -> None:
    assert consent(f"{answer} {limit} {what}") is not True


@pytest.mark.parametrize(
    ("answer", "tools", "said"),
    [
        ("yes, save it", ["save"], True),
        ("remove it", ["save"], None),
        ("yes, remove it", ["save"], None),
        ("remove it", ["unsave"], True),
        ("yes, tag them", ["save", "tag"], True),
        ("write the note", ["tag"], None),
        ("no, don't save it", ["tag"], False),
    ],
)
def test_a_yes_that_names_another_change_is_none(answer: str, tools: list[str], said: bool | None) -> None:
    assert consent(answer, tools) is said


def test_that_one_means_the_one_paper_that_would_be_changed() -> None:
    assert consent("yep, that one, mark it", ["mark"], one=True) is True
    assert consent("yep, that one, mark it", ["mark"]) is None


@pytest.mark.parametrize("answer", answers("yes and no|maybe|not sure|yes, no|I guess so|no, do it|probably|really?"))
def test_what_speaks_of_yes_or_no_and_is_neither_is_doubtful(answer: str) -> None:
    assert consent(answer) is None
    assert is_doubtful(answer)


@pytest.mark.parametrize(
    "answer", ["thanks", "papers by Bengio", "yes, but only the first", "yes", "no", "", "go back"]
)
def test_a_courtesy_and_another_wish_are_not_doubtful(answer: str) -> None:
    assert not is_doubtful(answer)
