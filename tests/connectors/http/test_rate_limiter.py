"""What one process is told, all keep: real processes in two homes, and services that write down who asked when."""

import asyncio
import time
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from connectors.errors import QuotaExhausted, RateLimited, SourceUnavailable
from connectors.http.client import HttpClient
from connectors.http.limits import WHOLE, RateLimit
from connectors.http.pace import FailedRequest, Pace, dumped
from connectors.http.rate_limiter import RateLimiter
from connectors.http.responses import HttpReply
from connectors.openalex.source import SEARCHING
from connectors.openalex.source import error_of as error_of_openalex
from tests.connectors.http.wired import whole, with_http
from tests.services import Fault, Services, Terms
from tests.services.crowd import broken, busiest, crowd, pauses, start
from tests.services.http.message import Request
from tests.services.jitter import Jitter
from tests.work import at_least

SERVICES = {
    "arxiv": "arxiv",
    "openalex": "openalex",
    "semanticscholar": "semantic_scholar",
    "pubmed": "pubmed",
    "europepmc": "europepmc",
    "crossref": "crossref",
    "google": "google",
}
WAIT = {"arxiv": 4.0, "semanticscholar": 4.0, "crossref": 2.5}
"""Seconds to be left alone that are longer than the pause between requests."""
TARGET = "/works?filter=from_publication_date:2015-01-01&select=id"


def asked_by_two_homes(folder: Path, faults: list[Fault], seconds: float) -> dict[str, list[Request]]:
    """What reached the service of each source from two processes, each in a home of its own."""
    with Services(rules=False, faults=faults) as services:
        environment = {**services.environment, "SPAR_MANNERS": str(folder), "SERPER_API_KEY": Terms().serper_key}
        crowd(" ".join(SERVICES), folder, environment, seconds=seconds, each=1, tasks=1)
        log = services.log
    return {source: [request for request in log if request.service == service] for source, service in SERVICES.items()}


def wait_of(source: str) -> float:
    return WAIT.get(source, 1.0)


@pytest.fixture(scope="module")
def told_to_wait(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Request]]:
    """What reached services that name a wait to every other request."""
    faults = [
        Fault("429", service, nth=nth, value=f"{wait_of(source):g}")
        for source, service in SERVICES.items()
        for nth in (1, 3, 5, 7)
    ]
    return asked_by_two_homes(tmp_path_factory.mktemp("wait"), faults, 4.0 + 2.0 * max(map(wait_of, SERVICES)))


@pytest.fixture(scope="module")
def told_a_date(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Request]]:
    """What reached services that name a date, a minute away, to the first request."""
    refusals = [
        Fault("503" if source == "semanticscholar" else "429", service, value="date")
        for source, service in SERVICES.items()
    ]
    return asked_by_two_homes(tmp_path_factory.mktemp("date"), refusals, 4.0)


@pytest.mark.parametrize("source", SERVICES)
def test_nobody_asks_between_a_retry_after_and_its_end(source: str, told_to_wait: dict[str, list[Request]]) -> None:
    wait, requests = wait_of(source), told_to_wait[source]
    told = pauses(requests, {429: wait})
    assert told
    assert len(requests) > len(told)
    assert broken(requests, told) == []


@pytest.mark.parametrize("source", SERVICES)
def test_a_date_is_kept_by_processes_of_every_home(source: str, told_a_date: dict[str, list[Request]]) -> None:
    assert len(told_a_date[source]) == 1


def test_a_wait_told_to_a_key_is_not_told_to_another_and_no_key_is_written_down(tmp_path: Path) -> None:
    with Services(rules=False, faults=[Fault("429", "semantic_scholar", value="60")]) as services:
        asked = []
        for key in ("one-key-0000", "one-key-0000", "other-key-1111"):
            more = {**services.environment, "SPAR_MANNERS": str(tmp_path / "shared"), "S2_API_KEY": key}
            crowd("semanticscholar", tmp_path, more, seconds=3.0, homes=1, each=1)
            asked.append(len(services.log))
    assert asked == [1, 1, 2]
    kept = [path for path in (tmp_path / "shared").rglob("*") if path.is_file()]
    assert kept
    assert not any("-key-" in path.name or b"-key-" in path.read_bytes() for path in kept)


@pytest.mark.parametrize("allowed", [3, 10])
def test_pubmed_sees_no_more_in_any_second_than_it_allows(allowed: int, tmp_path: Path) -> None:
    """Over a line on which one request may overtake another by more than half a second."""
    key = {"NCBI_API_KEY": Terms().ncbi_key} if allowed > 3 else {}
    with Services(rules=False) as services, Jitter(services.url("pubmed"), 0.6) as line:
        more = {"SPAR_PUBMED_URL": line.url, "SPAR_MANNERS": str(tmp_path), **key}
        crowd("pubmed", tmp_path, more, seconds=8.0, each=1)
        assert len(services.log) > 2 * allowed
        assert busiest(services.log) <= allowed


