"""RIS and PubMed files: read whole, and what is wrong is named by its line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.paper import Author
from spar_tui.bibliography.more_fields import more_of
from spar_tui.bibliography.reading.files import found_in, read_as
from spar_tui.bibliography.reading.noted import noted
from spar_tui.bibliography.reading.pubmed import read_pubmed, record_in
from spar_tui.bibliography.reading.ris import read_ris
from tests.rows import each

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
        "Anna van der Smith", "Martin Luther King Jr.", "CDC and Prevention",
    ]  # fmt: skip
    assert (paper.title, paper.venue, paper.date) == ("A title: with a colon", "Proceedings of X", "2020-05-17")
    assert (paper.identifier("doi"), paper.identifier("arxiv")) == ("10.1000/ris", "1706.03762")
    assert paper.abstract == "Long and continued"
    assert (entry.tags, entry.note, entry.files) == (("one", "two, three"), "My note", ("papers/a.pdf",))
    assert entry.details == {"volume": "7", "pages": "1-9"}


def test_a_record_without_an_end_is_read_and_named() -> None:
    found = read_ris(
        "TY  - JOUR\nTI  - One\n\nTY  - JOUR\nTI  - Two\nER  - \nXX  - stray\nTY  - BOOK\nID  - b\nTI  - Three"
    )
    assert [entry.paper.title for entry in found.entries] == ["One", "Two", "Three"]
    assert [(problem.line, problem.taken) for problem in found.problems] == [(1, True), (7, True)]


def test_a_count_line_before_a_record_and_an_abstract_that_looks_like_one_do_no_harm() -> None:
    found = read_ris("1.\nTY  - JOUR\nTI  - One\nAB  - Quotes\nTY - not a tag in PubMed's sense\nER  - \n\n2.\n" + RIS)
    assert len(found.entries) >= 2
    assert found.entries[-1].key == "smith20"


@each(
    ("lines", "date"),
    [
        ("PY  - 2020///", "2020"), ("PY  - 2020/05//", "2020-05"), ("Y1  - 2020/05/17/", "2020-05-17"),
        ("DA  - 2020-05-17", "2020-05-17"), ("PY  - 2020\nDA  - May 17", "2020-05-17"), ("PY  - n.d.", None),
        ("PY  - 2020\nDA  - OCT 5", "2020-10-05"), ("PY  - 2020\nDA  - MAY-JUN", "2020-05"),
        ("PY  - 2020\nDA  - SUM", "2020"), ("DA  - 2020/05//undefined", "2020-05"), ("PY  - 1998-2000", "1998"),
        ("DA  - 12 March 2020", "2020-03-12"), ("DA  - 03/04/2020", "2020"),
    ],
)  # fmt: skip
def test_a_date_is_as_precise_as_it_is_known(lines: str, date: str | None) -> None:
    [entry] = read_ris(f"TY  - JOUR\nTI  - T\n{lines}\nER  - \n").entries
    assert entry.paper.date == date


@each(("database", "names"), [("PubMed", ["pmid:30992634"]), ("Scopus", [])])
def test_an_accession_number_is_pubmeds_where_the_database_is(database: str, names: list[str]) -> None:
    [entry] = read_ris(f"TY  - JOUR\nTI  - T\nAN  - 30992634\nDB  - {database}\nER  - \n").entries
    assert [str(name) for name in entry.paper.identifiers] == names


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


@pytest.mark.parametrize("tag", ["FAU", "AU "])
@given(st.permutations(["Smith, Jane", "The Consortium", "Fen, Bo", "Reed Group"]))
def test_groups_keep_their_places_among_the_authors_of_pubmed(tag: str, names: list[str]) -> None:
    lines = "".join(f"{tag if ',' in name else 'CN '} - {name}\n" for name in names)
    [entry] = read_pubmed(f"PMID- 2\nTI  - Second.\n{lines}").entries
    expected = [" ".join(reversed(name.split(", "))) for name in names]
    assert [author.name for author in entry.paper.authors] == expected


@each(
    ("source", "pages"),
    [
        ("J Fens. 2020 May;14(7 Pt 2):e0299. doi: 10.1000/x.", "e0299"),
        ("Reeds (Ely). 2020;8:1042. doi: 10.1000/x. eCollection 2020.", "1042"),
        ("J Fens. 2020 May 3:S0140-6736(20)1. doi: 10.1000/x. Online ahead of print.", ""),
        ("J Fens. 2020 May 3. doi: 10.1000/x.", ""),
    ],
)
def test_an_article_number_is_in_the_source_of_pubmed(source: str, pages: str) -> None:
    [entry] = read_pubmed(f"PMID- 2\nTI  - Second.\nSO  - {source}\n").entries
    assert entry.details.get("pages", "") == pages


@each(
    ("told", "parts"),
    [
        ("King, Martin Luther, Jr.", ("King", "Martin Luther", "Jr.")),
        ("King, Jr., Martin Luther", ("King", "Martin Luther", "Jr.")),
        ("Fleri, JR", ("Fleri", "JR", "")),
        ("Arthur, John V", ("Arthur", "John V", "")),
        ("Achenbach, Barned, Berry, Bishop", ("Achenbach, Barned, Berry, Bishop", "", "")),
        ("Doctors, Nurses, and Co.,", ("Doctors, Nurses, and Co.", "", "")),
    ],
)
def test_a_name_has_the_parts_that_the_record_gives_it(told: str, parts: tuple[str, ...]) -> None:
    [entry] = read_ris(f"TY  - JOUR\nTI  - T\nAU  - {told}\nAU  - et al.,\nER  - \n").entries
    [person] = entry.paper.authors
    assert (person.family, person.given, person.suffix) == parts
    assert entry.paper.et_al


def test_the_number_of_an_article_is_where_its_pages_would_be() -> None:
    first, second = read_ris(
        "TY  - JOUR\nTI  - One\nC7  - e1042\nU1  - 26957754[pmid]\nER  - \n"
        "TY  - JOUR\nTI  - Two\nC7  - 7\nSP  - 1\nER  - \n"
    ).entries
    assert (first.details["pages"], second.details["pages"]) == ("e1042", "1")
    assert first.paper.id == "pmid:26957754"


def test_erics_files_are_read_though_they_have_no_pmid() -> None:
    text = (
        "\nOWN - ERIC\nTI  - Paper title\nAU  - Smith, Tom\nAU  - Hunter, Shawn\nOT  - Keyword\nJT  - Journal Name\n"
        "AID - http://dx.doi.org/10.1000/123456789\nOID - EJ1131633\nVI  - 10\nIP  - 1\nPG  - 1-9\nDP  - 2000\n"
        "LID - http://eric.ed.gov/?id=EJ1131633\nISSN - ISSN-1234-4567\nPT  - Journal Articles\n\n"
        "OWN - ERIC\nTI  - Second\nDP  - 2001\n"
    )
    first, second = found_in(text, "eric.nbib").entries
    paper = first.paper
    assert (paper.title, paper.id, paper.url) == (
        "Paper title", "doi:10.1000/123456789", "http://eric.ed.gov/?id=EJ1131633",
    )  # fmt: skip
    assert [one.name for one in paper.authors] == ["Tom Smith", "Shawn Hunter"]
    assert first.details == {"volume": "10", "number": "1", "pages": "1-9", "issn": "1234-4567"}
    assert (second.line, second.paper.title, second.paper.date) == (18, "Second", "2001")


def test_values_of_pubmed_that_go_on_and_tags_that_stand_again_are_whole() -> None:
    [entry] = read_pubmed(
        "PMID- 27169098\nOWN - NLM\nIS  - 2277-9175 (Electronic)\nIS  - 1234-5679 (Linking)\nDP  - 2016 Mar-Apr\n"
        "TI  - Proteomics: A new\n      perspective for cancer.\nAB  - BACKGROUND: PMID- is a tag.\n      More.\n"
        "TT  - Proteomik.\nLID - S01-2 [pii]\nLID - 10.1000/x [doi]\nOT  - Biomarkers\nOT  - neoplasia\n"
    ).entries
    paper, original = entry.paper, entry.original
    assert (paper.title, paper.abstract) == (
        "Proteomics: A new perspective for cancer",
        "BACKGROUND: PMID- is a tag. More.",
    )
    assert (entry.tags, paper.identifier("doi")) == (("Biomarkers", "neoplasia"), "10.1000/x")
    assert entry.details["issn"] == "2277-9175, 1234-5679"
    assert original
    assert more_of(original) == {"origtitle": "Proteomik"}


@given(
    st.lists(st.sampled_from(["TY  - JOUR", "ER  - ", "TI  - x", "AU  - a, b", "DO  - 10.1/x", "PMID- 1", "", "text"]))
)
def test_any_order_of_lines_is_read_without_a_fault(lines: list[str]) -> None:
    text = "\n".join(lines)
    titles = lines.count("TI  - x")
    assert len(read_ris(text).entries) <= 1 + max(lines.count("TY  - JOUR"), lines.count("ER  - ")) + titles
    assert len(read_pubmed(text).entries) <= 1 + lines.count("PMID- 1") + titles


RECORDS = {
    "ris": ("TY  - JOUR", "AU  - Roe, A\nTI  - {}\nAB  - One.\nPY  - 2001"),
    "refer": ("%0 Journal Article", "%A Roe, A\n%T {}\n%X One.\n%D 2001"),
    "refworks": ("RT Journal Article", "A1 Roe,A\nT1 {}\nAB One.\nYR 2001"),
    "pubmed": ("PMID- 11111111", "FAU - Roe, A\nTI  - {}\nAB  - One.\nDP  - 2001"),
    "web-of-science": ("PT J", "AU Roe, A\nTI {}\nAB One.\nPY 2001"),
}
"""The line with which a record of each format begins, and the rest of one with a title."""


@each("file_format", RECORDS)
@given(begun=st.lists(st.booleans(), min_size=1, max_size=4))
def test_a_record_without_its_first_line_is_not_lost(file_format: str, begun: list[bool]) -> None:
    first, rest = RECORDS[file_format]
    records = [[first] * is_begun + [rest.format(f"T{index}")] for index, is_begun in enumerate(begun)]
    text = "\n\n".join("\n".join(lines) for lines in records) + "\n"
    entries = read_as(file_format, text, "x").entries
    assert [entry.paper.title for entry in entries] == [f"T{index}" for index in range(len(begun))]
    assert {entry.paper.date for entry in entries} == {"2001"}


@each("text", ["references:\n- id: a\n  title: A\n- just text\n", "a:\n  title: A\n  type: book\nb: just text\n"])
def test_a_reference_of_yaml_that_is_no_work_is_named(text: str) -> None:
    found = read_as("yaml", text, "x.yaml")
    assert [entry.paper.title for entry in found.entries] == ["A"]
    assert [problem.reason for problem in found.problems] == ["it has no fields, so it is no work"]


def test_the_editors_of_a_chapter_are_kept_and_the_authors_of_an_edited_book_are_its_editors() -> None:
    found = read_ris(
        "TY  - CHAP\nTI  - One\nAU  - Lovelace, Ada\nED  - Babbage, Charles\nA2  - Royal Society,\nER  - \n"
        "TY  - EDBOOK\nTI  - Two\nAU  - Babbage, Charles\nER  - \n"
    )
    told = [(one.paper.authors, [editor.name for editor in one.paper.imprint.editors]) for one in found.entries]
    assert told == [((Author("Lovelace", "Ada"),), ["Charles Babbage", "Royal Society"]), ((), ["Charles Babbage"])]


def test_short_names_of_medline_end_in_initials_and_a_generation() -> None:
    names = ("Roe AB Jr", "van der Berg J", "Poe JV", "Sukarno", "Fen, Ann")
    people = "".join(f"AU  - {name}\n" for name in names)
    [entry] = read_pubmed(f"PMID- 7\nTI  - T\n{people}ED  - Babbage C\n").entries
    assert [(one.family, one.given, one.suffix) for one in entry.paper.authors] == [
        ("Roe", "AB", "Jr"), ("van der Berg", "J", ""), ("Poe", "JV", ""), ("Sukarno", "", ""), ("Fen", "Ann", ""),
    ]  # fmt: skip
    assert entry.paper.imprint.editors == (Author("Babbage", "C"),)


def test_a_whole_book_in_pubmed_has_its_title_its_editors_and_its_publisher() -> None:
    [entry] = read_pubmed(
        "PMID- 7\nPB  - Fen Press\nBTI - A book of all that grows\n      in wet lands.\nCTI - Marsh Reports\n"
        "FED - Babbage, Charles\nED  - Babbage C\nPT  - Book Chapter\nPL  - Ely (UK)\n"
    ).entries
    paper, details = entry.paper, entry.details
    assert (paper.title, paper.type, paper.venue) == ("A book of all that grows in wet lands", "book", "Fen Press")
    assert paper.imprint.editors == (Author("Babbage", "Charles"),)
    assert (details["address"], details["series"]) == ("Ely (UK)", "Marsh Reports")


@each(
    ("lines", "kind"),
    [
        ("", "other"), ("T2  - Fen Archive\n", "other"), ("AN  - arXiv:2001.01234\n", "preprint"),
        ("DO  - 10.1101/2020.01.02.123456\n", "preprint"), ("PB  - medRxiv\n", "preprint"),
        ("M3  - Preprint\n", "preprint"),
    ],
)  # fmt: skip
def test_an_unpublished_work_of_ris_is_a_preprint_if_something_says_so(lines: str, kind: str) -> None:
    [entry] = read_ris(f"TY  - UNPB\nTI  - T\n{lines}ER  - \n").entries
    assert entry.paper.type == kind


@each(
    ("note", "names", "text"),
    [
        ("PMID: 31000010; PMCID: PMC3100010;", {"pmid", "pmcid"}, ""),
        ("DOI: 10.1000/x; PMID: 31000010\nSeen.", {"pmid", "doi"}, "Seen."),
        ("PMID: 31000010; a reply", set(), "PMID: 31000010; a reply"),
    ],
)
def test_a_line_of_a_note_may_hold_several_identifiers(note: str, names: set[str], text: str) -> None:
    found = noted(note)
    assert ({scheme for scheme, _ in found.names}, found.text) == (names, text)


@each(
    ("lines", "tags"),
    [
        (
            "KW  - herons\nKW  - kite aerial\nphotography\nKW  - counting",
            ("herons", "kite aerial photography", "counting"),
        ),
        ("KW  - herons\nkite aerial photography\ncounting", ("herons", "kite aerial photography", "counting")),
        ("KW  - herons; counting", ("herons", "counting")),
    ],
)
def test_a_line_without_a_tag_continues_a_keyword_where_each_has_a_tag(lines: str, tags: tuple[str, ...]) -> None:
    [entry] = read_ris(f"TY  - JOUR\nTI  - T\n{lines}\nER  - \n").entries
    assert entry.tags == tags


def test_ids_of_medline_that_are_no_identifier_of_a_paper_are_kept() -> None:
    ids = "LID - S1 [pii]\nAID - S1 [pii]\nAID - NBK990002 [bookaccession]\nAID - 10.1000/x [doi]\n"
    [entry] = read_pubmed(f"PMID- 2\nTI  - Second.\n{ids}").entries
    assert entry.original
    assert record_in(entry.original).custom["AID"] == "S1 [pii]; NBK990002 [bookaccession]"
    assert entry.paper.identifier("doi") == "10.1000/x"
