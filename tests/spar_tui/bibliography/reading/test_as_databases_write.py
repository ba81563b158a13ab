"""Files as databases and programs write them: what deviates from a format's rules says the same as what keeps them."""

import json
from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from connectors.identifiers import Identifier
from spar_tui.bibliography.edtf import as_csl
from spar_tui.bibliography.entry import Entry
from spar_tui.bibliography.more_fields import more_of
from spar_tui.bibliography.reading.bibtex import read_bibtex
from spar_tui.bibliography.reading.csl_json import read_csl_json
from spar_tui.bibliography.reading.endnote import read_refer
from spar_tui.bibliography.reading.files import found_in
from spar_tui.bibliography.reading.pubmed import read_pubmed
from spar_tui.bibliography.reading.ris import read_ris
from tests.rows import each

GOATS = ["TY  - JOUR", "AU  - Marin, A. J.", "TI  - Foraging", "PY  - 2006", "ER  - "]


def test_a_wrapped_line_is_no_tag_and_a_tag_of_the_standard_may_have_one_blank() -> None:
    wrapped = "AB  - We asked about\npH - dependent and\nO2 - poor soils\nKW - Larix"
    [entry] = read_ris("\n".join([*GOATS[:-1], wrapped, GOATS[-1]])).entries
    assert (entry.paper.abstract, entry.tags) == ("We asked about pH - dependent and O2 - poor soils", ("Larix",))


def test_pages_with_hyphens_come_back_from_ris() -> None:
    for pages, first, last in (("3-1--3-27", "3-1", "3-27"), ("A-1-A-5", "A-1", "A-5"), ("12-5", "12", "5"),
                               ("12, 15-17, 20--22", "12, 15–17, 20–22", "")):  # fmt: skip
        entry = Entry("k", "article", "T", pages=pages)
        assert entry.page_range == (first, last)
    [read] = read_ris("\n".join([*GOATS[:-1], "SP  - 3-1", "EP  - 3-27", GOATS[-1]])).entries
    assert read.details["pages"] == "3-1--3-27"


def test_an_address_in_place_of_a_file_is_the_works_address() -> None:
    [entry] = read_ris("\n".join([*GOATS[:-1], "L1  - http://example.org/a.pdf", GOATS[-1]])).entries
    assert (entry.files, entry.paper.url) == ((), "http://example.org/a.pdf")


def test_comments_between_records_of_refer_are_ignored_and_a_report_has_its_number() -> None:
    text = "# ours\n%A Ann Roe\n%T One\n\n# more\n%T Two\n%R Tech. Rep. 49\n%I Lab\n"
    first, second = read_refer(text).entries
    assert (first.line, first.paper.title, first.paper.authors[0].name) == (2, "One", "Ann Roe")
    assert (second.paper.type, second.details["number"]) == ("report", "Tech. Rep. 49")
    assert second.original
    assert not second.original.value("DOI")


def test_a_report_has_its_publisher_and_a_chapter_no_empty_author_of_its_book() -> None:
    report = "@techreport{a, title={A}, howpublished={RFC 1}, publisher={Editor}}"
    chapter = "@incollection{c, author={A, B}, title={T}, crossref={v}}\n@book{v, editor={Z, P}, title={L}, year=1988}"
    found = read_bibtex(f"{report}\n{chapter}")
    assert [entry.paper.venue for entry in found.entries[:2]] == ["Editor", "L"]
    assert not found.problems


@each(
    "lines",
    [
        GOATS,
        ["DB  - XYZ", GOATS[2], GOATS[0], GOATS[1], *GOATS[3:]],
        [line.replace("  - ", " - ") for line in GOATS],
        [line.replace("  - ", "- ") for line in GOATS],
        [line.replace("  - ", "-") for line in GOATS],
        [line.replace("-", "–", 1) for line in GOATS],
        [f"   {line}" for line in GOATS],
        [f"{number}. {line}" for number, line in enumerate(GOATS, start=1)],
        [line[:2].lower() + line[2:] for line in GOATS],
    ],
    ids=["standard", "tags before the type", "one blank", "no blank before", "no blank", "dashes", "indented",
         "numbered", "small letters"],
)  # fmt: skip
def test_a_ris_record_is_read_however_its_tags_are_set(lines: list[str]) -> None:
    [entry] = found_in("\n".join(lines), "x.ris").entries
    assert (entry.paper.title, entry.paper.date, entry.paper.type) == ("Foraging", "2006", "article")
    assert [person.name for person in entry.paper.authors] == ["A. J. Marin"]


