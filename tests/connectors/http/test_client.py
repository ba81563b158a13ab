"""What the client does when services slow down, break, lie or try to lead elsewhere."""

import asyncio
import resource
from pathlib import Path
from typing import Any

import pytest

from connectors.errors import (
    BadResponse,
    DeadlineExceeded,
    QuotaExhausted,
    RateLimited,
    SourceError,
    SourceUnavailable,
    Unauthorized,
)
from connectors.http.client import HttpClient
from connectors.http.deadline import deadline
from connectors.http.responses import HttpReply, in_json
from connectors.http.secret import Secret
from tests.connectors.http.wired import whole, with_http
from tests.services import Fault, Services
from tests.work import at_least

TARGET = "/works?filter=from_publication_date:2015-01-01&select=id"
BRIEFLY: dict[str, Any] = {"deadline": 1.0}
"""For a service that would not answer in a minute."""
ONCE: dict[str, Any] = {"tries": 1}


async def ask(http: HttpClient) -> HttpReply:
    return await http.get(TARGET, whole)


async def ask_json(http: HttpClient) -> object:
    return await http.get(TARGET, in_json(http.source, lambda body: body))


def requests(services: Services) -> int:
    return len(services.log)


def test_a_good_reply_comes_whole(tmp_path: Path) -> None:
    with Services() as services:
        assert isinstance(with_http(ask_json, services.url("openalex"), tmp_path), dict)


@pytest.mark.parametrize(
    ("kind", "failure"),
    [
        ("login_page", BadResponse),
        ("login_as_json", BadResponse),
        ("truncated", BadResponse),
        ("empty", BadResponse),
        ("deep_json", BadResponse),
        ("nan_json", BadResponse),
        ("utf16", BadResponse),
        ("bad_bytes", BadResponse),
        ("wrong_type", BadResponse),
        ("gzip_lie", BadResponse),
        ("gzip_bomb", BadResponse),
        ("gzip_cut", SourceUnavailable),
        ("garbage", SourceUnavailable),
        ("reset", SourceUnavailable),
        ("reset_body", SourceUnavailable),
        ("long_length", SourceUnavailable),
        ("chunk_cut", SourceUnavailable),
        ("no_length_cut", BadResponse),
        ("header_flood", SourceUnavailable),
        ("500", SourceUnavailable),
        ("502", SourceUnavailable),
        ("503", SourceUnavailable),
        ("504", SourceUnavailable),
        ("401", Unauthorized),
        ("403", Unauthorized),
        ("429", RateLimited),
        ("redirect_away", SourceError),
        ("redirect_loop", BadResponse),
        ("hang", DeadlineExceeded),
        ("stall", DeadlineExceeded),
        ("stall_body", DeadlineExceeded),
        ("drip", DeadlineExceeded),
        ("drip_head", DeadlineExceeded),
    ],
)
def test_every_fault_is_named_within_the_deadline(kind: str, failure: type[SourceError], tmp_path: Path) -> None:
    with Services(faults=[Fault(kind, seconds=3600.0)]) as services:
        with pytest.raises(failure) as caught:
            with_http(ask_json, services.url("openalex"), tmp_path, **BRIEFLY if failure is DeadlineExceeded else ONCE)
        assert caught.value.source == "openalex"
        assert caught.value.sentence.endswith((".", "?"))
        assert not services.canary_hits


def test_a_fault_that_passes_costs_one_more_try(tmp_path: Path) -> None:
    with Services(faults=[Fault("503", nth=1)]) as services:
        with_http(ask, services.url("openalex"), tmp_path)
        assert requests(services) == 2


DAMAGE = (
    "truncated", "empty", "no_length_cut", "bad_bytes", "utf16", "gzip_lie", "wrong_type", "nan_json", "deep_json",
)  # fmt: skip


@pytest.mark.parametrize("kind", DAMAGE)
def test_a_damaged_reply_is_asked_for_once_more(kind: str, tmp_path: Path) -> None:
    with Services(faults=[Fault(kind, nth=1)]) as services:
        assert isinstance(with_http(ask_json, services.url("openalex"), tmp_path), dict)
        assert requests(services) == 2


