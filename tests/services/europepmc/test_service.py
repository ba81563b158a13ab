"""The stand-in of Europe PMC reads its query language, and holds preprints beside articles."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from tests.services import Services


def search(services: Services, client: httpx.Client, query: str, **more: str) -> dict[str, Any]:
    asked = {"query": query, "format": "json", "resultType": "core", **more}
    reply = client.get(f"{services.url('europepmc')}/search", params=asked)
    assert reply.status_code == 200, reply.text
    body: dict[str, Any] = reply.json()
    return body


def results(body: dict[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = body["resultList"]["result"]
    return found


def test_articles_and_preprints_are_told_apart_by_source(calm: Services, client: httpx.Client) -> None:
    both = search(calm, client, "cystic fibrosis", pageSize="1000")
    preprints = search(calm, client, "cystic fibrosis AND SRC:PPR", pageSize="1000")
    assert 0 < preprints["hitCount"] < both["hitCount"]
    for record in results(preprints):
        assert record["source"] == "PPR"
        assert record["id"].startswith("PPR")
        assert record["bookOrReportDetails"]["publisher"] in ("bioRxiv", "medRxiv")
        assert "journalInfo" not in record


def test_names_are_found_in_their_fields(calm: Services, client: httpx.Client) -> None:
    work = next(work for work in calm.corpus.works if work.pmcid)
    for query in (f'DOI:"{work.doi}"', f"(EXT_ID:{work.pmid} AND SRC:MED)", f"PMCID:{work.pmcid}"):
        [record] = results(search(calm, client, query))
        assert record["pmid"] == work.pmid


def test_nothing_found_is_a_count_of_zero_and_an_empty_list(calm: Services, client: httpx.Client) -> None:
    body = search(calm, client, 'DOI:"10.5555/unheard-of"')
    assert (body["hitCount"], results(body), "nextCursorMark" in body) == (0, [], False)


def test_marks_lead_through_everything_once_and_then_to_nothing(calm: Services, client: httpx.Client) -> None:
    seen: list[str] = []
    mark = "*"
    while True:
        body = search(calm, client, "SRC:MED", pageSize="40", cursorMark=mark)
        if not results(body):
            break
        seen += [record["id"] for record in results(body)]
        mark = body["nextCursorMark"]
    assert len(seen) == len(set(seen)) == body["hitCount"]


def test_without_a_format_the_reply_is_xml(calm: Services, client: httpx.Client) -> None:
    reply = client.get(f"{calm.url('europepmc')}/search", params={"query": "cystic"})
    assert reply.text.startswith("<responseWrapper>")


def test_short_records_have_no_abstract(calm: Services, client: httpx.Client) -> None:
    [record] = results(search(calm, client, "EXT_ID:91000005", resultType="lite"))
    assert "abstractText" not in record
    assert results(search(calm, client, "EXT_ID:91000005"))[0]["abstractText"]


@pytest.mark.parametrize(
    ("query", "more"),
    [
        ("(cystic", {}),
        ("cystic AND", {}),
        ('TITLE_ABS:"cystic', {}),
        ("coffee:sleep", {}),
        ("COLOUR:blue", {}),
        ("FIRST_PDATE:[2020 TO 2021]", {}),
        ("cy*st", {}),
        ("cystic", {"pageSize": "1001"}),
        ("cystic", {"resultType": "all"}),
    ],
)
def test_what_cannot_be_read_is_refused_and_flagged(
    services: Services, client: httpx.Client, query: str, more: dict[str, str]
) -> None:
    asked = {"query": query, "format": "json", **more}
    assert client.get(f"{services.url('europepmc')}/search", params=asked).status_code == 400
    assert len(services.violations) == 1
