"""A client of a stand-in service, without the waits that politeness asks for elsewhere."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from connectors.errors import SourceError
from connectors.http.client import HttpClient
from connectors.http.limits import RateLimit
from connectors.http.pool import ConnectionPool
from connectors.http.rate_limiter import RateLimiter
from connectors.http.responses import ErrorOf, HttpReply, fault_of_status
from connectors.http.secret import Secret

Result = TypeVar("Result")
QUICK = RateLimit(gap=0.03, deadline=60.0, tries=1, failures=100)
"""Slow enough for a stand-in whose seconds are hundredths, and every failure is seen at once."""
UNHURRIED = RateLimit(gap=0.0, in_flight=4, deadline=60.0, tries=2)
"""The limit of a service that minds nothing, for tests of the client itself."""


def whole(reply: HttpReply) -> HttpReply:
    """A reply read by nobody yet."""
    return reply


@asynccontextmanager
async def wired(
    source: str,
    url: str,
    error_of: ErrorOf,
    folder: Path,
    secrets: Sequence[Secret] = (),
    rate_limit: RateLimit = QUICK,
    background: bool = False,
) -> AsyncIterator[HttpClient]:
    """A client whose limiter is kept in `folder`."""
    async with ConnectionPool() as connections:
        limiter = RateLimiter(source, rate_limit, folder / f"{source}.json", background)
        yield HttpClient(
            source,
            url,
            rate_limit=rate_limit,
            limiter=limiter,
            connections=connections,
            error_of=error_of,
            secrets=secrets,
        )


def with_http(
    work: Callable[[HttpClient], Awaitable[Result]],
    url: str,
    folder: Path,
    *,
    error_of: ErrorOf | None = None,
    secrets: Sequence[Secret] = (),
    background: bool = False,
    **changes: Any,
) -> Result:
    """What `work` makes of an unhurried client of `url`; `changes` are of its rate limit."""

    def by_status(reply: HttpReply) -> SourceError | None:
        return fault_of_status("openalex", reply)

    async def run() -> Result:
        rate_limit = replace(UNHURRIED, **changes)
        async with wired("openalex", url, error_of or by_status, folder, secrets, rate_limit, background) as http:
            return await work(http)

    return asyncio.run(run())