def test_a_reply_that_a_source_cannot_read_is_asked_for_once_more(tmp_path: Path) -> None:
    def read(body: object) -> object:
        if not isinstance(body, dict):
            raise BadResponse("openalex", "sent something that is no list; try again later.")
        return body

    with Services(faults=[Fault("null_json", nth=1)]) as services:
        with_http(lambda http: http.get(TARGET, in_json("openalex", read)), services.url("openalex"), tmp_path)
        assert requests(services) == 2


@pytest.mark.parametrize("kind", ["hang", "stall_body"])
def test_a_silent_service_is_asked_once_more_while_there_is_time(kind: str, tmp_path: Path) -> None:
    with Services(faults=[Fault(kind, nth=1)]) as services:
        assert isinstance(with_http(ask_json, services.url("openalex"), tmp_path, deadline=7.0), dict)
        assert requests(services) == 2


def test_a_service_is_not_asked_again_where_its_silence_may_be_slowness(tmp_path: Path) -> None:
    with Services(faults=[Fault("hang", nth=1)]) as services:
        with pytest.raises(DeadlineExceeded):
            with_http(ask, services.url("openalex"), tmp_path, deadline=2.0)
        assert requests(services) == 1


def test_a_service_is_not_asked_when_no_time_is_left_to_answer(tmp_path: Path) -> None:
    """Its silence would count against it, who was hardly asked."""

    async def at_the_last_moment(http: HttpClient) -> None:
        async with deadline("openalex", 0.2):
            await ask(http)

    with Services() as services:
        with pytest.raises(DeadlineExceeded) as caught:
            with_http(at_the_last_moment, services.url("openalex"), tmp_path)
        assert not requests(services)
        assert not caught.value.request_sent


@pytest.mark.parametrize("kind", ["login_page", "login_as_json", "redirect_loop", "redirect_away", "gzip_bomb"])
def test_what_would_only_come_again_is_not_asked_for_again(kind: str, tmp_path: Path) -> None:
    with Services(faults=[Fault(kind, nth=1)]) as services:
        with pytest.raises(SourceError):
            with_http(ask_json, services.url("openalex"), tmp_path, body_cap=1_000_000)
        assert requests(services) == 1


def test_a_service_whose_replies_stay_damaged_is_left_alone_for_a_while(tmp_path: Path) -> None:
    with Services(faults=[Fault("truncated")]) as services:
        for _ in range(7):
            with pytest.raises(SourceError):
                with_http(ask_json, services.url("openalex"), tmp_path, tries=2, failures=3, rest=600.0)
        assert requests(services) == 10


@pytest.mark.parametrize(("kind", "asked"), [("truncated", 10), ("500", 1), ("login_page", 1)])
def test_one_damaged_reply_is_no_wish_to_be_left_alone(kind: str, asked: int, tmp_path: Path) -> None:
    careful: dict[str, Any] = {"tries": 1, "failures": 1, "rest": 600.0}
    with Services(faults=[Fault(kind)]) as services:
        for _ in range(12):
            with pytest.raises(SourceError):
                with_http(ask_json, services.url("openalex"), tmp_path, **careful)
        assert requests(services) == asked


@pytest.mark.parametrize("outer", [False, True], ids=["its own time", "the question's time"])
def test_a_service_that_failed_and_then_ran_out_of_time_is_not_said_to_be_silent(outer: bool, tmp_path: Path) -> None:
    async def within_the_question(http: HttpClient) -> HttpReply:
        async with deadline("openalex", 3.0):
            return await ask(http)

    work = within_the_question if outer else ask
    more: dict[str, Any] = {} if outer else {"deadline": 3.0}
    with Services(faults=[Fault("500", nth=1), Fault("hang", nth=2, seconds=60.0)]) as services:
        with pytest.raises(SourceUnavailable, match="HTTP 500") as caught:
            with_http(work, services.url("openalex"), tmp_path, **more)
        assert requests(services) == 2
        assert caught.value.request_sent


