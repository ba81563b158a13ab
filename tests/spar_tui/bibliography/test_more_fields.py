"""Every field of the table comes back from each format that has a place for it."""

import json
from itertools import product
from typing import get_args

import pytest

from cache.originals import FileFormat, Original
from spar_tui.bibliography.field_table import KNOWN, FieldNames
from spar_tui.bibliography.kinds import KINDS, NAMES, Kind
from spar_tui.bibliography.more_fields import (
    Target,
    as_bib_fields,
    as_csl_members,
    as_ris_lines,
    date_of,
    more_of,
    rest_of,
)
from spar_tui.bibliography.name_lists import listed
from spar_tui.bibliography.names import Name
from tests.rows import each

VALUES = {"text": "Some words", "people": "Roe, Anna and Gogh, Vera", "date": "1899-05", "language": "de-AT"}
IN_CSL = [names for names in KNOWN if names.csl]
FIELDS = [pytest.param(names, id=names.key) for names in KNOWN]


def of(file_format: FileFormat, fields: list[tuple[str, str]], kind: Kind = "article") -> Original:
    types = {"bibtex": NAMES[kind].biblatex, "ris": NAMES[kind].ris}
    return Original(file_format, types.get(file_format, NAMES[kind].csl), "", tuple(fields))


def kind_with(names: FieldNames, file_format: FileFormat) -> Kind:
    return next((kind for kind in ("article", *KINDS) if names.name_in(file_format, kind)), "article")


@each("names", IN_CSL, ids=lambda names: names.key)
def test_a_field_comes_back_from_csl(names: FieldNames) -> None:
    told = {names.key: VALUES[names.kind]}
    kind = kind_with(names, "csl-json")
    members = [(name, json.dumps(value)) for name, value in as_csl_members(told, (), kind).items()]
    assert more_of(of("csl-json", members, kind)) == told


@each("names", FIELDS)
def test_a_field_comes_back_from_bibtex(names: FieldNames) -> None:
    told = {names.key: VALUES[names.kind]}
    assert more_of(of("bibtex", as_bib_fields(told, ()), kind_with(names, "bibtex"))) == told


@each("names", KNOWN, ids=lambda names: names.key)
def test_a_field_comes_back_from_ris(names: FieldNames) -> None:
    told = {names.key: VALUES[names.kind]}
    kind = kind_with(names, "ris")
    # Beside a conference, which stands in T2, the proceedings are in C3.
    swapped = {"T2": "C3", "C3": "T2"} if names.key == "eventtitle" else {}
    lines = [("T2", "Journal"), *as_ris_lines(told, (), kind)]
    assert more_of(of("ris", [(swapped.get(tag, tag), text) for tag, text in lines], kind)) == told


def test_a_field_without_a_tag_is_a_note_of_ris_that_names_it() -> None:
    assert as_ris_lines({"origdate": "1899"}, (), "article") == [("N1", "origdate: 1899")]


@each(
    ("dates", "date", "rest"),
    [
        ([("PY", "2001/05//Spring")], "", (("PY", "Spring"),)),
        ([("PY", "2001///Spring")], "2001-21", ()),
        ([("PY", "1999"), ("Y1", "Second Quarter 1999")], "", (("Y1", "Second Quarter 1999"),)),
        ([("PY", "2018"), ("Y1", "18-20 June 2018")], "2018-06-18/2018-06-20", ()),
        ([("PY", "2018"), ("DA", "2018/06/12/"), ("Y1", "12 June 2018")], "", ()),
        ([("PY", "in press"), ("DA", "2018-06-12T00:00:00Z")], "", ()),
    ],
)
def test_words_of_a_ris_date_that_other_formats_lack_are_kept(
    dates: list[tuple[str, str]], date: str, rest: tuple[tuple[str, str], ...]
) -> None:
    original = of("ris", dates)
    assert date_of(original) == date
    assert rest_of(original, "bibtex", "article", []) == rest


