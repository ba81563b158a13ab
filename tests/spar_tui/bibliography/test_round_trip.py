"""What is exported can be imported again, and is the same."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cache.shelf_texts import DETAILS
from connectors.paper import Author, Paper
from connectors.records.build import author
from connectors.records.clean import clean_text
from connectors.records.publication import edition_number
from spar_tui.bibliography.citation_key import key_pattern, new_keys
from spar_tui.bibliography.entry import Entry, Format, entry_of
from spar_tui.bibliography.formats import Writing, written
from spar_tui.bibliography.kinds import KINDS, PUBLISHER_IS_VENUE, Kind, kind_of_original
from spar_tui.bibliography.markup import plain
from spar_tui.bibliography.names import name_of
from spar_tui.bibliography.reading.files import found_in
from spar_tui.bibliography.reading.latex import without_accents
from tests.rows import each
from tests.spar_tui.bibliography.edge_records import EDGE_PAPERS, edge_entries
from tests.spar_tui.bibliography.generated import generated

FORMATS: tuple[Format, ...] = ("bibtex", "biblatex", "ris", "csl-json")
NO_TITLE = {"untitled"}
"""Cannot be taken in again: nothing names them."""

KEPT = ("volume", "number", "address", "series")
"""Details that every format has a place for."""


def same_apostrophes(text: str) -> str:
    """In LaTeX the curly and the straight one are the same character."""
    return plain(text).replace("’", "'")


def as_told(entry: Entry, format: Format, kind: Kind) -> dict[str, object]:
    """What a reader can know of an entry of a kind."""

    def text(raw: str) -> str:
        return same_apostrophes(raw if format in ("bibtex", "biblatex") else without_accents(raw))

    date = entry.date or ""
    told: dict[str, object] = {
        "title": text(entry.title),
        "names": [text(name.inverted) for name in entry.names],
        "et al": entry.et_al and bool(entry.names),
        "editors": [text(name.inverted) for name in entry.editors],
        "date": date[:7] if format == "bibtex" else date,
        "doi": entry.doi,
        "arxiv": entry.arxiv,
        **{name: text(getattr(entry, name)) for name in KEPT},
        "edition": str(edition_number(entry.edition) or text(entry.edition)),
        "pages": [text(one) for one in entry.page_range if one],
        "abstract": text(entry.abstract),
        "keywords": [text(keyword) for keyword in entry.keywords],
        "note": text(entry.note),
        "file": entry.file,
    }
    if kind != "preprint":  # which is where its identifier says, as a work without a venue is
        container = "" if entry.container == "arXiv" else entry.container
        told["container"] = text(container or (entry.publisher if kind in PUBLISHER_IS_VENUE else ""))
    if kind not in PUBLISHER_IS_VENUE:
        told["publisher"] = text(entry.publisher)
    if format in ("bibtex", "biblatex"):
        told["arxiv class"] = entry.arxiv_class
    numbers = [text(one) for one in (entry.isbn, entry.issn)]
    if format == "ris":  # which has one place for both
        numbers = [numbers[1] if kind == "article" else numbers[0] or numbers[1]]
    return told | {"isbn, issn": numbers}


def read_back(text: str, format: Format) -> dict[str, Entry]:
    found = found_in(text, "refs")
    entries = {}
    for one in found.entries:
        assert one.original is not None
        entry = entry_of(one.paper, one.key, imported=kind_of_original(one.original, one.paper.type))
        details: dict[str, Any] = {name: one.details.get(name, "") for name in DETAILS}
        entries[one.key] = replace(
            entry, **details, abstract=one.paper.abstract, keywords=one.tags, note=one.note, file="\n".join(one.files)
        )
    return entries


@each("format", FORMATS)
def test_every_edge_record_comes_back_as_it_was(format: Format) -> None:
    entries = [entry for entry in edge_entries() if entry.key not in NO_TITLE]
    if format == "csl-json":  # which has no place for a path
        entries = [replace(entry, file="") for entry in entries]
    text = written(entries, Writing(format, ("abstract", "keywords", "file", "note"))).text
    read = read_back(text, format)
    for entry in entries:
        assert as_told(read[entry.key], format, entry.kind) == as_told(entry, format, entry.kind), entry.key


@each("format", FORMATS)
def test_papers_made_up_by_chance_come_back_as_they_were(format: Format) -> None:
    papers = dict(enumerate(generated(300, seed=5)))
    keys = new_keys(papers, key_pattern("better-bibtex"), ())
    entries = [entry_of(one, keys[number]) for number, one in papers.items() if one.title != "(untitled)"]
    read = read_back(written(entries, Writing(format)).text, format)
    for one in entries:
        assert as_told(read[one.key], format, one.kind) == as_told(one, format, one.kind)


@each("format", FORMATS)
@each("keywords", [("a, b",), ("a; b",), ("a;b", "c"), ("a, b", "c; d", "e"), ("back\\slash", "x,")])
def test_tags_that_hold_a_separator_stay_whole(format: Format, keywords: tuple[str, ...]) -> None:
    entry = Entry("key", "article", "T", keywords=keywords)
    assert read_back(written([entry], Writing(format, ("keywords",))).text, format)["key"].keywords == keywords


@each("dialect", ["bibtex", "biblatex"])
@each("family", ["and", "And", "and Smith", "Smith and Sons", "de and Smith", "and-X", "others"])
def test_a_family_name_with_an_and_stays_one_person(dialect: Format, family: str) -> None:
    entry = Entry("key", "article", "T", (name_of(Author(family, "Ann")), name_of(Author("Doe", "Jane"))))
    [read] = found_in(written([entry], Writing(dialect)).text, "refs.bib").entries
    assert [one.name for one in read.paper.authors] == [f"Ann {family}", "Jane Doe"]


@each(
    ("format", "told"),
    [
        ("bibtex", "author = {Smith, Ann and others},"),
        ("biblatex", "author = {Smith, Ann and others},"),
        ("ris", "N1  - AU: et al.\n"),
        ("csl-json", '"literal": "others"'),
        ("markdown", "Ann Smith et al. (2020)"),
        ("csv", '"Smith, Ann; et al."'),
    ],
)
def test_authors_that_are_not_all_known_are_never_written_as_all(format: Format, told: str) -> None:
    entry = Entry("key", "article", "T", (name_of(Author("Smith", "Ann")),), "2020", et_al=True)
    assert told in written([entry], Writing(format)).text
    assert "others" not in written([replace(entry, et_al=False)], Writing(format)).text


@each("text", ["a–—b", "a—–b", "a-–b", "a–-b", "“‘`", "’’", "'’", "?“", "!`", "``", "—-–"])
def test_signs_that_would_run_together_in_ascii_stay_apart(text: str) -> None:
    bib = written([Entry("key", "article", text)], Writing("bibtex")).text
    assert bib.isascii()
    assert same_apostrophes(read_back(bib, "bibtex")["key"].title) == same_apostrophes(text)


@each("volume", ["Atlas", "II", "Part a"])
def test_a_volume_in_words_of_a_thesis_is_no_degree(volume: str) -> None:
    entry = Entry("key", "thesis", "T", volume=volume)
    assert read_back(written([entry], Writing("ris")).text, "ris")["key"].volume == volume


PIECES = [
    *"aBé王и –—-‘’“”'`\"?!.,;:{}\\$%&#_~^<>|=@*/()[]0I", "and", "And", "others", "van", "Jr", "--", "---", "``", "''",
    "?`", "$x_1$", "<i>", "</i>", "<b>", "&amp;", "\\emph{a}", "\\o", "\\&", "{,}", "ﬁ", "e\u0301", "ı", "ß", "Ł",
    " and ", " , ",
]  # fmt: skip
TEXTS = st.lists(st.sampled_from(PIECES) | st.characters(max_codepoint=0x2FFF), max_size=9).map(
    lambda pieces: clean_text("".join(pieces))
)
NAME_WORDS = (
    "and And AND others Others van de la 'T Jr. III B. é 王伟 Đặng O'Neil D’Arcy Lü-Ö {UK} AT&T C# 100% and-X X–— ~y"
    " ^ \\ Trade Rock-and-Roll Land Collaboration ``Bob'' _a $5"
).split()
NAMES = st.builds(
    lambda family, given, suffix: author(" ".join(family), " ".join(given), suffix=suffix) or Author("X"),
    st.lists(st.sampled_from(NAME_WORDS), min_size=1, max_size=3),
    st.lists(st.sampled_from(NAME_WORDS), max_size=2),
    st.sampled_from(["", "", "", "Jr.", "III", "3rd"]),
) | st.sampled_from(["Smith, Sons and Co.", "Sukarno", "others", "and"]).map(Author)


SERIALS = ("9780306406157", "1234-5679")
"""What is neither an ISBN nor an ISSN is a report's own number where RIS has one tag for the three."""


