"""From a format into the library, out in another, in and back again: what the other has a place for comes back, and
what it has none for is named."""

import json
import re
from collections import Counter
from itertools import permutations
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from cache import shelf
from cache.originals import FileFormat
from cache.store import Store
from connectors.records.build import GROUP_WORDS, PARTICLES
from spar_tui.bibliography.edtf import as_csl, as_ris
from spar_tui.bibliography.entry import Format
from spar_tui.bibliography.exporting import Exported, ExportedPaper, export_papers
from spar_tui.bibliography.field_table import KNOWN, ROLES
from spar_tui.bibliography.kinds import NAMES
from spar_tui.bibliography.more_fields import as_bib_fields, as_csl_members, as_ris_lines
from spar_tui.bibliography.name_lists import people
from spar_tui.bibliography.names import csl_name
from spar_tui.bibliography.options import export_options
from spar_tui.bibliography.reading.files import found_in
from spar_tui.bibliography.reading.shelving import put_on_shelf
from tests.library import copied
from tests.spar_tui.bibliography.validators import bibtex_complaints, needed

DATES = ("2001", "2001-05", "2001-05-17", "1995/1997", "1995/", "1850~", "2001-21", "-0380", "2001-05-01/2001-05-03",
         "199X", "1850~/1860~")  # fmt: skip
WORDS = (
    st.text("abcdefghijklmnop", min_size=4, max_size=8)
    .filter(lambda word: word not in PARTICLES | GROUP_WORDS)
    .map(str.capitalize)
)
TEXT = st.lists(WORDS, min_size=1, max_size=3).map(" ".join)
PEOPLE = st.lists(st.tuples(WORDS, WORDS).map(", ".join), min_size=1, max_size=3, unique=True).map(" and ".join)
VALUES = {"text": TEXT, "people": PEOPLE, "date": st.sampled_from(DATES),
          "language": st.sampled_from(["de-DE", "en", "fr-CA", "la"])}  # fmt: skip
COMMON = {
    "author": PEOPLE, "title": TEXT, "journaltitle": TEXT, "date": st.sampled_from(DATES),
    "volume": st.sampled_from(["3", "12"]), "number": st.sampled_from(["1", "S2"]),
    "pages": st.sampled_from(["7--19", "31"]), "publisher": TEXT, "location": TEXT, "series": TEXT,
    "edition": st.sampled_from(["2", "Third"]), "doi": st.sampled_from(["10.1000/x1", "10.1000/y2"]),
    "url": st.just("https://example.org/a"), "issn": st.just("1234-5679"), "editor": PEOPLE,
    "isbn": st.just("9780306406157"), "abstract": TEXT, "keywords": WORDS,
}  # fmt: skip
UNKNOWN = {"biburl": TEXT, "userb": TEXT}
TABLE = {names.key: VALUES[names.kind] for names in KNOWN
         if names.key not in ROLES and (not names.bib or names.name_in("bibtex", "article"))}  # fmt: skip
NEEDED = ("author", "title", "journaltitle", "date")
ENTRIES = st.fixed_dictionaries(
    {name: COMMON[name] for name in NEEDED},
    optional={name: value for name, value in (COMMON | TABLE | UNKNOWN).items() if name not in NEEDED},
)
"""What an entry tells, by the names of BibLaTeX, and of CSL for what that has none for."""
FORMATS: tuple[Format, ...] = ("biblatex", "csl-json", "ris")
FILES = {"biblatex": "a.bib", "bibtex": "a.bib", "csl-json": "a.json", "ris": "a.ris"}
CSL = {
    "title": "title", "journaltitle": "container-title", "volume": "volume", "number": "issue",
    "publisher": "publisher",
    "location": "publisher-place", "series": "collection-title", "edition": "edition", "doi": "DOI", "url": "URL",
    "isbn": "ISBN", "issn": "ISSN", "abstract": "abstract", "keywords": "keyword",
}  # fmt: skip
RIS = {
    "title": "TI", "journaltitle": "T2", "volume": "VL", "number": "IS", "publisher": "PB", "location": "CY",
    "series": "T3", "edition": "ET", "doi": "DO", "url": "UR", "isbn": "SN", "issn": "SN",
    "abstract": "AB", "keywords": "KW",
}  # fmt: skip


def in_format(told: dict[str, str], form: Format) -> str:
    """A file of the format with one entry that tells so."""
    if form == "biblatex":
        table = {names.key for names in KNOWN}
        common = [(name, value) for name, value in told.items() if name not in table]
        fields = "".join(f"  {name} = {{{value}}},\n" for name, value in (*common, *as_bib_fields(told, ())))
        return f"@article{{k,\n{fields}}}\n"
    if form == "csl-json":
        item = {"id": "k", "type": "article-journal"} | {CSL[name]: told[name] for name in told.keys() & CSL.keys()}
        roles = {role: list(map(csl_name, people(told[role]))) for role in ("author", "editor") if role in told}
        pages = {"page": told["pages"].replace("--", "-")} if "pages" in told else {}
        own = {name: told[name] for name in told.keys() & UNKNOWN.keys()}
        issued = {"issued": as_csl(told["date"])}
        return json.dumps([item | roles | pages | issued | as_csl_members(told, (), "article") | own])
    lines = [("TY", "JOUR"), ("ID", "k"), *((RIS[name], told[name]) for name in told if name in RIS)]
    lines += [
        (tag, one.inverted) for tag, role in (("AU", "author"), ("ED", "editor")) for one in people(told.get(role, ""))
    ]
    first, _, last = told.get("pages", "").partition("--")
    year = told["date"][: 5 if told["date"].startswith("-") else 4]
    lines += [("SP", first), ("EP", last), ("PY", year if year.lstrip("-").isdecimal() else ""),
              ("DA", as_ris(told["date"])), ("U4", told.get("biburl", ""))]  # fmt: skip
    lines += as_ris_lines(told, (), "article")
    return "".join(f"{tag}  - {value}\n" for tag, value in lines if value) + "ER  - \n"


