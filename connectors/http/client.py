"""The HTTP client of every source: sends one request, returns the parsed reply or raises one named error.

It handles the rate limit (`limits.py`), the deadline, the retries, the size limits, and the keys. The client libraries
build requests and parse replies; only this module sends.
"""

import asyncio
import random
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from functools import partial
from threading import Event
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import httpx

from connectors.errors import (
    BadResponse,
    DeadlineExceeded,
    QuotaExhausted,
    RateLimited,
    SourceError,
    SourceUnavailable,
    UnusableResponse,
)
from connectors.http.body import read_body
from connectors.http.deadline import deadline_at, note_fault
from connectors.http.limits import WHOLE, RateLimit
from connectors.http.pool import CONNECT_SECONDS, ConnectionPool
from connectors.http.public_hosts import KEY_HEADERS, MOST_REDIRECTS, next_address, origin
from connectors.http.responses import (
    Content,
    ErrorOf,
    HttpReply,
    looks_like_page,
    scarce_until,
    spent_until,
    told_gap,
    told_to_wait,
    web_page,
)
from connectors.http.secret import Secret, redact, shown_host
from connectors.records.clean import UNWANTED

if TYPE_CHECKING:
    from connectors.http.rate_limiter import RateLimiter

Result = TypeVar("Result")


async def in_thread(read: Callable[[], Result]) -> Result:
    """Run `read` in a thread and return its result. After a cancellation its next text raises `ReadingAbandoned`."""
    unwanted = Event()
    token = UNWANTED.set(unwanted)
    try:
        return await asyncio.to_thread(read)  # it runs in a copy of this context
    except asyncio.CancelledError:
        unwanted.set()
        raise
    finally:
        UNWANTED.reset(token)


_DATA_TYPES = ("json", "xml", "text/plain", "text/html")
"""Content types that services use; web pages among them are recognized by their content."""
_SPARE = 1.05
"""Safety factor on requested delays, for clock skew and latency."""
_PATIENT = 0.5
"""Share of a service's own deadline that must have passed before its silence counts as a failure."""
_SILENCE = 0.6
"""Share of the remaining time after which a silent service is asked again, if a retry is left."""
_SHORTEST_SILENCE = 4.0
"""Seconds below which silence is only slowness and a retry would double the load."""


class _Silent(DeadlineExceeded):
    """The service was silent for a while, and there is time for a retry."""

    may_pass = True


class _Unreachable(SourceUnavailable):
    """No connection, because of this machine's network or the host; says nothing about the service's health."""

    may_pass = False


class _Request(NamedTuple):
    """A request, the part of the service it asks, and the seconds for which that may be silent."""

    method: str
    target: str
    headers: Mapping[str, str]
    content: bytes | None
    part: str
    silence: float | None = None