@st.composite
def entries(draw: st.DrawFn) -> Entry:
    """An entry of any text that a source can give."""
    kind = draw(st.sampled_from(KINDS))
    edited = kind in ("proceedings", "book", "chapter")
    found = Entry(
        "key",
        kind,
        draw(TEXTS) or "T",
        tuple(name_of(one) for one in draw(st.lists(NAMES, max_size=3))),
        draw(st.sampled_from([None, "1931", "1999-12", "2017-06-12"])),
        et_al=draw(st.booleans()),
        editors=tuple(name_of(one) for one in draw(st.lists(NAMES, max_size=2 if edited else 0))),
        container=draw(TEXTS),
        abstract=draw(TEXTS),
        keywords=tuple(dict.fromkeys(filter(None, (plain(one).strip() for one in draw(st.lists(TEXTS, max_size=3)))))),
        note=plain(draw(TEXTS)),
    )
    printed: dict[str, Any] = {name: draw(TEXTS) for name in DETAILS if name != "pages"}
    printed["isbn"], printed["issn"] = (draw(st.sampled_from(["", number])) for number in SERIALS)
    if printed["publisher"] == found.container:
        printed["publisher"] = ""  # a name that stands as both is written once
    return replace(found, **printed)


@pytest.mark.parametrize("format", FORMATS)
@given(entry=entries())
def test_any_text_comes_back_as_it_was(format: Format, entry: Entry) -> None:
    text = written([entry], Writing(format, ("abstract", "keywords", "note"))).text
    assert as_told(read_back(text, format)["key"], format, entry.kind) == as_told(entry, format, entry.kind)


