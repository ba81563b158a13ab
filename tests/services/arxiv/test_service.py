"""The stand-in of arXiv keeps arXiv's rules and speaks its Atom."""

from __future__ import annotations

from xml.etree import ElementTree

import httpx
import pytest

from tests.services import Services
from tests.services.corpus.search import date_of

ATOM = "{http://www.w3.org/2005/Atom}"
SEARCH = "{http://a9.com/-/spec/opensearch/1.1/}"


def ask(services: Services, client: httpx.Client, status: int = 200, **parameters: str | int) -> ElementTree.Element:
    reply = client.get(f"{services.url('arxiv')}/api/query", params=parameters)
    assert reply.status_code == status
    return ElementTree.fromstring(reply.content)


def ids(feed: ElementTree.Element) -> list[str]:
    return [(entry.findtext(f"{ATOM}id") or "").rsplit("/", 1)[-1] for entry in feed.iter(f"{ATOM}entry")]


def total(feed: ElementTree.Element) -> int:
    return int(feed.findtext(f"{SEARCH}totalResults") or -1)


def test_a_search_by_words_ranks_papers_about_them_first(calm: Services, client: httpx.Client) -> None:
    feed = ask(calm, client, search_query="all:citation AND all:recommendation", max_results=5)
    titles = [" ".join((entry.findtext(f"{ATOM}title") or "").split()) for entry in feed.iter(f"{ATOM}entry")]
    assert "citation recommendation" in titles[0].lower()
    assert total(feed) >= len(titles) > 1


def test_operators_brackets_phrases_and_fields_are_understood(calm: Services, client: httpx.Client) -> None:
    everything = total(ask(calm, client, search_query="cat:cs.LG"))
    some = total(ask(calm, client, search_query='cat:cs.LG AND ti:"message passing"'))
    without = total(ask(calm, client, search_query='cat:cs.LG ANDNOT ti:"message passing"'))
    either = total(ask(calm, client, search_query="(ti:survey OR ti:benchmarking) AND cat:cs.LG"))
    assert some + without == everything
    assert 0 < some < everything
    assert either > 0


def test_a_date_range_bounds_the_submission_date(calm: Services, client: httpx.Client) -> None:
    query = "cat:cs.CL AND submittedDate:[202001010000 TO 202212312359]"
    found = ids(ask(calm, client, search_query=query, max_results=100))
    works = [calm.corpus.find("arxiv", one.split("v")[0]) for one in found]
    assert works
    assert all(work and "2020-01-01" <= (date_of(work) or "") <= "2022-12-31" for work in works)


def test_pages_do_not_overlap_and_keep_the_total(calm: Services, client: httpx.Client) -> None:
    first = ask(calm, client, search_query="cat:cs.IR", start=0, max_results=7)
    second = ask(calm, client, search_query="cat:cs.IR", start=7, max_results=7)
    assert not set(ids(first)) & set(ids(second))
    assert total(first) == total(second) > 14


def test_unknown_ids_are_dropped_and_known_ones_keep_their_version(calm: Services, client: httpx.Client) -> None:
    work = next(work for work in calm.corpus.works if work.arxiv and work.arxiv_version == 3)
    feed = ask(calm, client, id_list=f"{work.arxiv}v1,0000.0000,{work.arxiv}")
    assert ids(feed) == [f"{work.arxiv}v1", f"{work.arxiv}v3"]


@pytest.mark.parametrize(
    ("parameters", "reason"),
    [
        ({"id_list": "abc"}, "incorrect id format for abc"),
        ({"search_query": "BERT: a model"}, "unknown field"),
        ({"search_query": 'all:"unbalanced'}, "quotation"),
        ({"search_query": "(all:graph"}, "parenthesis"),
        ({"search_query": "all:graph", "start": "-1"}, "non-negative"),
        ({"search_query": "all:graph", "max_results": "3000"}, "2000"),
    ],
)
def test_unsafe_text_is_answered_by_an_error_feed(
    calm: Services, client: httpx.Client, parameters: dict[str, str], reason: str
) -> None:
    feed = ask(calm, client, 400, **parameters)
    entry = feed.find(f"{ATOM}entry")
    assert entry is not None
    assert entry.findtext(f"{ATOM}title") == "Error"
    assert reason in (entry.findtext(f"{ATOM}summary") or "")


def test_a_request_too_soon_is_turned_away_without_retry_after(services: Services, client: httpx.Client) -> None:
    address = f"{services.url('arxiv')}/api/query?search_query=all:graph"
    replies = [client.get(address) for _ in range(2)]
    assert [reply.status_code for reply in replies] == [200, 429]
    assert replies[1].text == "Rate exceeded."
    assert "retry-after" not in replies[1].headers
    assert len(services.violations) == 1


def test_a_second_connection_is_flagged(client: httpx.Client) -> None:
    with Services(time_scale=0) as services:
        address = f"{services.url('arxiv')}/api/query?search_query=all:graph"
        client.get(address)
        with httpx.Client(trust_env=False, timeout=60) as other:
            other.get(address)
        assert ["second connection" in sentence for sentence in services.violations] == [True]


def test_connections_one_after_the_other_are_allowed() -> None:
    with Services(time_scale=0) as services:
        for _ in range(3):
            with httpx.Client(trust_env=False, timeout=60) as one:
                one.get(f"{services.url('arxiv')}/api/query?search_query=all:graph")
        assert services.violations == []