def test_a_killed_process_keeps_nobody_from_asking(tmp_path: Path) -> None:
    with Services(rules=False, faults=[Fault("hang", "semantic_scholar", nth=1)]) as services:
        more = {**services.environment, "SPAR_MANNERS": str(tmp_path)}
        killed = start("semanticscholar", tmp_path / "one", more, 600.0, 1)
        while not services.log:
            time.sleep(0.02)
        killed.kill()
        killed.communicate()
        crowd("semanticscholar", tmp_path, more, seconds=9.0, homes=1, each=1, tasks=1)
        assert len(services.log) > 1


def test_a_clock_that_was_set_back_keeps_nobody_waiting(tmp_path: Path) -> None:
    later = time.time() + 3 * 3600.0
    failure = FailedRequest("wants a pause.", quota_exhausted=False)
    told = Pace().failed(failure, later, RateLimit(gap=0.0), until=later + 1.0)
    (tmp_path / "openalex.json").write_text(dumped(replace(told, next_start=later, slots=(later,), noted=later)))
    with Services() as services, at_least(0.9):
        with_http(lambda http: http.get(TARGET, whole), services.url("openalex"), tmp_path)


def test_requests_that_wait_for_their_turn_hear_what_others_are_told(tmp_path: Path) -> None:
    """They had their moments before it was said."""

    async def several(http: HttpClient) -> list[HttpReply | BaseException]:
        await http.get(TARGET, whole)
        return await asyncio.gather(*(http.get(TARGET, whole) for _ in range(4)), return_exceptions=True)

    with Services(faults=[Fault("429", nth=2, value="3600")]) as services:
        outcomes = with_http(several, services.url("openalex"), tmp_path, gap=1.0)
        assert all(isinstance(outcome, RateLimited) for outcome in outcomes)
        assert len(services.log) == 2


def test_questions_are_served_in_the_order_in_which_they_came(tmp_path: Path) -> None:
    """Whoever has been answered and asks again, as pages and batches do, waits behind those who wait already."""
    served: list[str] = []

    async def several(http: HttpClient) -> None:
        async def busy() -> None:
            for _ in range(6):
                await http.get(TARGET, whole)
                served.append("busy")

        async def late(name: str) -> None:
            await asyncio.sleep(0.02)
            await http.get(TARGET, whole)
            served.append(name)

        await asyncio.gather(busy(), late("first"), late("second"))

    with Services(latency=0.1) as services:
        with_http(several, services.url("openalex"), tmp_path, in_flight=1, gap=0.3)
    assert served[:4] == ["busy", "first", "second", "busy"]


def test_the_next_try_of_a_question_is_not_overtaken_by_later_questions(tmp_path: Path) -> None:
    async def several(http: HttpClient) -> list[str]:
        served: list[str] = []

        async def ask(name: str) -> None:
            await http.get(f"{TARGET}&page={name}", whole)
            served.append(name)

        async def later() -> None:
            for name in ("2", "3", "4", "5", "6"):
                await asyncio.sleep(0.05)
                asking.append(asyncio.create_task(ask(name)))

        asking = [asyncio.create_task(ask("1"))]
        await later()
        await asyncio.gather(*asking)
        return served

    with Services(faults=[Fault("503", path="page=1", nth=1)]) as services:
        served = with_http(several, services.url("openalex"), tmp_path, in_flight=1, gap=1.0)
    assert served.index("1") <= 1  # one may have begun while it paused


def test_searching_may_be_closed_while_papers_are_looked_up(tmp_path: Path) -> None:
    async def both(http: HttpClient) -> None:
        for _ in range(2):
            with pytest.raises((SourceUnavailable, RateLimited)):
                await http.get("/works?search=x", whole, part=SEARCHING)
        await http.get(TARGET, whole)

    with Services(faults=[Fault("search_shed", path="search=", value="300")]) as services:
        with_http(both, services.url("openalex"), tmp_path, error_of=error_of_openalex)
        assert [request.target for request in services.log] == ["/works?search=x", TARGET]