def through(text: str, source: Format, target: Format, home: Path, fields: str = "") -> Exported:
    """What an export gives of a file that is imported into an empty library."""
    with Store.open(copied(home / f"{source}-{target}.db")) as store:
        put_on_shelf(store, found_in(text, FILES[source]).entries, home)
        options = export_options(format=target, style="", keys="better-bibtex", fields=fields, preprint=False,
                                 ascii_only=None, bom=False, output="", append=False, replace=False)  # fmt: skip
        chosen = {one.number: ExportedPaper(one.paper, None, one) for one in shelf.shelf(store)}
        return export_papers(store, chosen, options, home)


def fields_in(text: str, form: Format) -> list[tuple[str, str]]:
    [entry] = found_in(text, FILES[form]).entries
    assert entry.original
    return sorted(entry.original.fields)


@pytest.mark.parametrize(("source", "target"), list(permutations(FORMATS, 2)))
@settings(max_examples=settings().max_examples // 2, phases=(Phase.explicit, Phase.reuse, Phase.generate))
@given(told=ENTRIES)
def test_what_another_format_has_a_place_for_comes_back_and_the_rest_is_named(
    source: Format, target: Format, told: dict[str, str]
) -> None:
    text = in_format(told, source)
    with TemporaryDirectory() as folder:
        there = through(text, source, target, Path(folder))
        back = through(there.data.decode(), target, source, Path(folder))
    said = " ".join(note for note in there.notes if "cannot store" in note)
    before, after = fields_in(text, source), fields_in(back.data.decode(), source)
    lost = [name for name, value in before if (name, value) not in after]
    assert [name for name in lost if name not in said] == []
    decade = {("PY", "1990")} if told["date"] == "199X" else set()
    assert [field for field in after if field not in before and field not in decade] == []
    places: dict[Format, FileFormat] = {"biblatex": "bibtex", "csl-json": "csl-json", "ris": "ris"}
    placed = {names.name_in(places[source], "article") for names in KNOWN
              if target == "ris" or names.name_in(places[target], "article")}  # fmt: skip
    assert not (placed - {"", "N1"}).intersection(lost)


BIBLATEX = (
    "author editor title subtitle titleaddon maintitle mainsubtitle maintitleaddon booktitle booksubtitle"
    " booktitleaddon journaltitle journalsubtitle journaltitleaddon issuetitle issuesubtitle issuetitleaddon eventtitle"
    " eventtitleaddon eventdate date origdate urldate origlanguage volume number series edition publisher institution"
    " organization location howpublished pages eid doi url isbn issn note addendum annotation translator editora"
    " editoratype venue pagetotal volumes chapter part version type pubstate shorthand shorttitle userb verba"
    " reprinttitle abstract"
).split()
KINDS_OF_VALUES = {
    "people": "author editor translator editora", "date": "date origdate urldate eventdate",
    "number": "volume number edition pages eid pagetotal volumes chapter part",
}  # fmt: skip


def distinct(name: str, place: int) -> str:
    """A value that stands in no other field."""
    fixed = {"doi": "10.1000/x1", "url": "https://example.org/a", "isbn": "9780306406157", "issn": "1234-5679",
             "origlanguage": "latin"}  # fmt: skip
    word = f"Word{name}"
    kind = next((kind for kind, names in KINDS_OF_VALUES.items() if name in names.split()), "")
    return fixed.get(name) or {"people": f"{word}, Ann", "date": str(1900 + place), "number": str(7000 + place)}.get(
        kind, word
    )


@pytest.mark.parametrize("target", ["csl-json", "ris"])
@pytest.mark.parametrize("kind", sorted({names.biblatex for names in NAMES.values()}))
def test_a_note_names_what_the_other_format_does_not_tell_and_nothing_else(
    kind: str, target: Format, tmp_path: Path
) -> None:
    values = {name: distinct(name, place) for place, name in enumerate(BIBLATEX)}
    fields = "".join(f"{name} = {{{value}}},\n" for name, value in values.items())
    there = through(f"@{kind}{{k,\n{fields}}}", "biblatex", target, tmp_path)
    out = there.data.decode()
    named = re.findall(r"cannot store (?:type \w+(?:, )?)?(.*) of 1 entry", " ".join(there.notes))
    told = {
        name
        for name, value in values.items()
        if {"origlanguage": "origlanguage: la"}.get(name, value.split(",")[0]) in out
    }
    assert told | {*", ".join(named).split(", ")} - {""} == {*values}
    assert not told.intersection(", ".join(named).split(", "))


@pytest.mark.parametrize("target", ["biblatex", "ris"])
def test_a_preprint_of_a_file_keeps_what_only_printed_works_have(target: Format, tmp_path: Path) -> None:
    item = {"id": "k", "type": "article", "title": "R", "container-title": "Fens", "editor": [{"literal": "Poe"}],
            "volume": "3", "page": "7-9", "publisher": "Fen Press"}  # fmt: skip
    there = through(json.dumps([item]), "csl-json", target, tmp_path)
    (tmp_path / "2").mkdir()
    [back] = json.loads(through(there.data.decode(), target, "csl-json", tmp_path / "2").data)
    assert {name: back.get(name) for name in ("editor", "volume", "page", "publisher")}.items() <= item.items()


def test_fields_that_csl_lacks_come_back_from_custom_under_their_names(tmp_path: Path) -> None:
    fields = {"title": "Reeds", "annotator": "Doe, Dan", "addendum": "With a map", "organization": "Sand Union",
              "publisher": "Fen", "booktitle": "Bogs", "eprint": "47", "eprinttype": "jstor", "userb": "x"}  # fmt: skip
    text = "@inproceedings{k, " + ", ".join(f"{name} = {{{value}}}" for name, value in fields.items()) + "}"
    there = through(text, "biblatex", "csl-json", tmp_path, fields="all").data.decode()
    (tmp_path / "2").mkdir()
    back = through(there, "csl-json", "biblatex", tmp_path / "2", fields="all").data.decode()
    assert dict(fields_in(back, "biblatex")) == {f"x-{name}" if name == "userb" else name: value
                                                 for name, value in fields.items()}  # fmt: skip


def test_roles_of_csl_are_further_editors_of_biblatex_and_come_back(tmp_path: Path) -> None:
    roles = {"director": [{"family": "Poe", "given": "Bo"}], "contributor": [{"literal": "Fen and Sons"}]}
    item = {"id": "k", "type": "motion_picture", "title": "Reeds", "author": [{"family": "Roe", "given": "Ann"}]}
    there = through(json.dumps([item | roles]), "csl-json", "biblatex", tmp_path).data.decode()
    names = re.findall(r"(editor\w*) = \{(.*)\}", there)
    assert names == [("editora", "{Fen and Sons}"), ("editoratype", "collaborator"), ("editorb", "Poe, Bo"),
                     ("editorbtype", "director")]  # fmt: skip
    [back] = json.loads(through(there, "biblatex", "csl-json", tmp_path).data)
    assert back.items() >= roles.items()
    (tmp_path / "ris").mkdir()
    ris = through(there, "biblatex", "ris", tmp_path / "ris").data.decode()
    [back] = json.loads(through(ris, "ris", "csl-json", tmp_path).data)
    assert back.items() >= roles.items()


@pytest.mark.parametrize(
    ("kind", "role", "line"),
    [("motion_picture", "director", "N1  - director: Poe, Bo"), ("motion_picture", "producer", "A3  - Poe, Bo"),
     ("song", "performer", "A2  - Poe, Bo"), ("song", "composer", "N1  - composer: Poe, Bo"),
     ("personal_communication", "recipient", "A2  - Poe, Bo"),
     ("interview", "interviewer", "N1  - interviewer: Poe, Bo"),
     ("book", "translator", "A4  - Poe, Bo"), ("book", "editor", "ED  - Poe, Bo"),
     ("book", "collection-editor", "N1  - collection-editor: Poe, Bo"),
     ("chapter", "collection-editor", "A3  - Poe, Bo"),
     ("article-journal", "performer", "N1  - performer: Poe, Bo")],
)  # fmt: skip
@pytest.mark.parametrize("authored", [True, False])
def test_a_role_has_the_tag_of_its_type_of_work_or_a_note_and_comes_back(
    kind: str, role: str, line: str, authored: bool, tmp_path: Path
) -> None:
    person = {"family": "Poe", "given": "Bo"}
    author = {"author": [{"family": "Roe", "given": "Ann"}]} if authored else {}
    item = {"id": "k", "type": kind, "title": "Reeds", role: [person], **author}
    for target in ("ris", "biblatex"):
        home = tmp_path / target
        (home / "back").mkdir(parents=True)
        there = through(json.dumps([item]), "csl-json", target, home)
        if target == "ris":
            own_line = line if authored else line.replace("N1  - director: ", "AU  - ")
            assert own_line in there.data.decode().splitlines()
            assert there.data.count(b"Poe") == 1
        if role != "collection-editor" or target == "ris":
            [back] = json.loads(through(there.data.decode(), target, "csl-json", home / "back").data)
            if (kind, role, target) == ("motion_picture", "producer", "ris") and authored:
                back["author"] = back.pop("director")  # the authors of a film in RIS direct it
            assert {name: back.get(name) for name in ("author", role)} == {"author": None, **author, role: [person]}


def test_editors_of_another_type_have_that_role_and_lead_a_work_without_authors(tmp_path: Path) -> None:
    film = "@movie{k, title = {Reeds}, date = {2001}, editor = {Poe, Bo}, editortype = {director}}"
    there = through(film, "biblatex", "csl-json", tmp_path)
    [item] = json.loads(there.data)
    assert (item.get("editor"), item["director"], there.notes) == (None, [{"family": "Poe", "given": "Bo"}], [])
    (tmp_path / "2").mkdir()
    back = through(there.data.decode(), "csl-json", "biblatex", tmp_path / "2").data.decode()
    assert sorted(fields_in(back, "biblatex")) == sorted(fields_in(film, "biblatex"))


@pytest.mark.parametrize(
    ("record", "told"),
    [
        ("TY  - BOOK\nA3  - Edi, A\nA2  - Ser, B", {"editor": "Edi", "collection-editor": "Ser"}),
        ("TY  - BOOK\nED  - Edi, A\nA3  - Ser, B", {"editor": "Edi", "collection-editor": "Ser"}),
        ("TY  - BOOK\nA2  - Edi, A", {"editor": "Edi"}),
        ("TY  - EDBOOK\nAU  - Edi, A\nA2  - Ser, B", {"editor": "Edi", "collection-editor": "Ser"}),
        ("TY  - CHAP\nAU  - Roe, A\nA2  - Edi, A\nA3  - Ser, B",
         {"author": "Roe", "editor": "Edi", "collection-editor": "Ser"}),
        ("TY  - MPCT\nAU  - Roe, A\nA3  - Pro, B\nA4  - Act, C",
         {"director": "Roe", "producer": "Pro", "performer": "Act"}),
        ("TY  - THES\nAU  - Roe, A\nA3  - Adv, B", {"author": "Roe", "contributor": "Adv"}),
        ("TY  - STAND\nA2  - ISO", {"publisher": "ISO"}),
        ("TY  - CASE\nOP  - Reversed 1999\nTT  - Reeds", {"references": "Reversed 1999", "original-title": "Reeds"}),
        ("TY  - BOOK\nTT  - Marsh", {"original-title": "Marsh"}),
        ("TY  - BILL\nA2  - Roe, A\nSE  - 7\nET  - 2", {"author": "Roe", "section": "7", "chapter-number": "2"}),
        ("TY  - STAT\nT2  - U.S. Code\nSE  - 33", {"container-title": "U.S. Code", "section": "33"}),
        ("TY  - NEWS\nT2  - Daily\nSE  - Sports", {"container-title": "Daily", "section": "Sports"}),
        ("TY  - CHAP\nT2  - Reeds\nSE  - 3", {"container-title": "Reeds", "chapter-number": "3"}),
        ("TY  - CASE\nA2  - U.S.\nPB  - High Court", {"container-title": "U.S.", "authority": "High Court"}),
    ],
)  # fmt: skip
def test_people_and_parts_of_ris_are_what_the_type_makes_of_their_tag(
    record: str, told: dict[str, str], tmp_path: Path
) -> None:
    text = f"{record}\nID  - k\nTI  - T\nPY  - 2001\nER  - \n"
    there = through(text, "ris", "csl-json", tmp_path)
    (tmp_path / "2").mkdir()
    named = " ".join(through(text, "ris", "biblatex", tmp_path / "2").notes)
    assert ("no field for collection-editor of" in named) == ("Ser, B" in text)
    [item] = json.loads(there.data)
    assert re.findall(r"\b(?:A[23]|SE|ET) ", " ".join(there.notes)) == []
    values = {name: value[0]["family"] if isinstance(value, list) else value for name, value in item.items()}
    assert {name: value for name, value in values.items() if name not in ("id", "type", "title", "issued")} == told


def test_every_variable_of_csl_comes_back_from_a_bib_file_that_has_no_field_for_it(tmp_path: Path) -> None:
    names = "part-title archive archive_location archive-place archive_collection medium dimensions scale division"
    names += " jurisdiction volume-title supplement-number printing-number call-number section"
    item = {"id": "k", "type": "book", "title": "T", **{name: f"Some {name}" for name in names.split()},
            "submitted": {"date-parts": [[2000, 5]]}, "issued": {"date-parts": [[2001]]}}  # fmt: skip
    there = through(json.dumps([item]), "csl-json", "biblatex", tmp_path)
    assert [name for name in names.split() if f"Some {name}" not in there.data.decode().replace("\\_", "_")] == []
    assert any("no field for" in note and "archive" in note for note in there.notes)
    (tmp_path / "2").mkdir()
    [back] = json.loads(through(there.data.decode(), "biblatex", "csl-json", tmp_path / "2").data)
    assert back == item


_PERSON_TAGS = ("AU", "A1", "ED", "A2", "A3", "A4", "A5")
_RIS_TYPES = sorted(
    {names.ris for names in NAMES.values()} | {"EDBOOK", "BILL", "MUSIC", "MPCT", "HEAR", "EBOOK", "XX"}
)


@pytest.mark.parametrize("fields", ["", "all"])
@pytest.mark.parametrize("target", ["csl-json", "biblatex"])
@pytest.mark.parametrize("tags", [*((tag,) for tag in _PERSON_TAGS), ("AU", *_PERSON_TAGS[2:]), ("AU", "A3", "A2")])
def test_no_person_of_ris_is_lost_without_a_word_in_any_type(
    tags: tuple[str, ...], target: Format, fields: str, tmp_path: Path
) -> None:
    people = "".join(f"{tag}  - Poe{tag}%, Bo\n" for tag in tags)
    records = (f"TY  - {type}\n{people.replace('%', type)}TI  - Reeds of {type}\nER  - \n" for type in _RIS_TYPES)
    there = through("".join(records), "ris", target, tmp_path, fields)
    text, notes = there.data.decode(), " ".join(there.notes)
    told = {tag: int(count) for tag, count in re.findall(r"\b([A-Z][A-Z0-9]) of (\d+) entr", notes)}
    lost = Counter(tag for type in _RIS_TYPES for tag in tags if f"Poe{tag}{type}" not in text)
    assert lost == ({} if fields else {tag: told[tag] for tag in tags if tag in told})


@pytest.mark.parametrize("target", ["csl-json", "ris"])
def test_a_list_of_people_that_goes_on_does_so_in_every_role_and_format(target: Format, tmp_path: Path) -> None:
    roles = ("author", "editor", "translator", "bookauthor")
    lists = ", ".join(f"{role} = {{Roe, Ann and others}}" for role in roles)
    text = f"@book{{k, title = {{T}}, date = {{2001}}, {lists}}}"
    there = through(text, "biblatex", target, tmp_path).data.decode()
    cut = {"csl-json": '"literal": "others"', "ris": ": et al."}[target]
    assert there.count(cut) == len(roles) - there.count("bookauthor: Roe, Ann and others")
    (tmp_path / "2").mkdir()
    back = dict(fields_in(through(there, target, "biblatex", tmp_path / "2").data.decode(), "biblatex"))
    assert {back[role] for role in roles} == {"Roe, Ann and others"}


@pytest.mark.parametrize("more", ["Hoe, Ida, et al.", "Hoe, Ida et al", "Hoe, Ida and others"])
@pytest.mark.parametrize(("tag", "type"), [("AU", "JOUR"), ("A1", "JOUR"), ("ED", "CHAP"), ("A2", "CHAP")])
def test_words_for_further_people_are_no_part_of_a_name(tag: str, type: str, more: str, tmp_path: Path) -> None:
    text = f"TY  - {type}\nID  - k\n{tag}  - {more}\nTI  - T\nPY  - 2008\nER  - \n"
    written = through(text, "ris", "ris", tmp_path).data.decode()
    assert f"{tag}  - Hoe, Ida\n" in written
    assert f"N1  - {tag}: et al.\n" in written


@pytest.mark.parametrize("target", ["biblatex", "ris"])
def test_names_of_every_role_and_notes_like_fields_come_back_letter_by_letter(target: Format, tmp_path: Path) -> None:
    names = [{"literal": name} for name in ("a {b} c", r"a\b \emph c", "~5 & Sons", "Roe and Poe", "100% of 5_x")]
    roles = ("author", "translator", "container-author", "director", "composer", "recipient", "chair", "narrator")
    item: dict[str, Any] = {
        "id": "k",
        "type": "book",
        "title": "T",
        "annote": "part: two",
        "note": "edition of it: three",
    }
    item |= {role: [*names, {"family": "Roe", "given": "Ann"}] for role in roles}
    there = through(json.dumps([item]), "csl-json", target, tmp_path).data.decode()
    (tmp_path / "2").mkdir()
    [back] = json.loads(through(there, target, "csl-json", tmp_path / "2").data)
    assert {name: back.get(name) for name in item} == item


TYPES: dict[Format, list[str]] = {
    "biblatex": [*{names.biblatex for names in NAMES.values()}, "mvbook", "reference", "movie", "legal", "image"],
    "ris": (
        "ABST BILL BLOG BOOK CASE CHAP CONF CPAPER DICT EBOOK EDBOOK EJOUR ELEC ENCYC FIGURE GEN GOVDOC HEAR JOUR LEGAL"
        " MAP MGZN MPCT MUSIC NEWS PAMP PAT PCOMM RPRT SLIDE SOUND STAND STAT THES UNPB VIDEO WEB"
    ).split(),
    "csl-json": (
        "article article-magazine article-newspaper bill book broadcast chapter classic document entry entry-dictionary"
        " entry-encyclopedia event figure graphic hearing interview legal_case legislation manuscript map"
        " motion_picture musical_score patent performance post post-weblog regulation review review-book song speech"
        " thesis treaty webpage"
    ).split(),
}


@pytest.mark.parametrize(("source", "target"), [*permutations(FORMATS, 2), ("ris", "bibtex"), ("csl-json", "bibtex")])
def test_a_type_comes_back_through_another_format_or_is_named(source: Format, target: Format, tmp_path: Path) -> None:
    """Files with BibTeX entries have `entrysubtype` for what they have no type for."""
    usual = {"biblatex": "@article{k", "ris": "JOUR\nID  - k", "csl-json": '"k", "type": "article-journal"'}[source]
    other = {"biblatex": "@{0}{{{0}", "ris": "{0}\nID  - {0}", "csl-json": '"{0}", "type": "{0}"'}[source]
    told = {"author": "Roe, Ann", "journaltitle": "Marsh", "date": "2001"}
    texts = [in_format(told | {"title": f"Reeds as {kind}"}, source).replace(usual, other.format(kind))
             for kind in TYPES[source]]  # fmt: skip
    text = f"[{','.join(one.strip()[1:-1] for one in texts)}]" if source == "csl-json" else "".join(texts)
    there = through(text, source, target, tmp_path)
    back = through(there.data.decode(), target, source, tmp_path).data.decode()
    types = {one.key: one.original.type for one in found_in(back, FILES[source]).entries if one.original}
    named = set(re.findall(r"type ([\w-]+)", " ".join(there.notes)))
    wrong = [kind for kind in TYPES[source] if (types[kind] == kind) == (kind in named)]
    assert wrong == []


@pytest.mark.parametrize(
    ("line", "named"),
    [("AN  - 2001-123-004", "AN"), ("L2  - https://example.org/b", "L2"), ("T2  - Reeds in Fens", "T2"),
     ("AB  - Once more.", ""), ("N2  - Otherwise.", "N2"), ("UR  - https://example.org/a", ""), ("KW  - Reeds", "")],
)  # fmt: skip
def test_a_value_without_a_place_is_named_though_its_field_has_one(line: str, named: str, tmp_path: Path) -> None:
    text = in_format({"author": "Roe, Ann", "title": "Reeds", "journaltitle": "Marsh", "date": "2001",
                      "abstract": "All of it.", "keywords": "Fens", "url": "https://example.org/a"}, "ris")  # fmt: skip
    notes = through(text.replace("ER  - ", f"{line}\nER  - "), "ris", "biblatex", tmp_path).notes
    assert [note.partition(" of ")[0] for note in notes] == ([f"biblatex cannot store {named}"] if named else [])


def test_a_patent_is_held_by_whom_other_formats_call_its_publisher(tmp_path: Path) -> None:
    fields = "author = {Roe, Ann}, title = {A cutter}, holder = {{Acme Corp.} and {Roe and Sons}}, date = {2001}"
    held = f"@patent{{p, {fields}}}"
    there = through(held, "biblatex", "ris", tmp_path)
    assert (b"PB  - Acme Corp.; Roe and Sons\n" in there.data, there.notes) == (True, [])
    back = through(there.data.decode(), "ris", "biblatex", tmp_path)
    assert fields_in(back.data.decode(), "biblatex") == fields_in(held, "biblatex")


@needed("bibtex")
def test_bibtex_reads_every_kind_of_date_and_name_that_is_written_for_it(tmp_path: Path) -> None:
    told = {"author": "Roe, Ann", "title": "Reeds", "journaltitle": "Marsh"}
    for number, date in enumerate(DATES):
        values = {"people": "Gogh, Vera", "date": date, "text": "Words", "language": "de-DE"}
        everything = {names.key: values[names.kind] for names in KNOWN}
        home = tmp_path / str(number)
        home.mkdir()
        for source in FORMATS:
            done = through(in_format(told | everything | {"date": date}, source), source, "bibtex", home)
            (home / f"{source}.bib").write_bytes(done.data)
            assert bibtex_complaints(home / f"{source}.bib") == []
            assert b"year = {" in done.data


def told_in(fields: str, target: Format, home: Path, kind: str = "book") -> dict[str, Any]:
    """What CSL or the lines of RIS tell of an entry of BibLaTeX."""
    data = through(f"@{kind}{{k, author = {{Roe, Ann}}, date = {{2001}}, {fields}}}", "biblatex", target, home).data
    if target == "csl-json":
        [item] = json.loads(data)
        assert isinstance(item, dict)
        return item
    return dict(line.split("  - ", 1) for line in data.decode().splitlines() if "  - " in line)


@pytest.mark.parametrize(
    ("langid", "tag"),
    [("ngerman", "de-DE"), ("german", "de"), ("naustrian", "de-AT"), ("american", "en-US"), ("english", "en"),
     ("brazilian", "pt-BR"), ("latin", "la"), ("French", "fr"), ("klingon", "klingon")],
)  # fmt: skip
def test_a_language_of_biblatex_is_a_tag_of_csl_and_comes_back(langid: str, tag: str, tmp_path: Path) -> None:
    text = f"@book{{k, author = {{Roe, Ann}}, title = {{T}}, date = {{2001}}, langid = {{{langid}}}}}"
    there = through(text, "biblatex", "csl-json", tmp_path).data.decode()
    assert json.loads(there)[0]["language"] == tag
    back = dict(fields_in(through(there, "csl-json", "biblatex", tmp_path).data.decode(), "biblatex"))
    assert (back.get("langid") or back["language"]).lower() == langid.lower()


def test_another_language_beside_the_first_is_named(tmp_path: Path) -> None:
    text = "@book{k, author = {Roe, Ann}, title = {T}, date = {2001}, langid = {ngerman}, language = {%s}}"
    assert through(text % "german", "biblatex", "csl-json", tmp_path).notes == []
    (tmp_path / "2").mkdir()
    [note] = through(text % "french", "biblatex", "csl-json", tmp_path / "2").notes
    assert note.startswith("csl-json cannot store language of 1 entry")


def test_each_field_without_a_place_is_named_with_its_entries(tmp_path: Path) -> None:
    entry = "@misc{{{key}, author = {{Roe, Ann}}, title = {{{key} of it}}, date = {{2001}}, {more}}}\n"
    more = {"rock": "howto = {a}, tools = {b}", "sand": "tools = {c}", "clay": ""}
    text = "".join(entry.format(key=key, more=fields) for key, fields in more.items())
    [note] = through(text, "biblatex", "csl-json", tmp_path).notes
    assert note == (
        "csl-json cannot store tools of 2 entries (rock, sand); howto of 1 entry (rock); --fields all writes them."
    )


def test_parts_of_titles_are_joined_where_a_format_has_one_field_for_them(tmp_path: Path) -> None:
    parts = ("title = {Reeds}, subtitle = {A life}, titleaddon = {With maps}, maintitle = {Marshes},"
             " mainsubtitle = {All}, booktitle = {North}, booksubtitle = {One}")  # fmt: skip
    item = told_in(parts, "csl-json", tmp_path, "inbook")
    assert (item["title"], item["container-title"]) == ("Reeds: A life. With maps", "Marshes: All. North: One")
    (tmp_path / "2").mkdir()
    whole = told_in("title = {Reeds}, maintitle = {Marshes}, publisher = {Fen}", "ris", tmp_path / "2")
    assert (whole["TI"], whole["PB"]) == ("Marshes. Reeds", "Fen")
    (tmp_path / "3").mkdir()
    text = f"@inbook{{k, author = {{Müller, Änne}}, date = {{2001}}, {parts}}}"
    turned = through(text, "biblatex", "bibtex", tmp_path / "3").data.decode()
    assert "title = {Reeds: A life. With maps}" in turned
    assert "booktitle = {Marshes: All. North: One}" in turned
    assert r"author = {M{\"{u}}ller, {\"{A}}nne}" in turned


def test_a_value_that_tex_cannot_print_is_changed_and_it_is_said(tmp_path: Path) -> None:
    text = r"@book{k, title = {Salt & Silt}, note = {\verb|&|}, doi = {10.5555/a\_b}, year = 2001, date = 2001}"
    done = through(text, "bibtex", "biblatex", tmp_path)
    written = done.data.decode()
    assert all(field in written for field in (r"{Salt \& Silt}", r"{\verb|&|}", "{10.5555/a_b}"))
    assert done.notes[0] == (
        "1 entry (k) changed in title, doi, for TeX: & is written \\&; DOIs and addresses have no labels and no LaTeX."
    )


def test_an_entry_for_bibtex_keeps_its_letters_and_it_is_said(tmp_path: Path) -> None:
    done = through("@book{k, author = {Müller, Änne}, title = {T}, year = 2001}", "bibtex", "bibtex", tmp_path)
    assert "author = {Müller, Änne}" in done.data.decode()
    assert done.notes == ["1 entry (k) in UTF-8: BibTeX sorts and cuts names by bytes; --ascii writes them in LaTeX."]


@pytest.mark.parametrize(
    ("record", "fields"),
    [
        ("TY  - RPRT\nPB  - Fen Institute\nT2  - Fen Reports\nM1  - 17\nSP  - 3\nEP  - 9\n",
         {"number": "17", "series": "Fen Reports", "pages": "3--9", "institution": "Fen Institute"}),
        ("TY  - RPRT\nSN  - TR-4\nM1  - 17\n", {"number": "TR-4"}),
        ("TY  - THES\nPB  - Fen University\nSP  - 212\n", {"pagetotal": "212", "pages": ""}),
        ("TY  - THES\nPB  - Fen University\nVL  - Habilitation\n", {"type": "Habilitation", "volume": ""}),
        ("TY  - BOOK\nPB  - Fen\nSP  - xii, 212 p.\nSV  - 3\n", {"pagetotal": "xii, 212 p.", "number": "3"}),
        ("TY  - BOOK\nSP  - 1\nEP  - 12\n", {"pages": "1--12", "pagetotal": ""}),
        ("TY  - JOUR\nT2  - Marsh Journal\nJO  - Marsh J.\nSP  - 212\n",
         {"journaltitle": "Marsh Journal", "shortjournal": "Marsh J.", "pages": "212", "pagetotal": ""}),
        ("TY  - JOUR\nJF  - Marsh Journal\nJA  - Marsh J.\n", {"shortjournal": "Marsh J."}),
        ("TY  - JOUR\nT2  - Marsh\nM3  - doi:10.1000/x\n", {"doi": "10.1000/x", "type": ""}),
        ("TY  - JOUR\nJO  - Marsh\nJA  - Marsh\n", {"journaltitle": "Marsh", "shortjournal": ""}),
    ],
)  # fmt: skip
def test_a_tag_of_ris_means_what_it_does_for_its_type(record: str, fields: dict[str, str], tmp_path: Path) -> None:
    text = f"{record}ID  - k\nAU  - Roe, Ann\nTI  - Reeds\nPY  - 2001\nER  - \n"
    told = dict(fields_in(through(text, "ris", "biblatex", tmp_path).data.decode(), "biblatex"))
    assert {name: told.get(name, "") for name in fields} == fields


@pytest.mark.parametrize(
    ("tag", "member", "value"),
    [("C1", "event-place", "Legal note"), ("C3", "container-title", "Legal note"), ("C3", "event-title", "Fens")],
)
@pytest.mark.parametrize("type", _RIS_TYPES)
def test_custom_tags_of_ris_tell_of_a_conference_only_in_types_of_conferences(
    type: str, tag: str, member: str, value: str, tmp_path: Path
) -> None:
    text = f"TY  - {type}\nID  - k\nAU  - Poe, Bo\nTI  - Reeds\nT2  - Fens\n{tag}  - Legal note\nER  - \n"
    there = through(text, "ris", "csl-json", tmp_path)
    [item] = json.loads(there.data)
    of_conference = type in ("CONF", "CPAPER")
    assert (item.get(member) == value, f"{tag} of" in " ".join(there.notes)) == (of_conference, not of_conference)


@pytest.mark.parametrize("target", ["biblatex", "bibtex", "ris"])
def test_the_day_of_a_date_and_ranges_of_pages_come_back(target: Format, tmp_path: Path) -> None:
    item = {"type": "article-journal", "title": "Reeds", "issued": {"date-parts": [[2001, 5, 17]]}, "page": "1-3, 7-9"}
    there = through(json.dumps([item]), "csl-json", target, tmp_path).data.decode()
    (tmp_path / "2").mkdir()
    [back] = json.loads(through(there, target, "csl-json", tmp_path / "2").data)
    assert {name: back[name] for name in item} == item


@pytest.mark.parametrize(
    ("kind", "number", "tag"),
    [("report", "FEN-TR 12/7", "SN"), ("report", "2011-0044", "IS"), ("patent", "DE 41 22 003 C2", "SN"),
     ("standard", "ISO 4100:2010", "SN"), ("bill", "H.R. 77", "M1"), ("legal_case", "No. 12-345", "SV"),
     ("legislation", "a number of more than twenty signs", "IS"), ("software", "7", "IS")],
)  # fmt: skip
def test_a_number_of_the_work_itself_has_the_tag_of_its_type_in_ris(
    kind: str, number: str, tag: str, tmp_path: Path
) -> None:
    item = {"id": "k", "type": kind, "title": "Reeds", "number": number, "ISSN": "1234-5679"}
    there = through(json.dumps([item]), "csl-json", "ris", tmp_path).data.decode()
    assert f"{tag}  - {number}" in there.splitlines()
    (tmp_path / "2").mkdir()
    [back] = json.loads(through(there, "ris", "csl-json", tmp_path / "2").data)
    assert back.items() >= item.items()


@pytest.mark.parametrize("kind", ["dataset", "software", "legislation"])
def test_an_edition_comes_back_where_its_tag_in_ris_means_something_else(kind: str, tmp_path: Path) -> None:
    item = {"id": "k", "type": kind, "title": "Reeds", "edition": "2"}
    there = through(json.dumps([item]), "csl-json", "ris", tmp_path).data.decode()
    (tmp_path / "2").mkdir()
    assert json.loads(through(there, "ris", "csl-json", tmp_path / "2").data) == [item]


def test_a_number_with_a_colon_is_read_from_the_tag_for_anything(tmp_path: Path) -> None:
    text = "TY  - STAND\nID  - k\nTI  - Reeds\nM1  - ISO 4100:2010\nER  - \n"
    [item] = json.loads(through(text, "ris", "csl-json", tmp_path).data)
    assert item["number"] == "ISO 4100:2010"


@pytest.mark.parametrize(
    ("field", "date", "told"),
    [("year = {5765}", [5765], ""), ("year = {MCMXCIX}", [1999], ""), ("year = {March 2004}", [2004, 3], ""),
     ("date = {06.05.2004}", [2004, 5, 6], ""), ("date = {2004/05/06}", [2004, 5, 6], ""),
     ("date = {05/06/2004}", [2004], ""), ("year = {Spring}", None, "year"),
     (r"year = {\noop{2004b}2004}", [2004], ""), (r"year = {\sortnote{x}c. 1650}", [1650], "")],
)  # fmt: skip
def test_a_year_of_another_notation_or_calendar_comes_through_or_is_named(
    field: str, date: list[int] | None, told: str, tmp_path: Path
) -> None:
    there = through(f"@book{{k, title = {{Reeds}}, author = {{Roe, Ann}}, {field}}}", "biblatex", "csl-json", tmp_path)
    [item] = json.loads(there.data)
    assert (item.get("issued", {}).get("date-parts", [None])[0], item.get("status")) == (date, None)
    assert re.findall(r"cannot store (\w+) of", " ".join(there.notes)) == ([told] if told else [])


IN_WORDS = {
    "CSL-JSON": '[{"id": "k", "type": "book", "title": "Reeds", "issued": {"literal": "%s"}}]',
    "BibTeX": "@book{k, title={Reeds}, year={%s}}", "RIS": "TY  - BOOK\nID  - k\nTI  - Reeds\nPY  - %s\nER  - \n",
    "refer": "%%0 Book\n%%F k\n%%T Reeds\n%%D %s\n",
}  # fmt: skip


@pytest.mark.parametrize("text", IN_WORDS.values(), ids=IN_WORDS)
@pytest.mark.parametrize("words", ["Hilary term 1688", "after 1688", "undated [1688?]", "Third quarter 1688"])
@pytest.mark.parametrize("target", ["biblatex", "bibtex", "csl-json"])
def test_the_words_of_a_date_come_through_with_their_year(
    text: str, words: str, target: Format, tmp_path: Path
) -> None:
    there = through(text % words, "ris", target, tmp_path)  # the text shows its format
    assert "cannot store" not in " ".join(there.notes)
    if target == "csl-json":
        assert json.loads(there.data)[0]["issued"]["literal"] == words
    else:
        assert re.findall(r"year = \{(.*)\},\n", there.data.decode()) == [words]


@pytest.mark.parametrize("words", ["12 May 1688", "May 1688", "c. 1688", "1688-1690", "Spring 1688"])
def test_a_date_that_a_format_has_is_not_repeated_in_words(words: str, tmp_path: Path) -> None:
    there = through(f"TY  - BOOK\nID  - k\nTI  - Reeds\nPY  - {words}\nER  - \n", "ris", "csl-json", tmp_path)
    assert words not in str(json.loads(there.data)[0]["issued"])


MEMBERS = (
    "annote archive archive_collection archive_location archive-place authority call-number chapter-number"
    " citation-label citation-number collection-number collection-title container-title container-title-short"
    " dimensions division edition event-place event-title genre issue journalAbbreviation jurisdiction keyword locator"
    " medium note number number-of-pages number-of-volumes original-publisher original-publisher-place original-title"
    " page page-first part part-number part-title printing publisher publisher-place references reviewed-genre"
    " reviewed-title scale section shortTitle source status supplement title-short version volume volume-title"
    " year-suffix"
).split()
"""The members of a text or number in the schema of CSL-JSON, with two that older programs write."""
NUMBERS = frozenset("chapter-number collection-number edition issue number number-of-pages number-of-volumes page"
                    " page-first part-number printing section supplement version volume".split())  # fmt: skip


@pytest.mark.parametrize("target", ["biblatex", "ris"])
@pytest.mark.parametrize(
    "kind", ["article-journal", "book", "chapter", "legal_case", "legislation", "motion_picture", "paper-conference",
             "patent", "report", "song", "speech", "standard", "thesis", "webpage"]
)  # fmt: skip
def test_no_member_of_csl_is_lost_without_a_word(kind: str, target: Format, tmp_path: Path) -> None:
    values = {name: str(7000 + place) if name in NUMBERS else f"Word{place}x" for place, name in enumerate(MEMBERS)}
    there = through(json.dumps([{"id": "k", "type": kind, "title": "Reeds", **values}]), "csl-json", target, tmp_path)
    named = re.search(r"cannot store (.*) of 1 entry", " ".join(there.notes))
    listed = {*named[1].split(", ")} if named else set()
    assert [name for name, value in values.items() if value not in there.data.decode() and name not in listed] == []


@pytest.mark.parametrize(
    ("text", "source", "member", "value"),
    [('[{"id": "k", "title": "Reeds", "journalAbbreviation": "J. Fens", "type": "article-journal"}]', "csl-json",
      "shortjournal", "J. Fens"),
     ("TY  - ELEC\nID  - k\nTI  - Reeds\nY2  - 12.03.2020\nER  - \n", "ris", "urldate", "2020-03-12"),
     ("TY  - JOUR\nID  - k\nTI  - Reeds\nPM  - 12345\nER  - \n", "ris", "eprint", "12345")],
)  # fmt: skip
def test_what_older_programs_call_otherwise_is_read(
    text: str, source: Format, member: str, value: str, tmp_path: Path
) -> None:
    there = through(text, source, "biblatex", tmp_path)
    assert (member, value) in fields_in(there.data.decode(), "biblatex")


@pytest.mark.parametrize(("date", "parts"), [("2001///May-June", [[2001, 5], [2001, 6]]), ("MMIV", [[2004]])])
def test_a_date_of_ris_is_read_with_its_words(date: str, parts: list[list[int]], tmp_path: Path) -> None:
    there = through(
        f"TY  - JOUR\nID  - k\nTI  - Reeds\nAU  - Roe, A\nPY  - {date}\nER  - \n", "ris", "csl-json", tmp_path
    )
    [item] = json.loads(there.data)
    assert (item["issued"]["date-parts"], there.notes) == (parts, [])


@pytest.mark.parametrize(("group", "name"), [("ATLAS", "ATLAS Collaboration"), ("Fen Data Group", "Fen Data Group")])
def test_a_group_of_inspire_is_named_once(group: str, name: str, tmp_path: Path) -> None:
    entry = f"@article{{k, title = {{Reeds}}, author = {{Roe, A}}, collaboration = {{{group}}}, year = 2001}}"
    [item] = json.loads(through(entry, "bibtex", "csl-json", tmp_path).data)
    assert item["author"][-1] == {"literal": name}
