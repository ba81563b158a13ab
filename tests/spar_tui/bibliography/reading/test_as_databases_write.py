"""Files as databases and programs write them: what deviates from a format's rules says the same as what keeps them."""

import json

import pytest

from spar_tui.bibliography.more_fields import more_of
from spar_tui.bibliography.reading.bibtex import read_bibtex
from spar_tui.bibliography.reading.csl_json import read_csl_json
from spar_tui.bibliography.reading.endnote import read_refer
from spar_tui.bibliography.reading.files import found_in
from spar_tui.bibliography.reading.pubmed import read_pubmed
from spar_tui.bibliography.reading.ris import read_ris

GOATS = ["TY  - JOUR", "AU  - Marin, A. J.", "TI  - Foraging", "PY  - 2006", "ER  - "]


@pytest.mark.parametrize(
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
    ],
    ids=["standard", "tags before the type", "one blank", "no blank before", "no blank", "dashes", "indented",
         "numbered"],
)  # fmt: skip
def test_a_ris_record_is_read_however_its_tags_are_set(lines: list[str]) -> None:
    [entry] = found_in("\n".join(lines), "x.ris").entries
    assert (entry.paper.title, entry.paper.date, entry.paper.type) == ("Foraging", "2006", "article")
    assert [person.name for person in entry.paper.authors] == ["A. J. Marin"]


def test_text_that_looks_like_a_tag_stays_text_where_the_file_keeps_the_standard() -> None:
    [entry] = read_ris("TY  - JOUR\nTI  - T\nAB  - Done\nAB-initio by\nTY-pical means\nER  - ").entries
    assert entry.paper.abstract == "Done AB-initio by TY-pical means"


@pytest.mark.parametrize(
    ("written", "names"),
    [
        ("Sanz, Pedro J.; Monte, Maria", ["Pedro J. Sanz", "Maria Monte"]),
        ("Roe, A. and Poe, B.", ["A. Roe", "B. Poe"]),
        ("Centers for Disease Control and Prevention,", ["Centers for Disease Control and Prevention"]),
    ],
)
def test_people_in_one_line_are_told_apart_and_an_institute_stays_whole(written: str, names: list[str]) -> None:
    [entry] = read_ris(f"TY  - JOUR\nTI  - T\nAU  - {written}\nER  - ").entries
    assert [person.name for person in entry.paper.authors] == names


def test_a_year_before_christ_is_a_year() -> None:
    [entry] = read_bibtex("@book{t, title={On leaves}, year={380 BC}}").entries
    assert entry.paper.date == "-0380"


@pytest.mark.parametrize("pages", ["no-no", "n/a", "in press", "0"])
def test_words_for_pages_that_are_not_known_are_no_pages(pages: str) -> None:
    [entry] = read_bibtex(f"@article{{a, title={{T}}, pages={{{pages}}}}}").entries
    assert "pages" not in entry.details


@pytest.mark.parametrize(
    ("start", "end", "pages"),
    [
        ("pp. 15-20", "", "15--20"),
        ("1276", "92", "1276--1292"),
        ("67-76", "76", "67--76"),
        ("e30", "", "e30"),
        ("S1", "S9", "S1--S9"),
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


@pytest.mark.parametrize("note", ["A comment on doi: 10.5555/orig.1", "Compare arXiv: 1706.03762; same data"])
def test_a_note_about_another_paper_names_no_paper_and_stays_whole(note: str) -> None:
    [entry] = read_csl_json(item(note=note)).entries
    assert (entry.paper.identifiers, entry.note) == ((), note)
    [entry] = read_ris(f"TY  - JOUR\nTI  - T\nN1  - {note}\nER  - ").entries
    assert (entry.paper.identifiers, entry.note) == ((), note)
    [entry] = read_bibtex(f"@misc{{a, title={{T}}, note={{{note}}}}}").entries
    assert (entry.paper.identifiers, entry.note) == ((), note)


def test_of_a_note_only_the_line_of_an_identifier_and_of_a_key_is_taken() -> None:
    note = "Read section 3 first\nPMID: 91000077\nCitation Key: poe2019\nAsk Bob about table 2"
    [entry] = read_csl_json(item(note=note)).entries
    assert (entry.key, entry.note) == ("poe2019", "Read section 3 first\nAsk Bob about table 2")
    assert entry.paper.identifier("pmid") == "91000077"


@pytest.mark.parametrize("note", ["PMID: 91000077", "pmid:91000077;"])
def test_an_identifier_alone_in_a_note_is_the_papers_in_every_format(note: str) -> None:
    for entries in (
        read_csl_json(item(note=note)).entries,
        read_ris(f"TY  - JOUR\nTI  - T\nN1  - {note}\nER  - ").entries,
        read_bibtex(f"@misc{{a, title={{T}}, note={{{note}}}}}").entries,
    ):
        assert [(entry.paper.identifier("pmid"), entry.note) for entry in entries] == [("91000077", "")]


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
    assert found.entries[0].details["pages"] == "100-105"
    assert [problem.reason for problem in found.problems] == ["“in press” is no date, so it has no year"]


def test_an_address_keeps_what_only_looks_like_an_entity() -> None:
    [entry] = read_csl_json(item(URL="https://e.org/a?x=1&amp;region=2&copy=3")).entries
    assert entry.paper.url == "https://e.org/a?x=1&region=2&copy=3"


@pytest.mark.parametrize(
    "written",
    ["124$<$0225:A$>$2.0", "124{\\textless}0225:A{\\textgreater}2.0", "124\\textless 0225:A\\textgreater{}2.0"],
)
def test_signs_of_an_identifier_are_read_however_latex_writes_them(written: str) -> None:
    [entry] = read_bibtex(f"@article{{a, title={{T}}, doi={{10.1175/1520-0493(1996){written}.CO;2}}}}").entries
    assert entry.paper.identifier("doi") == "10.1175/1520-0493(1996)124<0225:a>2.0.co;2"


@pytest.mark.parametrize(
    "names", ["Roe, Ann\nAU  - et al.", "Roe, Ann et al.", "Roe, Ann, et al.", "Roe, Ann\nAU  - et, al"]
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


@pytest.mark.parametrize(
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


@pytest.mark.parametrize(
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


def test_a_parent_is_found_by_an_alias() -> None:
    [child, _] = read_bibtex(
        "@inbook{c, title={T}, crossref={p}}\n@book{p2, ids={p}, title={Whole}, year=1999}"
    ).entries
    assert (child.paper.venue, child.paper.year) == ("Whole", 1999)


def test_et_al_of_a_record_with_tags_is_the_mark_of_csl() -> None:
    [entry] = read_refer("%0 Book\n%T T\n%A Roe, Ann\n%A et al.\n%D 2001\n").entries
    assert entry.original
    assert json.loads(entry.original.value("author")) == [{"family": "Roe", "given": "Ann"}, {"literal": "others"}]
