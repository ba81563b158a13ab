"""Volume, issue and pages: one spelling for each, whoever tells them, and never a preprint's."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.identifiers import arxiv, doi
from connectors.paper import Imprint, Paper
from connectors.records.build import author_from_name, build_paper
from connectors.records.clean import clean_text
from connectors.records.merging import merge
from connectors.records.publication import PART_CAP, edition_number, first_to_last, page_range, publication_of
from tests.connectors import recordings
from tests.connectors.arxiv import fixtures as fixtures_arxiv
from tests.connectors.openalex import fixtures as fixtures_openalex
from tests.connectors.papers import source_of
from tests.connectors.pubmed import fixtures as fixtures_pubmed
from tests.connectors.semantic_scholar import fixtures as fixtures_semantic_scholar
from tests.rows import each

SPELLINGS = [
    ("100-110", "100-110"),
    ("100-10", "100-110"),
    ("1272-81", "1272-1281"),
    ("99-101", "99-101"),
    ("82 - 86", "82-86"),
    ("82–86", "82-86"),
    ("436--444", "436-444"),
    ("\n          390-7\n        ", "390-397"),
    ("E4832 - E4841", "E4832-E4841"),
    ("S112-S9", "S112-S119"),
    ("S12-9", "S12-S19"),
    ("401.e1-7", "401.e1-401.e7"),
    ("12.3-5", "12.3-5"),
    ("179 - 179", "179"),
    ("e30", "e30"),
    ("026002", "026002"),
    ("iii-ix", "iii-ix"),
    ("2-1 - 2-9", ""),
    ("110-05", "110-05"),
    ("58-9, 61", "58-59, 61"),
    ("101-5; discussion 106-8", "101-105"),
    ("12-", "12"),
    ("<b>7</b>-9", "7-9"),
    ("\x1b[31m7-9", "7-9"),
    ("-", ""),
    ("ahead-of-print", ""),
    ("n/a", ""),
    ("0-0", ""),
    ("9" * (PART_CAP + 1), ""),
    (None, ""),
    (["7"], ""),
    ({"first": "7"}, ""),
]
ANYTHING = st.one_of(st.text(max_size=90), st.from_regex(r"[eS]?\d{1,5} ?[-–,;]{1,2} ?[eS]?\d{0,5}.?", fullmatch=True))


@each(("told", "pages"), SPELLINGS)
def test_pages_have_one_spelling(told: object, pages: str) -> None:
    assert page_range(told) == pages


@given(ANYTHING)
def test_pages_that_are_read_again_stay_as_they_are(told: str) -> None:
    once = page_range(told)
    assert page_range(once) == once == clean_text(once)


@given(st.integers(1, 99_999), st.integers(0, 400), st.sampled_from(["", "e", "S"]))
def test_a_shortened_last_page_is_the_page_it_stands_for(first: int, length: int, letter: str) -> None:
    """As MEDLINE shortens them: the figures that both pages begin with are told once."""
    last = first + length
    start, end = str(first), str(last)
    same = next((place for place in range(len(end)) if start[place : place + 1] != end[place]), len(end))
    short = end[same:] if len(start) == len(end) else letter + end
    whole = f"{letter}{first}-{letter}{last}" if length else f"{letter}{first}"
    assert page_range(f"{letter}{first}-{short}".rstrip("-")) == whole


@given(st.integers(0, 10**8), st.integers(0, 10**8))
def test_plain_pages_are_read_as_those_with_something_to_clean(first: int, last: int) -> None:
    assert page_range(f"{first}-{last}") == page_range(f" {first}-{last}")
    assert page_range(f"{first}") == page_range(f" {first}")


@each(
    ("first", "last", "pages"),
    [("303", "312", "303-312"), ("303", "12", "303-312"), ("e4375", "e4375", "e4375"), ("15-27", "15-27", "15-27"),
     ("15", None, "15"), (None, "15", ""), (None, None, ""), ("2-1", "2-9", ""), (7, 9, "")],
)  # fmt: skip
def test_pages_told_apart_become_a_range(first: object, last: object, pages: str) -> None:
    assert first_to_last(first, last) == pages


@each(
    ("told", "volume", "number"),
    [
        ({"volume": "12 5"}, "12", "5"),
        ({"volume": "29 Suppl 1"}, "29", "Suppl 1"),
        ({"volume": "12 5", "number": "6"}, "12 5", "6"),
        ({"volume": "LIX", "number": "1/2"}, "LIX", "1/2"),
        ({"volume": "ahead-of-print", "number": "ahead-of-print"}, "", ""),
        ({"volume": "PP", "number": "99"}, "", ""),
        ({"volume": "0", "number": "0"}, "", ""),
        ({"volume": 12, "number": None}, "", ""),
    ],
)
def test_a_volume_that_holds_its_issue_is_taken_apart(told: dict[str, object], volume: str, number: str) -> None:
    imprint = publication_of(volume=told.get("volume"), number=told.get("number"))
    assert (imprint.volume, imprint.number) == (volume, number)


@each("area", ["cs.CL", "hep-th", "cond-mat.stat-mech", "math.ST", "q-bio.QM", "physics.flu-dyn"])
def test_a_category_of_arxiv_is_kept(area: str) -> None:
    assert publication_of(arxiv_class=area).arxiv_class == area


@each("area", ["", "cs.CL}", "CS", "cs.CL, cs.IR", "\\input{x}", None, 7])
def test_what_is_no_category_of_arxiv_is_left_out(area: object) -> None:
    assert publication_of(arxiv_class=area).arxiv_class == ""


@given(st.text("v w", min_size=61))
def test_a_volume_is_told_whole_or_not_at_all(told: str) -> None:
    """A text that is too long for a volume leaves no piece of itself, wherever its words end."""
    assert publication_of(volume=told).volume in ("", " ".join(told.split()))


# Preprint and published version

WHOLE = Imprint("12", "3", "100-110", "Press", "cs.CL")


def told_by(source: str, imprint: Imprint, name: str = "10.1000/x", venue: str = "Journal") -> Paper:
    return build_paper(
        source,
        title="A study of x",
        authors=[one for one in [author_from_name("Ann Lee")] if one],
        date="2020",
        venue=venue,
        identifiers=[doi(name), arxiv("2001.00001")],
        imprint=imprint,
    )


def test_a_preprint_is_in_no_volume() -> None:
    """What a source tells of a preprint's volume or publisher is its server's, such as `abs/2001.00001`."""
    paper = told_by("openalex", WHOLE, "10.48550/arxiv.2001.00001", "arXiv")
    assert paper.imprint == Imprint(arxiv_class="cs.CL")
    assert source_of(paper, "volume") is None
    assert source_of(paper, "arxiv_class") == "openalex"


def test_a_joined_paper_has_the_category_of_the_one_and_the_pages_of_the_other_version() -> None:
    preprint = told_by("arxiv", Imprint("99", arxiv_class="cs.CL"), "10.48550/arxiv.2001.00001", "arXiv")
    published = told_by("openalex", Imprint("12", "3", "100-110", "Press"))
    both = merge(preprint, published)
    assert both.imprint == WHOLE
    assert (both.venue, source_of(both, "volume"), source_of(both, "arxiv_class")) == ("Journal", "openalex", "arxiv")


def test_the_source_of_the_venue_goes_first_and_another_fills_in_what_it_did_not_tell() -> None:
    pubmed = told_by("pubmed", Imprint("12", "3"), venue="The Journal")
    openalex = told_by("openalex", Imprint("12", "03", "100-110", "Press"), venue="Journal")
    both = merge(openalex, pubmed)
    assert both.imprint == Imprint("12", "3", "100-110", "Press")
    assert [source_of(both, name) for name in ("venue", "volume", "number", "pages", "publisher")] == [
        "pubmed", "pubmed", "pubmed", "openalex", "openalex",
    ]  # fmt: skip


# Recorded replies

READERS = {
    "openalex": fixtures_openalex.read,
    "semanticscholar": fixtures_semantic_scholar.read,
    "pubmed": fixtures_pubmed.read,
    "arxiv": fixtures_arxiv.read,
}


def recorded(service: str) -> list[Imprint]:
    """The imprints of all papers in the recorded replies of a service; skips the test without them."""
    if not recordings.rows(service):
        pytest.skip("the recorded replies (../shared/fixtures) are not here")
    found: list[Imprint] = []
    for row in recordings.rows(service):
        outcome = recordings.outcome(READERS[service], row, recordings.body(row))  # type: ignore[arg-type]
        papers = getattr(outcome, "papers", outcome)
        found += [paper.imprint for paper in papers if isinstance(paper, Paper)] if isinstance(papers, tuple) else []
    return found


@each(("service", "least"), [("openalex", 17), ("semanticscholar", 14), ("pubmed", 22)])
def test_recorded_papers_have_volume_and_pages(service: str, least: int) -> None:
    """In a spelling that bibliographies take: no blanks, no dashes but one hyphen, the last page written out."""
    found = [one for one in recorded(service) if one.volume and one.pages]
    assert len(found) >= least
    for one in found:
        first, _, last = one.pages.partition("-")
        assert first.isalnum()
        assert not last or (last.isalnum() and len(last) >= len(first))


def test_recorded_preprints_have_a_category() -> None:
    found = recorded("arxiv")
    assert len(found) > 60
    assert all(imprint.arxiv_class and imprint == Imprint(arxiv_class=imprint.arxiv_class) for imprint in found)


@each(("text", "number"), [("3rd ed.", 3), ("2", 2), ("02", 2), ("0", None), ("Revised", None)])
def test_only_a_counted_edition_has_a_number(text: str, number: int | None) -> None:
    assert edition_number(text) == number
