"""How PDFs are fetched: politely, within limits, from public hosts only; over real HTTP on loopback."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from connectors.errors import (
    BadResponse,
    DeadlineExceeded,
    NotFound,
    RateLimited,
    SourceError,
    SourceUnavailable,
    Unauthorized,
)
from connectors.http.limits import RateLimit
from connectors.http.pool import ConnectionPool
from connectors.paper import Paper
from connectors.pdf import PdfFetcher, cited_works
from connectors.pdf.fetching import RATE_LIMIT
from tests.connectors.pdf.bibliographies import Setting, lines_of
from tests.connectors.pdf.known_works import BUILT_ON
from tests.connectors.pdf.measuring import counts, shares
from tests.connectors.pdf.writing import columns, pdf
from tests.services.http.message import Reply, Request, html_reply
from tests.services.http.server import Sender, Server, gzipped, send_plainly

QUICK = replace(RATE_LIMIT, gap=0.05, deadline=60.0, body_cap=200_000)
SMALL = pdf([[(72.0, 700.0, "Some text.")]])


class Host:
    """A host that serves replies by path; `/slow` takes its time, `/forever` never ends."""

    service = "host"

    def __init__(self, **replies: Reply) -> None:
        self.replies = replies
        self.seen: list[Request] = []
        self.spans: list[tuple[float, float]] = []
        """When each request came, and when its answer was ready to be sent."""

    async def arrived(self, request: Request) -> None:
        self.seen.append(request)

    async def answer(self, request: Request) -> Reply:
        if request.path == "/forever":
            await asyncio.sleep(3600)
        if request.path == "/slow":
            await asyncio.sleep(0.1)
        self.spans.append((request.time, time.monotonic()))
        return self.replies.get(request.path.strip("/"), Reply(body=SMALL, content_type="application/pdf"))

    def sending(self, request: Request) -> Sender:
        return send_plainly

    def finished(self, request: Request, status: int | None) -> None:
        pass


def at(
    host: Host,
    folder: Path,
    work: Callable[[PdfFetcher, str], Awaitable[object]],
    *,
    local: bool = True,
    rate_limit: RateLimit = QUICK,
) -> object:
    """What `work` makes of a fetcher and the address of `host`."""

    async def run() -> object:
        server = Server(host)
        await server.start()
        try:
            async with ConnectionPool() as connections:
                return await work(PdfFetcher(connections, folder, local=local, rate_limit=rate_limit), server.url)
        finally:
            await server.stop()

    return asyncio.run(run())


def fetched(host: Host, folder: Path, path: str, *, local: bool = True) -> object:
    return at(host, folder, lambda fetcher, url: fetcher.fetch(url + path), local=local)


def test_a_pdf_comes_whole(tmp_path: Path) -> None:
    host = Host()
    assert fetched(host, tmp_path, "/a.pdf") == SMALL
    assert not {"authorization", "cookie", "referer", "x-api-key"} & set(host.seen[0].headers)


def test_a_mark_behind_rubbish_is_still_a_pdf(tmp_path: Path) -> None:
    body = b"\n" * 1_000 + SMALL
    assert fetched(Host(a=Reply(body=body, content_type="application/octet-stream")), tmp_path, "/a") == body


@pytest.mark.parametrize(
    ("reply", "failure", "words"),
    [
        (html_reply("<!doctype html><title>Log in</title>", 200), BadResponse, "web page"),
        (Reply(body=b"<p>hello %PDF", content_type="text/html"), BadResponse, "broken"),
        (Reply(body=b"no pdf at all", content_type="application/pdf"), BadResponse, "not a PDF"),
        (Reply(body=b" " * 1_100 + SMALL, content_type="application/pdf"), BadResponse, "not a PDF"),
        (Reply(body=b"x" * 300_000, content_type="application/pdf"), BadResponse, "larger than"),
        (Reply(body=gzipped(b"\0" * 900_000), headers={"Content-Encoding": "gzip"}), BadResponse, "more than"),
        (Reply(403), Unauthorized, "in a browser"),
        (Reply(404), NotFound, "no such PDF"),
        (Reply(429), RateLimited, "too many requests"),
        (Reply(503), SourceUnavailable, "try again"),
        (Reply(302, headers={"Location": "/a"}), BadResponse, "in circles"),
        (Reply(302, headers={"Location": "http://10.0.0.1/x.pdf"}), BadResponse, "must not be followed"),
        (Reply(302, headers={"Location": "https://192.168.1.1/x.pdf"}), BadResponse, "must not be followed"),
        (Reply(302, headers={"Location": "file:///etc/passwd"}), BadResponse, "must not be followed"),
        (Reply(302, headers={"Location": "https://[::1"}), SourceUnavailable, "try again"),
    ],
)
def test_what_is_no_pdf_is_refused_by_name(
    reply: Reply, failure: type[SourceError], words: str, tmp_path: Path
) -> None:
    if words == "broken":
        words = "web page|no PDF"
        reply = replace(reply, body=b"<html>")
    with pytest.raises(failure, match=words) as caught:
        fetched(Host(a=reply), tmp_path, "/a")
    assert caught.value.source == "pdf"


def test_a_redirect_to_another_port_of_this_machine_is_followed_where_this_machine_is_allowed(tmp_path: Path) -> None:
    async def work(fetcher: PdfFetcher, url: str) -> bytes:
        second = Server(Host(a=Reply(302, headers={"Location": f"{url}/b.pdf"})))
        await second.start()
        try:
            return await fetcher.fetch(f"{second.url}/a")
        finally:
            await second.stop()

    assert at(Host(), tmp_path, work) == SMALL


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_record_cannot_lead_to_services_of_this_machine(scheme: str, tmp_path: Path) -> None:
    host = Host()
    with pytest.raises(BadResponse, match="must not be followed"):
        at(host, tmp_path, lambda fetcher, url: fetcher.fetch(url.replace("http", scheme, 1) + "/a.pdf"), local=False)
    assert host.seen == []


def test_a_host_that_never_answers_is_given_up_in_time(tmp_path: Path) -> None:
    with pytest.raises(DeadlineExceeded, match="within 1 s"):
        at(
            Host(),
            tmp_path,
            lambda fetcher, url: fetcher.fetch(f"{url}/forever"),
            rate_limit=replace(QUICK, deadline=1.0),
        )


def test_an_unreachable_host_is_down(tmp_path: Path) -> None:
    with pytest.raises(SourceUnavailable, match="cannot be reached"):
        at(Host(), tmp_path, lambda fetcher, url: fetcher.fetch("http://127.0.0.1:9/x.pdf"))


def test_a_host_is_asked_for_one_pdf_at_a_time_with_a_pause_between(tmp_path: Path) -> None:
    host = Host()

    async def work(fetcher: PdfFetcher, url: str) -> object:
        return await asyncio.gather(*(fetcher.fetch(f"{url}/slow") for _ in range(3)))

    at(host, tmp_path, work)
    spans = sorted(host.spans)
    assert len(spans) == 3
    assert all(after[0] - before[1] >= QUICK.gap for before, after in pairwise(spans))


def test_a_host_that_keeps_failing_is_left_alone(tmp_path: Path) -> None:
    host = Host(a=Reply(503))

    async def work(fetcher: PdfFetcher, url: str) -> None:
        for _ in range(5):
            with pytest.raises((SourceUnavailable, RateLimited)):
                await fetcher.fetch(f"{url}/a")

    at(host, tmp_path, work)
    assert len(host.seen) == QUICK.failures


@pytest.mark.parametrize("count", [1, 2])
def test_what_a_paper_cites_is_read_from_its_pdf(count: int, tmp_path: Path) -> None:
    """From the address of a PDF, in one column or two, with running heads between the entries, to works."""
    lines = lines_of(BUILT_ON, Setting("plain", False, "  ", width=48), seed=4)
    body = pdf(columns(lines, head="Retrieval for everyone", count=count, height=30))
    host = Host(a=Reply(body=body, content_type="application/pdf"))

    async def work(fetcher: PdfFetcher, url: str) -> object:
        return await cited_works(Paper("A paper", pdf=f"{url}/a"), fetcher)

    works = at(host, tmp_path, work)
    assert isinstance(works, tuple)
    got = shares([counts(BUILT_ON, works)])
    assert got["entries"] >= 97, got
    assert got["title"] >= 90, got


def test_a_paper_without_a_pdf_or_without_references_is_named(tmp_path: Path) -> None:
    async def work(fetcher: PdfFetcher, url: str) -> None:
        with pytest.raises(NotFound, match="no open-access PDF"):
            await cited_works(Paper("A paper"), fetcher)
        with pytest.raises(NotFound, match="no list of references"):
            await cited_works(Paper("A paper", pdf=f"{url}/a.pdf"), fetcher)

    at(Host(), tmp_path, work)
