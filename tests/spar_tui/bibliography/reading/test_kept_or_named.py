"""What a file holds beside the usual is kept, or named: comments, dates of issues, ORCIDs, odd keys, lists."""

import json

import pytest

from spar_tui.bibliography.csl_json import csl_item
from spar_tui.bibliography.entry import Format
from spar_tui.bibliography.gathering import Item, entry_for
from spar_tui.bibliography.more_fields import date_of
from spar_tui.bibliography.reading.bibtex import read_bibtex
from spar_tui.bibliography.reading.csl_json import read_csl_json
from spar_tui.bibliography.reading.encodings import decode, guess_notices
from spar_tui.bibliography.reading.entries_read import FoundEntry
from spar_tui.bibliography.reading.files import found_in
from spar_tui.bibliography.reading.names import misread_names, people_of
from spar_tui.bibliography.reading.ris import read_ris

ORCID = "0000-0002-1825-0097"


def only(text: str, name: str) -> FoundEntry:
    [entry] = found_in(text, name).entries
    return entry


def reasons(text: str, name: str) -> list[str]:
    return [problem.reason for problem in found_in(text, name).problems]


@pytest.mark.parametrize(
    "entry",
    [
        "@book{k, % a remark\n title={Reeds},\n year=2001\n}",
        "@book{k, title={Reeds}, % with {a brace}, and a comma\n year=2001, % last\n}",
        "@book{k, title={Reeds},\n % note = {no value},\n year=2001 % last\n}",
        "@book(k, title={Reeds}, year=2001 % last\n)",
    ],
)
def test_a_comment_between_fields_is_no_part_of_an_entry(entry: str) -> None:
    found = read_bibtex(f"{entry}\n@book{{l, title={{Fens}}}}")
    assert [(work.paper.title, work.paper.date) for work in found.entries] == [("Reeds", "2001"), ("Fens", None)]
    assert found.problems == ()


@pytest.mark.parametrize("before", ["% ", "%% see ", "@comment "])
def test_an_entry_in_a_comment_is_named(before: str) -> None:
    found = read_bibtex(f"@book{{l, title={{Fens}}}}\n\n{before}@book{{k, title={{Reeds}}}}\n% @ is a sign\n")
    assert [(problem.line, problem.name) for problem in found.problems] == [(3, "k")]


@pytest.mark.parametrize(
    ("entries", "reason"),
    [
        ("@book{k, Author={Roe, A}, AUTHOR={Roe, B}, title={T}}", "it has author twice; the first is used"),
        ("@book{, title={T}}", "it has no key, so it gets one"),
        ("@inbook{k, title={T}, crossref={Fens}}\n@book{fens, title={F}}",
         "biber does not find the entry Fens that it names: that key is spelled fens"),
        ("@book{k, title={T}, xdata={Shared}}\n@xdata{shared, publisher={P}}",
         "biber does not find the entry Shared that it names: that key is spelled shared"),
    ],
)  # fmt: skip
def test_what_bibtex_and_biber_read_otherwise_is_named(entries: str, reason: str) -> None:
    assert reasons(entries, "a.bib") == [reason]


@pytest.mark.parametrize(
    ("month", "date"),
    [
        ('oct # "~3--5,"', "2020-10-03/2020-10-05"), ("{Nov 30--Dec 2}", "2020-11-30/2020-12-02"),
        ("{3.--5. Oktober}", "2020-10-03/2020-10-05"), ("{Spring-Summer}", "2020-21/2020-22"),
        ("{Spring/Summer}", "2020-21/2020-22"), ('jun # "/" # jul', "2020-06/2020-07"),
    ],
)  # fmt: skip
def test_a_month_may_hold_days_or_two_seasons(month: str, date: str) -> None:
    original = only(f"@book{{k, title={{T}}, year=2020, month={month}}}", "a.bib").original
    assert original
    assert date_of(original) == date


def test_a_month_that_is_none_is_kept_beside_the_year() -> None:
    entry = only("@book{k, title={T}, year=2020, month={Michaelmas term}}", "a.bib")
    made = entry_for(Item(1, entry.paper, "k", entry.original), "csl-json", everything=True)
    assert ("month", "Michaelmas term") in made.rest