@given(st.lists(st.sampled_from(sorted(EDGE_PAPERS)), unique=True), st.randoms(use_true_random=False))
def test_the_order_in_which_papers_were_found_changes_no_byte(names: list[str], dice: object) -> None:
    entries = [entry_of(EDGE_PAPERS[name], name) for name in names]
    shuffled = list(entries)
    getattr(dice, "shuffle")(shuffled)  # noqa: B009  # hypothesis gives it no type
    for format in FORMATS:
        assert written(shuffled, Writing(format)).text == written(entries, Writing(format)).text


@each("format", ["bibtex", "biblatex", "ris", "markdown", "csv"])
def test_a_paper_more_only_adds_lines(format: Format) -> None:
    entries = [entry_of(one, key) for key, one in EDGE_PAPERS.items()]
    whole = written(entries, Writing(format)).text.splitlines()
    for left_out in (0, 7, len(entries) - 1):
        fewer = iter(whole)
        some = [entry for place, entry in enumerate(entries) if place != left_out]
        assert all(line in fewer for line in written(some, Writing(format)).text.splitlines())


def test_names_of_imported_authors_have_the_same_parts() -> None:
    paper: Paper = EDGE_PAPERS["particles"]
    read = found_in(written([entry_of(paper, "k")], Writing("biblatex")).text, "refs.bib").entries[0].paper
    assert [name_of(one) for one in read.authors] == [name_of(one) for one in paper.authors]
