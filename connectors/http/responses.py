"""What a service's reply means when it is not the answer: status codes, Retry-After, JSON and XML that are none."""

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
from connectors.records.clean import clean_text

Told = TypeVar("Told")
QUOTE_CAP = 200
LONGEST_RETRY = timedelta(hours=25)
"""A budget lasts until midnight UTC at the latest; a longer Retry-After is nonsense and is cut to this."""


_LONG_AGO = 1_000_000_000
"""So many seconds are a date of 2001, and no wait."""
_MOST_DIGITS = 11


class Reply(NamedTuple):
    """A whole reply: its body is unpacked and within the cap."""

    status: int
    headers: httpx.Headers
    body: bytes


ErrorOf = Callable[[Reply], SourceError | None]
"""A source's reading of its service's own ways to tell errors; None for a reply that is the answer."""


def fault_of_status(source: str, reply: Reply) -> SourceError | None:
    """What the status code alone says; None for 2xx."""
    status, quote = reply.status, quoted(reply)
    if 200 <= status < 300:
        return None
    if status in (401, 403):
        return Unauthorized(source, f"refused the request (HTTP {status}){quote}; check the key in `spar doctor`.")
    if status in (404, 410):
        return NotFound(source, f"does not know this (HTTP {status}){quote}.")
    if status == 429:
        until = retry_after(reply)
        when = f" until {until:%H:%M:%S} UTC" if until else ""
        return RateLimited(source, f"was asked too often and wants a pause{when}{quote}.", until)
    if status in (408, 425) or status >= 500:
        return SourceUnavailable(
            source, f"is not working right now (HTTP {status}){quote}; try again later.", retry_after(reply)
        )
    return BadQuery(source, f"refused the request (HTTP {status}){quote}.")


def retry_after(reply: Reply) -> datetime | None:
    """When the service may be asked again: seconds or an HTTP date; None where nothing usable is said."""
    raw = reply.headers.get("retry-after", "").strip()
    try:
        wait = timedelta(seconds=float(raw)) if raw[:1].isdigit() else parsedate_to_datetime(raw) - _service_time(reply)
    except (ValueError, TypeError, OverflowError):
        return None
    return _in(wait)


def told_to_wait(reply: Reply) -> datetime | None:
    """Until when a reply of any kind asks to be left alone: by Retry-After, or a refusal by the reset of its counts."""
    refused = reply.status in (403, 429, 503)
    return retry_after(reply) or (_reset(reply) if refused else None)


def spent_until(reply: Reply) -> datetime | None:
    """When the budget comes back of which a good reply was the last part; an answer that cost nothing is none."""
    last = reply.headers.get("x-ratelimit-remaining", "").strip() == "0"
    cost = reply.headers.get("x-ratelimit-credits-used", "").strip()
    return _reset(reply) if last and cost != "0" else None


_KEPT = 4
"""The last quarter of a budget is kept for those who wait."""
_DAILY = timedelta(minutes=10)
"""Time to the reset of a count from which on it is a budget, and no pace."""


def scarce_until(reply: Reply) -> datetime | None:
    """When a budget comes back of which little is left; None where a reply does not say that."""
    left, all_ = (reply.headers.get(f"x-ratelimit-{name}", "").strip() for name in ("remaining", "limit"))
    if not all(number.isascii() and number.isdecimal() and len(number) <= _MOST_DIGITS for number in (left, all_)):
        return None
    until = _reset(reply) if int(left) * _KEPT < int(all_) else None
    return until if until and until - datetime.now(UTC) > _DAILY else None


_INTERVAL = re.compile(r"([0-9]{1,6}(?:\.[0-9]{1,3})?) ?(s|ms|m)?")
_SECONDS = {None: 1.0, "s": 1.0, "ms": 0.001, "m": 60.0}


def told_gap(reply: Reply) -> float | None:
    """The seconds between two requests that a service says it allows, as so many in an interval; None where it does
    not say both. There are two spellings, and services that send both; the slower one holds."""
    gaps = []
    for name in ("x-rate-limit", "x-ratelimit"):
        allowed = reply.headers.get(f"{name}-limit", "").strip()
        interval = _INTERVAL.fullmatch(reply.headers.get(f"{name}-interval", "").strip().lower())
        if interval and allowed.isascii() and allowed.isdecimal() and 0 < len(allowed) <= _MOST_DIGITS and int(allowed):
            gaps.append(float(interval[1]) * _SECONDS[interval[2]] / int(allowed))
    return max(gaps, default=None)


def _reset(reply: Reply) -> datetime | None:
    """When the service counts anew: X-RateLimit-Reset in seconds from now, or since 1970."""
    raw = reply.headers.get("x-ratelimit-reset", "").strip()
    if not raw.isascii() or not raw.isdecimal() or len(raw) > _MOST_DIGITS:
        return None
    seconds = int(raw)
    return _in(timedelta(seconds=seconds - _service_time(reply).timestamp() if seconds > _LONG_AGO else seconds))


def _service_time(reply: Reply) -> datetime:
    """The time by the service's own clock where it says it: dates are by that one, and this machine's may be wrong."""
    try:
        moment = parsedate_to_datetime(reply.headers.get("date", ""))
    except (ValueError, TypeError):
        return datetime.now(UTC)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _in(wait: timedelta) -> datetime:
    return datetime.now(UTC) + min(max(wait, timedelta()), LONGEST_RETRY)


def quoted(reply: Reply) -> str:
    """`: “…”`, the service's own short message where there is one and it is not a web page."""
    try:
        message = json.loads(reply.body)
    except (ValueError, RecursionError):
        text = reply.body[:2_000].decode("utf-8", "replace")
        message = "" if "<" in text else text
    if isinstance(message, dict):
        message = message.get("message") or message.get("error") or message.get("detail")
    if isinstance(message, dict):
        message = message.get("message")
    text = clean_text(message, QUOTE_CAP)
    return f": “{text}”" if text else ""


def in_json(source: str, read: Callable[[object], Told]) -> Callable[[Reply], Told]:
    """The reading of a reply whose body is JSON, of which `read` makes what it tells."""
    return lambda reply: read(json_body(source, reply))


def json_body(source: str, reply: Reply) -> object:
    """The reply's JSON, whole. Raises `BadResponse` for a web page, cut JSON, NaN, absurd depth or numbers."""
    if looks_like_page(reply):
        raise web_page(source)
    try:
        text = reply.body.decode("utf-8-sig")
        return json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:  # UnicodeDecodeError and JSONDecodeError are ValueErrors
        raise BadResponse(source, f"sent damaged JSON ({type(error).__name__}); try again later.") from None


def xml_body(source: str, reply: Reply) -> "etree._Element":
    """The reply's XML root, parsed without network, entities or DTD. Raises `BadResponse` for anything else."""
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


def looks_like_page(reply: Reply) -> bool:
    """Whether the body is a web page, whatever its label says."""
    start = reply.body[:1_000].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    return start.startswith((b"<!doctype html", b"<html", b"<head", b"<body", b"<script", b"<!--"))


def web_page(source: str) -> UnusableResponse:
    """The failure of a captive portal: a page where data was asked for."""
    return UnusableResponse(source, "answered with a web page instead of data; is a login page or proxy in between?")


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")
