"""What databases and other programs export says the same of a work in each of their formats.

The files are written after the public documentation of the formats; the work is made up.
"""

import json
from pathlib import Path

import pytest

from connectors.paper import Author
from spar_tui.bibliography.csl_json import csl_item
from spar_tui.bibliography.entry import entry_of
from spar_tui.bibliography.kinds import kind_of_original
from spar_tui.bibliography.more_fields import date_of, more_of, record_of, rest_of
from spar_tui.bibliography.reading.files import found_in, found_in_bytes
from spar_tui.errors import UsageError
from tests.rows import each

FORMATS = Path(__file__).parent / "formats"
FILES = sorted(path.name for path in FORMATS.iterdir())
SHORTER = {"scopus.csv": "2006", "zotero.csv": "2006-03-15"}
"""Tables that name only persons, and the date they tell."""


@each("file", FILES)
def test_a_format_is_known_by_its_text_and_says_what_the_others_say(file: str) -> None:
    [entry] = found_in_bytes((FORMATS / file).read_bytes(), "x.txt").entries
    paper = entry.paper
    people = ["Ana J. Marín", "Bob Roe Jr.", "Reed Water Board"]
    assert [person.name for person in paper.authors] == (["Ana J. Marín", "Bob Roe"] if file in SHORTER else people)
    assert (paper.title, paper.type) == ("Foraging of Capra hircus in reed", "article")
    assert (paper.venue.casefold(), paper.date) == ("reed research", SHORTER.get(file, "2006-03-15"))
    assert (paper.imprint.volume, paper.imprint.number, paper.imprint.pages) == ("12", "3", "112-119")
    assert paper.identifier("doi") == "10.5555/reed.12"
    assert paper.abstract == "We watched goats."
    assert entry.tags == (() if file == "hayagriva.yaml" else ("goats, wild", "reed"))
    assert entry.details["issn"].replace("-", "") == "12345679"
    styled = "Foraging of <i>Capra hircus</i> in reed" if file in ("endnote.xml", "pubmed.xml") else paper.title
    assert (paper.styled_title or paper.title) == styled
    assert paper.retracted is (file == "pubmed.xml")


@each(
    ("stated", "issued"),
    [
        ("<Year>2011</Year><Season>Spring</Season>", {"date-parts": [[2011]], "season": 1}),
        ("<MedlineDate>1998 Dec-1999 Jan</MedlineDate>", {"date-parts": [[1998, 12], [1999, 1]]}),
        ("<MedlineDate>2001 May-Jun</MedlineDate>", {"date-parts": [[2001, 5], [2001, 6]]}),
        ("<Year>2006</Year><Month>Mar</Month>", {"date-parts": [[2006, 3]]}),
    ],
)
def test_the_date_of_an_issue_of_pubmed_is_kept(stated: str, issued: object) -> None:
    text = (FORMATS / "pubmed.xml").read_text()
    before = "<Year>2006</Year><Month>Mar</Month><Day>15</Day>"
    [entry] = found_in(text.replace(before, stated), "x").entries
    assert entry.original
    assert json.loads(entry.original.value("issued")) == issued


def test_notes_and_files_of_zoteros_rdf_come_along() -> None:
    [entry] = found_in_bytes((FORMATS / "zotero.rdf").read_bytes(), "x").entries
    assert (entry.note, entry.files) == ("Read table 2", ("files/2/goats.pdf",))


WITHIN = "<bib:Book><dc:title>Marshes</dc:title>{}</bib:Book>"
SERIES = "<bib:Series><dc:title>Wet Lands</dc:title><dc:identifier>12</dc:identifier></bib:Series>"
PART = "<dcterms:isPartOf>{}</dcterms:isPartOf>"
NAMED = '<dcterms:isPartOf rdf:resource="#s"/>'


@each("part", [PART.format(SERIES), PART.format(WITHIN.format(PART.format(SERIES))), PART.format(WITHIN.format(NAMED))])
def test_zoteros_rdf_tells_the_series_of_a_work_or_of_the_book_that_it_stands_in(part: str) -> None:
    head = (FORMATS / "zotero.rdf").read_text().partition("<rdf:RDF")[2].partition(">")[0]
    item = f"<bib:BookSection><z:itemType>bookSection</z:itemType><dc:title>On fog</dc:title>{part}</bib:BookSection>"
    named = SERIES.replace("<bib:Series>", '<bib:Series rdf:about="#s">')
    [entry] = found_in(f"<rdf:RDF{head}>{item}{named}</rdf:RDF>", "x").entries
    assert (entry.details["series"], entry.details["number"]) == ("Wet Lands", "12")


def test_zoteros_rdf_tells_the_edition_and_publisher_of_a_book_for_its_chapter() -> None:
    head = (FORMATS / "zotero.rdf").read_text().partition("<rdf:RDF")[2].partition(">")[0]
    press = "<dc:publisher><foaf:Organization><foaf:name>Fen Press</foaf:name></foaf:Organization></dc:publisher>"
    book = f"<bib:Book><dc:title>Fens</dc:title><prism:edition>3rd</prism:edition>{press}</bib:Book>"
    item = (
        "<bib:BookSection><z:itemType>bookSection</z:itemType><dc:title>Reeds</dc:title>"
        "<dc:coverage>Box 3</dc:coverage>"
        f"<dcterms:isPartOf>{book}</dcterms:isPartOf><dc:subject><dcterms:LCC><rdf:value>QH 1</rdf:value></dcterms:LCC>"
        "</dc:subject><dc:subject>fen</dc:subject></bib:BookSection>"
    )
    [entry] = found_in(f"<rdf:RDF{head}>{item}</rdf:RDF>", "x").entries
    assert entry.original is not None
    members = {name: json.loads(value) for name, value in entry.original.fields}
    told = {"edition": "3rd", "publisher": "Fen Press", "archive_location": "Box 3", "call-number": "QH 1"}
    assert (members | told, entry.tags) == (members, ("fen",))


def test_a_corporate_name_of_mods_is_a_group_in_every_role() -> None:
    role = '<role><roleTerm type="text">{}</roleTerm></role>'
    name = '<name type="corporate"><namePart>Marsh Office</namePart>{}</name>'
    people = "".join(name.format(role.format(kind)) for kind in ("author", "editor", "translator"))
    place = "<location><physicalLocation>City Archive</physicalLocation></location>"
    text = f'<mods xmlns="http://www.loc.gov/mods/v3"><titleInfo><title>T</title></titleInfo>{people}{place}</mods>'
    [entry] = found_in(text, "x").entries
    assert entry.original is not None
    members = {name: json.loads(value) for name, value in entry.original.fields}
    assert [members[role] for role in ("author", "editor", "translator")] == [[{"literal": "Marsh Office"}]] * 3
    assert members["archive"] == "City Archive"


def test_a_subscript_of_scopus_is_one() -> None:
    [entry] = found_in("Title,Year,Source title\nCO<inf>2</inf> in reeds,2001,J\n", "x").entries
    assert (entry.paper.title, csl_item(entry_of(entry.paper, "k"))["title"]) == (
        "CO2 in reeds",
        "CO<sub>2</sub> in reeds",
    )


def test_collections_of_zoteros_rdf_become_tags_with_their_levels() -> None:
    head = (FORMATS / "zotero.rdf").read_text().partition("<rdf:RDF")[2].partition(">")[0]
    item = '<bib:Book rdf:about="#i"><z:itemType>book</z:itemType><dc:title>Fog</dc:title></bib:Book>'
    groups = "".join(
        f'<z:Collection rdf:about="#c{name}"><dc:title>{name}</dc:title><dcterms:hasPart rdf:resource="{part}"/>'
        "</z:Collection>"
        for name, part in (("Thesis", "#cDraft"), ("Draft", "#i"), ("Weather", "#i"))
    )
    [entry] = found_in(f"<rdf:RDF{head}>{item}{groups}</rdf:RDF>", "x").entries
    assert entry.tags == ("Thesis/Draft", "Weather")


def test_notes_and_files_of_zoteros_rdf_that_belong_to_no_work_are_told_once() -> None:
    head = (FORMATS / "zotero.rdf").read_text().partition("<rdf:RDF")[2].partition(">")[0]
    item = (
        '<bib:Book rdf:about="#i"><z:itemType>book</z:itemType><dc:title>Fog</dc:title><dc:date>10/1973</dc:date>'
        '<dcterms:isReferencedBy rdf:resource="#n"/></bib:Book>'
    )
    note = '<bib:Memo rdf:about="#%s"><rdf:value>words</rdf:value></bib:Memo>'
    file = '<z:Attachment rdf:about="#f"><z:itemType>attachment</z:itemType></z:Attachment>'
    text = f"<rdf:RDF{head}>\n{item}{note % 'n'}\n%s</rdf:RDF>"
    contents = found_in(text % (note % "loose" + file), "x")
    assert [entry.paper.date for entry in contents.entries] == ["1973-10"]
    [problem] = contents.problems
    assert (problem.line, "and 1 more" in problem.reason) == (text.count("\n") + 1, True)
    assert found_in(text % "", "x").problems == ()


