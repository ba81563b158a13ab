"""Reasons name what can be seen on the paper: words of the question that stand there, or a paper linked to it."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.builtin.ranking.features import FEATURES
from agents.builtin.ranking.reasons import NAMED, why
from agents.builtin.ranking.relevance import DOUBTED
from connectors.paper import Paper
from tests.agents.scripted import paper

QUESTION = "What is known of sparse retrieval of scientific texts?"
ABOUT = replace(paper("Sparse retrieval revisited", "10.1000/sparse"), abstract="We look at texts of science.")


def citing(title: str) -> Paper:
    return replace(paper(title), references=ABOUT.identifiers)


def test_a_phrase_that_the_title_shares_is_named() -> None:
    assert why(QUESTION, ABOUT, ("lists",)) == "“sparse retrieval” is in its title"


def test_words_that_the_abstract_shares_are_named_where_the_title_has_none() -> None:
    other = replace(ABOUT, title="Another matter", abstract="Texts can be sparse.")
    assert why(QUESTION, other, ()) == "“sparse” and “texts” are in its abstract"


def test_what_stands_in_spars_note_is_not_said_to_stand_in_the_abstract() -> None:
    noted = replace(ABOUT, title="Another matter", abstract="", described="On sparse retrieval.")
    assert "spar's note" in why(QUESTION, noted, ())


def test_the_paper_that_cites_it_is_named() -> None:
    told = why(QUESTION, ABOUT, ("cited by best",), [citing("A survey of retrieval")])
    assert told == "“sparse retrieval” is in its title; cited by “A survey of retrieval”"


def test_of_several_papers_that_cite_it_one_is_named_and_the_others_counted() -> None:
    told = why(QUESTION, ABOUT, (), [citing("A survey of retrieval"), citing("Another"), citing("A third")])
    assert told.endswith("cited by “A survey of retrieval” and 2 more of the best papers")


def dated(title: str, year: int | None, abstract: str = "") -> Paper:
    return paper(title, date=str(year) if year else None, abstract=abstract)


def test_words_that_all_relevant_papers_have_are_no_reason_if_links_or_dates_set_a_paper_apart() -> None:
    noted = replace(ABOUT, title="Noted", abstract="On sparse retrieval.")
    linked, newest = replace(noted, references=CITED.identifiers), replace(noted, date="2025")
    beside = [dated("On sparse retrieval", 2001), dated("Beside", None, abstract="Sparse retrieval, revisited.")]
    assert why(QUESTION, linked, (), [CITED], beside) == "cites “Two”"
    assert why(QUESTION, newest, (), (), beside) == "newer (2025) than 1 of the 2 best other relevant papers"
    alike = replace(noted, date=None)
    assert why(QUESTION, alike, (), (), beside) == "“sparse retrieval” is in its abstract"


def test_words_that_one_relevant_paper_lacks_or_has_in_its_abstract_only_are_a_reason() -> None:
    beside = [dated("On sparse retrieval", 2001), dated("Beside", 2002, abstract="On sparse retrieval.")]
    assert why(QUESTION, ABOUT, (), (), beside) == "“sparse retrieval” is in its title"
    assert why(QUESTION, ABOUT, (), (), [dated("Another matter", 2001)]) == "“sparse retrieval” is in its title"


def test_small_words_of_the_question_are_no_reason() -> None:
    assert why(QUESTION, paper("What is known of the sea"), ()) == "has none of the question's words"


def test_a_paper_that_was_named_and_one_that_is_doubted_say_so() -> None:
    assert why(QUESTION, ABOUT, (NAMED,)).startswith("you named it")
    assert why(QUESTION, ABOUT, (DOUBTED,)) == "no paper found covers enough of the question"


CITED = paper("Two", "10.1000/two")


@pytest.mark.parametrize("others", [[], [citing("One")], [CITED]])
@given(features=st.lists(st.sampled_from(list(FEATURES)), max_size=3), title=st.text(max_size=40))
def test_nothing_is_said_that_nobody_can_check_on_the_paper(
    others: list[Paper], features: list[str], title: str
) -> None:
    told = why(QUESTION, replace(ABOUT, title=title, references=CITED.identifiers), tuple(features), others)
    seen = r"“.+” (is|are) in its (title|abstract)|cited by “(One|Two)”|cites “Two”"
    assert re.fullmatch(rf"({seen})(; ({seen}))?|has none of the question's words", told)