def test_what_failed_is_named_by_its_own_fault_though_another_question_closed_the_service(tmp_path: Path) -> None:
    async def both(http: HttpClient) -> None:
        failing = asyncio.create_task(ask(http))
        while not services.log:
            await asyncio.sleep(0.01)
        with pytest.raises(SourceError):
            await http.get("/works/W1", whole)
        with pytest.raises(SourceUnavailable, match="HTTP 500") as caught:
            await failing
        assert caught.value.request_sent
        assert caught.value.until is not None

    with Services(faults=[Fault("500")]) as services:
        with_http(both, services.url("openalex"), tmp_path, gap=1.0, tries=2, failures=2, rest=600.0)
        assert requests(services) == 2


@pytest.mark.parametrize("kind", ["400", "401", "404"])
def test_a_refusal_is_not_repeated(kind: str, tmp_path: Path) -> None:
    with Services(faults=[Fault(kind)]) as services:
        with pytest.raises(SourceError):
            with_http(ask, services.url("openalex"), tmp_path)
        assert requests(services) == 1


def test_a_short_retry_after_is_waited_out(tmp_path: Path) -> None:
    with Services(faults=[Fault("429", nth=1, value="1")]) as services:
        with at_least(1.0):
            with_http(ask, services.url("openalex"), tmp_path)
        assert requests(services) == 2


def test_a_retry_after_beyond_the_deadline_gives_up_at_once_and_names_the_time(tmp_path: Path) -> None:
    with Services(faults=[Fault("429", value="3600")]) as services:
        with pytest.raises(RateLimited) as caught:
            with_http(ask, services.url("openalex"), tmp_path)
        assert caught.value.until is not None
        assert f"{caught.value.until:%H:%M:%S}" in caught.value.sentence
        assert requests(services) == 1


@pytest.mark.parametrize("value", ["soon", "-5", "1e9", "Wed, 99 Foo 2026"])
def test_a_senseless_retry_after_never_hangs(value: str, tmp_path: Path) -> None:
    with Services(faults=[Fault("429", value=value)]) as services, pytest.raises(RateLimited):
        with_http(ask, services.url("openalex"), tmp_path)


def test_a_closed_service_is_left_alone_by_the_next_process_too(tmp_path: Path) -> None:
    with Services(faults=[Fault("429", value="3600")]) as services:
        asked = []
        for _ in range(3):  # each call has a new limiter over the same folder, as another process would
            with pytest.raises(RateLimited) as caught:
                with_http(ask, services.url("openalex"), tmp_path)
            asked.append(caught.value.request_sent)
        assert requests(services) == 1
        assert asked == [True, False, False]


def test_a_spent_budget_is_remembered_until_the_time_it_names(tmp_path: Path) -> None:
    from connectors.openalex.source import error_of

    with Services(faults=[Fault("budget_gone")]) as services:
        for _ in range(2):
            with pytest.raises(QuotaExhausted) as caught:
                with_http(ask, services.url("openalex"), tmp_path, error_of=error_of)
            assert caught.value.until is not None
        assert requests(services) == 1


def test_a_service_that_keeps_failing_is_left_alone_for_a_while(tmp_path: Path) -> None:
    with Services(faults=[Fault("500")]) as services:
        for _ in range(4):
            with pytest.raises(SourceError):
                with_http(ask, services.url("openalex"), tmp_path, tries=1, failures=2, rest=600.0)
        assert requests(services) == 2


async def in_haste(http: HttpClient) -> None:
    """Ask within a second, as a search does that has no more time."""
    async with deadline("openalex", 1.0):
        await ask(http)


def test_a_service_that_hangs_is_left_alone_for_a_while(tmp_path: Path) -> None:
    with Services(faults=[Fault("hang")]) as services:
        for _ in range(2):
            with pytest.raises(SourceError):
                with_http(in_haste, services.url("openalex"), tmp_path, deadline=1.0, failures=1, rest=600.0)
        assert requests(services) == 1


