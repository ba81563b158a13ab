"""What is exported can be imported again, and is the same."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from connectors.paper import Paper
from spar_tui.bibliography.citation_key import key_pattern, new_keys
from spar_tui.bibliography.entry import Entry, entry_of
from spar_tui.bibliography.formats import Format, Writing, written
from spar_tui.bibliography.markup import plain
from spar_tui.bibliography.names import name_of
from spar_tui.bibliography.reading.files import found_in
from tests.spar_tui.bibliography.edge_records import EDGE_PAPERS, edge_entries
from tests.spar_tui.bibliography.generated import generated

FORMATS: tuple[Format, ...] = ("bibtex", "biblatex", "ris", "csl-json")
NO_TITLE = {"untitled"}
"""Cannot be taken in again: nothing names them."""


def same_apostrophes(text: str) -> str:
    """In LaTeX the curly and the straight one are the same character."""
    return plain(text).replace("’", "'")


def as_told(entry: Entry, format: Format) -> dict[str, object]:
    """What a reader can know of an entry."""
    date = entry.date or ""
    return {
        "title": same_apostrophes(entry.title),
        "names": [same_apostrophes(name.inverted) for name in entry.names],
        "date": date[:7] if format == "bibtex" else date,
        "doi": entry.doi,
        "arxiv": entry.arxiv,
        "volume": entry.volume,
        "number": entry.number,
        "pages": [one for one in entry.page_range if one],
        "abstract": plain(entry.abstract),
        "keywords": entry.keywords,
        "note": entry.note,
        "file": entry.file,
    }


def read_back(text: str, format: Format) -> dict[str, Entry]:
    found = found_in(text, "refs")
    entries = {}
    for one in found.entries:
        entry = entry_of(one.paper, one.key)
        entries[one.key] = replace(
            entry,
            volume=one.details.get("volume", ""),
            number=one.details.get("number", ""),
            pages=one.details.get("pages", ""),
            abstract=one.paper.abstract,
            keywords=one.tags,
            note=one.note,
            file=one.file,
        )
    return entries


@pytest.mark.parametrize("format", FORMATS)
def test_every_edge_record_comes_back_as_it_was(format: Format) -> None:
    entries = [entry for entry in edge_entries() if entry.key not in NO_TITLE]
    if format == "csl-json":  # which has no place for a path
        entries = [replace(entry, file="") for entry in entries]
    text = written(entries, Writing(format, ("abstract", "keywords", "file", "note"))).text
    read = read_back(text, format)
    for entry in entries:
        assert as_told(read[entry.key], format) == as_told(entry, format), entry.key


@pytest.mark.parametrize("format", FORMATS)
def test_papers_made_up_by_chance_come_back_as_they_were(format: Format) -> None:
    papers = dict(enumerate(generated(300, seed=5)))
    keys = new_keys(papers, key_pattern("better-bibtex"), ())
    entries = [entry_of(one, keys[number]) for number, one in papers.items() if one.title != "(untitled)"]
    read = read_back(written(entries, Writing(format)).text, format)
    different = [one.key for one in entries if as_told(read[one.key], format) != as_told(one, format)]
    assert different == []


@given(st.lists(st.sampled_from(sorted(EDGE_PAPERS)), unique=True), st.randoms(use_true_random=False))
@settings(max_examples=20)
def test_the_order_in_which_papers_were_found_changes_no_byte(names: list[str], dice: object) -> None:
    entries = [entry_of(EDGE_PAPERS[name], name) for name in names]
    shuffled = list(entries)
    getattr(dice, "shuffle")(shuffled)  # noqa: B009  # hypothesis gives it no type
    for format in FORMATS:
        assert written(shuffled, Writing(format)).text == written(entries, Writing(format)).text


@pytest.mark.parametrize("format", ["bibtex", "biblatex", "ris", "markdown", "csv"])
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
