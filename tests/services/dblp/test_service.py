"""dblp's stand-in: every word must be found, all numbers are text, and haste is answered with a page."""

from __future__ import annotations

import httpx
import pytest

from tests.services import Services

SEARCH = "/search/publ/api?format=json&q="


def test_every_word_must_be_found_and_one_that_is_ended_stands_for_itself(calm: Services, client: httpx.Client) -> None:
    def total(query: str) -> int:
        found = client.get(f"{calm.url('dblp')}{SEARCH}{query}").json()["result"]["hits"]["@total"]
        assert isinstance(found, str)
        return int(found)

    assert total("retriev") > total("retrieval$ dense$") > 0
    assert total("retriev$") == 0
    assert total("nowhere|retrieval$") == total("retrieval$") > 0


def test_where_nothing_is_found_there_is_no_list(calm: Services, client: httpx.Client) -> None:
    assert "hit" not in client.get(f"{calm.url('dblp')}{SEARCH}zzzqqq").json()["result"]["hits"]


def test_who_asks_again_too_soon_gets_a_page(services: Services, client: httpx.Client) -> None:
    address = f"{services.url('dblp')}{SEARCH}x"
    assert [client.get(address).status_code for _ in range(2)] == [200, 429]
    assert len(services.violations) == 1


@pytest.mark.parametrize("target", ["/search/publ/api?q=x", f"{SEARCH}x&h=500", f"{SEARCH}x&since=2020"])
def test_what_it_does_not_know_is_a_breach(target: str, services: Services, client: httpx.Client) -> None:
    assert client.get(f"{services.url('dblp')}{target}").status_code == 500
    assert len(services.violations) == 1