def test_a_work_of_zoteros_rdf_without_its_type_is_named() -> None:
    text = (FORMATS / "zotero.rdf").read_text()
    untyped = text.replace("</rdf:RDF>", "<bib:Book><dc:title>Fog</dc:title></bib:Book>\n</rdf:RDF>")
    whole, rest = found_in(text, "x"), found_in(untyped, "x")
    assert rest.entries == whole.entries
    [problem] = {*rest.problems} - {*whole.problems}
    assert (problem.line, problem.taken) == (untyped[: untyped.index("Fog")].count("\n") + 1, False)


def test_what_no_format_has_a_field_for_stays_with_the_entry() -> None:
    [entry] = found_in_bytes((FORMATS / "web_of_science.ciw").read_bytes(), "x").entries
    assert entry.original
    assert json.loads(entry.original.value("custom"))["UT"] == "WOS:000000000000001"


CHAPTERS = {
    "EndNote": """<xml><records><record><ref-type name="Book Section">5</ref-type>
<contributors><authors><author>Roe, A.</author></authors>
<secondary-authors><author>Poe, B.</author></secondary-authors></contributors>
<titles><title>On reed</title><secondary-title>Marshes</secondary-title></titles><pages>1-9</pages>
<publisher>Fen</publisher><dates><year>1999</year></dates><isbn>9783161484100</isbn></record></records></xml>""",
    "refer": """%0 Book Section
%A Roe, A.
%E Poe, B.
%T On reed
%B Marshes
%P 1-9
%I Fen
%D 1999
%@ 9783161484100
""",
    "old refer": """%A A. Roe
%T On reed
%B Marshes
%E B. Poe
%P 1-9
%I Fen
%D 1999

%A C. Doe
%T Fog
%J Air
""",
    "Web of Science": """PT B
AU Roe, A
AF Roe, A.
BE Poe, B.
TI On reed
SO Marshes
DT Book Chapter
BN 9783161484100
PU Fen
PY 1999
BP 1
EP 9
ER
""",
    "MODS": """<mods xmlns="http://www.loc.gov/mods/v3"><titleInfo><nonSort>On</nonSort><title>reed</title></titleInfo>
<name type="personal"><namePart>Roe, A.</namePart><role><roleTerm>author</roleTerm></role></name>
<originInfo><dateIssued>1999</dateIssued></originInfo>
<relatedItem type="host"><genre>book</genre><titleInfo><title>Marshes</title></titleInfo>
<name><namePart>Poe, B.</namePart><role><roleTerm>editor</roleTerm></role></name>
<originInfo><publisher>Fen</publisher></originInfo>
<part><extent unit="pages"><start>1</start><end>9</end></extent></part></relatedItem>
<identifier type="isbn">9783161484100</identifier></mods>""",
    "PubMed": """PMID- 91000003
PB  - Fen
DP  - 1999
TI  - On reed.
BTI - Marshes
PG  - 1-9
FED - Poe, B.
FAU - Roe, A.
PT  - Review
PL  - Ely (UK)
ISBN- 9783161484100
""",
    "hayagriva": """x:
  type: chapter
  title: On reed
  author: Roe, A.
  page-range: 1-9
  parent:
    type: book
    title: Marshes
    editor: ["Poe, B."]
    publisher: {name: Fen, location: Ely}
    date: 1999
    serial-number:
      isbn: 9783161484100
""",
}


@each("format", CHAPTERS)
def test_a_chapter_has_its_book_and_its_editors(format: str) -> None:
    entry = found_in(CHAPTERS[format], "x").entries[0]
    paper = entry.paper
    assert (paper.type, paper.title, paper.venue, paper.date) == ("chapter", "On reed", "Marshes", "1999")
    assert [person.name for person in paper.authors] == ["A. Roe"]
    assert [person.name for person in paper.imprint.editors] == ["B. Poe"]
    assert (paper.imprint.pages, paper.imprint.publisher) == ("1-9", "Fen")
    assert format == "old refer" or entry.details["isbn"] == "9783161484100"


@each(
    ("publication", "document", "type"),
    [
        ("S", "Article; Book Chapter", "chapter"),
        ("B", "Review; Book Chapter", "chapter"),
        ("S", "Article; Proceedings Paper", "conference-paper"),
        ("S", "Editorial Material", "chapter"),
        ("J", "Article; Proceedings Paper", "article"),
        ("J", "Review; Book Chapter", "review"),
        ("B", "Book", "book"),
    ],
)
def test_an_article_of_the_web_of_science_is_one_in_a_journal_only_where_it_stands_in_one(
    publication: str, document: str, type: str
) -> None:
    lines = f"PT {publication}\nTI On reed\nSO MARSHES\nDT {document}\nPY 1999\nER\n"
    row = f"PT\tTI\tSO\tDT\tPY\n{publication}\tOn reed\tMARSHES\t{document}\t1999\n"
    for text in (lines, row):
        [entry] = found_in(text, "x").entries
        assert entry.paper.type == type


def test_a_volume_that_bibutils_names_as_a_series_is_what_the_paper_stands_in() -> None:
    lines = "%0 Conference Proceedings|%T On reed|%A Roe, A.|%Y Poe, B.|%S Marsh Meetings|%D 2025|%8 November|%K a;b"
    [entry] = found_in(lines.replace("|", "\n"), "x").entries
    paper = entry.paper
    assert (paper.type, paper.venue, paper.date) == ("conference-paper", "Marsh Meetings", "2025-11")
    assert ([person.name for person in paper.imprint.editors], entry.tags) == (["B. Poe"], ("a", "b"))


def test_an_article_in_a_repository_of_hayagriva_is_a_preprint() -> None:
    text = "a:\n  type: Article\n  title: T\n  serial-number: 2003.13722\n  parent: {type: Repository, title: arXiv}\n"
    [entry] = found_in(text, "x").entries
    assert (entry.paper.type, entry.paper.venue) == ("preprint", "arXiv")


@each("kind", ["repository", "blog", "web", "thread", "Repository"])
@each("first", [True, False])
def test_what_is_no_collection_is_no_series_of_hayagriva(kind: str, first: bool) -> None:
    parents = ["{type: proceedings, title: Fens}", f"{{type: {kind}, title: Code, url: 'https://example.org/code'}}"]
    text = f"k: {{type: article, title: T, parent: [{', '.join(parents if first else parents[::-1])}]}}"
    item = members(text, "x.yml")
    assert item["container-title"] == "Fens"
    assert item["custom"] == {
        "parent/others/type": kind, "parent/others/title": "Code", "parent/others/url": "https://example.org/code"
    }  # fmt: skip
    assert "Code" not in [value for name, value in item.items() if name != "custom"]


def members(text: str, name: str) -> dict[str, object]:
    """The members of the CSL item that an entry is kept as."""
    [entry] = found_in(text, name).entries
    assert entry.original
    return {member: json.loads(value) for member, value in entry.original.fields} | {"type": entry.original.type}


def test_what_hayagriva_tells_of_series_conferences_people_and_about_when_is_kept() -> None:
    chapter = members(
        "k: {type: chapter, title: T, author: 'Roe, A', date: ~1850, call-number: QH1,"
        " affiliated: [{role: illustrator, names: ['Poe, B']}], parent: {type: anthology, title: Fens,"
        " parent: {type: anthology, title: Wetlands, volume: 4}}}",
        "a.yml",
    )
    assert chapter["issued"] == {"date-parts": [[1850]], "circa": True}
    assert chapter["illustrator"] == [{"family": "Poe", "given": "B"}]
    assert (chapter["collection-title"], chapter["collection-number"], chapter["call-number"]) == (
        "Wetlands",
        "4",
        "QH1",
    )
    paper = members(
        "k: {type: article, title: T, parent: {type: proceedings, title: P,"
        " parent: {type: conference, title: C, location: O}}}",
        "a.yml",
    )
    assert (paper["event-title"], paper["event-place"], paper["container-title"]) == ("C", "O", "P")


