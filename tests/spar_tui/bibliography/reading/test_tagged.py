"""RIS and PubMed files: read whole, and what is wrong is named by its line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.paper import Author
from spar_tui.bibliography.reading.pubmed import read_pubmed
from spar_tui.bibliography.reading.ris import read_ris

RIS = """TY  - CPAPER
ID  - smith20
AU  - van der Smith, Anna
A1  - King, Martin Luther, Jr.
AU  - CDC and Prevention,
TI  - A title: with a colon
T2  - Proceedings of X
PY  - 2020
DA  - 2020/05/17/
DO  - 10.1000/RIS
AN  - arXiv:1706.03762
SP  - 1
EP  - 9
VL  - 7
KW  - one
KW  - two, three
AB  - Long
      and continued
N1  - My note
L1  - papers/a.pdf
UR  - https://example.org/a
ER  -
"""


def test_a_record_keeps_all_that_the_shelf_has_a_place_for() -> None:
    found = read_ris(RIS)
    [entry] = found.entries
    paper = entry.paper
    assert found.problems == ()
    assert (entry.line, entry.key) == (1, "smith20")
    assert [author.name for author in paper.authors] == [
        "Anna van der Smith", "CDC and Prevention", "Martin Luther King Jr.",
    ]  # fmt: skip
    assert (paper.title, paper.venue, paper.date) == ("A title: with a colon", "Proceedings of X", "2020-05-17")
    assert (paper.identifier("doi"), paper.identifier("arxiv")) == ("10.1000/ris", "1706.03762")
    assert paper.abstract == "Long and continued"
    assert (entry.tags, entry.note, entry.files) == (("one", "two, three"), "My note", ("papers/a.pdf",))
    assert entry.details == {"volume": "7", "pages": "1--9"}


def test_a_record_without_an_end_is_read_and_named() -> None:
    found = read_ris(
        "TY  - JOUR\nTI  - One\n\nTY  - JOUR\nTI  - Two\nER  - \nXX  - stray\nTY  - BOOK\nID  - b\nTI  - Three"
    )
    assert [entry.paper.title for entry in found.entries] == ["One", "Two", "Three"]
    assert [(problem.line, problem.taken) for problem in found.problems] == [(1, True), (7, False), (8, True)]


def test_a_count_line_before_a_record_and_an_abstract_that_looks_like_one_do_no_harm() -> None:
    found = read_ris("1.\nTY  - JOUR\nTI  - One\nAB  - Quotes\nTY - not a tag in PubMed's sense\nER  - \n\n2.\n" + RIS)
    assert len(found.entries) >= 2
    assert found.entries[-1].key == "smith20"


@pytest.mark.parametrize(
    ("lines", "date"),
    [
        ("PY  - 2020///", "2020"), ("PY  - 2020/05//", "2020-05"), ("Y1  - 2020/05/17/", "2020-05-17"),
        ("DA  - 2020-05-17", "2020-05-17"), ("PY  - 2020\nDA  - May 17", "2020"), ("PY  - n.d.", None),
    ],
)  # fmt: skip
def test_a_date_is_as_precise_as_it_is_known(lines: str, date: str | None) -> None:
    [entry] = read_ris(f"TY  - JOUR\nTI  - T\n{lines}\nER  - \n").entries
    assert entry.paper.date == date


def test_pubmeds_own_format_is_read() -> None:
    found = read_pubmed(
        "\nPMID- 31452104\nOWN - NLM\nDP  - 2019 Aug 23\nTI  - Structure of a thing\n      continued here.\n"
        "AB  - Abstract.\nFAU - Smith, Jane A\nAU  - Smith JA\nCN  - The Consortium\nJT  - Nature communications\n"
        "LID - 10.1038/s41467-1 [doi]\nPMC - PMC6710000\nPT  - Journal Article\nPT  - Review\nVI  - 10\nPG  - 12-19\n\n"
        "PMID- 2\nTI  - Second.\n"
    )
    first, second = found.entries
    assert (first.line, second.line) == (2, 19)
    paper = first.paper
    assert paper.title == "Structure of a thing continued here"
    assert [author.name for author in paper.authors] == ["Jane A Smith", "The Consortium"]
    assert (paper.date, paper.venue, paper.type) == ("2019-08-23", "Nature communications", "review")
    assert {name.scheme for name in paper.identifiers} == {"doi", "pmid", "pmcid"}
    assert first.details == {"volume": "10", "pages": "12-19"}
    assert second.paper.id == "pmid:2"


@given(
    st.lists(st.sampled_from(["TY  - JOUR", "ER  - ", "TI  - x", "AU  - a, b", "DO  - 10.1/x", "PMID- 1", "", "text"]))
)
def test_any_order_of_lines_is_read_without_a_fault(lines: list[str]) -> None:
    text = "\n".join(lines)
    assert len(read_ris(text).entries) <= lines.count("TY  - JOUR")
    assert len(read_pubmed(text).entries) <= lines.count("PMID- 1")


def test_the_editors_of_a_chapter_are_kept_and_the_authors_of_an_edited_book_are_its_editors() -> None:
    found = read_ris(
        "TY  - CHAP\nTI  - One\nAU  - Lovelace, Ada\nED  - Babbage, Charles\nA2  - Royal Society,\nER  - \n"
        "TY  - EDBOOK\nTI  - Two\nAU  - Babbage, Charles\nER  - \n"
    )
    told = [(one.paper.authors, [editor.name for editor in one.paper.imprint.editors]) for one in found.entries]
    assert told == [((Author("Lovelace", "Ada"),), ["Charles Babbage", "Royal Society"]), ((), ["Charles Babbage"])]


def test_the_editors_of_a_book_in_pubmed_are_kept() -> None:
    [entry] = read_pubmed(
        "PMID- 7\nBTI - A book\nFED - Babbage, Charles\nED  - Babbage C\nPT  - Book Chapter\n"
    ).entries
    assert entry.paper.imprint.editors == (Author("Babbage", "Charles"),)
