"""Each fault does on the wire what its name says."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from itertools import islice
from typing import Any
from xml.etree import ElementTree

import httpx
import pytest

from tests.services import KINDS, Fault, Services
from tests.spar_tui.running import wait_until
from tests.work import at_least

WORKS = "/works?filter=publication_year:2020"
FEED = "/api/query?search_query=all:graph"
EFETCH = "/entrez/eutils/efetch.fcgi?db=pubmed&id=91000005"


@pytest.fixture(scope="module")
def services() -> Iterator[Services]:
    with Services(rules=False) as running:
        yield running


@pytest.fixture
def struck(services: Services, client: httpx.Client) -> Iterator[Callable[..., httpx.Response]]:
    """Asks a service under one fault."""

    def ask(kind: str, service: str = "openalex", path: str = WORKS, **options: Any) -> httpx.Response:
        services.reset()
        services.add_fault(Fault(kind, seconds=0.02, **options))
        return client.get(services.url(service) + path)

    yield ask
    services.clear_faults()


def test_an_unknown_fault_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match="no_such"):
        Fault("no_such")


def test_a_fault_strikes_its_service_path_and_turn_only(services: Services, client: httpx.Client) -> None:
    services.reset()
    services.add_fault(Fault("500", service="openalex", path="/works?", nth=2))
    root = services.url("openalex")
    paths = [WORKS, "/works/W4300000001", WORKS, WORKS]
    assert [client.get(root + path).status_code for path in paths] == [200, 200, 500, 200]
    assert client.get(services.url("arxiv") + FEED).status_code == 200
    assert [request.fault for request in services.log] == [None, None, "500", None, None]
    services.clear_faults()


@pytest.mark.parametrize("kind", ["reset", "garbage", "reset_body", "long_length", "chunk_cut"])
def test_a_broken_wire_is_an_error_of_the_protocol(struck: Callable[..., httpx.Response], kind: str) -> None:
    with pytest.raises((httpx.RemoteProtocolError, httpx.ReadError)):
        struck(kind)


@pytest.mark.parametrize("kind", ["hang", "stall", "stall_body"])
def test_a_silent_server_is_noticed_by_a_timeout_only(services: Services, client: httpx.Client, kind: str) -> None:
    services.reset()
    services.add_fault(Fault(kind))
    with pytest.raises(httpx.TimeoutException):
        client.get(services.url("openalex") + WORKS, timeout=httpx.Timeout(60, read=0.1))
    services.clear_faults()


def test_a_dripping_server_never_runs_into_a_timeout_per_read(services: Services, client: httpx.Client) -> None:
    services.reset()
    services.add_fault(Fault("drip", seconds=0.05))
    timeout = httpx.Timeout(60, read=2.0)
    with client.stream("GET", services.url("openalex") + WORKS, timeout=timeout) as reply, at_least(2.1):
        assert len(list(islice(reply.iter_raw(), 50))) == 50
    services.clear_faults()


def test_a_head_may_drip_too(services: Services, client: httpx.Client) -> None:
    """Who waits for less than the time of a byte never sees it."""
    services.reset()
    services.add_fault(Fault("drip_head", seconds=0.5))
    with pytest.raises(httpx.TimeoutException):
        client.get(services.url("openalex") + WORKS, timeout=httpx.Timeout(60, read=0.03))
    services.clear_faults()


def test_a_refusal_may_come_late(struck: Callable[..., httpx.Response]) -> None:
    with at_least(0.05):
        assert struck("429", "arxiv", FEED, after=0.05).text == "Rate exceeded."


def test_a_client_that_leaves_is_seen_to_leave(services: Services, client: httpx.Client) -> None:
    services.reset()
    services.add_fault(Fault("delay", seconds=600))
    with pytest.raises(httpx.TimeoutException):
        client.get(services.url("openalex") + WORKS, timeout=httpx.Timeout(60, read=0.05))
    wait_until(lambda: services.log[0].ended is not None)
    request = services.log[0]
    assert (request.status, request.ended is not None) == (None, True)
    services.clear_faults()


def test_a_delay_delays(struck: Callable[..., httpx.Response]) -> None:
    with at_least(0.02):
        assert struck("delay").status_code == 200


@pytest.mark.parametrize("kind", ["truncated", "no_length_cut", "empty", "login_as_json", "error_in_200", "null_json"])
def test_a_bad_body_comes_with_a_clean_200(struck: Callable[..., httpx.Response], kind: str) -> None:
    reply = struck(kind)
    assert reply.status_code == 200
    try:
        body = reply.json()
    except ValueError:
        body = None
    assert not (isinstance(body, dict) and "results" in body)


@pytest.mark.parametrize("kind", ["gzip_lie", "gzip_bomb", "gzip_cut"])
def test_a_bad_gzip_shows_only_when_it_is_unpacked(services: Services, client: httpx.Client, kind: str) -> None:
    services.reset()
    services.add_fault(Fault(kind))
    with client.stream("GET", services.url("openalex") + WORKS) as reply:
        raw = b"".join(reply.iter_raw())
    services.clear_faults()
    assert reply.headers["content-encoding"] == "gzip"
    assert int(reply.headers["content-length"]) == len(raw) < 1 << 20
    assert raw.startswith(b"\x1f\x8b") is (kind != "gzip_lie")


@pytest.mark.parametrize("status", [400, 401, 403, 404, 500, 502, 503, 504])
def test_a_gateway_answers_with_its_own_page(struck: Callable[..., httpx.Response], status: int) -> None:
    reply = struck(str(status))
    assert reply.status_code == status
    assert reply.headers["content-type"].startswith("text/html")


@pytest.mark.parametrize("value", [None, "2", "-5", "1e9", "soon"])
def test_a_429_carries_the_wanted_retry_after(struck: Callable[..., httpx.Response], value: str | None) -> None:
    reply = struck("429", value=value)
    assert reply.status_code == 429
    assert reply.headers.get("retry-after") == value


def test_a_retry_after_may_be_a_date(struck: Callable[..., httpx.Response]) -> None:
    asked = datetime.now(UTC)
    assert parsedate_to_datetime(struck("429", value="date").headers["retry-after"]) > asked


@pytest.mark.parametrize(
    ("kind", "status", "key", "value"),
    [
        ("per_second", 429, "retryAfter", 0.01),
        ("budget_gone", 429, "creditsRemaining", 0),
        ("broad_boolean", 429, "reason", "broad_boolean_query"),
        ("plan_required", 429, "error", "Plan upgrade required"),
        ("search_shed", 503, "error", "Service unavailable"),
        ("query_timeout", 504, "reason", "query_timeout"),
    ],
)
def test_the_refusals_of_openalex_differ(
    struck: Callable[..., httpx.Response], kind: str, status: int, key: str, value: object
) -> None:
    reply = struck(kind)
    assert (reply.status_code, reply.json()[key]) == (status, value)


def test_a_redirect_to_another_host_ends_at_the_canary(services: Services, client: httpx.Client) -> None:
    services.reset()
    services.add_fault(Fault("redirect_away"))
    address = services.url("openalex") + WORKS
    assert client.get(address).headers["location"].startswith("http://localhost:")
    assert services.canary_hits == []
    client.get(address, headers={"x-api-key": "secret"}, follow_redirects=True)
    assert services.canary_hits[0].headers["x-api-key"] == "secret"
    services.reset()


def test_a_redirect_loop_never_ends(services: Services, client: httpx.Client) -> None:
    services.reset()
    services.add_fault(Fault("redirect_loop"))
    with pytest.raises(httpx.TooManyRedirects):
        client.get(services.url("openalex") + WORKS, follow_redirects=True)
    services.reset()


def test_an_error_in_a_200_is_told_in_the_services_own_way(struck: Callable[..., httpx.Response]) -> None:
    feed = ElementTree.fromstring(struck("error_in_200", "arxiv", FEED).content)
    assert feed.findtext("{*}entry/{*}title") == "Error"
    record = ElementTree.fromstring(struck("error_in_200", "pubmed", EFETCH).content)
    assert record.find("ERROR") is not None


def test_a_false_empty_keeps_the_total(struck: Callable[..., httpx.Response]) -> None:
    feed = ElementTree.fromstring(struck("nothing", "arxiv", FEED).content)
    assert feed.find("{*}entry") is None
    assert int(feed.findtext("{http://a9.com/-/spec/opensearch/1.1/}totalResults") or 0) > 0
    page = struck("nothing").json()
    assert page["results"] == []
    assert page["meta"]["count"] > 0


def test_hostile_documents_are_what_they_claim(services: Services, struck: Callable[..., httpx.Response]) -> None:
    assert b"<!ENTITY e7" in struck("xml_bomb", "arxiv", FEED).content
    assert b"SYSTEM" in struck("outside_entity", "arxiv", FEED).content
    assert services.canary_hits == []
    with pytest.raises(RecursionError):
        json.loads(struck("deep_json").content)
    assert b"NaN" in struck("nan_json").content
    assert "\ud800" in struck("lone_surrogate").json()["results"][0]["title"]
    assert struck("types_wrong").json()["meta"]["count"].isdigit()


def test_text_may_be_mislabelled(struck: Callable[..., httpx.Response]) -> None:
    assert struck("bom").content.startswith(b"\xef\xbb\xbf")
    assert "x-no-such-charset" in struck("bad_charset").headers["content-type"]
    assert struck("wrong_type").headers["content-type"] == "application/octet-stream"
    with pytest.raises(UnicodeDecodeError):
        struck("bad_bytes").content.decode()
    assert struck("login_as_xml", "arxiv", FEED).headers["content-type"] == "application/xml"


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_after_any_fault_the_service_answers_again(services: Services, kind: str) -> None:
    services.reset()
    services.add_fault(Fault(kind, nth=1, seconds=0.001))
    with httpx.Client(trust_env=False, timeout=httpx.Timeout(60, read=0.05)) as client:
        try:
            with client.stream("GET", services.url("openalex") + "/works/W4300000001?select=id") as reply:
                next(reply.iter_raw(), b"")
        except httpx.HTTPError:
            pass
        assert client.get(services.url("openalex") + WORKS, timeout=60).status_code == 200
    assert services.log[0].fault == kind


def test_a_fault_of_a_service_that_is_not_there_is_refused(services: Services) -> None:
    with pytest.raises(ValueError, match="no service is called semanticscholar; it is one of arxiv, "):
        services.add_fault(Fault("500", service="semanticscholar"))
    with pytest.raises(ValueError, match="no service is called zotero"):
        Services(faults=[Fault("500", service="zotero")])
