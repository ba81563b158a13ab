"""Where the rules are at a loss with a whole message, its clauses and the wordings that are near say what is meant."""

import pytest

from agents.builtin.requests.readings.doubt import doubt_of
from agents.builtin.requests.readings.likeliest import likeliest
from agents.builtin.requests.readings.unread import numbers_unread
from agents.builtin.requests.request import read_request
from agents.builtin.requests.scene import Call
from tests.agents.builtin.requests.scenes import SCENES, written

START, LISTED = SCENES["start"], SCENES["listed"]


@pytest.mark.parametrize(
    "message", ["papers by Lewis", "how many papers do I have?", "papers about retrieval since 2020"]
)
def test_a_request_that_leaves_no_doubt_is_read_as_the_rules_read_it_and_nothing_is_offered(message: str) -> None:
    assert doubt_of(read_request(message, START), message, START) == 0
    assert likeliest(message, START) == read_request(message, START)


@pytest.mark.parametrize(
    ("message", "plan", "left"),
    [
        ("I've run out of things to read, any suggestions?", "recommend", "I've run out of things to read"),
        ("both as RIS, I want them in Zotero", "export(papers=@shown; format=ris)", "I want them in Zotero"),
        ("keep numbers 2, 4 and 5, the rest bores me", "take(papers=@2, @4, @5) > list", "the rest bores me"),
    ],
)
def test_what_one_clause_asks_for_is_done_and_the_other_is_named(message: str, plan: str, left: str) -> None:
    reading = likeliest(message, LISTED)
    assert written(reading).lstrip("… ") == plan
    assert left in reading.unread


def test_a_clause_that_only_changes_something_is_never_taken_for_the_whole() -> None:
    reading = likeliest("zyzzyva blorp, save them", LISTED)
    assert "save" not in [call.tool for call in reading.calls]


def test_a_message_that_was_not_understood_is_offered_as_the_wordings_that_are_near() -> None:
    reading = likeliest("when would I have shelf-saved BERT then, which weekday", START)
    assert not reading.understood
    assert reading.others
    for other in reading.others:
        assert other.calls == read_request(other.said, START).calls


def test_a_word_for_dropping_papers_and_taking_back_steps_drops_the_paper_and_offers_the_other() -> None:
    reading = likeliest("drop the last one", LISTED)
    assert written(reading).lstrip("… ") == "filter(except_papers=@10) > list"
    [other] = reading.others
    assert [call.tool for call in other.calls] == ["undo", "list"]
    assert likeliest("undo the last one", LISTED).others == ()


def test_nothing_is_offered_for_what_asks_for_nothing_that_can_be_done() -> None:
    assert likeliest("book me a train to Vienna on Friday", START).others == ()


def test_a_year_or_number_that_no_step_is_given_is_unread_but_for_the_bound_that_it_sets() -> None:
    assert numbers_unread("papers after 2022", [Call("filter", {"since": "2023"})]) == []
    assert numbers_unread("papers after 2022", [Call("filter", {})]) == ["2022"]
    assert numbers_unread("more than 1,000 citations", [Call("filter", {"min_citations": 1001})]) == []
    assert numbers_unread("word2vec", [Call("filter", {})]) == []