def test_a_second_value_of_a_member_that_has_place_for_one_is_kept() -> None:
    item = members("%0 Journal Article\n%T T\n%A Roe, A\n%U http://example.org/1\n%U http://example.org/2\n", "a.enw")
    assert (item["URL"], item["custom"]) == ("http://example.org/1", {"URL": "http://example.org/2"})


@each(
    "text",
    [
        "%0 Book\n%T T\n%X Reeds grow.\n%X Fens wait.\n",
        "RT Book, Whole\nT1 T\nAB Reeds grow.\nAB Fens wait.\n",
        "TY  - BOOK\nTI  - T\nAB  - Reeds grow.\nAB  - Fens wait.\nER  - \n",
        "TY  - BOOK\nTI  - T\nN2  - Reeds grow.\nN2  - Fens wait.\nER  - \n",
        "PMID- 2\nTI  - T\nAB  - Reeds grow.\nAB  - Fens wait.\n",
        """<mods><titleInfo><title>T</title></titleInfo><abstract>Reeds grow.</abstract>
<abstract>Fens wait.</abstract></mods>""",
    ],
)
def test_an_abstract_in_several_fields_is_one(text: str) -> None:
    [entry] = found_in(text, "x").entries
    assert entry.paper.abstract.split() == ["Reeds", "grow.", "Fens", "wait."]
    assert entry.original
    assert rest_of(entry.original, "bibtex", "book", ("T", "2")) == ()


@each("raised", ["<sup>6</sup>", '<style face="superscript" font="default">6</style>'])
def test_an_exponent_in_an_abstract_of_endnote_is_kept_apart(raised: str) -> None:
    record = f"<titles><title>T</title></titles><abstract>Of 10{raised} cells.</abstract>"
    text = f"<xml><records><record><ref-type name='Book'>6</ref-type>{record}</record></records></xml>"
    [entry] = found_in(text, "x.xml").entries
    assert entry.paper.abstract == "Of 10^6 cells."


def test_the_number_of_a_patent_is_no_issn_and_that_of_pages_no_page() -> None:
    patent = members("%0 Patent\n%T T\n%A Roe, A\n%@ US1234567B1\n%N Appl 12\n", "a.enw")
    assert (patent["number"], patent["issue"], "ISSN" in patent) == ("US1234567B1", "Appl 12", False)
    thesis = members("%0 Thesis\n%T T\n%A Roe, A\n%P 212\n", "a.enw")
    assert (thesis["number-of-pages"], "page" in thesis) == ("212", False)


def test_fields_of_zoteros_rdf_and_roles_of_mods_that_have_a_member_are_in_it() -> None:
    item = members(
        '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:z="z" xmlns:dc="d">'
        "<rdf:Description><z:itemType>map</z:itemType><dc:title>T</dc:title><z:scale>1:1000</z:scale>"
        "<z:mapType>wall</z:mapType></rdf:Description></rdf:RDF>",
        "a.rdf",
    )
    assert (item["type"], item["scale"], item["genre"]) == ("map", "1:1000", "wall")
    mods = members(
        '<mods xmlns="http://www.loc.gov/mods/v3"><titleInfo><title>T</title></titleInfo><name type="personal">'
        '<namePart>Roe, A</namePart><role><roleTerm type="code">ill</roleTerm></role></name><location>'
        '<url dateLastAccessed="2020-01-02">http://example.org</url><shelfLocator>QH1</shelfLocator></location></mods>',
        "a.xml",
    )
    assert (mods["illustrator"], mods["call-number"]) == ([{"family": "Roe", "given": "A"}], "QH1")
    assert mods["accessed"] == {"date-parts": [[2020, 1, 2]]}


def test_keywords_of_csl_can_be_a_list() -> None:
    [entry] = found_in("references:\n- {id: k, type: book, title: T, keyword: [reed, fen]}\n", "a.yaml").entries
    assert entry.tags == ("reed", "fen")


def test_years_before_christ_and_particles_of_hayagriva_become_those_of_csl() -> None:
    item = members("a: {type: Book, title: T, author: 'de Roe, Ann', date: '-0006'}", "a.yml")
    assert item["issued"] == members("a: {type: Book, title: T, date: -6}", "a.yml")["issued"] == {"date-parts": [[-7]]}
    assert item["author"] == [{"family": "Roe", "given": "Ann", "non-dropping-particle": "de"}]


def test_a_type_that_a_format_does_not_list_is_kept() -> None:
    mods = "<mods><titleInfo><title>T</title></titleInfo><genre>thesis</genre><genre>Ph.D. thesis</genre></mods>"
    [thesis] = found_in(f"<modsCollection xmlns='http://www.loc.gov/mods/v3'>{mods}</modsCollection>", "a.xml").entries
    assert thesis.original
    assert json.loads(thesis.original.value("genre")) == "Ph.D. thesis"
    [table] = found_in("Title,Authors,Year,Document Type\nT,Roe A.,2001,Sketch map\n", "a.csv").entries
    assert table.original
    assert json.loads(table.original.value("custom")) == {"type": "Sketch map"}


def test_the_last_line_of_refworks_belongs_to_no_value() -> None:
    [first, second] = found_in(
        "RT Book\nT1 Reeds\nLA English\nER \n\nRT Book\nT1 Fens\nLA English\nER\n", "a.txt"
    ).entries
    assert first.paper.language == second.paper.language == "en"


def test_a_name_of_hayagriva_without_a_comma_is_whole() -> None:
    names = '["Roe, Ann", Reed Water Board, "{Typst GmbH}"]'
    [entry] = found_in(f"a:\n  type: Web\n  title: T\n  author: {names}\n", "x").entries
    assert entry.paper.authors == (Author("Roe", "Ann"), Author("Reed Water Board"), Author("Typst GmbH"))


STYLED = '<i>E. coli</i> in H<sub>2</sub>O, 10<sup>3</sup>, <b>a_b*c</b> <span class="nocase">NASA</span> <sc>sc</sc>'


def test_markup_of_yaml_is_that_of_its_format() -> None:
    pandoc = (
        "- id: a\n  type: book\n  title: '*E. coli* in H~2~O, 10^3^, **a_b\\*c** [NASA]{.nocase} [sc]{.smallcaps}'\n"
    )
    typst = "a:\n  type: Book\n  title: '_E. coli_ in H#sub[2]O, 10#super[3], *a_b\\*c* {NASA} #smallcaps[sc]'\n"
    for text in (pandoc, typst, typst.replace("title: ", "title:\n    value: ")):
        [entry] = found_in(text, "x").entries
        assert entry.paper.styled_title == STYLED


@each(
    ("value", "styled"),
    [("Simple Title", "Simple Title"), ("{RNA} in _E. coli_", "RNA in <i>E. coli</i>"),
     (r"50\\% of \\{x\\}", "50% of {x}")],
)  # fmt: skip
def test_the_case_of_a_whole_title_of_hayagriva_is_kept_with_its_markup(value: str, styled: str) -> None:
    title = f'{{value: "{value}", verbatim: true}}'
    [entry] = found_in(f"a:\n  type: Book\n  title: {title}\n  author: Roe, Ann\n", "x").entries
    assert entry.paper.styled_title == f'<span class="nocase">{styled}</span>'


def test_what_csl_writes_in_capitals_may_be_in_small_letters_in_yaml() -> None:
    [entry] = found_in("references:\n- id: a\n  type: book\n  title: T\n  doi: 10.1000/182\n", "x").entries
    assert [str(name) for name in entry.paper.identifiers] == ["doi:10.1000/182"]


@each(
    ("row", "people"),
    [
        ('"Marín A.J., Roe B."', ["A.J. Marín", "B. Roe"]),
        ('"Marín AJ, van der Berg B."', ["AJ Marín", "B van der Berg"]),
        ('"Lovelace, Ada; Babbage, Charles"', ["Ada Lovelace", "Charles Babbage"]),
        ('"Lovelace, Ada; et al."', ["Ada Lovelace"]),
        ("World Water Board", ["World Water Board"]),
    ],
)
def test_names_in_a_cell_are_told_apart_as_databases_join_them(row: str, people: list[str]) -> None:
    [entry] = found_in(f"Authors,Title,Year,DOI\n{row},T,2001,10.5555/x\n", "x.csv").entries
    assert [person.name for person in entry.paper.authors] == people


@each("file", FILES)
@each("encoding", ["utf-8-sig", "utf-16", "utf-16-le"])
def test_a_file_says_the_same_with_any_mark_and_line_ends(file: str, encoding: str) -> None:
    text = (FORMATS / file).read_text()
    found = found_in_bytes(text.replace("\n", "\r\n").encode(encoding), "x")
    assert [entry.paper for entry in found.entries] == [entry.paper for entry in found_in(text, "x").entries]