def test_text_that_looks_like_a_tag_stays_text_where_the_file_keeps_the_standard() -> None:
    [entry] = read_ris("TY  - JOUR\nTI  - T\nAB  - Done\nAB-initio by\nTY-pical means\nER  - ").entries
    assert entry.paper.abstract == "Done AB-initio by TY-pical means"


@each(
    ("written", "names"),
    [
        ("Sanz, Pedro J.; Monte, Maria", ["Pedro J. Sanz", "Maria Monte"]),
        ("Roe, A. and Poe, B.", ["A. Roe", "B. Poe"]),
        ("Roe, A., de la Poe, B.-C., & Doe, D.", ["A. Roe", "B.-C. de la Poe", "D. Doe"]),
        ("Roe, A.|Poe, B.", ["A. Roe", "B. Poe"]),
        ("Roe A.", ["A. Roe"]),
        ("van der Berg C.-D.", ["C.-D. van der Berg"]),
        ("王小明;李丽;陈刚", ["王小明", "李丽", "陈刚"]),
        ("김철수；이영희", ["김철수", "이영희"]),
        ("Centers for Disease Control and Prevention,", ["Centers for Disease Control and Prevention"]),
        ("Smith A, van der Jones BC", ["A Smith", "BC van der Jones"]),
        ("Lenn University, Dept A", ["Dept A Lenn University"]),
        ("J. Smith, A.-B. van der Roe", ["J. Smith", "A.-B. van der Roe"]),
        ("J.R. Smith and A. Roe", ["J.R. Smith", "A. Roe"]),
        ("Smith JA", ["JA Smith"]),
        ("Ann B. Roe", ["Ann B. Roe"]),
        ("Ann Roe, Jr.", ["Ann Roe Jr."]),
        ("Ilm Reed Trust", ["Ilm Reed Trust"]),
    ],
)
def test_people_in_one_line_are_told_apart_and_an_institute_stays_whole(written: str, names: list[str]) -> None:
    [entry] = read_ris(f"TY  - JOUR\nTI  - T\nAU  - {written}\nER  - ").entries
    assert [person.name for person in entry.paper.authors] == names


@each(
    ("written", "family"),
    [("J. R. Smith", "Smith"), ("U.S. Reed Board", "U.S. Reed Board"), ("Smith J", "Smith J"), ("Reed Board",) * 2],
)
def test_beside_inverted_names_only_initials_in_front_make_a_person(written: str, family: str) -> None:
    [entry] = read_ris(f"TY  - JOUR\nTI  - T\nAU  - Roe, Ann\nAU  - {written}\nER  - ").entries
    assert [person.family for person in entry.paper.authors] == ["Roe", family]


@each("name", ["Ilm Reed Trust", "Marsh Office", "Water Board"])
@each("tag", ["AU", "A1", "ED", "A4"])
def test_a_name_alone_without_a_comma_is_kept_whole(tag: str, name: str) -> None:
    [entry] = read_ris(f"TY  - CHAP\nTI  - T\n{tag}  - {name}\nER  - ").entries
    assert entry.original is not None
    people = [*entry.paper.authors, *entry.paper.imprint.editors]
    if tag == "A4":
        assert more_of(entry.original)["translator"] == f"{{{name}}}"
    else:
        assert [(person.family, person.given) for person in people] == [(name, "")]


def test_old_tags_and_those_of_some_kinds_are_read() -> None:
    record = "TY  - {}\nTI  - T\n{}\nER  - "
    [issue] = read_ris(record.format("JOUR", "VL  - 3\nCP  - 4")).entries
    [book] = read_ris(record.format("BOOK", "PP  - Lenn")).entries
    [patent] = read_ris(record.format("PAT", "A2  - Ilm Tools\nM1  - US 9,999,999")).entries
    [software] = read_ris(record.format("COMP", "ET  - 1.10")).entries
    assert (issue.paper.imprint.number, book.details["address"]) == ("4", "Lenn")
    assert (patent.paper.imprint.publisher, patent.paper.imprint.number) == ("Ilm Tools", "US 9,999,999")
    assert patent.paper.imprint.editors == ()
    assert software.original
    assert more_of(software.original) == {"version": "1.10"}
    assert "edition" not in software.details


def test_a_year_before_christ_is_a_year() -> None:
    [entry] = read_bibtex("@book{t, title={On leaves}, year={380 BC}}").entries
    assert entry.paper.date == "-0380"


