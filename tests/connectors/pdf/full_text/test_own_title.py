"""Whether a PDF is of a paper is told by the title on its first pages."""

from hypothesis import given
from hypothesis import strategies as st

from connectors.pdf.own_title import shows_title
from tests.agents.scripted import paper
from tests.rows import each


def page(*lines: str) -> list[tuple[float | None, float | None, str]]:
    return [(72.0, 700.0 - 12 * place, text) for place, text in enumerate(lines)]


TITLE = "Dense Passage Retrieval for Open-Domain Question Answering"
COVER = page("Downloaded from a repository on 3 May 2021")


@each(
    "pages",
    [
        [page(TITLE)],
        [page("DENSE PASSAGE RETRIEVAL FOR OPEN-", "DOMAIN QUESTION AN-", "SWERING", "V. Karpukhin")],
        [COVER, page("Dense Passage Retrieval for", "Open-Domain Question Answering∗")],
        [page("Dense  Passage Retrieval for Open-Domain Questi0n Answering")],
    ],
)
def test_a_title_is_found_however_it_is_set(pages: list[list[tuple[float | None, float | None, str]]]) -> None:
    assert shows_title(pages, paper(TITLE))


@each(
    "pages",
    [
        [page("Sparse Retrieval of Documents", "We compare with dense retrieval.")],
        [page("A survey", "References", TITLE)],
        [COVER, COVER, COVER, page(TITLE)],
        [page("Dense Passage")],
        [],
    ],
)
def test_another_paper_is_not_taken_for_it(pages: list[list[tuple[float | None, float | None, str]]]) -> None:
    assert not shows_title(pages, paper(TITLE))


def test_a_title_of_few_letters_needs_an_author() -> None:
    short = paper("Memory", author="Ada Lovelace")
    assert not shows_title([page("On memory and sleep", "B. Nobody")], short)
    assert shows_title([page("Memory", "Ada Lovelace")], short)


def test_ligatures_and_accents_do_not_matter() -> None:
    assert shows_title(
        [page("Eﬃcient Ineﬀable Über-ﬁts in Lévy ﬂights")], paper("Efficient Ineffable Über-fits in Lévy flights")
    )


@given(st.lists(st.lists(st.text(max_size=30), max_size=5), max_size=4), st.text(max_size=60))
def test_any_text_is_compared(pages: list[list[str]], title: str) -> None:
    assert shows_title([page(*lines) for lines in pages], paper(title or "x")) in (True, False)
