"""One value, the same in each format: groups, generations, styles in titles, years before Christ, missing abstracts."""

import json
from contextlib import suppress

from hypothesis import given
from hypothesis import strategies as st

from spar_tui.bibliography.csl_json import csl_item
from spar_tui.bibliography.entry_faults import gaps_of
from spar_tui.bibliography.gathering import Item, entry_for
from spar_tui.bibliography.more_fields import date_of
from spar_tui.bibliography.reading.entries_read import FoundEntry
from spar_tui.bibliography.reading.files import found_in
from spar_tui.errors import UsageError
from tests.rows import each

MODS = (
    "<mods xmlns='http://www.loc.gov/mods/v3' ID='record-7'><identifier type='citekey'>roe01</identifier>"
    "<titleInfo><title>{title}</title></titleInfo><abstract>{abstract}</abstract>"
    "<name type='personal'><namePart>{author}</namePart></name><originInfo><dateIssued>{year}</dateIssued></originInfo>"
    "</mods>"
)
ENDNOTE = (
    "<xml><records><record><ref-type name='Book'>6</ref-type><contributors><authors><author>{author}</author></authors>"
    "</contributors><titles><title>{title}</title></titles><dates><year>{year}</year></dates>"
    "<abstract>{abstract}</abstract></record></records></xml>"
)
RDF = (
    "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns:z='http://www.zotero.org/namespaces/export#'"
    " xmlns:dc='http://purl.org/dc/elements/1.1/' xmlns:dcterms='http://purl.org/dc/terms/'><rdf:Description>"
    "<z:itemType>book</z:itemType><dc:title>{title}</dc:title><dc:date>{year}</dc:date>"
    "<dcterms:abstract>{abstract}</dcterms:abstract></rdf:Description></rdf:RDF>"
)
TAGGED = {
    "a.ris": "TY  - BOOK\nAU  - {author}\nTI  - {title}\nPY  - {year}\nAB  - {abstract}\nER  - \n",
    "a.enw": "%0 Book\n%A {author}\n%T {title}\n%D {year}\n%X {abstract}\n",
    "old.enw": "%A {author}\n%T {title}\n%I Ilm\n%D {year}\n%X {abstract}\n",
    "refworks.txt": "RT Book, Whole\nA1 {author}\nT1 {title}\nYR {year}\nAB {abstract}\n",
    "a.ciw": "PT B\nAU {author}\nTI {title}\nPY {year}\nAB {abstract}\nER\n\nEF",
    "a.csv": 'Title,Authors,Year,Abstract\n"{title}","{author}",{year},"{abstract}"\n',
}
MARKED = {"endnote.xml": ENDNOTE, "mods.xml": MODS, "a.rdf": RDF}
FORMATS = TAGGED | MARKED


ITEM = {
    "id": "k", "type": "article-journal", "title": "T", "author": [{"family": "Roe"}], "container-title": "J",
    "issued": {"date-parts": [[2001]]}, "DOI": "see below",
}  # fmt: skip


def read(name: str, title: str = "T", author: str = "Roe, Ann", year: str = "2001", abstract: str = "A.") -> FoundEntry:
    [entry] = found_in(FORMATS[name].format(title=title, author=author, year=year, abstract=abstract), name).entries
    return entry


@each("name", sorted(FORMATS.keys() - {"a.rdf"}))
@each("group", ["World Fen Organization", "Ilm Institute", "U.S. Reed Survey", "Board of Fens"])
def test_a_group_is_no_person_in_any_format(name: str, group: str) -> None:
    [author] = read(name, author=group).paper.authors
    assert (author.family, author.given) == (group, "")


