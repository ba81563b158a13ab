"""What biber, BibTeX, pandoc and bibutils say of the files; each test is skipped by name without its program."""

import subprocess
from pathlib import Path

import pytest

from spar_tui.bibliography.bibtex import Capabilities
from spar_tui.bibliography.citation_key import key_pattern, new_keys
from spar_tui.bibliography.csl_json import csl_item
from spar_tui.bibliography.entry import EXTRAS, Entry, entry_of
from spar_tui.bibliography.formats import Writing, written
from spar_tui.bibliography.unfit_keys import unfit_key
from tests.agents.scripted import paper
from tests.spar_tui.bibliography.edge_records import edge_entries
from tests.spar_tui.bibliography.generated import generated
from tests.spar_tui.bibliography.validators import (
    biber_complaints,
    bibtex_complaints,
    differences,
    needed,
    read_by_pandoc,
)

DIALECTS: tuple[Capabilities, ...] = ("bibtex", "biblatex")


def chance_entries(count: int) -> list[Entry]:
    papers = dict(enumerate(generated(count)))
    keys = new_keys(papers, key_pattern("better-bibtex"), ())
    return [entry_of(paper, keys[number]) for number, paper in papers.items()]


@pytest.fixture(params=DIALECTS)
def dialect(request: pytest.FixtureRequest) -> Capabilities:
    found: Capabilities = request.param
    return found


@pytest.fixture
def bib(dialect: Capabilities, tmp_path: Path) -> Path:
    """The edge records with every field, and some by chance."""
    file = tmp_path / "refs.bib"
    text = written(edge_entries(), Writing(dialect, EXTRAS)).text
    file.write_text(f"{text}\n{written(chance_entries(25), Writing(dialect)).text}")
    return file


@needed("biber")
def test_biber_has_nothing_to_say_but_that_data_is_missing(bib: Path) -> None:
    assert biber_complaints(bib) == []


@needed("bibtex")
def test_bibtex_reads_the_file_to_its_end(bib: Path) -> None:
    assert bibtex_complaints(bib) == []


@needed("pandoc")
def test_pandoc_reads_names_titles_dates_and_dois_back_as_they_are_in_the_records(
    bib: Path, dialect: Capabilities
) -> None:
    assert differences([*edge_entries(), *chance_entries(25)], read_by_pandoc(bib, dialect)) == {}


@needed("pandoc")
@pytest.mark.parametrize(
    "title", ["{BERT} in {mRNA}", "x}, note={PWNED-7Q}, y={", "} {X}{Y} @article{pwned, title={Z} }"]
)
def test_pandoc_loses_no_word_beside_a_brace(title: str, dialect: Capabilities, tmp_path: Path) -> None:
    entry = entry_of(paper(title, "10.1000/1"), "key")
    file = tmp_path / "refs.bib"
    file.write_text(written([entry], Writing(dialect)).text)
    assert differences([entry], read_by_pandoc(file, dialect)) == {}


@needed("pandoc")
def test_pandoc_reads_csl_json_back_as_it_was_written(tmp_path: Path) -> None:
    entries = edge_entries()
    file = tmp_path / "refs.json"
    file.write_text(written(entries, Writing("csl-json")).text)
    items = read_by_pandoc(file, "csljson")
    assert differences(entries, items) == {}
    read = {item["id"]: item for item in items}
    assert read.keys() == {entry.key for entry in entries}
    for entry in entries:
        expected = csl_item(entry)
        got = read[entry.key]
        assert (got.get("DOI"), got.get("type")) == (expected.get("DOI"), expected["type"])
        assert len(got.get("author", [])) == len(expected.get("author", []))


@needed("ris2xml", "xml2bib")
def test_bibutils_reads_every_ris_record(tmp_path: Path) -> None:
    entries = edge_entries()
    file = tmp_path / "refs.ris"
    file.write_text(written(entries, Writing("ris")).text)
    ran = subprocess.run(["ris2xml", str(file)], capture_output=True, text=True)
    assert f"Processed {len(entries)} references" in ran.stderr


def pandoc_with_ris() -> bool:
    ran = subprocess.run(["pandoc", "--list-input-formats"], capture_output=True, text=True)
    return "ris" in ran.stdout.split()


@needed("pandoc")
def test_pandoc_reads_ris_back_where_it_can(tmp_path: Path) -> None:
    if not pandoc_with_ris():
        pytest.skip("this pandoc reads no RIS (it came with 3.0)")
    entries = edge_entries()
    file = tmp_path / "refs.ris"
    file.write_text(written(entries, Writing("ris")).text)
    # pandoc takes the suffix for the given name, against the format's own order.
    assert differences(entries, read_by_pandoc(file, "ris")) == {"names": 1}


@needed("biber", "bibtex")
def test_every_key_that_a_person_may_give_is_read_by_bibtex_and_biber(tmp_path: Path) -> None:
    signs = [f"n{number}{sign}x" for number, sign in enumerate(map(chr, range(32, 127)))]
    keys = [key for key in [*signs, "2019kim", "Gödel1931"] if not unfit_key(key)]
    file = tmp_path / "keys.bib"
    file.write_text("".join(f"@misc{{{key},\n  title = {{T}},\n  year = {{2000}},\n}}\n" for key in keys))
    assert bibtex_complaints(file) == []
    assert biber_complaints(file) == []
    assert (file.with_suffix(".bbl")).read_text().count("bibitem") == len(keys)
