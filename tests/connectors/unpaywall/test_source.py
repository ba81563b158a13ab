"""Unpaywall: its replies become addresses of PDFs or named failures, and nobody's address but the person's is sent."""

import asyncio
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.errors import BadQuery, BadResponse, NotConfigured, NotFound, SourceError
from connectors.http.json_values import mapping
from connectors.identifiers import Identifier
from connectors.unpaywall.source import Unpaywall, error_of, read_places
from tests.connectors import recordings
from tests.connectors.http.wired import wired
from tests.connectors.unpaywall.fixtures import read
from tests.services import Services, Work


def ask(services: Services, folder: Path, name: str, email: str | None) -> tuple[str, ...]:
    async def run() -> tuple[str, ...]:
        async with wired("unpaywall", services.url("unpaywall"), error_of, folder, []) as http:
            return await Unpaywall(http, email).places(Identifier("doi", name))

    return asyncio.run(run())


def work(services: Services, open_access: bool) -> Work:
    return next(one for one in services.corpus.works if one.doi and not one.arxiv and one.open_access is open_access
                and "10.48550" not in one.doi)  # fmt: skip


@recordings.each("unpaywall")
def test_every_recorded_reply_is_read_whole_or_refused_by_name(row: recordings.Row) -> None:
    """Every PDF that a record names is told, a closed one has none, and what is no record is refused."""
    body = recordings.body(row)
    fields = json.loads(body)
    try:
        found = read(row, body)
    except SourceError:
        assert row["status"] >= 400 or "oa_locations" not in fields
        return
    named = {mapping(one).get("url_for_pdf") for one in fields["oa_locations"]} - {None}
    assert set(found) == named
    best = mapping(fields["best_oa_location"]).get("url_for_pdf")
    assert not best or found[0] == best


def test_the_copies_are_told_and_what_is_only_a_page_is_none(services: Services, tmp_path: Path) -> None:
    one = work(services, open_access=True)
    assert ask(services, tmp_path, one.doi or "", "me@uni.test") == (f"https://copies.invalid/{one.number}.pdf",)
    assert ask(services, tmp_path, work(services, open_access=False).doi or "", "me@uni.test") == ()
    assert services.violations == []


def test_without_the_persons_own_address_nobody_is_asked(services: Services, tmp_path: Path) -> None:
    with pytest.raises(NotConfigured, match="was not asked") as refusal:
        ask(services, tmp_path, work(services, open_access=True).doi or "", None)
    assert (refusal.value.request_sent, services.log) == (False, [])


def test_an_address_that_is_refused_is_told_in_the_services_words(services: Services, tmp_path: Path) -> None:
    with pytest.raises(BadQuery, match="Email address required"):
        ask(services, tmp_path, work(services, open_access=True).doi or "", "me@example.com")


@pytest.mark.parametrize("name", ["10.5555/nowhere", "10.48550/arxiv.1706.03762"])
def test_a_doi_that_is_not_there_is_not_found(name: str, services: Services, tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        ask(services, tmp_path, name, "me@uni.test")


@given(st.data())
def test_a_damaged_reply_is_read_or_refused_by_name(data: st.DataObject) -> None:
    place = {"url": "https://a.test/x", "url_for_pdf": "https://a.test/x.pdf"}
    whole = {"doi": "10.1000/x", "best_oa_location": place, "oa_locations": [place, place]}
    try:
        found = read_places(recordings.damaged(data.draw, whole))
    except BadResponse:
        return
    assert set(found) <= {"https://a.test/x.pdf"}