@pytest.mark.parametrize("stated", ["2000 Spring-Summer", "2000 Spring/Summer"])
def test_two_seasons_of_pubmed_are_kept(stated: str) -> None:
    article = (
        "<PubmedArticle><MedlineCitation><PMID>9</PMID><Article><Journal><JournalIssue><PubDate><MedlineDate>"
        f"{stated}</MedlineDate></PubDate></JournalIssue></Journal><ArticleTitle>T</ArticleTitle><ArticleDate>"
        "<Year>1999</Year><Month>12</Month><Day>18</Day></ArticleDate></Article></MedlineCitation></PubmedArticle>"
    )
    for text, name in ((f"PMID- 9\nTI  - T\nDP  - {stated}\n", "a.nbib"), (article, "a.xml")):
        original = only(text, name).original
        assert original
        if name == "a.nbib":
            assert date_of(original) == "2000-21/2000-22"
        else:
            assert json.loads(original.value("issued")) == {"literal": "spring 2000–summer 2000"}
            assert json.loads(original.value("available-date")) == {"date-parts": [[1999, 12, 18]]}


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (f"TY  - JOUR\nAU  - Roe, Ann (ORCID: {ORCID})\nTI  - T\nER  - \n", "a.ris"),
        (f"%0 Book\n%A Roe, Ann https://orcid.org/{ORCID}\n%T T\n", "a.enw"),
        (f"@book{{k, author={{Ann Roe ({ORCID})}}, title={{T}}}}", "a.bib"),
        (f"PMID- 9\nFAU - Poe, Bo\nFAU - Roe, Ann\nAU  - Roe A\nAUID- ORCID: https://orcid.org/{ORCID}\nTI  - T\n",
         "a.nbib"),
        ('[{"type": "book", "title": "T", "author": [{"family": "Roe", "given": "Ann", "ORCID": "' + ORCID + '"}]}]',
         "a.json"),
    ],
)  # fmt: skip
def test_an_orcid_is_no_part_of_a_name_and_stays_with_its_author(text: str, name: str) -> None:
    entry = only(text, name)
    author = entry.paper.authors[-1]
    assert (author.family, author.given, author.orcid) == ("Roe", "Ann", ORCID)
    target: Format = "ris" if name == "a.bib" else "biblatex"
    made = entry_for(Item(1, entry.paper, "k", entry.original), target, everything=True)
    assert ("orcid", f"Ann Roe: {ORCID}") in made.rest


def test_repeated_fields_are_all_in_the_custom_fields_of_csl() -> None:
    entry = only("PMID- 9\nTI  - T\nGR  - one\nGR  - two\n", "a.nbib")
    made = csl_item(entry_for(Item(1, entry.paper, "k", entry.original), "csl-json", everything=True))
    assert made["custom"]["GR"] == "one; two"


def test_a_list_under_two_tags_of_ris_is_read_once_and_a_line_with_several_people_is_named() -> None:
    head = "TY  - JOUR\nTI  - T\n"
    [twice] = read_ris(f"{head}A1  - Roe, A.\nA1  - Poe, B.\nAU  - Roe, A.\nAU  - Poe, B.\nER  - ").entries
    [parted] = read_ris(f"{head}A1  - Roe, A.\nAU  - Poe, B.\nER  - ").entries
    joined = read_ris(f"{head}AU  - Roe, Ann; Poe, Bo\nER  - ")
    families = [[author.family for author in entry.paper.authors] for entry in (twice, parted, *joined.entries)]
    assert families == [["Roe", "Poe"]] * 3
    assert [problem.reason for problem in joined.problems] == ["“Roe, Ann; Poe, Bo” is read as 2 people"]


@pytest.mark.parametrize(
    ("latex", "families"),
    [
        ("Ivanov, I. and Andersson, And", ["Ivanov", "Andersson"]),
        ("Roe, A. and, Poe, B.\n and\tDoe, C.", ["Roe", "Poe", "Doe"]),
        ("Roe, A., and Poe, B.", ["Roe", "Poe"]),
    ],
)
def test_an_and_beside_a_comma_parts_people_where_people_are(latex: str, families: list[str]) -> None:
    assert [person.family for person in people_of(latex).named] == families
    assert (misread_names(latex) == []) == latex.endswith(", And")


def test_the_middle_name_of_biber_is_a_given_name() -> None:
    [person] = people_of("given=Hans, middle=Georg, family=Roe").named
    assert (person.given, person.family) == ("Hans Georg", "Roe")


