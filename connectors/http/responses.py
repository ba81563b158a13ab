"""Interpret replies that are not the answer: status codes, Retry-After, invalid JSON and XML."""

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import NamedTuple, NoReturn, TypeVar

import httpx
from lxml import etree

from connectors.errors import (
    BadQuery,
    BadResponse,
    NotFound,
    RateLimited,
    SourceError,
    SourceUnavailable,
    Unauthorized,
    UnusableResponse,
)
from connectors.http.json_values import mapping
from connectors.records.clean import clean_text

Content = TypeVar("Content")
QUOTE_CAP = 200
LONGEST_RETRY = timedelta(hours=25)
"""Maximum Retry-After, because budgets reset at midnight UTC at the latest; longer ones are cut to this."""


_LONG_AGO = 1_000_000_000
"""Number of seconds from which a value is a date since 1970 (2001 or later), not a delay."""
_MOST_DIGITS = 11


class HttpReply(NamedTuple):
    """A whole reply; its body is decompressed and within the limit."""

    status: int
    headers: httpx.Headers
    body: bytes


ErrorOf = Callable[[HttpReply], SourceError | None]
"""Parses a service's own error formats; returns None for a good reply."""


def fault_of_status(source: str, reply: HttpReply, *, keyless: bool = False) -> SourceError | None:
    """Return the error that the status code alone means; None for 2xx. A `keyless` service has no keys that could be
    wrong."""
    status, quote = reply.status, quoted(reply)
    if 200 <= status < 300:
        return None
    if status in (401, 403) and keyless:
        return SourceUnavailable(source, f"refuses to answer (HTTP {status}){quote}; try again later.")
    if status in (401, 403):
        return Unauthorized(source, f"refused the request (HTTP {status}){quote}; check the key in `spar doctor`.")
    if status in (404, 410):
        return NotFound(source, f"does not know this (HTTP {status}){quote}.")
    if status == 429:
        until = retry_after(reply)
        when = f" until {until:%H:%M:%S} UTC" if until else ""
        return RateLimited(source, f"got too many requests and asks for a pause{when}{quote}.", until)
    if status in (408, 425) or status >= 500:
        return SourceUnavailable(
            source, f"is not working right now (HTTP {status}){quote}; try again later.", retry_after(reply)
        )
    return BadQuery(source, f"refused the request (HTTP {status}){quote}.")


def retry_after(reply: HttpReply) -> datetime | None:
    """Return when the service may be asked again, from seconds or an HTTP date; None without a usable value."""
    raw = reply.headers.get("retry-after", "").strip()
    try:
        wait = timedelta(seconds=float(raw)) if raw[:1].isdigit() else parsedate_to_datetime(raw) - _service_time(reply)
    except (ValueError, TypeError, OverflowError):
        return None
    return _in(wait)


def told_to_wait(reply: HttpReply) -> datetime | None:
    """Return until when a reply asks for a pause: by Retry-After or, in a refusal, by the reset of its counters."""
    is_refusal = reply.status in (403, 429, 503)
    return retry_after(reply) or (_reset(reply) if is_refusal else None)


def spent_until(reply: HttpReply) -> datetime | None:
    """Return when the budget resets that a good reply used up; an answer that cost nothing does not count."""
    last = reply.headers.get("x-ratelimit-remaining", "").strip() == "0"
    cost = reply.headers.get("x-ratelimit-credits-used", "").strip()
    return _reset(reply) if last and cost != "0" else None


_KEPT = 4
"""The last 1/4 of a budget is kept for requests that a person waits for."""
_DAILY = timedelta(minutes=10)
"""Time to the reset of a counter from which it is a budget, not a pace."""


def scarce_until(reply: HttpReply) -> datetime | None:
    """Return when a nearly used budget resets; None if the reply does not report one."""
    remaining, total = (reply.headers.get(f"x-ratelimit-{name}", "").strip() for name in ("remaining", "limit"))
    if not all(
        number.isascii() and number.isdecimal() and len(number) <= _MOST_DIGITS for number in (remaining, total)
    ):
        return None
    until = _reset(reply) if int(remaining) * _KEPT < int(total) else None
    return until if until and until - datetime.now(UTC) > _DAILY else None


