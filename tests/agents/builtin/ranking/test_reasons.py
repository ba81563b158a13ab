"""Reasons name what can be seen on the paper: words of the question that stand there, or a paper linked to it."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.builtin.ranking.features import FEATURES
from agents.builtin.ranking.reasons import NAMED, Links, why
from agents.builtin.ranking.relevance import DOUBTED
from tests.agents.scripted import paper

QUESTION = "What is known of sparse retrieval of scientific texts?"
ABOUT = replace(paper("Sparse retrieval revisited"), abstract="We look at texts of science.")


def test_a_phrase_that_the_title_shares_is_named() -> None:
    assert why(QUESTION, ABOUT, ("lists",), Links()) == "“sparse retrieval” stands in its title"


def test_words_that_the_abstract_shares_are_named_where_the_title_has_none() -> None:
    other = replace(ABOUT, title="Another matter", abstract="Texts can be sparse.")
    assert why(QUESTION, other, (), Links()) == "its abstract has “sparse” and “texts”"


def test_what_stands_in_spars_note_is_not_said_to_stand_in_the_abstract() -> None:
    noted = replace(ABOUT, title="Another matter", abstract="", described="On sparse retrieval.")
    assert "spar's note" in why(QUESTION, noted, (), Links())


def test_the_paper_that_cites_it_is_named() -> None:
    told = why(QUESTION, ABOUT, ("cited by best",), Links(citing="A survey of retrieval"))
    assert told == "“sparse retrieval” stands in its title and “A survey of retrieval” cites it"


def test_small_words_of_the_question_are_no_reason() -> None:
    assert why(QUESTION, paper("What is known of the sea"), (), Links()) == "it has none of the question's words"


def test_a_paper_that_was_named_and_one_that_is_doubted_say_so() -> None:
    assert why(QUESTION, ABOUT, (NAMED,), Links()).startswith("you named it")
    assert why(QUESTION, ABOUT, (DOUBTED,), Links()) == "no paper found says enough of what is asked"


@pytest.mark.parametrize("links", [Links(), Links("One", ""), Links("", "Two")])
@given(features=st.lists(st.sampled_from(list(FEATURES)), max_size=3), title=st.text(max_size=40))
def test_nothing_is_said_that_nobody_can_check_on_the_paper(links: Links, features: list[str], title: str) -> None:
    told = why(QUESTION, replace(ABOUT, title=title), tuple(features), links)
    seen = r"“[^”]+” stands in its (title|abstract)|its (title|abstract) has “.+”|“(One|Two)” cites it|it cites “Two”"
    assert re.fullmatch(rf"({seen})( and ({seen}))?|it has none of the question's words", told)