@each("sign", [",", ";", "|", "sep=;", "\t"])
def test_a_table_is_read_as_spreadsheets_write_it(sign: str) -> None:
    mark = sign[-1]
    cells = ['"Reeds in ""fens"", or not"', '"Marín, Ana J.; Reed Board"', "Marsh Res", "2006", "1234-5679"]
    head = mark.join(("Title", "Author", "Journal/Book", "Year", "ISSN"))
    lines = [*([sign] if len(sign) > 1 else []), head, mark.join(cells)]
    [entry] = found_in("\n".join(lines), "x.csv").entries
    assert (entry.paper.title, entry.paper.venue, entry.type) == (
        'Reeds in "fens", or not',
        "Marsh Res",
        "article-journal",
    )
    assert [person.name for person in entry.paper.authors] == ["Ana J. Marín", "Reed Board"]


def test_several_numbers_of_a_series_in_one_field_are_told_apart() -> None:
    text = "%0 Journal Article\n%T Reeds\n%J Marsh\n%@ 1234-5679 (Print) 2345-6780 (Electronic)\n"
    [entry] = found_in(text, "x").entries
    assert entry.details["issn"] == "1234-5679, 2345-6780"
    [entry] = found_in(
        "TY  - JOUR\nTI  - Reeds\nSN  - 1234-5679; 2345-6780\nSN  - 978-0-306-40615-7\nER  - ", "x"
    ).entries
    assert (entry.details["issn"], entry.details["isbn"]) == ("1234-5679, 2345-6780", "978-0-306-40615-7")


@each(
    ("dates", "edtf"),
    [
        ('<dateIssued qualifier="approximate">1877</dateIssued>', "1877~"),
        ('<dateIssued qualifier="questionable">1877</dateIssued>', "1877?"),
        ('<copyrightDate qualifier="inferred">1877</copyrightDate>', "1877?"),
        ('<dateIssued point="start" qualifier="approximate">1877</dateIssued><dateIssued point="end">1879</dateIssued>',
         "1877~/1879"),
        ('<dateIssued point="start">1877</dateIssued><dateIssued point="end" qualifier="approximate">1879</dateIssued>',
         "1877/1879~"),
        ('<dateIssued encoding="edtf" qualifier="approximate">-0043</dateIssued>', "-0044~"),
        ('<dateIssued encoding="edtf" point="start">-0043</dateIssued><dateIssued point="end">0002</dateIssued>',
         "-0044/0002"),
    ],
)  # fmt: skip
def test_an_uncertain_date_of_mods_stays_uncertain(dates: str, edtf: str) -> None:
    text = f"<mods><titleInfo><title>Fens</title></titleInfo><originInfo>{dates}</originInfo></mods>"
    (entry,) = found_in(text, "x.xml").entries
    assert entry.original
    assert date_of(entry.original) == edtf


@each(("kind", "authors"), [("Book", ["Ann Poe"]), ("Book Chapter", [])])
def test_the_authors_of_a_whole_book_in_the_web_of_science_are_its_own(kind: str, authors: list[str]) -> None:
    text = f"FN x\nVR 1.0\nPT B\nBA Poe, A\nBF Poe, Ann\nTI Reeds\nSO REEDS\nDT {kind}\nPY 2012\nER\nEF\n"
    (entry,) = found_in(text, "x.txt").entries
    assert [author.name for author in entry.paper.authors] == authors


@each(
    "parts",
    ["<namePart>Roe, Ann, 1950-2001.</namePart>",
     '<namePart>Roe, Ann,</namePart><namePart type="date">1950-2001</namePart>'],
)  # fmt: skip
def test_the_years_of_a_life_are_no_part_of_a_name_in_mods(parts: str) -> None:
    [entry] = found_in(f"<mods><titleInfo><title>Fens</title></titleInfo><name>{parts}</name></mods>", "x").entries
    assert [person.name for person in entry.paper.authors] == ["Ann Roe"]


def test_a_row_can_have_lines_within_quotation_marks_and_cells_that_are_missing() -> None:
    found = found_in('Title;Year;Abstract\n"T, ""so""";2001;"one\ntwo"\n\nU;2002\n', "x")
    assert [(one.line, one.paper.title, one.paper.abstract) for one in found.entries] == [
        (2, 'T, "so"', "one two"), (5, "U", ""),
    ]  # fmt: skip


def test_what_a_whole_book_or_volume_of_a_conference_stands_in_is_its_series() -> None:
    columns, refer = "Title,Year,Source title,Editors,Document Type\n", "%0 Edited Book\n%T Fens\n%B Wet Lands\n"
    row = '"4th Symposium on Reed, SoR 2011",2011,Wet Lands,"Poe B.; Doe C.",Conference review\n'
    for text in (columns + row, refer):
        [entry] = found_in(text, "x").entries
        assert (entry.paper.type, entry.paper.venue, entry.details["series"]) == ("book", "", "Wet Lands")
    [entry] = found_in("PT B\nTI Reed and fog\nSO REED AND FOG\nDT Book\nER\n", "x").entries
    assert not entry.details.get("series")


@each(
    "text",
    [
        """<xml><records><record><ref-type name="Thesis">32</ref-type><titles><title>On fens</title></titles>
<volume>Master of Science</volume></record></records></xml>""",
        "%0 Thesis\n%T On fens\n%V Master of Science\n",
    ],
)
def test_the_degree_that_endnote_has_where_other_works_have_their_volume_is_the_type_of_a_thesis(text: str) -> None:
    for written, volume in ((text, ""), (text.replace("Master of Science", "2"), "2")):
        [entry] = found_in(written, "x").entries
        assert entry.original
        assert entry.details.get("volume", "") == volume
        assert kind_of_original(entry.original, entry.paper.type) == ("thesis" if volume else "mastersthesis")
    [entry] = found_in("%0 Thesis\n%T On fens\n%V MSc\n%9 Diplomarbeit\n", "x").entries
    assert entry.original
    assert (entry.details.get("volume", ""), entry.original.value("genre")) == ("", '"Diplomarbeit"')
    assert entry.original.value("custom") == '{"degree": "MSc"}'


@each(
    "text",
    [
        """<xml><records><record><ref-type name="Thesis">32</ref-type>
<titles><title>On fens</title><secondary-title>Department of Peat</secondary-title></titles>
<publisher>Fen College</publisher></record></records></xml>""",
        "%0 Thesis\n%T On fens\n%B Department of Peat\n%I Fen College\n",
        "RT Dissertation/Thesis\nT1 On fens\nT2 Department of Peat\nPB Fen College\n",
        "TY  - THES\nTI  - On fens\nT2  - Department of Peat\nPB  - Fen College\nER  - \n",
    ],
    ids=["EndNote XML", "refer", "RefWorks", "RIS"],
)
def test_the_secondary_title_of_a_thesis_is_a_department_and_no_container(text: str) -> None:
    [entry], [without_school] = found_in(text, "x").entries, found_in(text.replace("Fen College", ""), "x").entries
    assert (entry.paper.venue, without_school.paper.venue) == ("Fen College", "Department of Peat")
    assert entry.original
    assert "Department of Peat" in dict(rest_of(entry.original, "bibtex", "thesis", [])).values()
    item = record_of(entry.original).item
    assert ("container-title" in item, item["publisher"]) == (False, "Fen College")


@each(
    "text",
    [
        "<mods><titleInfo><title>T</title></titleInfo><originInfo><edition>{}</edition></originInfo></mods>",
        "%0 Book\n%T T\n%7 {}\n",
        "RT Book, Whole\nT1 T\nED {}\n",
    ],
    ids=["MODS", "refer", "RefWorks"],
)
@each(("edition", "member"), [("3rd ed.", "3"), ("3", "3"), ("3. edn", "3"), ("3rd revised", "3rd revised")])
def test_a_numbered_edition_is_its_number_in_csl(text: str, edition: str, member: str) -> None:
    [entry] = found_in(text.format(edition), "x.xml").entries
    assert entry.original
    assert json.loads(entry.original.value("edition")) == member


ENDNOTE = {
    "A": "contributors/authors/author", "E": "contributors/secondary-authors/author",
    "Y": "contributors/tertiary-authors/author", "?": "contributors/subsidiary-authors/author",
    "B": "titles/secondary-title", "&": "section", "7": "edition", "P": "pages",
}  # fmt: skip


