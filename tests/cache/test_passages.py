"""The passages that show words in their place."""

import re

from hypothesis import given
from hypothesis import strategies as st

from cache.passages import CONTEXT, SPAN, Mark, passages_on
from tests.rows import each

FAR = "filler " * 60 + "it is. "


def marked(text: str, *words: str) -> tuple[str, list[Mark]]:
    return text, [Mark(*found.span(), place) for place, word in enumerate(words) for found in re.finditer(word, text)]


def test_words_that_stand_together_are_shown_together() -> None:
    [passage] = passages_on({3: marked(f"Dense things. {FAR}We index dense passages here. {FAR}", "ense", "pass")}, 3)
    assert passage.page == 3
    assert passage.text == "… We index dense passages here. …"
    assert [passage.text[slice(*mark)] for mark in passage.marks] == ["ense", "pass"]


def test_words_that_stand_apart_are_each_shown_in_the_order_of_their_pages() -> None:
    pages = {2: marked("Only passages here.", "dense", "passages"), 1: marked("A dense page.", "dense", "passages")}
    assert [(one.page, one.text) for one in passages_on(pages, 3)] == [(1, "A dense page."), (2, "Only passages here.")]


def test_no_more_passages_are_shown_than_are_needed_or_asked_for() -> None:
    pages = {page: marked("one two three four", *["one two", "three", "four"][: page + 1]) for page in range(3)}
    assert [one.page for one in passages_on(pages, 3)] == [2]
    apart = {page: (f"word{page}", [Mark(0, 4, page)]) for page in range(9)}
    assert len(passages_on(apart, 2)) == 2
    assert passages_on({}, 3) == []


def test_a_passage_that_is_a_whole_page_has_no_marks_of_a_cut() -> None:
    [passage] = passages_on({1: marked("A dense page.", "dense")}, 3)
    assert passage.text == "A dense page."


@each("text", ["x" * 5000, "y " * 2500, "Ünïcode。" * 600])
def test_a_page_without_sentences_or_blanks_is_cut_all_the_same(text: str) -> None:
    [passage] = passages_on({1: (text, [Mark(2500, 2503, 0)])}, 1)
    assert len(passage.text) <= 2 * CONTEXT + 3 + 4
    assert passage.text[slice(*passage.marks[0])] == text[2500:2503]


@given(st.text(st.sampled_from("ab. "), min_size=1, max_size=900), st.integers(1, 4))
def test_what_is_shown_stands_so_on_the_page_and_shows_each_word_that_there_is_room_for(text: str, most: int) -> None:
    page = marked(text, "a", "b")
    found = passages_on({1: page}, most)
    for passage in found:
        assert passage.text.removeprefix("… ").removesuffix(" …") in text
        assert len(passage.text) <= SPAN + 2 * CONTEXT + 8
        assert all(passage.text[slice(*mark)] in "ab" for mark in passage.marks)
    shown = {passage.text[slice(*mark)] for passage in found for mark in passage.marks}
    wanted = {letter for letter in text if letter in "ab"}
    assert shown == wanted or (len(found) == most == 1)