def test_leaving_early_does_not_count_against_a_service(tmp_path: Path) -> None:
    with Services(faults=[Fault("hang")]) as services:
        for _ in range(2):
            with pytest.raises(DeadlineExceeded):
                with_http(in_haste, services.url("openalex"), tmp_path, deadline=60.0, failures=1, rest=600.0)
        assert requests(services) == 2


def test_being_offline_does_not_count_against_a_service(tmp_path: Path) -> None:
    with Services() as services:
        url = services.url("openalex")
        services.shut("openalex")
        for _ in range(3):
            with pytest.raises(SourceUnavailable, match="reached"):
                with_http(ask, url, tmp_path, tries=1, failures=1, rest=600.0)


def test_a_key_goes_to_no_other_host_and_into_no_sentence(tmp_path: Path) -> None:
    secret = Secret("sk-CANARY-0000")

    async def with_key(http: HttpClient) -> HttpReply:
        return await http.get(f"{TARGET}&api_key={secret.reveal()}", whole, headers={"x-api-key": secret.reveal()})

    for kind in ("redirect_away", "400", "500", "login_page"):
        with Services(faults=[Fault(kind)]) as services:
            with pytest.raises(SourceError) as caught:
                with_http(with_key, services.url("openalex"), tmp_path / kind, secrets=(secret,))
            assert secret.reveal() not in str(caught.value)
            assert not services.canary_hits
        state = [file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()]
        assert all(b"CANARY" not in content for content in state)


def test_cancelling_is_immediate(tmp_path: Path) -> None:
    async def cancelled(http: HttpClient) -> None:
        task = asyncio.create_task(http.get(TARGET, whole))
        while not requests(services):
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    with Services(faults=[Fault("hang")]) as services:
        with_http(cancelled, services.url("openalex"), tmp_path)


def test_a_packed_bomb_is_never_unpacked(tmp_path: Path) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with Services(faults=[Fault("gzip_bomb")]) as services, pytest.raises(BadResponse):
        with_http(ask, services.url("openalex"), tmp_path, body_cap=1_000_000)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 40_000  # KiB; the bomb holds 64 MiB


@pytest.mark.parametrize("many", [2, 4])
def test_requests_keep_their_distance(many: int, tmp_path: Path) -> None:
    async def several(http: HttpClient) -> None:
        await asyncio.gather(*(http.get(TARGET, whole) for _ in range(many)))

    with Services() as services, at_least(0.3 * (many - 1)):
        with_http(several, services.url("openalex"), tmp_path, gap=0.3)


def test_no_more_requests_are_under_way_than_allowed(tmp_path: Path) -> None:
    async def several(http: HttpClient) -> None:
        await asyncio.gather(*(http.get(TARGET, whole) for _ in range(4)))

    with Services(latency=0.2) as services, at_least(0.4):
        with_http(several, services.url("openalex"), tmp_path, in_flight=2)


def test_a_queue_longer_than_the_deadline_is_refused_at_once(tmp_path: Path) -> None:
    async def twice(http: HttpClient) -> None:
        await http.get(TARGET, whole)
        with pytest.raises(DeadlineExceeded):
            await http.get(TARGET, whole)

    with Services() as services:
        with_http(twice, services.url("openalex"), tmp_path, gap=300.0)


@pytest.mark.parametrize("content", ["", "not json", '{"next_start": 9e99}', '{"circuits": "x"}', "[]"])
def test_a_damaged_gate_file_stops_nobody(content: str, tmp_path: Path) -> None:
    (tmp_path / "openalex.json").write_text(content)
    with Services() as services:
        with_http(ask, services.url("openalex"), tmp_path)


def test_an_unusable_proxy_setting_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALL_PROXY", "nonsense://[")
    with Services() as services, pytest.raises(SourceUnavailable, match="HTTP_PROXY"):
        with_http(ask, services.url("openalex"), tmp_path)