@each(
    ("kind", "told", "members"),
    [
        ("Book", {"A": "Roe", "E": "Ser", "Y": "Edi", "?": "Tra"},
         {"author": "Roe", "collection-editor": "Ser", "editor": "Edi", "translator": "Tra"}),
        ("Book", {"E": "Edi"}, {"editor": "Edi"}),
        ("Edited Book", {"A": "Edi", "E": "Ser"}, {"editor": "Edi", "collection-editor": "Ser"}),
        ("Book Section", {"A": "Roe", "E": "Edi", "Y": "Ser", "B": "Reeds", "&": "3"},
         {"author": "Roe", "editor": "Edi", "collection-editor": "Ser", "container-title": "Reeds",
          "chapter-number": "3"}),
        ("Film or Broadcast", {"A": "Roe", "Y": "Pro", "?": "Per"}, {"director": "Roe", "producer": "Pro",
                                                                   "performer": "Per"}),
        ("Personal Communication", {"A": "Roe", "E": "Rec"}, {"author": "Roe", "recipient": "Rec"}),
        ("Statute", {"B": "Code", "&": "33", "7": "101st"},
         {"container-title": "Code", "section": "33", "chapter-number": "101st"}),
        ("Thesis", {"A": "Roe", "Y": "Adv"}, {"author": "Roe", "contributor": "Adv"}),
        ("Bill", {"E": "Roe", "B": "Code"}, {"author": "Roe", "container-title": "Code"}),
        ("Case", {"E": "U.S."}, {"container-title": "U.S."}),
        ("Journal Article", {"A": "Roe", "B": "J", "&": "17"}, {"author": "Roe", "container-title": "J", "page": "17"}),
        ("Journal Article", {"B": "J", "&": "17", "P": "17-9"}, {"container-title": "J", "page": "17-19"}),
        ("Report", {"A": "Roe", "&": "17"}, {"author": "Roe", "chapter-number": "17"}),
    ],
)  # fmt: skip
@each("form", ["refer", "xml"])
def test_fields_of_endnote_are_what_the_type_makes_of_them(
    form: str, kind: str, told: dict[str, str], members: dict[str, str]
) -> None:
    texts = {tag: f"{text}, A" if tag in "AEY?" and text.isalpha() else text for tag, text in told.items()}
    lines = [f"%0 {kind}", "%T T", *(f"%{tag} {text}" for tag, text in texts.items())]
    paths = {"T": "titles/title"} | ENDNOTE
    xml = "".join(
        "".join(f"<{name}>" for name in paths[tag].split("/"))
        + text
        + "".join(f"</{name}>" for name in reversed(paths[tag].split("/")))
        for tag, text in ({"T": "T"} | texts).items()
    )
    whole = f'<xml><records><record><ref-type name="{kind}">1</ref-type>{xml}</record></records></xml>'
    [entry] = found_in("\n".join(lines) if form == "refer" else whole, "x").entries
    assert entry.original
    item = {name: json.loads(value) for name, value in entry.original.fields}
    values = {name: value[0]["family"] if isinstance(value, list) else value for name, value in item.items()}
    assert {name: value for name, value in values.items() if name not in ("title", "custom")} == members


def test_a_table_of_zotero_has_a_column_for_each_role_and_field() -> None:
    row = {
        "Item Type": "book", "Title": "T", "Author": "Roe, A", "Series Editor": "Ser, A",
        "Cast Member": "Poe, A; Low, B", "Series Number": "4", "Archive Location": "Box 1", "Call Number": "QA",
        "Number": "7",
    }  # fmt: skip
    lines = (",".join(f'"{text}"' for text in texts) for texts in (row, row.values()))
    [entry] = found_in("\n".join(lines), "x").entries
    assert entry.original
    item = {name: json.loads(value) for name, value in entry.original.fields}
    people = {name: [one["family"] for one in value] for name, value in item.items() if isinstance(value, list)}
    assert people == {"author": ["Roe"], "collection-editor": ["Ser"], "performer": ["Poe", "Low"]}
    assert item.items() >= {
        "collection-number": "4", "archive_location": "Box 1", "call-number": "QA", "number": "7",
    }.items()  # fmt: skip


def test_a_patent_of_the_web_of_science_has_its_number_and_its_holder() -> None:
    [entry] = found_in("PT P\nAU Roe, A\nTI T\nAE Acme\nPN US1234\nPY 2001\nER\n", "x").entries
    assert {name: entry.details[name] for name in ("publisher", "number")} == {"publisher": "Acme", "number": "US1234"}


def test_a_retraction_is_read_from_every_format_that_tells_it() -> None:
    for text in (
        "PT J\nTI T\nSO J\nDT Article; Retracted Publication\nER\n",
        "Title,Year,Document Type\nT,2001,Retracted\n",
        "key,title,year,retracted\na,T,2001,yes\n",
        "- id: a\n  type: article-journal\n  title: T\n  status: retracted\n",
    ):
        assert found_in(text, "x").entries[0].paper.retracted


def test_a_retracted_article_of_scopus_stays_an_article() -> None:
    [entry] = found_in("Title,Year,Source title,Document Type\nT,2001,Marsh,Retracted\n", "x").entries
    assert (entry.paper.type, entry.paper.venue) == ("article", "Marsh")


@each(
    ("stated", "issued"),
    [
        ("2007-05", {"date-parts": [[2007, 5]]}),
        ("2007", {"date-parts": [[2007]]}),
        ("2001/2003", {"date-parts": [[2001], [2003]]}),
        ("1850~", {"date-parts": [[1850]], "circa": True}),
        ("{year: 2007, month: may, day: 3}", {"date-parts": [[2007, 5, 3]]}),
        ("{year: 2007, season: spring}", {"date-parts": [[2007]], "season": 1}),
        ("[{year: 2001}, {year: 2003}]", {"date-parts": [[2001], [2003]]}),
        ("-44", {"date-parts": [[-44]]}),
        ("'-0043-03-15'", {"date-parts": [[-44, 3, 15]]}),
        ("'-0043/-0042'", {"date-parts": [[-44], [-43]]}),
        ("'0000'", {"date-parts": [[-1]]}),
        ("{date-parts: [[2007, 5]]}", {"date-parts": [[2007, 5]]}),
        ("in press", {"raw": "in press"}),
    ],
)
def test_a_date_of_csl_yaml_is_one_of_csl_json(stated: str, issued: object) -> None:
    text = f"- id: a\n  type: article-journal\n  title: T\n  issued: {stated}\n"
    [entry] = found_in(text, "x").entries
    assert entry.original
    assert json.loads(entry.original.value("issued")) == issued


def test_a_list_of_identifiers_is_an_entry_for_each() -> None:
    text = "# to read\n10.5555/reed.12\n\nhttps://arxiv.org/abs/1706.03762\nPMID: 91000001\ndoi:10.5555/REED.12,\n"
    found = found_in(text, "x")
    names = [str(name) for entry in found.entries for name in entry.paper.identifiers]
    assert names == ["doi:10.5555/reed.12", "arxiv:1706.03762", "pmid:91000001"]
    assert [entry.line for entry in found.entries] == [2, 4, 5]
    with pytest.raises(UsageError, match="not a bibliography"):
        found_in("10.5555/reed.12\nsome words\n", "x")


def test_a_line_of_words_in_a_list_of_identifiers_is_named_and_hides_no_other() -> None:
    found = found_in("10.5555/reed.12\nthe one on ponds\narXiv:1706.03762\n", "x")
    assert [entry.line for entry in found.entries] == [1, 3]
    assert [(problem.line, problem.taken) for problem in found.problems] == [(2, False)]


@each(
    ("id", "key", "in_yaml"),
    [("0815", "0815", "0815"), ("815", "", "815"), ("item-1", "", ""), ("roe2001", "roe2001", "roe2001")],
)
def test_a_number_by_which_a_program_counts_is_no_key_but_yaml_is_written_by_hand(
    id: str, key: str, in_yaml: str
) -> None:
    [entry] = found_in(json.dumps([{"id": id, "type": "book", "title": "Beds"}]), "x.json").entries
    [by_hand] = found_in(f"references:\n- id: {id}\n  type: book\n  title: Beds\n", "x.yaml").entries
    assert (entry.key, by_hand.key) == (key, in_yaml)


def test_what_scopus_writes_for_nothing_is_nothing() -> None:
    row = "[No author name available],T,2001,[No abstract available],[No author id available],[No source available]"
    columns = "Authors,Title,Year,Abstract,Author(s) ID,Source title"
    [entry] = found_in(f"{columns}\n{row}\n", "x.csv").entries
    assert (entry.paper.authors, entry.paper.abstract, entry.paper.venue) == ((), "", "")
    assert entry.original
    assert "available" not in str(entry.original.fields)