@pytest.mark.parametrize("hours", [1, 24])
def test_a_pause_is_told_by_its_end_and_reason_alone(hours: int, tmp_path: Path) -> None:
    async def told(http: HttpClient) -> RateLimited:
        with pytest.raises(RateLimited) as caught:
            await http.get(TARGET, whole)
        return caught.value

    now = time.time()
    failure = FailedRequest("is not working right now (HTTP 503); try again later.", quota_exhausted=False)
    paused = Pace().failed(failure, now, RateLimit(gap=0.0), until=now + hours * 3600.0)
    (tmp_path / "openalex.json").write_text(dumped(replace(paused, noted=now)))
    with Services() as services:
        error = with_http(told, services.url("openalex"), tmp_path)
    assert error.until is not None
    is_today = error.until.date() == datetime.now(UTC).date()
    moment = "%H:%M:%S" if is_today else "%Y-%m-%d %H:%M:%S"
    assert error.sentence == f"paused until {error.until:{moment}} UTC; it is not working right now (HTTP 503)"


def test_the_last_of_a_budget_closes_the_service_until_it_begins_anew(tmp_path: Path) -> None:
    async def twice(http: HttpClient) -> None:
        await http.get("/works?search=x", whole)
        with pytest.raises(QuotaExhausted, match="no requests are left until"):
            await http.get("/works?search=x", whole)

    with Services(terms=Terms(openalex_keyless_credits=10)) as services:
        with_http(twice, services.url("openalex"), tmp_path, error_of=error_of_openalex)
        assert len(services.log) == 1


@pytest.mark.parametrize(("email", "least"), [("", 3), ("ann@uni.edu", 9)])
def test_crossrefs_limits_are_kept_by_processes_of_every_home(email: str, least: int, tmp_path: Path) -> None:
    """One list in a second, or three where it knows whom to write to, whichever of two processes asks."""
    with Services() as services:
        more = {"SPAR_CROSSREF_URL": services.url("crossref"), "SPAR_MANNERS": str(tmp_path), "NCBI_EMAIL": email}
        crowd("crossref", tmp_path, more, seconds=7.0, each=1)
        assert len(services.log) >= least
        assert {"mailto" in request.parameters for request in services.log} == {bool(email)}
        assert services.violations == []


@pytest.mark.parametrize("in_flight", [1, 3])
def test_who_waits_for_an_answer_goes_before_a_list_that_is_worked_through(in_flight: int, tmp_path: Path) -> None:
    """Each limiter stands for a process: they have nothing in common but the file."""
    limit = RateLimit(gap=0.02, in_flight=in_flight, deadline=60.0)
    served: list[str] = []

    async def ask(limiter: RateLimiter, name: str) -> None:
        async with limiter.acquire(asyncio.get_running_loop().time() + limit.deadline, WHOLE):
            served.append(name)
            await asyncio.sleep(0.1)

    async def both() -> None:
        of_lists = [RateLimiter("crossref", limit, tmp_path / "crossref.json", background=True) for _ in range(6)]
        of_person = RateLimiter("crossref", limit, tmp_path / "crossref.json")
        work = [asyncio.create_task(ask(of_list, "list")) for of_list in of_lists for _ in range(5)]
        for _ in range(4):
            begun = len(served)
            while len(served) == begun:
                await asyncio.sleep(0.01)
            before = len(served)
            await ask(of_person, "person")
            assert served[before : before + in_flight + 1].count("person") == 1
        await asyncio.gather(*work)

    asyncio.run(both())


def test_a_list_goes_on_before_its_time_is_over_though_persons_keep_coming(tmp_path: Path) -> None:
    limit = RateLimit(gap=0.0, deadline=60.0)

    async def both() -> None:
        of_list = RateLimiter("crossref", limit, tmp_path / "crossref.json", background=True)
        persons = [RateLimiter("crossref", limit, tmp_path / "crossref.json") for _ in range(2)]

        async def come(limiter: RateLimiter) -> None:
            while True:
                async with limiter.acquire(asyncio.get_running_loop().time() + limit.deadline, WHOLE):
                    await asyncio.sleep(0.1)

        coming = [asyncio.create_task(come(one)) for one in persons]
        async with of_list.acquire(asyncio.get_running_loop().time() + 4.0, WHOLE):
            pass
        for task in coming:
            task.cancel()

    asyncio.run(both())


@pytest.mark.parametrize("background", [False, True])
def test_the_last_quarter_of_a_days_budget_is_kept_for_who_waits(background: bool, tmp_path: Path) -> None:
    async def several(http: HttpClient) -> int:
        answered = 0
        with suppress(QuotaExhausted):
            for _ in range(40):
                await http.get("/works?search=x", whole)
                answered += 1
        return answered

    with Services(terms=Terms(openalex_keyless_credits=200)) as services:
        answered = with_http(
            several, services.url("openalex"), tmp_path, error_of=error_of_openalex, background=background
        )
    assert answered == (16 if background else 20)
