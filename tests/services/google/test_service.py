"""The stand-in of the two Google providers: keys, credits that run out, free text instead of fields."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from tests.services import Services, Terms


def serper(services: Services, client: httpx.Client, key: str | None = None, **asked: str | int) -> httpx.Response:
    headers = {"X-API-KEY": services.terms.serper_key if key is None else key}
    return client.post(f"{services.url('google')}/scholar", json=asked, headers=headers)


def serpapi(services: Services, client: httpx.Client, **asked: str | int) -> httpx.Response:
    parameters = {"engine": "google_scholar", "api_key": services.terms.serpapi_key, **asked}
    return client.get(f"{services.url('google')}/search.json", params=parameters)


def results(services: Services, client: httpx.Client, **asked: str | int) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = serpapi(services, client, **asked).json()["organic_results"]
    return found


def test_serper_pages_through_free_text_items(calm: Services, client: httpx.Client) -> None:
    first = serper(calm, client, q="literature search agents", num=5).json()
    second = serper(calm, client, q="literature search agents", num=5, page=2).json()
    assert "literature search agents" in first["organic"][0]["title"].lower()
    assert not {one["link"] for one in first["organic"]} & {one["link"] for one in second["organic"]}
    assert first["credits"] == 1


def test_serper_knows_its_key(services: Services, client: httpx.Client) -> None:
    reply = serper(services, client, key="wrong", q="x")
    assert (reply.status_code, reply.json()) == (403, {"message": "Unauthorized.", "statusCode": 403})
    assert len(services.violations) == 1


def test_serper_credits_run_out_with_a_400(client: httpx.Client) -> None:
    with Services(terms=Terms(serper_credits=1)) as services:
        assert [serper(services, client, q="graph").status_code for _ in range(2)] == [200, 400]
        assert serper(services, client, q="graph").json()["message"] == "Not enough credits"


def test_serpapi_bounds_years_and_pages(calm: Services, client: httpx.Client) -> None:
    found = results(calm, client, q="cystic fibrosis", as_ylo=2015, as_yhi=2016, num=20)
    assert found
    assert all(
        "2015" in one["publication_info"]["summary"] or "2016" in one["publication_info"]["summary"] for one in found
    )
    first = serpapi(calm, client, q="vaccine", num=5).json()
    assert "start=5" in first["serpapi_pagination"]["next"]
    assert "api_key" not in first["serpapi_pagination"]["next"]


def test_serpapi_gives_the_citing_works(calm: Services, client: httpx.Client) -> None:
    found = results(calm, client, q="literature search agents", num=20)
    cited = next(one for one in found if one["inline_links"].get("cited_by", {}).get("total", 0) > 1)
    link = cited["inline_links"]["cited_by"]
    citing = results(calm, client, cites=link["cites_id"], num=20)
    assert len(citing) == min(20, link["total"])


def test_some_items_are_only_citations(calm: Services, client: httpx.Client) -> None:
    found = [
        one
        for query in ("vaccine", "CRISPR screens", "cystic fibrosis")
        for one in results(calm, client, q=query, num=20)
    ]
    plain = [one for one in found if one.get("type") == "Citation"]
    assert plain
    assert all(one["title"].startswith("[CITATION]") and "link" not in one for one in plain)


def test_nothing_found_is_an_error_text_with_a_200(calm: Services, client: httpx.Client) -> None:
    reply = serpapi(calm, client, q="qqzz xxyy")
    assert reply.status_code == 200
    assert "hasn't returned any results" in reply.json()["error"]
    assert "organic_results" not in reply.json()


@pytest.mark.parametrize(
    ("asked", "status"), [({"api_key": "wrong"}, 401), ({"num": 21}, 400), ({"engine": "bing"}, 400)]
)
def test_serpapi_refuses(services: Services, client: httpx.Client, asked: dict[str, Any], status: int) -> None:
    reply = serpapi(services, client, q="x", **asked)
    assert reply.status_code == status
    assert reply.json()["error"]
    assert len(services.violations) == 1


def test_serpapi_searches_run_out_with_a_429(client: httpx.Client) -> None:
    with Services(terms=Terms(serpapi_searches=1)) as services:
        assert [serpapi(services, client, q="graph").status_code for _ in range(2)] == [200, 429]
