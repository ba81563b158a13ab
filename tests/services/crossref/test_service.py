"""The stand-in of Crossref counts by kind of request, and refuses what Crossref refuses."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import httpx
import pytest

from tests.services import Services


def works(services: Services, client: httpx.Client, query: str) -> dict[str, Any]:
    reply = client.get(f"{services.url('crossref')}/works?{query}")
    assert reply.status_code == 200, reply.text
    body: dict[str, Any] = reply.json()
    assert body["message-type"] == "work-list"
    found: dict[str, Any] = body["message"]
    return found


@pytest.mark.parametrize(
    ("path", "email", "pool", "limit", "at_once"),
    [
        ("/works/10.5555%2Fodd.year", "", "public-single", 5, 1),
        ("/works?query=cystic", "", "public-array", 1, 1),
        ("/works/10.5555%2Fodd.year", "ann@uni.edu", "polite-single", 10, 3),
        ("/works?query=cystic", "ann@uni.edu", "polite-array", 3, 3),
    ],
)
def test_each_kind_of_request_has_a_limit_of_its_own_and_tells_it(
    services: Services, client: httpx.Client, path: str, email: str, pool: str, limit: int, at_once: int
) -> None:
    if email:
        path += f"{'&' if '?' in path else '?'}mailto={email}"
    replies = [client.get(services.url("crossref") + path) for _ in range(limit + 1)]
    assert [reply.status_code for reply in replies] == [200] * limit + [429]
    assert replies[0].headers["x-api-pool"] == pool
    assert replies[0].headers["x-rate-limit-limit"] == str(limit)
    assert replies[0].headers["x-concurrency-limit"] == str(at_once)
    assert replies[-1].headers["content-type"].startswith("text/html")
    assert "retry-after" not in replies[-1].headers
    assert len(services.violations) == 1


@pytest.mark.parametrize("email", ["info@example.com", "spar", "a@b@c", ""])
def test_an_address_that_is_nobodys_is_a_breach(services: Services, client: httpx.Client, email: str) -> None:
    reply = client.get(f"{services.url('crossref')}/works?query=cystic&mailto={email}")
    assert reply.headers["x-api-pool"] == "public-array"
    assert "nobody's" in services.violations[0]


def test_an_unknown_doi_is_plain_text_under_the_label_of_json(calm: Services, client: httpx.Client) -> None:
    for doi in ("10.5555/unheard-of", "10.48550/arXiv.2103.90001"):
        reply = client.get(f"{calm.url('crossref')}/works/{quote(doi, safe='')}")
        assert (reply.status_code, reply.text) == (404, "Resource not found.")
        assert reply.headers["content-type"] == "application/json"


@pytest.mark.parametrize(
    ("path", "status", "kind"),
    [
        ("/works?rows=1001", 400, "integer-not-valid"),
        ("/works?rows=many", 400, "integer-not-valid"),
        ("/works?offset=10001", 400, "integer-not-valid"),
        ("/works?filter=colour:blue", 400, "filter-not-available"),
        ("/works?filter=from-pub-date:yesterday", 400, "date-not-valid"),
        ("/works?select=updated", 400, "select-not-available"),
        ("/works?page=2", 400, "parameter-not-allowed"),
        ("/works/10.5555%2Fodd.year?select=DOI", 400, "parameter-not-allowed"),
        ("/works?query=x&cursor=thing", 404, "cursor-invalid"),
    ],
)
def test_what_fails_validation_is_refused_and_flagged(
    services: Services, client: httpx.Client, path: str, status: int, kind: str
) -> None:
    reply = client.get(services.url("crossref") + path)
    assert (reply.status_code, reply.json()["message"][0]["type"]) == (status, kind)
    assert len(services.violations) == 1


def test_a_search_finds_whatever_shares_a_word_journals_first_unless_it_asks_for_kinds(
    calm: Services, client: httpx.Client
) -> None:
    noisy = works(calm, client, "query=Journal+of+Invented+Results+cystic&rows=5")
    assert noisy["items"][0]["type"] == "journal"
    narrowed = works(
        calm, client, "query=Journal+of+Invented+Results+cystic&rows=1000&filter=type:journal-article,type:book-chapter"
    )
    assert {item["type"] for item in narrowed["items"]} == {"journal-article", "book-chapter"}


def test_filters_of_one_name_are_alternatives_and_of_several_all_hold(calm: Services, client: httpx.Client) -> None:
    two = works(calm, client, "filter=doi:10.5555/odd.year,doi:10.5555/odd.old")
    assert {item["DOI"] for item in two["items"]} == {"10.5555/odd.year", "10.5555/odd.old"}
    one = works(calm, client, "filter=doi:10.5555/odd.year,doi:10.5555/odd.old,until-pub-date:1950")
    assert [item["DOI"] for item in one["items"]] == ["10.5555/odd.old"]


def test_a_cursor_walks_through_everything_once_and_stands_on_the_last_page_too(
    calm: Services, client: httpx.Client
) -> None:
    seen: list[str] = []
    cursor = "*"
    while True:
        page = works(calm, client, f"rows=50&filter=type:journal-article&cursor={quote(cursor, safe='')}")
        seen += [item["DOI"] for item in page["items"]]
        if len(page["items"]) < 50:
            assert page["next-cursor"]
            break
        cursor = page["next-cursor"]
    assert len(seen) == len(set(seen)) == page["total-results"]


def test_a_retracted_work_names_its_correction_as_well(calm: Services, client: httpx.Client) -> None:
    [work] = works(calm, client, "filter=doi:10.5555/odd.retracted")["items"]
    assert [update["type"] for update in work["updated-by"]] == ["correction", "retraction"]