def test_an_xml_in_another_encoding_says_so_in_its_first_line() -> None:
    text = "<?xml version='1.0' encoding='ISO-8859-2'?>\n<mods><titleInfo><title>Miłość</title></titleInfo></mods>"
    [entry] = found_in_bytes(text.encode("iso-8859-2"), "x").entries
    assert entry.paper.title == "Miłość"


TITLE = "<mods><titleInfo><title>&b;</title></titleInfo></mods>"
BOMB = f"<!DOCTYPE mods [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;&a;'>]>{TITLE}"
FILE = f"<!DOCTYPE mods [<!ENTITY b SYSTEM 'file:///etc/hostname'>]>{TITLE}"


@each(
    ("text", "reason"),
    [
        (BOMB, "its own XML entities"),
        (FILE, "its own XML entities"),
        ("<mods>" * 5_000, "not valid XML"),
        ("<mods><titleInfo>", "not valid XML"),
        ("<?xml version='1.0'?>\n<feed/>", "<feed> is not the start of"),
        ("a:\n  title: &x T\nb:\n  title: *x\n", "alias in line 4"),
        (f"a:\n  title: {'[' * 5_000}", "nested too deeply"),
        ('a:\n  title: "open\n', "not valid YAML in line"),
        ("%0 Book\n%T T\n" * 100_001, "more than 100,000"),
        ("Title,Year,DOI\n" + "T,2001,x\n" * 100_001, "more than 100,000"),
    ],
    ids=["bomb", "file", "deep XML", "cut off", "feed", "alias", "deep YAML", "open quote", "many", "rows"],
)
def test_hostile_and_broken_files_are_refused_with_a_sentence(text: str, reason: str) -> None:
    with pytest.raises(UsageError, match=reason):
        found_in(text, "x")


CUT_OFF = "the file is cut off in line 4, before it ends"


@each(
    ("text", "titles", "line", "reason"),
    [
        (("<xml><records><record><ref-type name='Book'/><titles><title>One</title></titles></record>\n"
         "<record><ref-type name='Book'/><titles><title>Two</title></titles></record>\n\n<record><titles><ti"),
         ["One", "Two"], 4, CUT_OFF),
        (("<?xml version='1.0'?>\n<modsCollection xmlns='http://www.loc.gov/mods/v3'>\n"
         "<mods><titleInfo><title>One</title></titleInfo></mods>\n"
         "<mods><titleInfo><title>Two</titel></titleInfo></mods>\n"
         "<mods><titleInfo><title>Three</title></titleInfo></mods></modsCollection>"),
         ["One", "Three"], 4, "it is not valid XML"),
        (("<modsCollection>\n<mods><titleInfo><title>One</title></titleInfo></mods>\n\n"
         "<mods><titleInfo><title>Two</title></titleInfo>\n<mods><titleInfo><title>Three</title></titleInfo></mods>\n"
         "</modsCollection>"), ["One", "Three"], 4, "it is not valid XML"),
        (("<PubmedArticleSet>\n<PubmedArticle><MedlineCitation><PMID>91</PMID><Article><ArticleTitle>One</ArticleTitle>"
         "</Article></MedlineCitation></PubmedArticle>\n\n<PubmedArticle><MedlineCitation><PMID>92"),
         ["One"], 4, CUT_OFF),
        ("references:\n- id: a\n  title: One\n- id: b\n  title: 'Two\n", ["One"], 4, "it is not valid YAML"),
        ("a:\n  type: book\n  title: One\nb:\n  title: [\nc:\n  title: Three\n", ["One", "Three"], 4,
         "it is not valid YAML"),
    ],
    ids=["EndNote", "MODS", "without an end", "PubMed", "CSL-YAML", "hayagriva"],
)  # fmt: skip
def test_a_broken_record_hinders_no_other_one(text: str, titles: list[str], line: int, reason: str) -> None:
    contents = found_in(text, "x")
    assert [entry.paper.title for entry in contents.entries] == titles
    [problem] = [problem for problem in contents.problems if not problem.taken]
    assert problem.line == line
    assert problem.reason.startswith(reason)


def test_fields_of_any_length_are_cut_and_hinder_nothing() -> None:
    long = "x" * 3_000_000
    for text in (
        f"%0 Book\n%T T\n%X {long}\n",
        f"Title,Year,Abstract\nT,2001,{long}\n",
        f"a:\n  title: T\n  abstract: {long}\n",
    ):
        [entry] = found_in(text, "x").entries
        assert entry.paper.title == "T"
        assert len(entry.paper.abstract) < len(long)


@each(("issn", "told"), [("00280836", "0028-0836"), ("1879597x; 0028-646X", "1879-597X, 0028-646X")])
def test_an_issn_gets_the_hyphen_that_scopus_leaves_out(issn: str, told: str) -> None:
    [entry] = found_in(f'Authors,Title,Year,Source title,ISSN\n"Roe, A.",T,2001,Marsh,{issn}\n', "x").entries
    assert entry.details["issn"] == told


@each(
    ("text", "authors"),
    [
        ("TY  - JOUR\nTI  - T\nAU  - [Anon]\nER  - \n", []),
        ("TY  - JOUR\nTI  - T\nAU  - [No authors listed]\nER  - \n", []),
        ("PT J\nAU [Anonymous]\nTI T\nSO J\nER\n", []),
        ("TY  - JOUR\nTI  - T\nAU  - Roe, Ann\nAU  - Equipo de Trabajo del Río\nER  - \n",
         [("Roe", "Ann"), ("Equipo de Trabajo del Río", "")]),
        ("TY  - JOUR\nTI  - T\nAU  - Ann Roe\nAU  - Bo Poe\nER  - \n", [("Roe", "Ann"), ("Poe", "Bo")]),
        ("%0 Report\n%T T\n%A Ann Roe\n", [("Roe", "Ann")]),
        ("%0 Journal Article\n%T T\n%A Roe, Ann\n%A World Fen Board\n", [("Roe", "Ann"), ("World Fen Board", "")]),
        ("%0 Journal Article\n%T T\n%A Ann Roe\n%A Bob Poe\n", [("Roe", "Ann"), ("Poe", "Bob")]),
    ],
)  # fmt: skip
def test_nobody_is_no_author_and_a_group_among_inverted_names_stays_whole(
    text: str, authors: list[tuple[str, str]]
) -> None:
    (entry,) = found_in(text, "x").entries
    assert [(author.family, author.given) for author in entry.paper.authors] == authors


@each("name", ["Anonymous", "anonymous", "Anon.", "Anon"])
def test_a_work_by_anonymous_has_that_author_in_every_format(name: str) -> None:
    for text in (
        f"TY  - BOOK\nTI  - T\nAU  - {name}\nER  - \n",
        f"%0 Book\n%T T\n%A {name}\n",
        f"@book{{k, title = {{T}}, author = {{{name}}}}}",
        f'[{{"type": "book", "title": "T", "author": [{{"literal": "{name}"}}]}}]',
        f"PMID- 2\nTI  - T\nFAU - {name}\n",
        f"k:\n  type: book\n  title: T\n  author: {name}\n",
        f"PT B\nAU {name}\nTI T\nER\n",
    ):
        [entry] = found_in(text, "x").entries
        assert (text, [author.name for author in entry.paper.authors]) == (text, [name])


def test_a_book_does_not_stand_in_itself() -> None:
    (entry,) = found_in("PT B\nAU Roe, A\nTI Reeds of the Fens\nSO REEDS OF THE FENS\nDT Book\nER\n", "x").entries
    assert (entry.paper.type, entry.paper.venue) == ("book", "")


@each(
    ("more", "type"),
    [("", "book"), ("<relatedItem type='host'><titleInfo><title>B</title></titleInfo></relatedItem>", "other"),
     ("<genre>thesis</genre>", "thesis")],
)  # fmt: skip
def test_a_monograph_of_mods_is_a_book_where_nothing_else_is_said(more: str, type: str) -> None:
    text = (
        "<mods xmlns='http://www.loc.gov/mods/v3'><titleInfo><title>Fens</title></titleInfo>"
        f"<typeOfResource>text</typeOfResource><originInfo><issuance>monographic</issuance></originInfo>{more}</mods>"
    )
    (entry,) = found_in(text, "x").entries
    assert entry.paper.type == type


@each("name", ["A. Roe et al.", "Roe, A. et al.", "Roe, A., et al", "Roe, A.; et al."])
@each("form", ["TY  - JOUR\nTI  - T\nAU  - {}\nER  - \n", "%0 Journal Article\n%T T\n%A {}\n",
                                  "PMID- 1\nTI  - T\nFAU - {}\n", "Title,Authors,Year\nT,\"{}\",1999\n"])  # fmt: skip
