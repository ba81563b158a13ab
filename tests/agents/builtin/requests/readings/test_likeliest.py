"""Where the rules are at a loss with a whole message, its clauses and the wordings that are near say what is meant."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.builtin.requests.readings.doubt import NO_SUBJECT, doubt_of
from agents.builtin.requests.readings.likeliest import likeliest
from agents.builtin.requests.readings.unread import content_words, numbers_unread
from agents.builtin.requests.readings.wordings import SLOT, wordings
from agents.builtin.requests.request import read_request
from agents.builtin.requests.scene import Call
from agents.builtin.text.terms import terms
from tests.agents.builtin.requests.scenes import SCENES, written

START, LISTED = SCENES["start"], SCENES["listed"]


def _words() -> list[str]:
    """Words and halves of the wordings that are known, with names in their slots, and some that nobody knows."""
    names = {"person": "Bengio", "title": "BERT", "venue": "Nature", "tag": "rag", "year": "2019", "number": "7"}
    chosen = random.Random(0).sample(wordings().lines, 60)
    said = [SLOT.sub(lambda slot: names.get(slot[1], "latency"), line.pattern).split() for line in chosen]
    halves = [" ".join(part) for words in said for part in (words[: len(words) // 2], words[len(words) // 2 :]) if part]
    return sorted({*halves, *(word for words in said for word in words), "zyzzyva", "blorp", "prithee"})


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


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("prithee when did I verily save BERT", "when did i save BERT"),
        ("of BERT the authors prithee who are they", "BERT, the authors of it who are they?"),
    ],
)
def test_where_the_rules_are_at_a_loss_what_is_clearly_the_nearest_wording_is_done_and_told(
    message: str, said: str
) -> None:
    assert doubt_of(read_request(message, START), message, START) >= NO_SUBJECT
    reading = likeliest(message, START)
    assert reading.read_as == said
    assert (reading.calls, reading.onward) == (read_request(said, START).calls, read_request(said, START).onward)
    assert all(other.calls != reading.calls for other in reading.others)


def test_what_the_rules_made_of_a_request_that_is_read_as_another_wording_is_offered_first() -> None:
    message = "how many prithee different venues are there in my library verily"
    reading = likeliest(message, START)
    assert reading.read_as
    assert (reading.others[0].calls, reading.others[0].said) == (read_request(message, START).calls, "")


@pytest.mark.parametrize(
    "message",
    [
        "prithee put BERT upon my shelf verily save",
        "prithee search the sources for the new RAG papers verily",
        "forsooth which of my saved papers have no note of mine verily none",
        "where did the papers that I tagged rag appear mostly",
        "zyzzyva blorp fnarg save the krantz",
        "what is the capital of France",
        "tell me a joke about penguins",
    ],
)
def test_what_is_no_look_or_would_leave_a_negation_or_question_out_is_not_done_as_the_nearest_wording(
    message: str,
) -> None:
    for scene in (START, LISTED):
        assert not likeliest(message, scene).read_as


@given(st.lists(st.sampled_from(_words()), max_size=14), st.sampled_from(sorted(SCENES)))
def test_what_a_request_is_said_to_be_taken_for_is_what_is_done_and_shares_its_words(
    words: list[str], where: str
) -> None:
    message, scene = " ".join(words), SCENES[where]
    reading = likeliest(message, scene)
    if reading.read_as:
        meant = read_request(reading.read_as, scene)
        assert (reading.calls, reading.onward) == (meant.calls, meant.onward)
        assert doubt_of(meant, reading.read_as, scene) == 0
        asked = {stem for word in content_words(message) for stem in terms(word)}
        there = {stem for word in content_words(reading.read_as) for stem in terms(word)}
        assert len(asked & there) >= len(asked - there)
        looks = {"filter", "list", "paper", "profile", "query", "rank", "resemble", "runs", "shelf", "take"}
        assert {call.tool for call in reading.calls} <= looks or asked <= there


def test_a_message_that_was_not_understood_is_offered_as_the_wordings_that_are_near() -> None:
    reading = likeliest("prithee put BERT upon my shelf verily save", START)
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