class HttpClient:
    """HTTP client of one source."""

    def __init__(
        self,
        source: str,
        base_url: str,
        *,
        rate_limit: RateLimit,
        limiter: "RateLimiter",
        connections: ConnectionPool,
        error_of: ErrorOf,
        secrets: Sequence[Secret] = (),
    ) -> None:
        self.source = source
        self.base_url = base_url.rstrip("/")
        self._rate_limit = rate_limit
        self._limiter = limiter
        self._connections = connections
        self._error_of = error_of
        self._secrets = tuple(secrets)

    async def get(
        self,
        target: str,
        read: Callable[[HttpReply], Content],
        *,
        headers: Mapping[str, str] | None = None,
        part: str = WHOLE,
    ) -> Content:
        """Return what `read` parses from the reply to `GET target`, a path with its query exactly as sent.

        `read` raises `BadResponse` for a reply that it cannot parse, which is retried like one that broke off. `part`
        names the part of the service, if it may close one part and answer for others. Raises a `SourceError` for
        everything that is not the answer.
        """
        return await self._ask(_Request("GET", target, headers or {}, None, part), read)

    async def post(
        self,
        target: str,
        read: Callable[[HttpReply], Content],
        *,
        content: bytes,
        content_type: str,
        headers: Mapping[str, str] | None = None,
    ) -> Content:
        """Return what `read` parses from the reply to `POST target`, as in `get`."""
        headers = {**(headers or {}), "content-type": content_type}
        return await self._ask(_Request("POST", target, headers, content, WHOLE), read)

    async def _ask(self, request: _Request, read: Callable[[HttpReply], Content]) -> Content:
        end = deadline_at(self._rate_limit.deadline)
        self._connections.client(self.source)  # opened before waiting for the limiter, because opening takes a while
        before: SourceError | None = None
        for attempt in range(1, self._rate_limit.tries + 1):
            try:
                async with self._turn(end, request.part):
                    silence = _longest_silence(end) if attempt < self._rate_limit.tries else None
                    answer = await self._try(request._replace(silence=silence), read, end)
                note_fault(None)
                return answer
            except SourceError as error:
                if (
                    before is not None
                    and before.request_sent
                    and (isinstance(error, DeadlineExceeded) or not error.request_sent)
                ):
                    before.until = before.until or error.until
                    raise before from None  # it did answer, with an error; the retry brought nothing
                before = error
                if not isinstance(error, DeadlineExceeded):
                    note_fault(error)
                pause = random.uniform(0.0, 0.4 * 2**attempt)
                if attempt == self._rate_limit.tries or not error.may_pass or _beyond(error, pause, end):
                    raise
                await asyncio.sleep(pause)
        raise AssertionError("a rate limit has at least one try")

    async def _try(self, request: _Request, read: Callable[[HttpReply], Content], end: float) -> Content:
        """Try once and record the outcome in the limiter; a short deadline of the caller does not count as the
        service's failure."""
        reply: HttpReply | None = None
        fault: SourceError | None = None
        start = asyncio.get_running_loop().time()
        try:
            async with asyncio.timeout_at(end):
                reply = await self._exchange(request)
                answer = await in_thread(partial(self._read, reply, read))
        except TimeoutError:
            fault = DeadlineExceeded(self.source, "did not answer in time; try again later.")
        except SourceError as error:
            fault = error
        wait = told_to_wait(reply) if reply else None
        if reply and (gap := told_gap(reply)) is not None:
            self._limiter.slowed(gap * _SPARE, request.part)
        if reply and fault is None:
            self._learn_from_answer(reply, wait, request.part)
            return answer
        assert fault is not None
        waited = asyncio.get_running_loop().time() - start
        patient = waited >= _PATIENT * self._rate_limit.deadline
        if wait or (_is_of_the_service(fault) and (patient or not isinstance(fault, DeadlineExceeded))):
            self._limiter.failed(fault, wait, request.part)
        raise self._redacted(fault, wait)

    def _read(self, reply: HttpReply, read: Callable[[HttpReply], Content]) -> Content:
        if fault := self._error_of(reply):
            raise fault
        return read(reply)

    @asynccontextmanager
    async def _turn(self, end: float, part: str) -> AsyncIterator[None]:
        """Hold the right to send one request. An error raised before that belongs to a source that was not asked."""
        sending = False
        try:
            async with self._limiter.acquire(end, part):
                sending = True
                yield
        except SourceError as error:
            error.request_sent = sending
            raise

    async def _exchange(self, request: _Request) -> HttpReply:
        """Send the request and follow permitted redirects."""
        address = home = self.base_url + request.target
        for _ in range(MOST_REDIRECTS + 1):
            reply, location = await self._send(request, address)
            if location is None:
                return reply
            address = await next_address(self.source, address, location)
            if origin(address) != origin(home):
                if request.method != "GET":
                    raise UnusableResponse(self.source, "redirected a request that must not leave the service.")
                headers = {name: value for name, value in request.headers.items() if name.lower() not in KEY_HEADERS}
                request = request._replace(headers=headers)
        raise UnusableResponse(self.source, "redirected in circles; is a login page or proxy in between?")

    async def _send(self, request: _Request, address: str) -> tuple[HttpReply, str | None]:
        """Exchange once: return the reply, and the redirect's location, if any."""
        client = self._connections.client(self.source)
        headers = request.headers if self._rate_limit.keep_alive else {**request.headers, "connection": "close"}
        waits = httpx.Timeout(None, connect=CONNECT_SECONDS, read=request.silence)
        try:
            built = client.build_request(
                request.method, address, headers=headers, content=request.content, timeout=waits
            )
            response = await client.send(built, stream=True)
            try:
                reply = HttpReply(
                    response.status_code,
                    response.headers,
                    await read_body(self.source, response, self._rate_limit.body_cap),
                )
            finally:
                await response.aclose()
        except (httpx.ConnectError, httpx.ConnectTimeout):
            raise _Unreachable(self.source, f"cannot be reached at {self._host}; is this machine online?") from None
        except httpx.ReadTimeout:
            raise _Silent(self.source, f"was silent for {request.silence:.0f} s; try again later.") from None
        except httpx.HTTPError as error:
            raise SourceUnavailable(
                self.source, f"stopped in the middle of its answer ({type(error).__name__}); try again later."
            ) from None
        except (httpx.InvalidURL, UnicodeError, ValueError):
            raise UnusableResponse(
                self.source, f"cannot be asked at {self._host}; check its address in the settings."
            ) from None
        if response.has_redirect_location:
            return reply, response.headers.get("location")
        self._check_type(reply)
        return reply, None

    def _check_type(self, reply: HttpReply) -> None:
        label = reply.headers.get("content-type", "text/plain").lower()
        if reply.status < 300 and not any(data_type in label for data_type in _DATA_TYPES):
            raise BadResponse(self.source, "sent something that is neither JSON nor XML; try again later.")
        if reply.status < 300 and looks_like_page(reply):
            raise web_page(self.source)

    @property
    def _host(self) -> str:
        return shown_host(self.base_url)

    def _learn_from_answer(self, reply: HttpReply, resumption: datetime | None, part: str) -> None:
        """Record that a good answer used up the rate limit, if it says so."""
        self._limiter.succeeded()
        if scarce := scarce_until(reply):
            self._limiter.scarce(scarce)
        if spent := spent_until(reply):
            when = f"{spent:%Y-%m-%d %H:%M:%S} UTC"
            self._limiter.failed(QuotaExhausted(self.source, f"said that no requests are left until {when}.", spent))
        elif resumption:
            self._limiter.failed(
                RateLimited(self.source, "asks for a pause before the next request."), resumption, part
            )

    def _redacted(self, error: SourceError, resumption: datetime | None) -> SourceError:
        return type(error)(self.source, redact(error.sentence, self._secrets), error.until or resumption)


def _is_of_the_service(fault: SourceError) -> bool:
    """Whether `fault` is about the service's health, not the question, the key or this machine's network."""
    return isinstance(
        fault, SourceUnavailable | BadResponse | DeadlineExceeded | RateLimited | QuotaExhausted
    ) and not isinstance(fault, _Unreachable)


def _longest_silence(end: float) -> float | None:
    """Return the seconds for which a service may be silent in a try that is not the last; None: until `end`."""
    silence = _SILENCE * (end - asyncio.get_running_loop().time())
    return silence if silence >= _SHORTEST_SILENCE else None


def _beyond(error: SourceError, pause: float, end: float) -> bool:
    """Whether a retry could only begin after the deadline."""
    remaining = end - asyncio.get_running_loop().time()
    requested = (error.until - datetime.now(UTC)).total_seconds() if error.until else 0.0
    return max(pause, requested) >= remaining
