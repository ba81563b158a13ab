"""DataCite: its records become works or named failures, and only its own word is taken that a DOI is not there."""

import asyncio
import json
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.datacite.source import DataCite, error_of, read_record, read_single
from connectors.errors import (
    BadQuery,
    BadResponse,
    NotFound,
    RateLimited,
    SourceError,
    SourceUnavailable,
    Unsupported,
    UnusableResponse,
)
from connectors.http.responses import HttpReply
from connectors.identifiers import Identifier, doi
from connectors.paper import Author, Paper
from connectors.source import Answer, Query
from tests.connectors import recordings
from tests.connectors.datacite.fixtures import plain, read
from tests.connectors.http.wired import wired
from tests.rows import each
from tests.services import Fault, Services
from tests.services.datacite.service import DATA, TOOL, UNTOLD


def ask(services: Services, folder: Path, *names: str) -> Answer:
    async def run() -> Answer:
        async with wired("datacite", services.url("datacite"), error_of, folder) as http:
            return await DataCite(http).lookup([name for one in names if (name := doi(one))])

    return asyncio.run(run())


def recorded(part: str) -> Paper:
    """What is read of the recorded record whose DOI holds `part`."""
    found = [row for row in recordings.rows("datacite") if part in row["url"]]
    if not found:
        pytest.skip(recordings.ABSENT)
    return read(found[0], recordings.body(found[0]))[0]


def told(**more: Any) -> Paper:
    """What is read of a made-up record."""
    types = {"resourceTypeGeneral": "Dataset"}
    paper = read_record({"doi": "10.5061/x", "titles": [{"title": "Seals"}], "types": types, **more})
    assert paper is not None
    return paper


# Recorded replies


@recordings.each("datacite")
def test_every_recorded_reply_is_read_whole_or_refused_by_name(row: recordings.Row) -> None:
    """DOI, title, people and year of a record are its own; lists of other things are refused, never shown as none."""
    body = recordings.body(row)
    data = json.loads(plain(body))["data"]
    found = recordings.outcome(read, row, body)
    if isinstance(data, list):
        assert isinstance(found, BadResponse)
        return
    assert not isinstance(found, SourceError)
    ([paper], fields) = found, data["attributes"]
    assert Identifier("doi", fields["doi"].lower()) in paper.identifiers
    assert paper.title in " ".join(fields["titles"][0]["title"].split())
    assert len(paper.authors) == len(fields["creators"])
    assert paper.year == fields["publicationYear"]


@each(
    ("part", "kind", "venue"),
    [
        ("dryad.8515", "dataset", "Dryad"),
        ("zenodo.48440", "software", "Zenodo"),
        ("geowissenschaften.1989", "article", "Die Geowissenschaften"),
        ("lipics.tqc.2013.93", "conference-paper", ""),
        ("desy-2014-01645", "thesis", "University of Hamburg"),
        ("arxiv.2311.16162", "preprint", "arXiv"),
        ("4k3m-nyvg", "other", ""),
    ],
    ids=lambda value: str(value),
)
def test_what_a_work_is_is_told_by_its_record_and_not_guessed(part: str, kind: str, venue: str) -> None:
    """A blog post, which DataCite's own export calls an article, is none."""
    paper = recorded(part)
    assert (paper.type, paper.venue) == (kind, venue)


def test_pages_are_an_articles_and_not_what_a_thesis_has_in_their_place() -> None:
    article, thesis = recorded("geowissenschaften.1989").imprint, recorded("desy-2014-01645").imprint
    assert (article.volume, article.number, article.pages) == ("7", "7", "181-186")
    assert (thesis.volume, thesis.pages) == ("", "")


def test_the_date_is_that_of_issue_and_not_when_it_was_made_or_sent_in() -> None:
    assert recorded("arxiv.2311.16162").date == "2023"
    assert recorded("m9.figshare.1449060").date == "2020"


def test_a_group_signs_as_a_whole_and_an_editor_is_no_author() -> None:
    group = "International Genetics of Ankylosing Spondylitis Consortium (IGAS)"
    assert recorded("dvn/nj7xso").authors == (Author(group),)
    paper = recorded("lipics.tqc.2013.93")
    assert [one.name for one in paper.authors] == ["Nathaniel Johnston"]
    assert [one.name for one in paper.imprint.editors] == ["Marc Herbstritt"]


# Made-up records