@each("pages", ["no-no", "n/a", "in press", "0"])
def test_words_for_pages_that_are_not_known_are_no_pages(pages: str) -> None:
    [entry] = read_bibtex(f"@article{{a, title={{T}}, pages={{{pages}}}}}").entries
    assert "pages" not in entry.details


@each(
    ("start", "end", "pages"),
    [
        ("pp. 15-20", "", "15-20"),
        ("1276", "92", "1276-1292"),
        ("67-76", "76", "67-76"),
        ("e30", "", "e30"),
        ("S1", "S9", "S1-S9"),
    ],
)
def test_pages_are_written_out_once(start: str, end: str, pages: str) -> None:
    [entry] = read_ris(f"TY  - JOUR\nTI  - T\nSP  - {start}\nEP  - {end}\nER  - ").entries
    assert entry.details["pages"] == pages


def test_a_file_of_pubmed_says_what_its_live_records_say() -> None:
    [entry] = read_pubmed(
        "PMID- 91000001\nOWN - NLM\nTI  - [A trial of reed tea].\nPG  - 112-9\nPT  - Journal Article\n"
        "PT  - Retracted Publication\nRIN - Reed Res. 2021;1:1. PMID: 91000009\nLA  - ger\n"
    ).entries
    paper = entry.paper
    assert (paper.title, paper.retracted, paper.language) == ("A trial of reed tea", True, "de")
    assert entry.details["pages"] == "112-119"


def item(**members: object) -> str:
    return json.dumps([{"id": "x", "type": "article-journal", "title": "Doubts about salt", **members}])


@each("note", ["A comment on doi: 10.5555/orig.1", "Compare arXiv: 1706.03762; same data"])
def test_a_note_about_another_paper_names_no_paper_and_stays_whole(note: str) -> None:
    [entry] = read_csl_json(item(note=note)).entries
    assert (entry.paper.identifiers, entry.note) == ((), note)
    [entry] = read_ris(f"TY  - JOUR\nTI  - T\nN1  - {note}\nER  - ").entries
    assert (entry.paper.identifiers, entry.note) == ((), note)
    [entry] = read_bibtex(f"@misc{{a, title={{T}}, note={{{note}}}}}").entries
    assert (entry.paper.identifiers, entry.note) == ((), note)


@each("note", ["doi: 10.5555/other.2", "DOI: https://doi.org/10.5555/other.2"])
def test_a_line_of_a_note_gives_no_second_identifier(note: str) -> None:
    for entries in (
        read_csl_json(item(note=note, DOI="10.5555/own.1")).entries,
        read_ris(f"TY  - JOUR\nTI  - T\nDO  - 10.5555/own.1\nN1  - {note}\nER  - ").entries,
        read_bibtex(f"@misc{{a, title={{T}}, doi={{10.5555/own.1}}, note={{{note}}}}}").entries,
    ):
        assert [(entry.paper.identifiers, entry.note) for entry in entries] == [
            ((Identifier("doi", "10.5555/own.1"),), note)
        ]


def test_of_a_note_only_the_line_of_an_identifier_and_of_a_key_is_taken() -> None:
    note = "Read section 3 first\nPMID: 91000077\nCitation Key: poe2019\nAsk Bob about table 2"
    [entry] = read_csl_json(item(note=note)).entries
    assert (entry.key, entry.note) == ("poe2019", "Read section 3 first\nAsk Bob about table 2")
    assert entry.paper.identifier("pmid") == "91000077"


def test_a_key_in_a_note_counts_where_the_id_is_a_programs_number() -> None:
    [entry] = read_csl_json(item(id="http://zotero.org/users/1/items/AB", note="Citation Key: roe:15")).entries
    assert entry.key == "roe:15"


@each("note", ["PMID: 91000077", "pmid:91000077;"])
def test_an_identifier_alone_in_a_note_is_the_papers_in_every_format(note: str) -> None:
    for entries in (
        read_csl_json(item(note=note)).entries,
        read_ris(f"TY  - JOUR\nTI  - T\nN1  - {note}\nER  - ").entries,
        read_bibtex(f"@misc{{a, title={{T}}, note={{{note}}}}}").entries,
    ):
        assert [(entry.paper.identifier("pmid"), entry.note) for entry in entries] == [("91000077", "")]


