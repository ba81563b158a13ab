"""What of a page is quoted stands there, on that page, and is a sentence."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.builtin.text.pages import stretches
from agents.evidence.choosing import ROOM, near_passages
from agents.evidence.quotes import quoted
from cache.passages import Passage
from cache.store import Store
from tests.agents.paged import FAILS, FOUND, ORDER, fetched
from tests.agents.scripted import paper
from tests.rows import each

TOPIC = "sparse retrieval of scientific passages"
PAPER = paper(
    "On measuring what is found",
    "10.1000/on",
    abstract="We measure the recall of sparse retrieval on passages of science.",
)
BEFORE = "It was a long day for all who took part in it."
GOOD = "The index that we build holds ten postings for each of the passages."


def test_the_sentences_nearest_to_a_question_come_with_the_pages_of_the_pdf_they_stand_on(tmp_path: Path) -> None:
    with Store.open(tmp_path / "spar.db") as store:
        pages = fetched(store, PAPER, tmp_path)
    assert near_passages(TOPIC, pages, PAPER) == [Passage(3, FOUND), Passage(3, ORDER), Passage(3, FAILS)]
    assert quoted("nine tenths of the recall of a cross encoder", PAPER, pages) == (
        "nine tenths of the recall of a cross-encoder",
        3,
    )
    assert quoted("the recall of sparse retrieval", PAPER, pages) == ("the recall of sparse retrieval", None)


@pytest.mark.parametrize(
    "copied",
    [
        "ten tenths of the recall of a cross-encoder and more",
        "Notes on sparse retrieval of scientific passages by engines",
        "of the index",
        "",
    ],
)
def test_what_stands_on_no_page_or_is_a_reference_is_no_quote(copied: str, tmp_path: Path) -> None:
    with Store.open(tmp_path / "spar.db") as store:
        pages = fetched(store, PAPER, tmp_path)
    assert quoted(copied, PAPER, pages) == ("", None)


@each(
    "broken",
    [
        "and the index that we build holds ten postings for each passage.",
        "3 Methods The index that we build holds ten postings for each passage.",
        "Results The index that we build holds ten postings for each passage.",
        "Training Data Indexes hold ten postings for each of the many passages.",
        "The index that we build holds Figure 2 The postings of each passage.",
        "Figure 2: The index that we build holds ten postings for each passage.",
        "The index that we build holds ten post- ings for each of the passages.",
        "The index that we build holds ten postings for each of the passages",
        "The index that we build holds ten postings (for each of the passages.",
        "The index that we build holds 0.71 0.82 0.93 0.12 12 44 71 9 8 7 0.5.",
        "The index that we build holds ten postings as was told by Prof.",
        "Lovelace, A. The index that we build holds ten postings for passages.",
        "The index of passages d o e s w h a t n o b o d y r e a d s h e r e.",
    ],
)
def test_what_a_heading_a_caption_a_formula_or_an_edge_ran_into_is_no_sentence(broken: str) -> None:
    assert stretches(f"{BEFORE} {broken}") == ()
    assert stretches(f"{BEFORE} {GOOD}") == (GOOD,)


def test_the_first_words_of_a_page_may_be_the_end_of_a_sentence_and_are_not_quoted() -> None:
    assert stretches(f"{GOOD} {GOOD}") == (GOOD,)


_SENTENCES = st.lists(
    st.sampled_from([GOOD, FOUND, FAILS, ORDER, BEFORE, "Figure 3: It goes up.", "3 Methods", "…", "[12] A. B. 2019."]),
    max_size=8,
)


@given(st.dictionaries(st.integers(1, 9), _SENTENCES.map(" ".join), max_size=4), st.text(max_size=60), st.data())
def test_every_quote_with_a_page_stands_on_that_page(pages: dict[int, str], asked: str, data: st.DataObject) -> None:
    passages = near_passages(f"{TOPIC} index postings {asked}", pages, PAPER)
    assert sum(len(one.text) for one in passages) <= ROOM
    for one in passages:
        assert one.text in pages[one.page]
    words = [word for text in pages.values() for word in text.split()]
    start = data.draw(st.integers(0, max(len(words) - 1, 0)))
    quote, page = quoted(" ".join(words[start : start + data.draw(st.integers(0, 30))]), PAPER, pages)
    if page is not None:
        assert quote in pages[page]
