"""What every HTTP client of spar has: a log of its requests, and no cookies.

The log has the method, the address as `shown_address` shows it, outcome, size and seconds. Queries, headers and bodies
are never logged: they contain keys, mail addresses and the person's questions.
"""

import logging
import time
from collections.abc import Awaitable, Callable, Iterable
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Any

from connectors.http.secret import shown_address

LOG = logging.getLogger("spar.http")
_BEGAN = "spar.began"

Hook = Callable[[Any], Awaitable[None]]


async def _sent(request: Any) -> None:
    request.extensions[_BEGAN] = time.monotonic()
    size = int(request.headers.get("content-length", "0"))
    LOG.info("%s%s", _named(request), f", {size:,} bytes sent" if size else "")


async def _answered(response: Any) -> None:
    request = response.request
    seconds = time.monotonic() - request.extensions.get(_BEGAN, time.monotonic())
    size = response.headers.get("content-length", "")
    size_text = f", {int(size):,} bytes" if size.isdecimal() and len(size) < 20 else ""
    LOG.info("%s: %d after %.2f s%s", _named(request), response.status_code, seconds, size_text)


def _named(request: Any) -> str:
    return f"{request.method} {shown_address(str(request.url))}"


def hooks(*more: Hook, before: Iterable[Hook] = ()) -> dict[str, list[Hook]]:
    """Return the event hooks of a client that log its requests; `before` are run before sending, `more` on its
    replies."""
    return {"request": [*before, _sent], "response": [_answered, *more]}


def no_cookies() -> CookieJar:
    """Return a jar that keeps and sends no cookies, so that no service can recognize a person."""
    return CookieJar(DefaultCookiePolicy(allowed_domains=[]))
