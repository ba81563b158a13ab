"""Fetch a paper's PDF from the address in its record.

This does not use the client of a source, which knows one service, because a PDF may be on any host and hosts redirect
to others (a repository to its store). So it follows up to three redirects across hosts. That is safe because it sends
nothing worth stealing (no key, no cookie, no referrer), every step must be https, and every host must have only public
addresses: the address comes from a stranger's record and must not lead to a router, a printer or a service of this
machine. Each host gets one request at a time, a second apart.
"""

import asyncio
import hashlib
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urljoin

import httpx

from connectors.errors import (
    BadResponse,
    DeadlineExceeded,
    NotFound,
    RateLimited,
    SourceError,
    SourceUnavailable,
    Unauthorized,
)
from connectors.http.body import read_body
from connectors.http.deadline import deadline_at
from connectors.http.limits import RateLimit
from connectors.http.pool import ConnectionPool
from connectors.http.public_hosts import MOST_REDIRECTS, addresses_of, are_public, origin
from connectors.http.rate_limiter import RateLimiter
from connectors.http.responses import HttpReply, fault_of_status, looks_like_page, told_to_wait, web_page
from connectors.pdf.reading import SOURCE
from connectors.records.web_address import web_address

RATE_LIMIT = RateLimit(gap=1.0, deadline=20.0, tries=1, keep_alive=False, failures=3, rest=600.0, body_cap=30_000_000)
WHOLE = replace(RATE_LIMIT, deadline=180.0, body_cap=100_000_000)
"""Limits for a PDF that will be stored: larger and with more time."""
_SLOWER = {"arxiv.org": 3.05}
"""Seconds between requests by host: arXiv asks programs for three, on all its hosts."""
_HEADERS = {"accept": "application/pdf", "accept-encoding": "identity", "connection": "close"}
"""PDFs are compressed already; with further compression, Content-Length would not give the size."""
_MARK = b"%PDF"
_MARK_WITHIN = 1024


class _Step(NamedTuple):
    reply: HttpReply
    location: str | None


