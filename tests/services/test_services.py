"""What the stand-ins offer to tests: addresses, a log, a way to reset, control from other processes."""

from __future__ import annotations

import gzip
import socket
import threading

import httpx
import pytest

from tests.services import Fault, Services, Terms
from tests.services.corpus.making import make_corpus


def test_the_environment_names_one_root_address_per_service(services: Services) -> None:
    assert set(services.environment) == {
        "SPAR_ARXIV_URL",
        "SPAR_OPENALEX_URL",
        "SPAR_SEMANTIC_SCHOLAR_URL",
        "SPAR_PUBMED_URL",
        "SPAR_EUROPEPMC_URL",
        "SPAR_CROSSREF_URL",
        "SPAR_GOOGLE_URL",
        "SPAR_UNPAYWALL_URL",
        "SPAR_DATACITE_URL",
        "SPAR_DBLP_URL",
    }
    assert services.environment["SPAR_ARXIV_URL"] == services.url("arxiv")
    assert len(set(services.environment.values())) == len(services.environment)


def test_the_log_tells_who_was_asked_what_and_when(services: Services, client: httpx.Client) -> None:
    client.post(f"{services.url('google')}/scholar?a=%20b", json={"q": "x"}, headers={"X-API-KEY": "no"})
    (request,) = services.log
    assert (request.service, request.method, request.path, request.query) == ("google", "POST", "/scholar", "a=%20b")
    assert request.body == b'{"q":"x"}'
    assert request.headers["x-api-key"] == "no"
    assert request.status == 403
    assert request.ended is not None
    assert request.time <= request.ended


def test_a_connection_is_kept_and_has_one_number_in_the_log(services: Services, client: httpx.Client) -> None:
    for _ in range(3):
        client.get(f"{services.url('openalex')}/works/W4300000001")
    assert len({request.connection for request in services.log}) == 1


def test_a_request_under_way_is_in_the_log_without_an_end(client: httpx.Client) -> None:
    with Services(faults=[Fault("hang")]) as services:
        with pytest.raises(httpx.TimeoutException):
            client.get(f"{services.url('arxiv')}/api/query", timeout=httpx.Timeout(60, read=0.05))
        assert services.log[0].status is None
        assert services.log[0].fault == "hang"


def test_latency_passes_before_each_answer(client: httpx.Client) -> None:
    with Services(latency=0.1, rules=False) as services:
        client.get(f"{services.url('openalex')}/works/W4300000001")
        request = services.log[0]
        assert request.ended is not None
        assert request.ended - request.time >= 0.1


def test_reset_forgets_log_violations_faults_and_budgets(client: httpx.Client) -> None:
    with Services(terms=Terms(openalex_keyless_credits=10)) as services:
        address = f"{services.url('openalex')}/works?search=graph"
        services.add_fault(Fault("500", path="/none"))
        assert [client.get(address).status_code for _ in range(3)] == [200, 429, 429]
        assert services.violations
        services.reset()
        assert (services.log, services.violations, services.canary_hits) == ([], [], [])
        assert client.get(address).status_code == 200


def test_other_processes_can_ask_for_the_log_and_set_faults(services: Services, client: httpx.Client) -> None:
    root = services.url("openalex")
    assert client.post(f"{root}/_sim/faults", json=[{"kind": "503", "service": "openalex"}]).json() == {"faults": 1}
    assert client.get(f"{root}/works/W1").status_code == 503
    assert client.get(f"{root}/works?nonsense=1").status_code == 503
    assert [row["path"] for row in client.get(f"{root}/_sim/log").json()] == ["/works/W1", "/works"]
    assert "nonsense" in client.get(f"{root}/_sim/violations").json()[0]
    assert client.post(f"{root}/_sim/faults", json=[{"kind": "no such"}]).status_code == 400
    client.post(f"{root}/_sim/reset")
    assert client.get(f"{root}/_sim/log").json() == []


def test_a_shut_service_refuses_connections(services: Services, client: httpx.Client) -> None:
    services.shut("arxiv")
    with pytest.raises(httpx.ConnectError):
        client.get(f"{services.url('arxiv')}/api/query")


def test_ports_in_use_are_an_error_and_leave_nothing_running(services: Services) -> None:
    threads = threading.active_count()
    taken = int(services.url("arxiv").rsplit(":", 1)[1])
    with pytest.raises(OSError, match="use"), Services(port=taken):
        pass
    assert threading.active_count() == threads


def test_long_replies_are_packed_when_the_client_takes_gzip(calm: Services, client: httpx.Client) -> None:
    address = f"{calm.url('openalex')}/works"
    with client.stream("GET", address, headers={"Accept-Encoding": "gzip"}) as reply:
        packed = b"".join(reply.iter_raw())
    plain = client.get(address, headers={"Accept-Encoding": "identity"})
    assert reply.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    assert gzip.decompress(packed) == plain.content


def test_what_is_no_http_closes_the_connection(calm: Services) -> None:
    host, port = calm.url("arxiv").removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=60) as link:
        link.sendall(b"nonsense\r\n\r\n")
        assert link.recv(100) == b""


def test_the_corpus_of_a_seed_is_always_the_same() -> None:
    make_corpus.cache_clear()
    first = make_corpus(3)
    make_corpus.cache_clear()
    assert make_corpus(3).works == first.works
    assert make_corpus(4).works != first.works


def test_the_corpus_holds_one_of_each_oddity() -> None:
    corpus = make_corpus()
    works = corpus.works
    assert 200 <= len(works) <= 260
    assert any(work.doi is None for work in works)
    assert any(work.abstract is None for work in works)
    assert any(not work.authors for work in works)
    assert any(len(work.authors) > 100 for work in works)
    assert any(work.year and not work.date and not work.medline_date for work in works)
    assert any(work.year is None for work in works)
    assert any(work.retracted for work in works)
    assert any((work.date or "") > "2030" for work in works)
    assert any(author.collective for work in works for author in work.authors)
    assert any("\x1b" in work.title for work in works)
    assert any(work.doi and "<" in work.doi for work in works)
    assert any(work.preprint for work in works)
    assert all(number != work.number for work in works for number in work.references)


def test_identifiers_are_unique_across_the_corpus() -> None:
    works = make_corpus().works
    for name in ("doi", "arxiv", "pmid", "s2", "openalex", "number"):
        values = [value for work in works if (value := getattr(work, name)) is not None]
        assert len(values) == len(set(values)), name
