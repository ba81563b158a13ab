"""What a page says, as it is searched and quoted."""

import asyncio
import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from connectors.pdf.child import PageLines
from connectors.pdf.layout import PAGE_CAP, page_texts
from connectors.pdf.reading import read_pages
from tests.connectors.pdf.writing import columns, pdf
from tests.rows import each
from tests.work import grows_evenly


def page(*lines: str) -> PageLines:
    return [(72.0, 700.0 - 12 * place, text) for place, text in enumerate(lines)]


def test_each_page_says_what_stands_on_it() -> None:
    assert page_texts([page("We retrieve", "passages."), [], page("They help.")]) == (
        "We retrieve passages.",
        "",
        "They help.",
    )


@each(
    ("lines", "said"),
    [
        (["dense re-", "trieval of passages"], "dense retrieval of passages"),
        (["dense re\u00ad", "trieval of passages"], "dense retrieval of passages"),
        (["it is self-supervised, so self-", "supervised it is"], "it is self-supervised, so self-supervised it is"),
        (["e\ufb03cient \ufb01ne-tuning of \ufb02ows"], "efficient fine-tuning of flows"),
        (["an e\x1ecient na¨ıve model"], "an efficient naïve model"),
        (["see https://example.org/", "a/b.html for it"], "see https://example.org/a/b.html for it"),
    ],
)
def test_words_are_whole_so_that_a_search_finds_them(lines: list[str], said: str) -> None:
    assert page_texts([page(*lines)]) == (said,)


def test_a_word_divided_over_two_pages_is_whole_on_the_first() -> None:
    first, second = page_texts([page("We study the re-"), page("trieval of passages.")])
    assert (first, second) == ("We study the retrieval", "of passages.")


def test_running_heads_and_page_numbers_are_no_words_of_the_paper() -> None:
    lines = [f"Line {'x' * place} of the text." for place in range(1, 30)]
    data = pdf(columns(lines, head="Journal of Fish, volume", height=7))
    texts = page_texts(asyncio.run(read_pages(data)))
    assert len(texts) == 5
    assert not any("Journal" in text for text in texts)
    assert " ".join(texts) == " ".join(lines)


def test_a_page_that_was_written_as_one_line_is_read_to_its_end() -> None:
    line = " ".join(f"word{place}" for place in range(2_000))
    assert page_texts([page(line)] * 3) == (line,) * 3


@each(
    ("line", "said"),
    [
        ("a \x07red\x00 wo\u200brd\u202e", "a red word"),
        ("<b>bold</b> &amp; <script>alert(1)</script>plain", "bold & plain"),
        ("we set $a < b$ here", "we set $a < b$ here"),
    ],
)
def test_nothing_that_steers_a_terminal_or_is_markup_is_kept(line: str, said: str) -> None:
    assert page_texts([page(line)]) == (said,)


@given(st.lists(st.lists(st.text(max_size=30), max_size=6), max_size=5))
def test_any_lines_at_all_become_as_many_clean_pages(found: list[list[str]]) -> None:
    texts = page_texts([page(*lines) for lines in found])
    assert len(texts) == len(found)
    assert not {unicodedata.category(letter) for text in texts for letter in text} & {"Cc", "Cf", "Cs", "Zl", "Zp"}


@each("line", ["<script>", "a-", "<!--", "re- ", "10.1000/x/"])
def test_a_page_made_to_waste_time_is_cut_and_no_more_work_than_any(line: str) -> None:
    [text] = page_texts([page(*[line] * 50_000)])
    assert len(text) <= PAGE_CAP
    assert grows_evenly(lambda lines: page_texts([page(*[line] * lines)]), 1_000)