@each(
    ("cell", "names"),
    [
        ("Roe A.B., Jr., Poe C.", [("Roe", "A.B.", "Jr."), ("Poe", "C.", "")]),
        ("Roe AB Jr, Poe C", [("Roe", "AB", "Jr"), ("Poe", "C", "")]),
        ("Roe A.B. III; Poe C.", [("Roe", "A.B.", "III"), ("Poe", "C.", "")]),
        ("Roe, A., Jr., Poe, B.", [("Roe", "A.", "Jr."), ("Poe", "B.", "")]),
        ("Roe, Ann; Jr.; Poe, Bob", [("Roe", "Ann", "Jr."), ("Poe", "Bob", "")]),
        ("Ann Roe Jr., Bob Poe, Carl Doe", [("Roe", "Ann", "Jr."), ("Poe", "Bob", ""), ("Doe", "Carl", "")]),
        ("J. Smith, Jr., A. Roe", [("Smith", "J.", "Jr."), ("Roe", "A.", "")]),
        ("Ann Mary Roe; Bob Poe", [("Roe", "Ann Mary", ""), ("Poe", "Bob", "")]),
        ("Ann Roe, Bob Poe and Carl Doe", [("Roe", "Ann", ""), ("Poe", "Bob", ""), ("Doe", "Carl", "")]),
        ("Fens, Reeds and Marsh Board,", [("Fens, Reeds and Marsh Board", "", "")]),
    ],
)
@each("name", ["a.csv", "a.ris", "a.enw"])
def test_a_generation_in_a_list_belongs_to_the_name_before_it(
    name: str, cell: str, names: list[tuple[str, str, str]]
) -> None:
    authors = read(name, author=cell).paper.authors
    assert [(author.family, author.given, author.suffix) for author in authors] == names


def test_the_names_of_a_whole_table_show_their_order() -> None:
    head, row = "Title,Authors,Year\n", "{},{},2001\n"
    inverted = head + row.format("A", '"Roe, Ann"') + row.format("B", '"Poe, Bob"') + row.format("C", "Marsh Reeds")
    natural = head + row.format("A", "Ann Roe") + row.format("B", "Bob Poe") + row.format("C", "Carl Emil Doe")
    last = [found_in(text, "a.csv").entries[-1].paper.authors[0] for text in (inverted, natural)]
    assert [(author.family, author.given) for author in last] == [("Marsh Reeds", ""), ("Doe", "Carl Emil")]


@each("name", sorted(FORMATS))
@each(
    ("title", "styled"),
    [
        ("Foraging of <i>Capra hircus</i> in <sup>13</sup>C", "Foraging of <i>Capra hircus</i> in <sup>13</sup>C"),
        ("<i>Capra hircus</i>", "<i>Capra hircus</i>"),
        ("The <scp>DNA</scp> of reed", "The <scp>DNA</scp> of reed"),
        ("At p<0.05 & q < 3", ""),
        ("AT&T &nbsp; Q&A; x<y", ""),
    ],
)
def test_markup_in_a_title_and_signs_that_are_not_escaped_are_kept(name: str, title: str, styled: str) -> None:
    paper = read(name, title).paper
    assert paper.styled_title.replace("sc>", "scp>").replace("scpp>", "scp>") in (styled, title if styled else "")
    plain = title.replace("&nbsp; ", "")
    for tag in ("i", "sup", "scp"):
        plain = plain.replace(f"<{tag}>", "").replace(f"</{tag}>", "")
    assert paper.title == plain


@given(st.text(" ab&<>;/=\"'", max_size=12).filter(str.strip))
def test_text_that_is_no_xml_does_not_spoil_the_file(title: str) -> None:
    """Whatever a program wrote into a title without escaping it, the other fields are read, or the file is refused."""
    text = ENDNOTE.format(title=title, author="Roe, Ann", year="2001", abstract="")
    with suppress(UsageError):
        assert [entry.paper.date for entry in found_in(text, "a.xml").entries] == ["2001"]