_INTERVAL = re.compile(r"([0-9]{1,6}(?:\.[0-9]{1,3})?) ?(s|ms|m)?")
_SECONDS = {None: 1.0, "s": 1.0, "ms": 0.001, "m": 60.0}


def told_gap(reply: HttpReply) -> float | None:
    """Return the seconds between two requests that a service allows, from a number per interval; None if either is
    missing. There are two spellings of the headers; if a service sends both, the slower one holds."""
    gaps = []
    for name in ("x-rate-limit", "x-ratelimit"):
        limit = reply.headers.get(f"{name}-limit", "").strip()
        interval = _INTERVAL.fullmatch(reply.headers.get(f"{name}-interval", "").strip().lower())
        if interval and limit.isascii() and limit.isdecimal() and 0 < len(limit) <= _MOST_DIGITS and int(limit):
            gaps.append(float(interval[1]) * _SECONDS[interval[2]] / int(limit))
    return max(gaps, default=None)


def _reset(reply: HttpReply) -> datetime | None:
    """Return when the service's counter resets: X-RateLimit-Reset in seconds from now, or since 1970."""
    raw = reply.headers.get("x-ratelimit-reset", "").strip()
    if not raw.isascii() or not raw.isdecimal() or len(raw) > _MOST_DIGITS:
        return None
    seconds = int(raw)
    return _in(timedelta(seconds=seconds - _service_time(reply).timestamp() if seconds > _LONG_AGO else seconds))


def _service_time(reply: HttpReply) -> datetime:
    """Return the service's own time if it reports it: its dates refer to it, and this machine's clock may be wrong."""
    try:
        moment = parsedate_to_datetime(reply.headers.get("date", ""))
    except (ValueError, TypeError):
        return datetime.now(UTC)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _in(wait: timedelta) -> datetime:
    return datetime.now(UTC) + min(max(wait, timedelta()), LONGEST_RETRY)


def quoted(reply: HttpReply) -> str:
    """Return the service's own short message as `: “…”`; "" if there is none or it is a web page."""
    try:
        message = json.loads(reply.body)
    except (ValueError, RecursionError):
        text = reply.body[:2_000].decode("utf-8", "replace")
        message = "" if "<" in text else text
    names = ("message", "error", "errors", "detail", "title")
    while isinstance(message, dict | list):
        if isinstance(message, dict):
            message = next((value for name in names if (value := message.get(name))), "")
        else:
            texts = (clean_text(mapping(entry).get("message") or mapping(entry).get("title")) for entry in message)
            message = " ".join(filter(None, texts))
    text = clean_text(message, QUOTE_CAP).rstrip(".")
    return f": “{text}”" if text else ""


def in_json(source: str, read: Callable[[object], Content]) -> Callable[[HttpReply], Content]:
    """Return a parser of replies that passes their JSON body to `read`."""
    return lambda reply: read(json_body(source, reply))


def json_body(source: str, reply: HttpReply) -> object:
    """Parse the reply's JSON. Raises `BadResponse` for a web page, truncated JSON, NaN, absurd depth or numbers."""
    if looks_like_page(reply):
        raise web_page(source)
    try:
        text = reply.body.decode("utf-8-sig")
        return json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:  # UnicodeDecodeError and JSONDecodeError are ValueErrors
        raise BadResponse(source, f"sent damaged JSON ({type(error).__name__}); try again later.") from None


def xml_body(source: str, reply: HttpReply) -> "etree._Element":
    """Parse the reply's XML without network, entities or DTD, and return its root. Raises `BadResponse` for anything
    else."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        root = etree.fromstring(reply.body, parser)
    except (etree.XMLSyntaxError, ValueError):
        if looks_like_page(reply):
            raise web_page(source) from None
        raise BadResponse(source, "sent damaged XML; try again later.") from None
    if etree.QName(root).localname.lower() == "html":
        raise web_page(source)
    return root


def looks_like_page(reply: HttpReply) -> bool:
    """Whether the body is a web page, whatever its content type."""
    start = reply.body[:1_000].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    return start.startswith((b"<!doctype html", b"<html", b"<head", b"<body", b"<script", b"<!--"))


def web_page(source: str) -> UnusableResponse:
    """Return the error for a web page in place of data, as from a captive portal."""
    return UnusableResponse(source, "answered with a web page instead of data; is a login page or proxy in between?")


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")
