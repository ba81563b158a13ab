"""What a person gives word for word is taken as it stands, however the rest of the message is put."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.builtin.requests.request import read_request
from agents.builtin.requests.sentences.verbatim import around_verbatim
from tests.agents.builtin.requests.scenes import SCENES

LISTED = SCENES["listed"]
PUT_OTHERWISE = (
    "I find this useful", "the greatest number of citations", "quoted most", "in terms of citations", "such papers as",
    "papers in which this is discussed", "order: citations ascending", "i mean compare it", "teh reuslts", "pls", "w",
    "to be saved: later", "would be nice", "should be removed", "please", "many thanks", "i.e. the same", "2019 +",
    "e.g. BERT", "between 2010 and 2012", "not by me the most used", "and so on", "what is said about it", "n", "—",
)  # fmt: skip
"""What is put otherwise where it asks for something."""
WORDS = st.lists(st.sampled_from(PUT_OTHERWISE), min_size=1, max_size=4).map(" ".join)


@given(WORDS)
def test_a_note_says_what_it_was_told_to_say(words: str) -> None:
    [call] = read_request(f"note on the first: {words}", LISTED).calls
    assert (call.tool, call.arguments) == ("note", {"paper": "@1", "text": words})


@given(WORDS)
def test_what_stands_in_quotation_marks_is_a_title_as_it_stands(words: str) -> None:
    [call, _] = read_request(f'papers with "{words}" in the title', LISTED).calls
    assert call.arguments["title_words"] == (words,)


@pytest.mark.parametrize(
    "question",
    [
        "the role of citations in terms of years",
        "leaving aside the question of cost",
        "papers quoted most, and so on",
        "what is said about moss",
    ],
)
def test_a_search_asks_in_the_words_of_the_person(question: str) -> None:
    [call] = read_request(f"search for {question}", LISTED).calls
    assert call.arguments["question"] in question
    assert question.removeprefix("the ").removeprefix("papers ") in call.arguments["question"]


@given(st.text(max_size=80))
def test_what_is_not_changed_is_the_text(text: str) -> None:
    assert around_verbatim(text, lambda bare: bare) == text


@given(st.lists(st.text(alphabet="abc :,.'", min_size=1, max_size=12), max_size=4))
def test_nothing_within_quotation_marks_is_seen_by_who_changes_the_rest(quotes: list[str]) -> None:
    text = " and ".join(f'"{words}"' for words in quotes)
    assert around_verbatim(text, lambda bare: bare.replace("a", "x").replace("b", "y")) == " xnd ".join(
        f'"{words}"' for words in quotes
    )