def test_et_al_behind_a_name_says_that_there_are_more_authors(name: str, form: str) -> None:
    (entry,) = found_in(form.format(name), "x").entries
    assert ([(author.family, author.given) for author in entry.paper.authors], entry.paper.et_al) == (
        [("Roe", "A.")],
        True,
    )


@each(
    ("text", "genre"),
    [
        ("PT J\nTI T\nSO J\nDT Review\nER\n", "Review"),
        ("Title,Authors,Source title,Document Type\nT,Roe A.,J,Letter\n", "Letter"),
        ("PMID- 1\nTI  - T\nJT  - J\nPT  - Journal Article\nPT  - Review\n", "Review"),
        ("TY  - JOUR\nTI  - T\nT2  - J\nM3  - Review\nER  - \n", "Review"),
        ("@article{a, title={T}, journal={J}, type={Review}}", "Review"),
    ],
)
def test_a_review_stays_an_article_that_is_called_one(text: str, genre: str) -> None:
    (entry,) = found_in(text, "x").entries
    assert entry.original
    assert (kind_of_original(entry.original, entry.paper.type), more_of(entry.original)["type"]) == ("article", genre)
    assert entry.paper.type == ("review" if genre == "Review" else "article")


def test_subjects_and_grants_of_pubmed_are_kept_though_other_formats_have_no_place_for_them() -> None:
    text = (
        "<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>1</PMID><Article><ArticleTitle>T</ArticleTitle>"
        "<GrantList><Grant><GrantID>R1</GrantID><Agency>Fen</Agency></Grant></GrantList></Article><MeshHeadingList>"
        "<MeshHeading><DescriptorName>Reed</DescriptorName><QualifierName>growth</QualifierName></MeshHeading>"
        "<MeshHeading><DescriptorName>Goats</DescriptorName></MeshHeading></MeshHeadingList></MedlineCitation>"
        "</PubmedArticle></PubmedArticleSet>"
    )
    (entry,) = found_in(text, "x").entries
    assert entry.original
    assert json.loads(entry.original.value("custom")) == {"MH": "Reed/growth; Goats", "GR": "R1/Fen"}


@each(
    ("text", "authors"),
    [
        ('Title,Authors,Year\nT,"Roe A., Poe B.C., Fen Board",1999\n', ["A. Roe", "B.C. Poe", "Fen Board"]),
        ('Title,Authors,Year\nT,"Roe, Ann B.",1999\n', ["Ann B. Roe"]),
        ('Title,Authors,Year\nT,"Roe, A.B., de la Poe, C.-D., Éluard, Ö.",1999\n',
         ["A.B. Roe", "C.-D. de la Poe", "Ö. Éluard"]),
    ],
)  # fmt: skip
def test_commas_are_between_people_where_most_have_initials_behind_the_surname(text: str, authors: list[str]) -> None:
    (entry,) = found_in(text, "x").entries
    assert [author.name for author in entry.paper.authors] == authors


@each(
    ("text", "tags"),
    [
        ("TY  - JOUR\nTI  - T\nKW  - reed; fen\nER  - \n", ("reed", "fen")),
        ("TY  - JOUR\nTI  - T\nKW  - reed; fen\nKW  - goat\nER  - \n", ("reed; fen", "goat")),
        ("PMID- 1\nTI  - T\nOT  - *reed\nOT  - fen\n", ("reed", "fen")),
    ],
)
def test_keywords_on_one_line_are_several_and_pubmeds_stars_belong_to_none(text: str, tags: tuple[str, ...]) -> None:
    (entry,) = found_in(text, "x").entries
    assert entry.tags == tags


def test_an_article_of_hayagriva_in_a_journal_and_at_a_conference_has_both() -> None:
    parents = "[{type: Periodical, title: Marsh}, {type: Conference, title: Fen Days}]"
    (entry,) = found_in(f"a:\n  type: Article\n  title: T\n  parent: {parents}\n", "x.yaml").entries
    assert entry.original
    assert (entry.paper.type, entry.paper.venue) == ("article", "Marsh")
    assert more_of(entry.original)["eventtitle"] == "Fen Days"


@each(("title", "pages", "type"), [("BOG BOOK", "3-40", "chapter"), ("Reeds", "3-40", "book"),
                                                     ("BOG BOOK", "", "book")])  # fmt: skip
def test_a_book_of_the_web_of_science_with_pages_in_another_is_its_chapter(title: str, pages: str, type: str) -> None:
    first, _, last = pages.partition("-")
    (entry,) = found_in(f"PT B\nTI Reeds\nSO {title}\nBP {first}\nEP {last}\nER\n", "x").entries
    assert entry.paper.type == type


def test_a_line_end_in_a_cell_is_a_blank_and_a_language_has_its_tag() -> None:
    text = 'Title,Authors,Year,Language of Original Document\n"Reeds\nin fens",Roe A.,1999,German\n'
    (entry,) = found_in(text, "x").entries
    assert entry.original
    told = {name: json.loads(value) for name, value in entry.original.fields}
    assert (told["title"], told["language"]) == ("Reeds in fens", "de")


def test_a_parent_of_hayagriva_may_name_its_isbn_without_a_label() -> None:
    parent = "{type: Anthology, title: Bog, serial-number: 978-3-16-148410-0}"
    (entry,) = found_in(f"a:\n  type: Chapter\n  title: T\n  parent: {parent}\n", "x.yaml").entries
    assert entry.details["isbn"] == "978-3-16-148410-0"


def test_numbers_of_hayagriva_may_stand_outside_of_the_serial_number() -> None:
    parent = "{type: Periodical, title: Bog, issn: 1234-5679}"
    (entry,) = found_in(f"a:\n  type: Article\n  title: T\n  doi: 10.5555/bog.1\n  parent: {parent}\n", "x").entries
    assert (entry.details["issn"], str(entry.paper.identifier("doi"))) == ("1234-5679", "10.5555/bog.1")


def test_several_identifiers_of_one_line_are_each_read() -> None:
    found = found_in("10.5555/a.1 ; 10.5555/a.2\n10.5555/a.3, arXiv: 2301.01234\n10.5555/a.4; not an id\n", "x.txt")
    names = [str(name) for entry in found.entries for name in entry.paper.identifiers]
    assert names == ["doi:10.5555/a.1", "doi:10.5555/a.2", "doi:10.5555/a.3", "arxiv:2301.01234"]
    assert [problem.line for problem in found.problems] == [3]


def test_refer_without_types_has_given_names_first_and_isbns_among_government_numbers() -> None:
    [entry] = found_in(
        "%A Ann Mary Roe\n%A Bob Q. Poe, Jr.\n%T Reeds\n%J Letters\n%D 1979\n%G 0-19-853453-1\n", "x"
    ).entries
    assert [(person.family, person.given, person.suffix) for person in entry.paper.authors] == [
        ("Roe", "Ann Mary", ""), ("Poe", "Bob Q.", "Jr."),
    ]  # fmt: skip
    assert (entry.details["isbn"], entry.paper.language) == ("0-19-853453-1", None)


def test_the_authors_of_an_edited_book_are_its_editors_and_words_for_a_date_its_status() -> None:
    record = "%0 Edited Book\n%A Moe, Dora\n%T Essays\n%D in press\n%M PMID:39990097\n%R doi:10.5555/r (read in May)\n"
    [entry] = found_in(record, "x.enw").entries
    assert (entry.paper.authors, entry.paper.imprint.editors) == ((), (Author("Moe", "Dora"),))
    assert entry.original
    assert (entry.original.value("status"), entry.original.value("issued")) == ('"in press"', "")
    assert (entry.paper.identifier("pmid"), entry.paper.identifier("doi")) == ("39990097", "10.5555/r")


@each(
    ("terms", "family", "suffix"),
    [("Prof.", "Roe", ""), ("Sir", "Roe", ""), ("III", "Roe", "III"), ("Sr.", "Roe", "Sr."), ("Dr. med.", "Roe", "")],
)
def test_only_a_generation_is_the_suffix_of_a_name_in_mods(terms: str, family: str, suffix: str) -> None:
    [entry] = found_in(
        '<mods><titleInfo><title>Fens</title></titleInfo><name type="personal"><namePart type="family">Roe</namePart>'
        f'<namePart type="given">Ann</namePart><namePart type="termsOfAddress">{terms}</namePart></name></mods>',
        "x",
    ).entries
    [person] = entry.paper.authors
    assert (person.family, person.given, person.suffix) == (family, "Ann", suffix)