@each("note", ["https://pubmed.ncbi.nlm.nih.gov/91000077/", "<https://europepmc.org/article/MED/91000077>"])
def test_a_note_that_is_only_an_address_names_the_paper(note: str) -> None:
    for entries in (
        read_csl_json(item(note=note)).entries,
        read_ris(f"TY  - JOUR\nTI  - T\nN1  - {note}\nER  - ").entries,
        read_bibtex(f"@misc{{a, title={{T}}, note={{{note}}}}}").entries,
    ):
        assert [entry.paper.identifier("pmid") for entry in entries] == ["91000077"]


@each("marked", ["[10.5555/a.1](https://doi.org/10.5555/a.1)", '<a href="https://doi.org/10.5555/a.1">10.5555/a.1</a>'])
def test_markup_around_an_identifier_is_no_part_of_it(marked: str) -> None:
    [entry] = read_csl_json(item(DOI=marked)).entries
    assert entry.paper.identifier("doi") == "10.5555/a.1"


def test_lines_of_a_note_stand_in_for_members_as_zotero_reads_them() -> None:
    note = (
        "Original Date: 1850\nbibtex: poe2019\nTranslator: Doe || Jane\n{:event-place: Fen}\n"
        "Remark: none\nOpenReview: rJl6M2C5Y7\nLanguage: de"
    )
    [entry] = read_csl_json(item(note=note, language="fr")).entries
    assert (entry.key, entry.note, entry.paper.language) == ("poe2019", "Remark: none\nLanguage: de", "fr")
    assert entry.paper.identifier("openreview") == "rJl6M2C5Y7"
    assert entry.original
    more = {
        "origdate": "1850",
        "translator": "Doe, Jane",
        "venue": "Fen",
        "language": "fr",
        "note": "Remark: none Language: de",
    }
    assert more_of(entry.original) == more


def test_short_pages_and_what_is_no_date_are_told_as_in_every_format() -> None:
    found = read_csl_json(item(page="100-05", issued={"literal": "in press"}))
    assert found.entries[0].details["pages"] == "100--105"
    assert [problem.reason for problem in found.problems] == ["“in press” is not a date, so it has no year"]


def test_an_address_keeps_what_only_looks_like_an_entity() -> None:
    [entry] = read_csl_json(item(URL="https://e.org/a?x=1&amp;region=2&copy=3")).entries
    assert entry.paper.url == "https://e.org/a?x=1&region=2&copy=3"


@each(
    "written",
    ["124$<$0225:A$>$2.0", "124{\\textless}0225:A{\\textgreater}2.0", "124\\textless 0225:A\\textgreater{}2.0"],
)
def test_signs_of_an_identifier_are_read_however_latex_writes_them(written: str) -> None:
    [entry] = read_bibtex(f"@article{{a, title={{T}}, doi={{10.1175/1520-0493(1996){written}.CO;2}}}}").entries
    assert entry.paper.identifier("doi") == "10.1175/1520-0493(1996)124<0225:a>2.0.co;2"


@each(
    "names",
    [
        "Roe, Ann\nAU  - et al.",
        "Roe, Ann et al.",
        "Roe, Ann, et al.",
        "Roe, Ann\nAU  - et, al",
        "Roe, Ann and others",
        "Roe, Ann\nAU  - others",
        "Ann Roe & others",
    ],
)
def test_et_al_in_a_line_of_its_own_or_behind_a_name_is_nobody(names: str) -> None:
    [entry] = read_ris(f"TY  - JOUR\nAU  - {names}\nTI  - T\nER  - ").entries
    assert [person.name for person in entry.paper.authors] == ["Ann Roe"]
    assert entry.paper.et_al


def test_an_institute_that_crossref_names_is_an_author() -> None:
    [entry] = read_csl_json(item(author=[{"name": "World Water Board"}, {"family": "Doe", "given": "Jane"}])).entries
    assert [person.name for person in entry.paper.authors] == ["World Water Board", "Jane Doe"]


def test_an_entry_within_the_braces_of_another_is_text() -> None:
    found = read_bibtex(
        '@string{j = "J One"}\n@article{c, title={T}, journal=j, abstract={An example:\n@String{j = "Other"}\n'
        "@type{x, title={False}}\nend}}\n@article{d, title={U}, journal=j}"
    )
    assert [(entry.key, entry.paper.venue) for entry in found.entries] == [("c", "J One"), ("d", "J One")]
    assert found.problems == ()
    assert "@typex, title=False" in found.entries[0].paper.abstract


def test_an_entry_that_never_closes_hides_no_other() -> None:
    found = read_bibtex('@misc{a, title={T, year=2003}\n@misc{b, title={U}}\n@string{k = "K"}\n@misc{c, title={V}}')
    assert [entry.key for entry in found.entries] == ["b", "c"]
    assert [problem.line for problem in found.problems] == [1]


