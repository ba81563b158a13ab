"""The stand-in of OpenAlex counts credits, refuses what OpenAlex refuses, and filters one corpus."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import httpx
import pytest

from tests.services import Services, Terms


def works(services: Services, client: httpx.Client, query: str, **headers: str) -> dict[str, Any]:
    reply = client.get(f"{services.url('openalex')}/works?{query}", headers=headers)
    assert reply.status_code == 200, reply.text
    body: dict[str, Any] = reply.json()
    return body


def abstract(work: dict[str, Any]) -> str:
    places = {place: word for word, at in work["abstract_inverted_index"].items() for place in at}
    return " ".join(places[place] for place in sorted(places))


def test_search_needs_all_words_and_ranks_by_relevance(calm: Services, client: httpx.Client) -> None:
    found = works(calm, client, "search=literature+search+agents&per-page=100")
    scores = [work["relevance_score"] for work in found["results"]]
    assert found["meta"]["count"] == len(scores) > 3
    assert scores == sorted(scores, reverse=True)


def test_the_inverted_abstract_gives_the_abstract_back(calm: Services, client: httpx.Client) -> None:
    work = calm.corpus.named("On words that repeat in the the evaluation of rankings")
    reply = client.get(f"{calm.url('openalex')}/works/{work.openalex}")
    assert abstract(reply.json()) == work.abstract


def test_references_and_citations_agree_with_each_other(calm: Services, client: httpx.Client) -> None:
    work = next(work for work in calm.corpus.works if len(work.references) > 5 and not work.references_withheld)
    cited = works(calm, client, f"filter=cited_by:{work.openalex}&per-page=100")["results"]
    assert {one["id"] for one in cited} == {
        f"https://openalex.org/{one.openalex}" for one in calm.corpus.references(work)
    }
    citing = works(calm, client, f"filter=cites:{cited[0]['id']}&per-page=100&sort=publication_date:desc")["results"]
    assert f"https://openalex.org/{work.openalex}" in {one["id"] for one in citing}
    assert citing == sorted(citing, key=lambda one: one["publication_date"], reverse=True)


def test_filters_by_identifier_take_several_values(calm: Services, client: httpx.Client) -> None:
    first, second = (work for work in calm.corpus.works[:6] if work.pmid)
    found = works(calm, client, f"filter=openalex_id:{first.openalex}|{second.openalex}")
    assert found["meta"]["count"] == 2
    assert works(calm, client, f"filter=doi:{quote(first.doi or '', safe='/')}")["results"][0]["title"] == first.title
    assert works(calm, client, f"filter=pmid:{first.pmid}")["results"][0]["title"] == first.title


def test_dates_and_title_search_narrow_a_list(calm: Services, client: httpx.Client) -> None:
    query = "filter=title.search:retrieval,from_publication_date:2020-01-01,to_publication_date:2022-12-31&per-page=100"
    found = works(calm, client, query)["results"]
    assert found
    assert all("2020" <= work["publication_date"] <= "2022-12-31" for work in found)
    assert all("retriev" in work["title"].lower() for work in found)


def test_a_cursor_walks_through_everything_once(calm: Services, client: httpx.Client) -> None:
    seen: list[str] = []
    cursor = "*"
    while cursor:
        page = works(calm, client, f"per-page=100&cursor={cursor}&select=id")
        seen += [work["id"] for work in page["results"]]
        cursor = page["meta"]["next_cursor"]
    assert len(seen) == len(set(seen)) == len(calm.corpus)


def test_lists_cut_authorships_at_one_hundred(calm: Services, client: httpx.Client) -> None:
    work = next(work for work in calm.corpus.works if len(work.authors) > 100)
    (listed,) = works(calm, client, f"filter=openalex_id:{work.openalex}")["results"]
    single = client.get(f"{calm.url('openalex')}/works/{work.openalex}").json()
    assert len(listed["authorships"]) == 100
    assert len(single["authorships"]) == len(work.authors)


def test_select_gives_the_chosen_fields_only(calm: Services, client: httpx.Client) -> None:
    (work,) = works(calm, client, "search=graph&per-page=1&select=id,title")["results"]
    assert set(work) == {"id", "title"}


def test_a_merged_id_redirects_and_an_unknown_one_is_an_html_page(calm: Services, client: httpx.Client) -> None:
    old, new = next(iter(calm.corpus.merged.items()))
    merged = client.get(f"{calm.url('openalex')}/works/{old}?select=id")
    assert (merged.status_code, merged.headers["location"]) == (301, f"/works/{new}?select=id")
    unknown = client.get(f"{calm.url('openalex')}/works/W1")
    assert unknown.status_code == 404
    assert unknown.headers["content-type"].startswith("text/html")


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("search=does+it+work?", "Wildcards"),
        ("search=retriev*", "Wildcards"),
        ("search=a|b", "| operator"),
        ("search=graph+!neural", "! operator"),
        (f"search={'word+' * 310}", "1500"),
        ("filter=title.search:graphs,%20neural", "unescaped comma"),
        ("filter=no_such_field:1", "not a valid field"),
        ("filter=publication_year:2020&filter=type:article", "more than once"),
        ("colour=blue", "not a valid parameter"),
        ("per-page=101", "between 1 and 100"),
        ("page=101&per-page=100", "10,000"),
        (f"filter=openalex_id:{'|'.join(f'W{n}' for n in range(101))}", "Maximum number of values"),
        ("select=host_venue", "not a valid select field"),
        ("sort=relevance_score:desc", "search query"),
        ("filter=from_publication_date:2020", "YYYY-MM-DD"),
    ],
)
def test_bad_queries_are_refused_and_flagged(services: Services, client: httpx.Client, query: str, text: str) -> None:
    reply = client.get(f"{services.url('openalex')}/works?{query}")
    assert reply.status_code == 400
    assert text in reply.json()["message"]
    assert reply.headers["x-ratelimit-remaining"] == "1000"
    assert len(services.violations) == 1


def test_a_comma_in_quotes_or_encoded_is_part_of_the_value(calm: Services, client: httpx.Client) -> None:
    for value in ("graph%2C%20neural", "%22graph,%20neural%22"):
        works(calm, client, f"filter=title.search:{value}")


def test_paid_filters_need_another_plan(services: Services, client: httpx.Client) -> None:
    reply = client.get(f"{services.url('openalex')}/works?filter=from_updated_date:2026-07-30")
    assert (reply.status_code, reply.json()["error"]) == (429, "Plan upgrade required")


@pytest.mark.parametrize(
    ("path", "price"),
    [
        ("/works/W4300000005", 0),
        ("/works/pmid:91000005", 0),
        ("/works/doi:10.5555/odd.crowd", 0),
        ("/works/doi%3A10.5555/odd.crowd", 1),
        ("/works/https://doi.org/10.5555/odd.crowd", 1),
        ("/works?filter=publication_year:2020", 1),
        ("/works?filter=title.search:graph", 10),
        ("/works?search=graph", 10),
        ("/works?search.semantic=graph", 10),
    ],
)
def test_each_call_has_its_price(services: Services, client: httpx.Client, path: str, price: int) -> None:
    reply = client.get(services.url("openalex") + path)
    assert reply.status_code == 200
    assert int(reply.headers["x-ratelimit-credits-used"]) == price
    assert int(reply.headers["x-ratelimit-remaining"]) == 1000 - price
    assert reply.json().get("meta", {"cost_usd": price / 10_000})["cost_usd"] == pytest.approx(price / 10_000)


def test_a_spent_budget_says_when_it_comes_back(client: httpx.Client) -> None:
    with Services(terms=Terms(openalex_keyless_credits=15)) as services:
        address = f"{services.url('openalex')}/works?search=graph"
        assert client.get(address).status_code == 200
        refused = client.get(address)
        assert refused.status_code == 429
        assert refused.json()["creditsRemaining"] == 5
        assert int(refused.headers["retry-after"]) == pytest.approx(refused.json()["retryAfter"], abs=2)
        assert services.violations == []  # nobody knew
        client.get(address)
        assert len(services.violations) == 1  # now one did
        assert client.get(f"{services.url('openalex')}/works/W4300000001").status_code == 200
        services.midnight()
        assert client.get(address).status_code == 200


@pytest.mark.parametrize("key", ["", "wrong"])
def test_an_empty_or_wrong_key_is_refused(services: Services, client: httpx.Client, key: str) -> None:
    root = services.url("openalex")
    assert client.get(f"{root}/works?api_key={key}").status_code == 401
    assert client.get(f"{root}/works", headers={"Authorization": f"Bearer {key}".strip()}).status_code == 401
    assert len(services.violations) == 2


def test_a_good_key_has_its_own_larger_budget(services: Services, client: httpx.Client) -> None:
    root = services.url("openalex")
    reply = client.get(f"{root}/works", headers={"Authorization": f"Bearer {services.terms.openalex_key}"})
    assert reply.headers["x-ratelimit-remaining"] == "9999"
    assert client.get(f"{root}/works").headers["x-ratelimit-remaining"] == "999"


def test_many_operators_are_slowed_down(services: Services, client: httpx.Client) -> None:
    query = "+OR+".join(["graph", "neural", "citation", "retrieval", "vaccine", "screen", "agent"])
    address = f"{services.url('openalex')}/works?search={query}"
    assert client.get(address).status_code == 200
    refused = client.get(address)
    assert (refused.status_code, refused.json()["reason"]) == (429, "broad_boolean_query")


def test_keyless_search_can_be_shed_while_filters_still_work(client: httpx.Client) -> None:
    with Services(terms=Terms(openalex_shed_keyless_search=True)) as services:
        root = services.url("openalex")
        shed = client.get(f"{root}/works?search=graph")
        assert (shed.status_code, "retry-after" in shed.headers) == (503, True)
        assert client.get(f"{root}/works?filter=publication_year:2020").status_code == 200
        key = {"Authorization": f"Bearer {services.terms.openalex_key}"}
        assert client.get(f"{root}/works?search=graph", headers=key).status_code == 200