class PdfFetcher:
    """Fetches PDFs within rate limits. `limiters` is the folder in which all processes share rate limits.

    `local` permits all addresses on this machine, including plain http, for a collection served here and for tests;
    `own` permits only those services of this machine whose addresses the person has set.
    """

    def __init__(
        self,
        connections: ConnectionPool,
        limiters: Path,
        *,
        local: bool = False,
        rate_limit: RateLimit = RATE_LIMIT,
        own: Collection[str] = (),
    ) -> None:
        self._connections = connections
        self._limiters = limiters
        self._local = local
        self._own = frozenset(map(origin, own))
        self._rate_limit = rate_limit

    async def fetch(self, address: str) -> bytes:
        """Return the whole PDF at `address`. Raises a `SourceError` in the name of `pdf` with the reason."""
        end = deadline_at(self._rate_limit.deadline)
        try:
            async with asyncio.timeout_at(end):
                reply = await self._follow(address, end)
        except TimeoutError:
            raise self._too_late() from None
        if looks_like_page(reply) or _MARK not in reply.body[:_MARK_WITHIN]:
            raise _no_pdf(reply)
        return reply.body

    async def _follow(self, address: str, end: float) -> HttpReply:
        local = self._local or _origin(address) in self._own
        for _ in range(MOST_REDIRECTS + 1):
            if not local and address.startswith("http://"):
                address = "https://" + address.removeprefix("http://")  # old records; all such hosts support https
            host, local = await _host(address, local)
            step = await self._ask(address, host, end)
            if step.location is None:
                return step.reply
            try:
                address = urljoin(address, step.location)
            except ValueError:
                raise _refused() from None
        raise BadResponse(SOURCE, "is redirected in circles; open it in a browser.")

    async def _ask(self, address: str, host: str, end: float) -> _Step:
        """Send one request and record the outcome in the limiter of its host."""
        limiter, resumption = self._limiter(host), None
        async with limiter.acquire(end):
            try:
                async with asyncio.timeout_at(end):
                    step = await self._send(address)
                fault, resumption = None if step.location else _fault(step.reply), told_to_wait(step.reply)
            except TimeoutError:
                fault = self._too_late()
            except SourceError as error:
                fault = error
            if fault is None:
                limiter.succeeded()
                return step
            if resumption or isinstance(fault, SourceUnavailable | RateLimited | DeadlineExceeded):
                limiter.failed(fault, resumption)
            raise fault

    async def _send(self, address: str) -> _Step:
        client = self._connections.client(SOURCE)
        try:
            request = client.build_request("GET", address, headers=_HEADERS)
            response = await client.send(request, stream=True)
            try:
                if response.has_redirect_location:
                    return _Step(HttpReply(response.status_code, response.headers, b""), response.headers["location"])
                self._check_size(response)
                body = await read_body(SOURCE, response, self._rate_limit.body_cap)
                return _Step(HttpReply(response.status_code, response.headers, body), None)
            finally:
                await response.aclose()
        except (httpx.ConnectError, httpx.ConnectTimeout):
            raise SourceUnavailable(SOURCE, "cannot be reached; is this machine online?") from None
        except httpx.HTTPError as error:
            raise SourceUnavailable(
                SOURCE, f"broke off while it was sent ({type(error).__name__}); try again later."
            ) from None
        except (httpx.InvalidURL, UnicodeError, ValueError):
            raise _refused() from None

    def _too_late(self) -> DeadlineExceeded:
        return DeadlineExceeded(SOURCE, f"did not arrive within {self._rate_limit.deadline:g} s; try again later.")

    def _check_size(self, response: httpx.Response) -> None:
        length = response.headers.get("content-length", "")
        if length.isdecimal() and int(length[:20]) > self._rate_limit.body_cap:
            raise BadResponse(SOURCE, f"is larger than {self._rate_limit.body_cap // 1_000_000} MB, the limit.")

    def _limiter(self, host: str) -> RateLimiter:
        home = next((slow_host for slow_host in _SLOWER if host == slow_host or host.endswith(f".{slow_host}")), host)
        rate_limit = replace(self._rate_limit, gap=max(_SLOWER.get(home, 0.0), self._rate_limit.gap))
        name = hashlib.sha256(home.encode()).hexdigest()[:12]
        return RateLimiter(SOURCE, rate_limit, self._limiters / f"pdf-{name}.json")


async def _host(address: str, local: bool) -> tuple[str, bool]:
    """Return the host of a permitted address, and whether it is this machine, to which only this machine may
    redirect. Raises `BadResponse` for every other address."""
    try:
        scheme, host, _ = origin(address)
    except ValueError:
        raise _refused() from None
    if web_address(address) is None or (scheme != "https" and not local):
        raise _refused()
    try:
        addresses = await addresses_of(host)
    except (OSError, UnicodeError):
        raise SourceUnavailable(
            SOURCE, "cannot be reached: its host cannot be found; is this machine online?"
        ) from None
    if local and all(target.is_loopback for target in addresses):
        return host, True
    if scheme != "https" or not are_public(addresses):
        raise _refused()
    return host, False


def _origin(address: str) -> tuple[str, str, int | None] | None:
    """Return the origin of an address; None if it is invalid."""
    try:
        return origin(address)
    except ValueError:
        return None


def _fault(reply: HttpReply) -> SourceError | None:
    if reply.status in (401, 402, 403, 451):
        return Unauthorized(SOURCE, f"cannot be downloaded by programs (HTTP {reply.status}); open it in a browser.")
    if reply.status in (404, 410):
        return NotFound(SOURCE, f"has no such PDF (HTTP {reply.status}).")
    return fault_of_status(SOURCE, HttpReply(reply.status, reply.headers, b""))


def _no_pdf(reply: HttpReply) -> BadResponse:
    label = reply.headers.get("content-type", "").lower()
    if looks_like_page(reply) or "html" in label:
        return web_page(SOURCE)
    return BadResponse(SOURCE, "is not a PDF: the host sent something else.")


def _refused() -> BadResponse:
    return BadResponse(SOURCE, "is at an address that must not be followed: only https to a public host is.")
