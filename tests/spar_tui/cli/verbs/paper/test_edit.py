"""`spar edit`: the person's word on a paper's data goes before what any source tells."""

from pathlib import Path
from typing import Any

import pytest

from cache import papers
from cache.store import Store
from connectors.identifiers import parse_identifier
from connectors.paper import Author, Imprint, Paper
from connectors.records.build import build_paper
from spar_tui.bibliography.paper_fields import changed_fields, fields_text
from tests.library import home_after
from tests.spar_tui.in_process import answer, spar

DOI = "10.1000/engines"


def told(source: str = "openalex", **changed: Any) -> Paper:
    values: dict[str, Any] = {
        "title": "Notes on teh Engine", "authors": [Author("Lovelace", "A.")], "date": "1842", "venue": "Memoirs",
        "type": "article", "identifiers": [parse_identifier(DOI)], "imprint": Imprint(volume="3"),
    }  # fmt: skip
    return build_paper(source, **values | changed)


def tell(home: Path, *records: Paper) -> None:
    """What a source tells of papers comes into the library."""
    with Store.open(home / "spar" / "spar.db") as store:
        papers.remember(store, records)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return home_after(save_one, tmp_path)


def save_one(home: Path) -> None:
    spar(home, "shelf")
    tell(home, told())
    assert spar(home, "save", DOI, "--offline").returncode == 0


def shown(home: Path, name: str = DOI) -> dict[str, Any]:
    found: dict[str, Any] = answer(home, "show", name, "--offline")["paper"]
    return found


def test_a_corrected_field_is_shown_and_exported_and_called_corrected(home: Path) -> None:
    ran = spar(home, "edit", DOI, "title=Notes on the Engine", "year=1843", "authors=Lovelace, Ada; Menabrea, Luigi")
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout == f"doi:{DOI}  Notes on the Engine  (corrected by you: title, authors, date)\n"
    paper = shown(home)
    assert (paper["title"], paper["year"]) == ("Notes on the Engine", 1843)
    assert paper["authors"] == ["Ada Lovelace", "Luigi Menabrea"]
    assert paper["corrected"] == ["title", "authors", "date"]
    page = spar(home, "show", DOI, "--offline").stdout
    assert "title, authors, date (by you)" in page
    assert "sources      openalex" in page
    exported = spar(home, "export", "--shelf").stdout
    assert "Notes on the Engine" in exported
    assert "1842" not in exported


@pytest.mark.parametrize("source", ["openalex", "semanticscholar", "pubmed", "arxiv"])
def test_no_source_gets_past_a_correction_whatever_it_tells_later(source: str, home: Path) -> None:
    spar(
        home,
        "edit",
        DOI,
        "title=Notes on the Engine",
        "year=1843",
        "authors=Lovelace, Ada",
        "venue=",
        "abstract=Short.",
    )
    longer = [Author("Lovelace", "Augusta Ada"), Author("Babbage", "Charles")]
    tell(home, told(source, date="1842-09-01", authors=longer, abstract="A much longer abstract of it.", venue="Other",
                    citation_count=7))  # fmt: skip
    paper = shown(home)
    assert (paper["title"], paper["year"], paper["venue"]) == ("Notes on the Engine", 1843, None)
    assert (paper["authors"], paper["abstract"]) == (["Ada Lovelace"], "Short.")
    assert paper["citation_count"] == 7  # what was not corrected grows on
    assert len(answer(home, "shelf")["papers"]) == 1


def test_a_corrected_doi_takes_the_place_of_the_wrong_one_for_good(home: Path) -> None:
    assert spar(home, "edit", DOI, "doi=https://doi.org/10.1000/RIGHT").returncode == 0
    tell(home, told(), told("semanticscholar", identifiers=[parse_identifier("10.1000/right"), parse_identifier(DOI)]))
    assert shown(home, "10.1000/right")["identifiers"]["doi"] == "10.1000/right"
    assert [paper["identifiers"]["doi"] for paper in answer(home, "shelf")["papers"]] == ["10.1000/right"]


def test_undo_takes_all_corrections_back_and_keeps_what_was_learned_since(home: Path) -> None:
    before = shown(home)
    spar(home, "edit", DOI, "title=Notes on the Engine", "authors=")
    spar(home, "edit", DOI, "year=1843", "type=book", "doi=10.1000/right")
    tell(home, told("semanticscholar", identifiers=[parse_identifier("10.1000/right")], citation_count=7,
                    title="Notes on the Engine", authors=[], venue=""))  # fmt: skip
    ran = spar(home, "edit", "10.1000/right", "--undo")
    assert ran.returncode == 0, ran.stderr
    assert "as the sources have it" in ran.stdout
    after = shown(home)
    for name in ("title", "authors", "year", "identifiers", "corrected"):
        assert after[name] == before[name]
    assert after["citation_count"] == 7
    ran = spar(home, "edit", DOI, "--undo")
    assert (ran.returncode, ran.stdout) == (1, "")
    assert "nothing to undo" in ran.stderr


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("year=soon", "is not a date"), ("date=1843-13", "is not a date"), ("doi=engines", "is not a DOI"),
        ("type=poem", "choose from article"), ("title=", "cannot be empty"), ("titel=x", "unknown field 'titel'"),
        ("title", "has no value"),
    ],
)  # fmt: skip
def test_a_wrong_value_is_refused_with_the_reason_and_changes_nothing(given: str, said: str, home: Path) -> None:
    before = shown(home)
    ran = spar(home, "edit", DOI, "venue=Other", given)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert said in ran.stderr
    assert shown(home) == before


