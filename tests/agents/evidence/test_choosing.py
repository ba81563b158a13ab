"""The sentences that bear on a question stand in their papers, the most telling first, and other papers say nothing."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from agents.builtin.text.sentences import LONGEST_QUOTE
from agents.evidence.choosing import A_PAPER, best_quote, evidence
from cache.store import Store
from tests.agents.paged import FOUND, fetched
from tests.agents.scripted import paper
from tests.library import copied

QUESTION = "Do statins raise the risk of diabetes?"
AIM = "Whether statins raise the risk of diabetes is debated."
METHOD = "We followed 4,000 adults for six years."
RESULT = "Statins raised the risk of diabetes by 9% (95% CI 2 to 17)."
TRIAL = paper("A trial of statins", "10.1000/trial", abstract=f"{AIM} {METHOD} {RESULT}")
BREAD = paper("On bread", "10.1000/bread", abstract="Bread rises in the warmth. We bake it at a high risk.")


def test_a_finding_comes_before_what_was_asked() -> None:
    assert [(one.paper, one.text) for one in evidence(QUESTION, {1: TRIAL, 2: BREAD})] == [(1, RESULT), (1, AIM)]


def test_papers_that_do_not_speak_of_the_question_say_nothing() -> None:
    assert evidence(QUESTION, {2: BREAD}) == []
    assert evidence("", {1: TRIAL}) == []


def test_a_sentence_that_two_papers_have_is_told_once() -> None:
    again = paper("The trial again", "10.1000/again", abstract=RESULT)
    assert [one.text for one in evidence(QUESTION, {1: TRIAL, 2: again})] == [RESULT, AIM]


def test_pages_give_evidence_with_their_number(tmp_path: Path) -> None:
    bare = paper("On measuring what is found", "10.1000/on")
    with Store.open(copied(tmp_path / "spar.db")) as store:
        pages = fetched(store, bare, tmp_path)
    [first, *_] = evidence("recall of a cross-encoder", {1: bare}, lambda one: pages)
    assert (first.text, first.page) == (FOUND, 3)


_WORDS = st.lists(st.sampled_from(["statins", "risk", "of", "diabetes", "bread", "is", "Risk.", "9%"]), max_size=150)


@given(st.lists(_WORDS.map(" ".join), max_size=4))
def test_evidence_stands_word_for_word_in_its_paper(abstracts: list[str]) -> None:
    papers = {place: paper("A trial", f"10.1000/{place}", abstract=text) for place, text in enumerate(abstracts)}
    chosen = evidence(QUESTION, papers)
    assert all(one.text in papers[one.paper].abstract for one in chosen)
    assert all(sum(one.paper == place for one in chosen) <= A_PAPER for place in papers)


@given(_WORDS.map(" ".join))
def test_a_quote_is_short_and_stands_word_for_word(text: str) -> None:
    quote = best_quote(QUESTION, "A trial", text)
    assert quote in text
    assert len(quote) <= LONGEST_QUOTE


def test_nothing_is_quoted_where_no_term_stands() -> None:
    assert best_quote("sparse retrieval", "On bread", "We bake bread.") == ""