@each(
    ("year", "rest"),
    [("5765 [2004/5]", True), ("Shōwa 53", True), ("1995--1997", False), ("c. 1850", False), ("in press", False)],
)
def test_a_year_that_is_no_date_is_kept_as_it_is(year: str, rest: bool) -> None:
    assert rest_of(of("bibtex", [("year", year)]), "csl-json", "article", []) == ((("year", year),) if rest else ())


def test_a_name_of_one_word_needs_no_braces_in_a_list() -> None:
    text = listed(Name(literal=word) for word in ("李教授", "Others", "Fens and Reeds"))
    assert text == "李教授 and {Others} and {Fens and Reeds}"
    people = as_csl_members({"contributor": text}, (), "thesis")["contributor"]
    assert [list(person.values()) for person in people] == [["李教授"], ["Others"], ["Fens and Reeds"]]


@each(
    ("written", "rest"),
    [
        ("10.5555/a.1", False), ("https://doi.org/10.5555/A.1", False), (r"10.5555/a{\_}1", False),
        ("10.5555/a.1; 10.5555/b.2", True), ("10.5555/ xyz.1", True), ("n/a", True),
    ],
)  # fmt: skip
def test_what_is_no_doi_or_more_than_one_stays_in_its_field(written: str, rest: bool) -> None:
    kept = (("doi", written),) if rest else ()
    assert rest_of(of("bibtex", [("doi", written)]), "csl-json", "article", ["doi:10.5555/a.1"]) == kept
    if "{" not in written:
        kept = (("DO", written),) if rest else ()
        assert rest_of(of("ris", [("DO", written)]), "bibtex", "article", ["doi:10.5555/a.1"]) == kept


def test_no_name_of_a_format_stands_for_two_fields() -> None:
    for kind, file_format in product(KINDS, get_args(FileFormat)):
        used = list(filter(None, (names.name_in(file_format, kind) for names in KNOWN)))
        assert sorted(set(used)) == sorted(used)
    assert {names.kind for names in KNOWN} == set(get_args(FieldNames.__annotations__["kind"]))


def test_the_language_of_medline_and_a_retraction_have_their_fields() -> None:
    fields = [("PMID", "1"), ("LA", "ger"), ("PT", "Journal Article"), ("PT", "Retracted Publication")]
    assert more_of(of("pubmed", fields)) == {"language": "de", "pubstate": "retracted"}


@each(
    ("file_format", "name", "value"),
    [
        ("bibtex", "year", "{In press}"), ("bibtex", "date", "in press"), ("ris", "PY", "in press"),
        ("csl-json", "issued", '{"literal": "in press"}'),
    ],
)  # fmt: skip
def test_words_that_stand_for_a_date_are_the_state_of_the_work(file_format: FileFormat, name: str, value: str) -> None:
    assert {key: text.lower() for key, text in more_of(of(file_format, [(name, value)])).items()} == {
        "pubstate": "in press"
    }


@each("date", [{"raw": "some day"}, {"literal": "some day"}])
def test_a_date_in_words_that_nobody_understands_stays_in_words(date: dict[str, str]) -> None:
    told = more_of(of("csl-json", [("accessed", json.dumps(date))]))
    assert (told, as_ris_lines(told, (), "article")) == ({"urldate": "some day"}, [("Y2", "some day")])


def test_words_of_a_date_that_say_more_than_the_date_are_kept() -> None:
    words, date = ([("issued", json.dumps({"literal": text}))] for text in ("Michaelmas term 1640", "12 May 1994"))
    assert rest_of(of("csl-json", words), "bibtex", "book", ("1640",)) == (("issued", "Michaelmas term 1640"),)
    assert rest_of(of("csl-json", date), "bibtex", "book", ("1994-05-12",)) == ()