@each(
    ("fields", "title", "venue", "url"),
    [
        ('booktitle = "Annual" # stoc', "T", "Annual Symposium", None),
        ("howpublished = {\\url{https://x.org/TR/x}}", "T", "", "https://x.org/TR/x"),
        ("titleaddon = {}", "T", "", None),
    ],
)
def test_the_parts_of_a_value_stay_what_they_are(fields: str, title: str, venue: str, url: str | None) -> None:
    text = f'@string{{stoc = " Symposium"}}\n@misc{{a, title={{T}}, {fields}}}'
    [entry] = read_bibtex(text).entries
    assert (entry.paper.title, entry.paper.venue, entry.paper.url) == (title, venue, url)


def test_quotation_marks_and_escapes_of_other_programs_are_read() -> None:
    [entry] = read_bibtex(
        r"@misc{a, title={\glqq Wort\grqq{} and p $\less$ .05, {\&}amp$\mathsemicolon$ more}}"
    ).entries
    assert entry.paper.title == "„Wort“ and p < .05, & more"


@each(
    ("written", "date"),
    [
        ("year={1472}", "1472"),
        ("year={850}", "0850"),
        ("date={-0379}", "-0380"),
        ("date={0000}", "-0001"),
        ("year={17}", None),
    ],
)
def test_works_older_than_printing_keep_their_year(written: str, date: str | None) -> None:
    [entry] = read_bibtex(f"@book{{a, title={{T}}, {written}}}").entries
    assert entry.paper.date == date
    assert entry.paper.year == (int(date) if date else None)


@each("alias", ["p", "Fens01", "FENS"])
@each("spelled", [str, str.lower, str.upper])
def test_a_parent_is_found_by_an_alias_in_any_case(alias: str, spelled: Callable[[str], str]) -> None:
    key = spelled(alias)
    contents = read_bibtex(
        f"@inbook{{c, title={{T}}, crossref={{{key}}}, xdata={{X{key}}}}}\n"
        f"@book{{p2, ids={{older, {alias}}}, title={{Whole}}, year=1999}}\n"
        f"@xdata{{x2, ids={{X{alias}}}, publisher={{Fen}}}}"
    )
    paper = contents.entries[0].paper
    assert (paper.venue, paper.year, paper.imprint.publisher) == ("Whole", 1999, "Fen")
    assert not any("does not have" in problem.reason for problem in contents.problems)


def test_et_al_of_a_record_with_tags_is_the_mark_of_csl() -> None:
    [entry] = read_refer("%0 Book\n%T T\n%A Roe, Ann\n%A et al.\n%D 2001\n").entries
    assert entry.original
    assert json.loads(entry.original.value("author")) == [{"family": "Roe", "given": "Ann"}, {"literal": "others"}]


def test_an_author_of_pubmed_with_the_short_name_alone_counts() -> None:
    record = (
        "PMID- 1\nTI  - T.\nFAU - van der Berg, Jan\nAU  - van der Berg J\nAU  - Oneonly A\nFAU - Li, X\nAU  - Li X\n"
    )
    [entry] = read_pubmed(record).entries
    assert [person.name for person in entry.paper.authors] == ["Jan van der Berg", "A Oneonly", "X Li"]


def test_text_of_csl_is_one_line_and_no_number() -> None:
    [entry] = read_csl_json(item(title=1984, publisher="A\n   B")).entries
    assert (entry.paper.title, entry.paper.imprint.publisher) == ("1984", "A B")
    assert entry.original
    assert entry.original.value("title") == '"1984"'


def test_the_number_of_a_report_may_stand_in_inspires_field() -> None:
    [entry] = read_bibtex("@techreport{a, title={T}, reportNumber={LENN-1}}").entries
    assert entry.paper.imprint.number == "LENN-1"


def test_a_book_of_pubmeds_xml_has_its_place_and_isbn_and_an_incomplete_list_more_authors() -> None:
    book = (
        "<PubmedBookArticle><BookDocument><PMID>3</PMID><Book><Publisher><PublisherName>P</PublisherName>"
        "<PublisherLocation>Lenn</PublisherLocation></Publisher><BookTitle>B</BookTitle><Isbn>9783161484100</Isbn>"
        "</Book><ArticleTitle>C</ArticleTitle></BookDocument></PubmedBookArticle>"
    )
    article = (
        "<PubmedArticle><MedlineCitation><PMID>4</PMID><Article><ArticleTitle>A</ArticleTitle>"
        '<AuthorList CompleteYN="N"><Author><LastName>Roe</LastName></Author></AuthorList></Article>'
        "</MedlineCitation></PubmedArticle>"
    )
    chapter, cut = found_in(f"<PubmedArticleSet>{book}{article}</PubmedArticleSet>", "x.xml").entries
    assert (chapter.details["address"], chapter.details["isbn"], cut.paper.et_al) == ("Lenn", "9783161484100", True)