def test_a_code_for_what_is_not_known_is_no_name_no_title_and_no_publisher() -> None:
    paper = told(
        creators=[{"name": ":unav"}, {"name": "Ravn, Astrid"}, {"name": "(:etal)"}],
        publisher="(:null)",
        titles=[{"title": ":tba"}, {"title": "Seals", "titleType": "AlternativeTitle"}],
    )
    assert (paper.authors, paper.et_al, paper.venue, paper.title) == ((Author("Ravn", "Astrid"),), True, "", "Seals")


def test_a_publisher_is_read_as_a_name_and_as_an_object() -> None:
    assert told(publisher="Dryad").venue == told(publisher={"name": "Dryad"}).venue == "Dryad"


def test_only_an_abstract_is_one() -> None:
    notes = {"descriptionType": "Methods", "description": "They were counted twice."}
    assert told(descriptions=[notes]).abstract == ""
    assert (
        told(descriptions=[notes, {"descriptionType": "Abstract", "description": "Of seals."}]).abstract == "Of seals."
    )


def test_how_often_only_datacites_own_works_cite_it_is_not_told_as_a_count() -> None:
    assert told(citationCount=0).citation_count is None


@given(st.data())
def test_a_damaged_record_is_read_or_refused_by_name(data: st.DataObject) -> None:
    fields = {
        "doi": "10.5061/x",
        "titles": [{"title": "Seals", "titleType": None}, {"title": "Counted", "titleType": "Subtitle"}],
        "creators": [{"name": "Ravn, Astrid", "nameIdentifiers": [{"nameIdentifierScheme": "ORCID"}]}],
        "publisher": {"name": "Dryad"}, "publicationYear": 2021, "types": {"resourceTypeGeneral": "Text"},
        "dates": [{"date": "2021-02", "dateType": "Issued"}], "container": {"title": "J", "volume": "1"},
        "descriptions": [{"descriptionType": "Abstract", "description": "x"}], "subjects": [{"subject": "seals"}],
    }  # fmt: skip
    whole = {"data": {"id": "10.5061/x", "type": "dois", "attributes": fields}}
    try:
        found = read_single(recordings.damaged(data.draw, whole))
    except BadResponse:
        return
    assert recordings.is_sound((found,))


# Over the line


def test_each_doi_brings_its_record_and_one_that_is_not_there_is_left_out(services: Services, tmp_path: Path) -> None:
    answer = ask(services, tmp_path, DATA, "10.5061/nowhere", TOOL, UNTOLD)
    assert [(paper.identifier("doi"), paper.type) for paper in answer.papers] == [
        (DATA, "dataset"),
        (TOOL, "software"),
        (UNTOLD, "other"),
    ]
    assert not answer.partial
    assert services.violations == []


@pytest.mark.parametrize("kind", ["login_page", "login_as_json", "truncated", "empty", "null_json", "list_json", "500"])
def test_a_broken_answer_is_a_failure_and_never_a_doi_that_is_not_there(
    kind: str, services: Services, tmp_path: Path
) -> None:
    services.add_fault(Fault(kind))
    with pytest.raises((BadResponse, SourceUnavailable)):
        ask(services, tmp_path, DATA)


@each(
    ("status", "body", "kind"),
    [
        (404, b'{"errors":[{"status":"404","title":"The resource you are looking for doesn\'t exist."}]}', NotFound),
        (404, b"<html><body>Not Found</body></html>", UnusableResponse),
        (404, b"{}", UnusableResponse),
        (403, b"{}", SourceUnavailable),
        (429, b'{"errors":[{"status":"429","title":"Slow down."}]}', RateLimited),
        (503, b"", SourceUnavailable),
    ],
)
def test_each_refusal_has_its_own_meaning(status: int, body: bytes, kind: type[SourceError]) -> None:
    """Only DataCite's own words say that a DOI is not there: a proxy answers with a 404 as well."""
    assert type(error_of(HttpReply(status, httpx.Headers(), body))) is kind


def test_it_cannot_be_searched_and_knows_dois_alone(services: Services, tmp_path: Path) -> None:
    async def run(search: bool) -> Answer:
        async with wired("datacite", services.url("datacite"), error_of, tmp_path) as http:
            source = DataCite(http)
            return await (source.search(Query("seals")) if search else source.lookup([Identifier("pmid", "1")]))

    with pytest.raises(Unsupported):
        asyncio.run(run(search=True))
    with pytest.raises(BadQuery):
        asyncio.run(run(search=False))
    assert services.log == []
