"""A negation that no step of a plan heeds is named, so that nobody takes what was not asked for as the answer."""

import pytest

from agents.builtin.requests.readings.unheeded import unheeded_negations
from agents.builtin.requests.request import read_request
from agents.builtin.requests.scene import Call
from tests.agents.builtin.requests.scenes import SCENES

READ = (Call("filter", {"read": True}), Call("list"))


@pytest.mark.parametrize(
    ("message", "negations"),
    [
        ("papers that I have not read", ("not",)),
        ("which ones haven't I read", ("haven't",)),
        ("papers without those I read, never those", ("without", "never")),
    ],
)
def test_a_plan_with_nothing_negative_leaves_a_negation_unheeded(message: str, negations: tuple[str, ...]) -> None:
    assert unheeded_negations(message, READ) == negations


@pytest.mark.parametrize(
    "message",
    [
        "the papers that I read",
        "I don't know which papers I read",
        "no, the papers that I read",
        "papers called \"Attention Is Not All You Need\" that I read",
        "have I read any or not",
    ],
)  # fmt: skip
def test_words_of_asking_and_what_stands_in_quotation_marks_negate_nothing(message: str) -> None:
    assert unheeded_negations(message, READ) == ()


@pytest.mark.parametrize(
    "argument",
    [
        {"read": False},
        {"without_tags": ("rag",)},
        {"until": "2014"},
        {"max_citations": 9},
        {"rating": 0},
        {"unlike": ("BERT",)},
        {"sql": "SELECT count(*) FROM papers WHERE abstract = '' AND NOT saved"},
    ],
)
def test_a_condition_that_takes_something_out_heeds_it(argument: dict[str, object]) -> None:
    assert unheeded_negations("not these", (Call("filter", argument), Call("list"))) == ()


def test_the_negation_of_a_change_or_a_search_is_left_to_who_reads_those() -> None:
    assert unheeded_negations("save it, not the other", (Call("save", {"papers": ["@it"]}),)) == ()


def test_a_request_whose_negation_is_lost_says_so() -> None:
    assert "never" in read_request("who never published at NeurIPS", SCENES["start"]).unread