ENTRIES = {
    "a.bib": """@Article{ada,
  Title = {Nots},
  author = {Lovelace, Ada},
  year = {1843},
  month = oct,
  journal = {Taylor's Memoirs},
  x-own = {kept {as} it is},
}
""",
    "b.bib": """@article{ada,
  author = {Lovelace, Ada},
  title = {Nots},
  date = {1843-10},
  journaltitle = {Memoirs},
  groups = {mine},
}
""",
    "a.ris": """TY  - JOUR
ID  - ada
A1  - Lovelace, Ada
T1  - Nots
JO  - Memoirs
Y1  - 1843/10//
U1  - mine
ER  -
""",
    "a.json": """[{"id": "ada", "type": "article-journal", "title": "Nots",
  "author": [{"family": "Lovelace", "given": "Ada"}],
  "issued": {"date-parts": [[1843, 10]]}, "container-title": "Memoirs",
  "custom": {"own": [1, 2]}}]""",
}
FORMATS = {"a.bib": "bibtex", "b.bib": "biblatex", "a.ris": "ris", "a.json": "csl-json"}


@pytest.mark.parametrize("name", ENTRIES)
def test_a_correction_changes_its_own_field_of_an_imported_entry_and_no_other(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(ENTRIES[name])
    spar(tmp_path, "import", str(tmp_path / name))
    export = ("export", "ada", "--format", FORMATS[name])
    before = spar(tmp_path, *export).stdout
    ran = spar(tmp_path, "edit", "ada", "title=Notes on it")
    assert ran.stderr == ""
    assert before.count("Nots") == 1
    assert spar(tmp_path, *export).stdout == before.replace("Nots", "Notes on it")
    spar(tmp_path, "edit", "ada", "--undo")
    assert spar(tmp_path, *export).stdout == before


@pytest.mark.parametrize("name", ENTRIES)
def test_a_correction_of_an_imported_entry_reaches_every_format(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(ENTRIES[name])
    spar(tmp_path, "import", str(tmp_path / name))
    spar(tmp_path, "edit", "ada", "title=Notes", "authors=Lovelace, Ada; Menabrea, Luigi", "year=1842")
    spar(tmp_path, "edit", "ada", "venue=Bibliotheque", "doi=10.1000/notes")
    for format in ("bibtex", "biblatex", "ris", "csl-json", "text", "markdown"):
        written = spar(tmp_path, "export", "ada", "--format", format).stdout
        for gone in ("Nots", "1843", "oct", "Memoirs"):
            assert gone not in written, format
        for told in ("Notes", "Menabrea", "1842", "Bibliotheque", "10.1000/notes"):
            assert written.count(told) == 1 or format == "markdown", (format, told)


def test_a_file_that_is_imported_again_takes_no_correction_away(tmp_path: Path) -> None:
    (tmp_path / "a.bib").write_text(ENTRIES["a.bib"])
    spar(tmp_path, "import", str(tmp_path / "a.bib"))
    spar(tmp_path, "edit", "ada", "title=Notes")
    exported = spar(tmp_path, "export", "ada").stdout
    spar(tmp_path, "import", str(tmp_path / "a.bib"))
    assert [paper["title"] for paper in answer(tmp_path, "shelf")["papers"]] == ["Notes"]
    assert spar(tmp_path, "export", "ada").stdout == exported


@pytest.mark.parametrize(
    ("name", "entry"),
    [
        ("a.bib", "@phdthesis{ada, title={Notes}, author={Lovelace, Ada}, year=1843, school={Old School}}"),
        ("a.ris", "TY  - THES\nID  - ada\nAU  - Lovelace, Ada\nTI  - Notes\nPY  - 1843\nPB  - Old School\nER  -\n"),
        ("a.json", '[{"id": "ada", "type": "thesis", "title": "Notes", "publisher": "Old School"}]'),
    ],
)
def test_the_corrected_school_of_a_thesis_stands_where_the_old_one_stood(name: str, entry: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(entry)
    spar(tmp_path, "import", str(tmp_path / name))
    before = spar(tmp_path, "export", "--shelf", "--format", FORMATS[name]).stdout
    assert spar(tmp_path, "edit", "ada", "venue=New School").returncode == 0
    after = spar(tmp_path, "export", "--shelf", "--format", FORMATS[name]).stdout
    assert after == before.replace("Old School", "New School") != before


@pytest.mark.parametrize("name", ENTRIES)
def test_what_a_correction_empties_is_not_written(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(ENTRIES[name])
    spar(tmp_path, "import", str(tmp_path / name))
    spar(tmp_path, "edit", "ada", "venue=")
    assert "Memoirs" not in spar(tmp_path, "export", "ada", "--format", FORMATS[name]).stdout


def test_the_fields_come_back_from_an_editor_as_they_went() -> None:
    paper = told(abstract="Methods: it was long.\n\ntitle: none")
    assert changed_fields(paper, fields_text(paper)) == {}
    text = fields_text(paper).replace("date: 1842", "date: 1843-09").replace("venue: Memoirs", "venue:")
    assert changed_fields(paper, text) == {"date": "1843-09", "venue": ""}
    assert changed_fields(paper, "title: Other") == {"title": "Other"}


def test_without_a_terminal_a_field_has_to_be_given(home: Path) -> None:
    ran = spar(home, "edit", DOI)
    assert ran.returncode == 2
    assert "there is no terminal for an editor" in ran.stderr
    assert spar(home, "edit", DOI, "title=x", "--undo").returncode == 2