@pytest.mark.parametrize(
    ("text", "name", "member"),
    [
        ("TY  - JOUR\nTI  - T\nDO  - {}\nER  - \n", "a.ris", "biblatex"),
        ("TY  - JOUR\nTI  - T\nDO  - https://doi-org.proxy.example.edu/{}\nER  - \n", "a.ris", "biblatex"),
        ("@book{{k, title={{T}}, doi={{{}}}}}", "a.bib", "csl-json"),
        ("PMID- 9\nTI  - T\nLID - {} [doi]\n", "a.nbib", "biblatex"),
    ],
)
def test_a_doi_keeps_its_capitals_in_every_format(text: str, name: str, member: str) -> None:
    doi = "10.1002/(SICI)1097-0258(19981230)17:24<2815::AID-SIM110>3.0.CO;2-8"
    entry = only(text.format(doi), name)
    assert entry.paper.identifier("doi") == doi.lower()
    target: Format = "csl-json" if member == "csl-json" else "biblatex"
    assert entry_for(Item(1, entry.paper, "k", entry.original), target).doi == doi


def test_people_and_dates_that_csl_writes_otherwise_are_written_as_csl_has_them() -> None:
    item = {"type": "book", "title": "T", "author": ["毛泽东", "Roe, Ann"], "issued": {"raw": "April 25, 1953"}}
    [entry] = read_csl_json(json.dumps([item])).entries
    assert entry.original
    assert json.loads(entry.original.value("author")) == [{"literal": "毛泽东"}, {"family": "Roe", "given": "Ann"}]
    assert json.loads(entry.original.value("issued")) == {"date-parts": [[1953, 4, 25]]}


@pytest.mark.parametrize("head", ["% Encoding: windows-1250", '<?xml version="1.0" encoding="utf-16"?>'])
def test_an_encoding_that_is_stated_but_not_used_is_named(head: str) -> None:
    told = guess_notices(decode(f"\n{head}\nSzabó, Győző".encode()).guesses)
    assert list(told) == [(2, "another encoding is stated here, but the file is UTF-8 and read as such")]
    assert decode(f"{head.replace('windows-1250', 'UTF-8').replace('utf-16', 'UTF-8')}\nSzabó".encode()).guesses == ()


def test_a_series_has_its_number_and_an_author_the_alias_of_hayagriva() -> None:
    entry = only(
        "a:\n type: anthos\n title: Reeds\n author: {name: Roe, given-name: Ann, alias: A. R.}\n parent:\n"
        "  title: Fens\n  volume: 3\n  parent: {title: Earth Library, issue: 12}\n",
        "a.yml",
    )
    assert entry.original
    members = {name: json.loads(value) for name, value in entry.original.fields}
    assert (members["volume"], members["collection-number"], members.get("issue")) == ("3", "12", None)
    assert members["custom"] == {"author/alias": "A. R."}


@pytest.mark.parametrize("headers", ["作者,文献标题,年份,卷,DOI", "著者名,タイトル,出版年,巻,DOI"])
def test_columns_of_scopus_in_other_languages_are_read(headers: str) -> None:
    entry = only(f'{headers}\n"Roe, A.",Reeds,2001,7,10.5555/reed\n', "a.csv")
    assert (entry.paper.title, entry.paper.date, entry.details["volume"]) == ("Reeds", "2001", "7")
    assert entry.paper.identifier("doi") == "10.5555/reed"


def test_what_endnote_means_by_an_edition_of_an_article_and_a_date_in_words() -> None:
    entry = only("%0 Journal Article\n%T T\n%J Fens\n%D n.d.\n%7 2019/05/18\n%K reed\nfen\n", "a.enw")
    assert entry.original
    members = {name: json.loads(value) for name, value in entry.original.fields}
    assert members["available-date"] == {"date-parts": [[2019, 5, 18]]}
    assert (members.get("edition"), members["custom"]["date"]) == (None, "n.d.")
    xml = "<xml><records><record><ref-type name='Book'>6</ref-type><titles><title>T</title></titles><keywords><keyword>"
    assert only(f"{xml}reed&#xD;fen</keyword></keywords></record></records></xml>", "a.xml").tags == ("reed", "fen")