def test_a_range_in_words_has_a_dash_in_csl() -> None:
    assert as_csl("1723~/1725?") == {"date-parts": [[1723], [1725]], "circa": True, "literal": "c. 1723–1725?"}
    assert as_csl("/1999") == {"literal": "–1999"}


@each(
    ("field", "venue", "address"),
    [
        (r"\url{https://e.org/x_y}", "", "https://e.org/x_y"),
        ("Reed Papers:", "Reed Papers:", None),
        (r"Available at: \url{https://e.org/x_y}", "", "https://e.org/x_y"),
        (r"Abgerufen von \url{https://e.org/x_y}", "", "https://e.org/x_y"),
        (r"Reed Blog, \url{https://e.org/x_y}", "Reed Blog", "https://e.org/x_y"),
        (r"\url{https://e.org/x_y} (visited on 2001-02-03)", "", "https://e.org/x_y"),
        ("doi: 10.5555/own.1", "", None),
        (r"Reed Blog (\url{https://e.org/x}), visited in May", "Reed Blog", "https://e.org/x"),
        (r"\href{https://e.org/x}{Reed Blog}", "Reed Blog", "https://e.org/x"),
        ("Poster: no. 5", "Poster: no. 5", None),
    ],
)
def test_an_address_in_the_text_of_a_venue_is_the_works(field: str, venue: str, address: str | None) -> None:
    [entry] = read_bibtex(f"@misc{{k, title={{T}}, howpublished={{{field}}}}}").entries
    assert (entry.paper.venue, entry.paper.url) == (venue, address)


WORDS = st.lists(st.sampled_from(["Code", "at", "reviewed:", "slides;", "Blog,", "(2001)", "of"]), max_size=4).map(
    " ".join
)


@given(
    WORDS,
    WORDS,
    st.sampled_from(["https://doi.org/10.5555/reed.1", "https://arxiv.org/abs/2105.00001"]),
    st.sampled_from([r"{}", r"\url{{{}}}", r"\href{{{}}}{{here}}"]),
)
def test_an_address_names_the_work_only_if_its_field_has_nothing_else(
    before: str, after: str, address: str, link: str
) -> None:
    field = f"{before} {link.format(address)} {after}".strip()
    [entry] = read_bibtex(f"@misc{{k, title={{T}}, howpublished={{{field}}}}}").entries
    is_alone = not before and not after
    assert (bool(entry.paper.identifiers), entry.paper.url) == (is_alone, address if is_alone else None)
    assert all(word in entry.paper.venue for word in f"{before} {after}".split())


@each(("written", "date"), [("380 BC", "-0380"), ("0850", "0850"), ("c. 1450", "1450"), ("n.d.", None)])
def test_a_year_of_ris_is_read_as_in_other_formats(written: str, date: str | None) -> None:
    found = read_ris(f"TY  - BOOK\nTI  - T\nPY  - {written}\nER  - ")
    assert found.entries[0].paper.date == date
    assert len(found.problems) == (date is None)


def test_letters_of_zotero_in_ascii_are_read_without_their_macro() -> None:
    [entry] = read_bibtex(r"@book{k, title={{\cyrchar\CYRA}{\cyrchar\cyrb}}}").entries
    assert entry.paper.title == "Аб"


@each("people", ["Roe, Ann", ["Roe, Ann"], {"family": "Roe", "given": "Ann"}, ["Ann Roe", None, 5]])
def test_authors_that_are_no_list_of_persons_are_read(people: object) -> None:
    [entry] = read_csl_json(item(author=people)).entries
    assert [(person.family, person.given) for person in entry.paper.authors] == [("Roe", "Ann")]


def test_the_full_and_the_short_name_of_pubmed_are_one_author_in_either_order() -> None:
    [entry] = read_pubmed("PMID- 7\nTI  - T\nAU  - Roe A\nFAU - Roe, Ann\nAU  - Poe B\nFAU - Poe, Bob\n").entries
    assert [person.name for person in entry.paper.authors] == ["Ann Roe", "Bob Poe"]