def test_subjects_of_mods_of_any_kind_are_keywords() -> None:
    [entry] = found_in(
        "<mods><titleInfo><title>Fens</title></titleInfo><subject><topic>Peat</topic><temporal>1800-1850</temporal>"
        '</subject><subject><geographic>Ely</geographic></subject><subject><name type="personal"><namePart>Poe, Bo,'
        " 1801-1840</namePart></name></subject><subject><name type='corporate'><namePart>Fen Board</namePart></name>"
        '</subject><subject><titleInfo type="uniform"><nonSort>The</nonSort><title>Reed Book</title></titleInfo>'
        "</subject></mods>",
        "x",
    ).entries
    assert entry.tags == ("Peat", "1800-1850", "Ely", "Poe, Bo", "Fen Board", "The Reed Book")
    assert (entry.paper.title, entry.paper.authors) == ("Fens", ())
    assert entry.original
    assert entry.original.value("custom") == ""


def test_mods_tells_a_body_of_several_parts_from_a_conference_and_an_invalid_number() -> None:
    text = """<mods ID="talk"><titleInfo><title>Reeds</title></titleInfo><genre>conference publication</genre>
    <name type="personal"><namePart>Roe, Ann</namePart><namePart type="termsOfAddress">Jr.</namePart></name>
    <name type="corporate"><namePart>University of Lenn</namePart><namePart>Maps</namePart></name>
    <name type="conference"><namePart>Ilm Days</namePart></name>
    <originInfo><dateIssued point="start">2009</dateIssued><dateIssued point="end">2011</dateIssued>
    <copyrightDate>2012</copyrightDate></originInfo><identifier type="isbn" invalid="yes">0-00-000000-1</identifier>
    <identifier type="uri">https://doi.org/10.5555/maps</identifier>
    <relatedItem type="host"><titleInfo><title>Proceedings</title></titleInfo>
    <part><extent unit="page"><list>11-19, 25</list></extent></part>
    <relatedItem type="series"><titleInfo><title>Maps</title><partNumber>7</partNumber></titleInfo></relatedItem>
    </relatedItem></mods>"""
    [entry] = found_in(text, "x.xml").entries
    assert entry.original
    read = {name: json.loads(value) for name, value in entry.original.fields}
    assert (entry.original.type, read["author"]) == (
        "paper-conference",
        [{"family": "Roe", "given": "Ann", "suffix": "Jr."}, {"literal": "University of Lenn. Maps"}],
    )
    assert (read["issued"], read["page"]) == ({"date-parts": [[2009], [2011]]}, "11-19, 25")
    assert (read["event-title"], read["collection-title"], read["collection-number"]) == ("Ilm Days", "Maps", "7")
    assert (read["DOI"], "ISBN" in read) == ("10.5555/maps", False)


@each(
    ("role", "member"), [("translator", "translator"), ("illustrator", "illustrator"), ("collaborator", "contributor")]
)
def test_a_role_of_a_parent_of_hayagriva_stands_in_for_the_one_that_the_work_lacks(role: str, member: str) -> None:
    child = "a:\n  type: Chapter\n  title: T\n"
    parent = f"  parent:\n    type: Anthology\n    affiliated:\n      - role: {role}\n        names: ['Poe, Bo']\n"
    own = f"  affiliated:\n    - role: {role}\n      names: ['Roe, Ann']\n"
    assert members(child + parent, "x.yaml")[member] == [{"family": "Poe", "given": "Bo"}]
    item = members(child + own + parent, "x.yaml")
    assert item[member] == [{"family": "Roe", "given": "Ann"}]
    assert item["custom"] == {f"parent/affiliated/{role}": "Poe, Bo"}


def test_a_second_parent_of_hayagriva_is_a_series() -> None:
    parents = "  - {type: Proceedings, title: Proc}\n  - {type: Anthology, title: LN}\n"
    text = f"talk:\n  type: Article\n  title: T\n  parent:\n{parents}"
    assert members(text, "talk")["collection-title"] == "LN"


@each(
    ("written", "value"),
    [
        ("10.1000/a [doi]", "10.1000/a"),
        ("10.1000/a (the erratum has another)", "10.1000/a"),
        ("10.1000/a; 10.1000/b", "10.1000/a"),
        ("10.1000/a;10.1000/b", "10.1000/a"),
        ("doi: 10.1000/a und doi: 10.1000/b", "10.1000/a"),
        ("https://doi.org/10.1000/a and https://doi.org/10.1000/b", "10.1000/a"),
        ("10.1000/a;2-n / 10.1000/b", "10.1000/a;2-n"),
        ("10.1000/10.1001/b", "10.1000/10.1001/b"),
        ("10.1016/j. jbi.2015.01.001", None),
        ("10.1000/a b", None),
    ],
)
def test_a_remark_may_follow_a_doi_but_a_blank_inside_one_never_makes_another(written: str, value: str | None) -> None:
    entry = found_in(f"@article{{k, title = {{On Reeds}}, year = 2001, doi = {{{written}}}}}", "refs.bib").entries[0]
    assert [name.value for name in entry.paper.identifiers if name.scheme == "doi"] == [value] * (value is not None)
    assert entry.original
    assert entry.original.value("doi") == written


def test_two_dois_in_one_field_of_csl_stay_as_they_are() -> None:
    both = "https://doi.org/10.1000/a and https://doi.org/10.1000/b"
    [entry] = found_in(json.dumps([{"id": "k", "type": "book", "title": "T", "DOI": both}]), "x.json").entries
    assert [name.value for name in entry.paper.identifiers] == ["10.1000/a"]
    assert entry.original
    assert json.loads(entry.original.value("DOI")) == both


@each(
    ("lines", "member", "value"),
    [
        ("%M 31000009\n%~ Ovid MEDLINE(R)", "PMID", "31000009"),
        ("%M 31000009\n%~ Scopus", "custom", {"M": "31000009"}),
        ("%U https://pubmed.ncbi.nlm.nih.gov/31000009/", "PMID", "31000009"),
        ("%U https://www.ncbi.nlm.nih.gov/pmc/articles/PMC7000009/", "PMCID", "PMC7000009"),
    ],
)
def test_an_identifier_by_database_or_address_is_in_its_member(lines: str, member: str, value: object) -> None:
    [entry] = found_in(f"%0 Journal Article\n%T Fens\n{lines}\n", "x").entries
    assert entry.original
    assert json.loads(entry.original.value(member)) == value


def test_an_issue_of_hayagriva_is_a_part_of_its_journal_and_a_volume_inherits_from_its_work() -> None:
    text = """
art:
  parent: {type: issue, title: On fens, number: 3, date: 2004, parent: {type: newspaper, title: Fen Daily, volume: 12}}
  type: article
  title: Reeds
  date: 2003
chap:
  type: chapter
  title: Sedges
  parent: {type: anthology, title: Marshes, volume: 2, parent: {type: book, title: Wetlands, publisher: P, date: 2004}}
"""
    article, chapter = found_in(text, "refs.yaml").entries
    assert article.original
    members = {name: json.loads(value) for name, value in article.original.fields}
    assert (article.original.type, members["container-title"], members["volume-title"], members["issue"]) == (
        "article-newspaper", "Fen Daily", "On fens", "3"
    )  # fmt: skip
    assert (article.paper.year, article.details["volume"]) == (2003, "12")
    assert (chapter.paper.venue, chapter.details, chapter.paper.year) == (
        "Marshes", {"volume": "2", "publisher": "P", "series": "Wetlands"}, 2004
    )  # fmt: skip


def test_a_file_of_refer_that_ends_within_a_record_is_told() -> None:
    text = "%0 Journal Article\n%A Roe, Ann\n%T Reeds\n%D 2001\n\n%0 Journal Article\n%A Poe, Bo\n%T Sed"
    assert [problem.to_end for problem in found_in(text, "refs.enw").problems] == [True]
    for whole in (f"{text}\n", f"{text}\n%D 2002", text.replace("%D 2001\n", "")):
        assert found_in(whole, "refs.enw").problems == ()


def test_a_record_of_refer_without_a_type_is_not_joined_with_the_one_before() -> None:
    text = "%0 Book\n%A Roe, Ann\n%T Reeds\n%X One\n\n%D 2001\n\n%A Poe, Bo\n%T Sedges\n%J Fens\n%D 2002\n"
    entries = found_in(text, "refs.enw").entries
    assert [(entry.paper.title, entry.paper.year, entry.paper.type) for entry in entries] == [
        ("Reeds", 2001, "book"), ("Sedges", 2002, "article")
    ]  # fmt: skip