@each("year", ["-0044~", "c. 44 BC", "ca. 44 B.C.E.", "-44~", "um 44 v. Chr.", "44 BC (approx.)"])
@each("name", sorted(FORMATS.keys() - {"a.ciw"}))
def test_an_approximate_year_before_christ_stays_one(name: str, year: str) -> None:
    entry = read(name, year=year)
    assert entry.original
    assert (entry.paper.date, date_of(entry.original)) == ("-0044", "-0044~")


@each(
    ("written", "date"),
    [
        ("date = {-0043~}", "-0044~"), ("date = {-0049~/-0043}", "-0050~/-0044"), ("year = {c.~44 BC}", "-0044~"),
        ("year = {-44~}", "-0044~"), (r"year = {$\sim$44 BC}", "-0044~"), ("year = {50--44 BC}", "-0050/-0044"),
        ("year = {44 BC?}", "-0044?"), ("year = {50 BC--14 AD}", "-0050/0014"),
    ],
)  # fmt: skip
def test_years_before_christ_of_bibtex_are_read_as_said(written: str, date: str) -> None:
    [entry] = found_in(f"@book{{k, title={{T}}, {written}}}", "a.bib").entries
    assert entry.original
    assert (entry.paper.date, date_of(entry.original)) == (date[:5], date)
    item = csl_item(entry_for(Item(1, entry.paper, "k", entry.original), "csl-json"))
    assert item["issued"]["date-parts"][0] == [int(date[:5])]


@each(
    "nothing",
    [
        "No abstract available.",
        "[No abstract available]",
        "Abstract not available",
        "No abstract is available for this article.",
        "[Abstract unavailable]",
        "This article has no abstract",
    ],
)
@each("name", sorted(FORMATS))
def test_words_for_no_abstract_are_no_abstract(name: str, nothing: str) -> None:
    assert read(name, abstract=nothing).paper.abstract == ""
    assert read(name, abstract="No abstract algebra is needed.").paper.abstract == "No abstract algebra is needed."


def test_a_second_title_is_not_joined_to_the_first() -> None:
    for text in (
        "%0 Book\n%T Erste\n%T First\n",
        MODS.format(title="Erste</title></titleInfo><titleInfo type='translated'><title>First", abstract="", author="",
                    year=""),
        MODS.format(title="Erste</title></titleInfo><titleInfo><title>First", abstract="", author="", year=""),
    ):  # fmt: skip
        [entry] = found_in(text, "x").entries
        assert entry.paper.title == "Erste"
        assert entry.original
        assert "First" in json.dumps(entry.original.fields)


def test_the_key_of_mods_comes_before_the_number_of_the_record() -> None:
    assert read("mods.xml").key == "roe01"


@each(
    ("text", "name"),
    [
        ("@article{k, author={Roe, Ann}, title={T}, journal={J}, year=2001, doi={see below}}", "a.bib"),
        ("TY  - JOUR\nAU  - Roe, Ann\nTI  - T\nT2  - J\nPY  - 2001\nDO  - see below\nER  - \n", "a.ris"),
        (json.dumps([ITEM]), "a.json"),
    ],
)
def test_a_field_without_the_identifier_that_it_is_for_is_named(text: str, name: str) -> None:
    [entry] = found_in(text, name).entries
    assert list(gaps_of(entry, "")) == ["its doi field holds no DOI: “see below”"]
    [fine] = found_in(text.replace("see below", "https://doi.org/10.5555/x"), name).entries
    assert list(gaps_of(fine, "")) == []


@each("written", [r"M{\"u}ller", r"M\"{u}ller", r"M{\"{u}}ller"])
@each("name", sorted(TAGGED.keys()))
def test_letters_of_latex_left_over_in_other_formats_are_letters(name: str, written: str) -> None:
    quoted = written.replace('"', '""') if name == "a.csv" else written
    entry = read(name, f"The {quoted} effect", f"{quoted}, Ann")
    assert (entry.paper.title, entry.paper.authors[0].family) == ("The Müller effect", "Müller")