def test_an_address_that_the_entry_has_in_another_spelling_is_not_lost() -> None:
    fields = [("L3", "http://dx.doi.org/10.5555/a.1"), ("UR", "https://x.org/a b"), ("LK", "https://x.org/other")]
    printed = ("10.5555/a.1", "https://x.org/a%20b")
    assert rest_of(of("ris", fields), "bibtex", "article", printed) == (("LK", "https://x.org/other"),)


@each(
    ("fields", "rest"),
    [
        ([("UR", "<Go to ISI>://WOS:1")], (("UR", "<Go to ISI>://WOS:1"),)),
        ([("PY", "2013"), ("PY", "2013/02/15/received")], (("PY", "2013/02/15/received"),)),
        ([("SN", "TR-1"), ("IS", "7")], (("IS", "7"),)),
    ],
)
def test_a_value_of_ris_without_room_in_the_entry_is_kept(
    fields: list[tuple[str, str]], rest: tuple[tuple[str, str], ...]
) -> None:
    assert rest_of(of("ris", fields, "report"), "bibtex", "report", ["2013", "TR-1"]) == rest


@each("words", ["n.d.", "[n. d.]", "s. a.", "o.J.", "S.d.", "No date", "(undated)"])
def test_words_for_an_unknown_date_are_no_state_of_the_work(words: str) -> None:
    assert more_of(of("ris", [("PY", words)])) == more_of(of("bibtex", [("year", words)])) == {}


def test_a_court_is_what_ris_calls_the_publisher_of_its_case() -> None:
    court = {"institution": "High Court"}
    assert as_ris_lines(court, (), "case") == [("PB", "High Court")]
    assert as_ris_lines(court, (), "case", ("PB",)) == [("N1", "institution: High Court")]
    assert as_csl_members(more_of(of("ris", [("PB", "High Court")], "case")), (), "case") == {"authority": "High Court"}
    assert "institution" not in more_of(of("ris", [("PB", "Fen Press")], "book"))


@each("name", ["verba", "verbc", "file", "eprint"])
@each("value", [r"D:\emph\100%_--\~x", r"^\alpha{2}$", "a~b``c''"])
@each("target", ["csl-json", "ris"])
def test_a_verbatim_field_goes_as_it_is_into_what_a_format_lacks(name: str, value: str, target: Target) -> None:
    original = of("bibtex", [("title", "T"), (name, value), ("eprinttype", "archive")])
    there = dict(rest_of(original, target, "article", ("T",)))
    assert there.get(name, value) == value
    assert name in there or (name, target) == ("file", "ris")  # RIS has its own tag for files


@each(
    ("file_format", "fields", "rest"),
    [
        ("bibtex", [("comment", "Read it twice")], (("comment", "Read it twice"),)),
        ("bibtex", [("pmid", "unknown")], (("pmid", "unknown"),)),
        ("bibtex", [("eprint", "47"), ("eprinttype", "jstor")], (("eprint", "47"), ("eprinttype", "jstor"))),
        ("bibtex", [("eprint", "1706.03762"), ("eprinttype", "arxiv")], ()),
        ("csl-json", [("doi", '"10.5555/a.1"')], (("doi", "10.5555/a.1"),)),
    ],
)
def test_what_no_rule_reads_is_kept_in_every_format(
    file_format: FileFormat, fields: list[tuple[str, str]], rest: tuple[tuple[str, str], ...]
) -> None:
    assert rest_of(of(file_format, fields), "ris", "article", ()) == rest


def test_a_note_in_several_fields_is_one_note_and_an_article_number_beside_pages_is_kept() -> None:
    fields = [("annote", "First"), ("annotation", "Second"), ("articleno", "7"), ("pages", "7:1--7:32")]
    assert more_of(of("bibtex", fields)) == {"annotation": "First; Second", "eid": "7"}


def test_a_member_of_csl_is_known_by_its_name_in_any_letters() -> None:
    fields = [("Translator", '[{"family": "Roe", "given": "Ann"}]'), ("shortTitle", '"Reeds"')]
    assert more_of(of("csl-json", fields)) == {"shorttitle": "Reeds", "translator": "Roe, Ann"}
