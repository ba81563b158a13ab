"""Faults that change what is said: another status, another page, a damaged or hostile body."""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Callable
from dataclasses import replace
from email.utils import formatdate
from functools import cache
from time import time
from typing import Any

from tests.services.http.message import Reply, Request, html_reply, json_reply, xml_reply
from tests.services.http.server import gzipped

Change = Callable[[Request, Reply, str | None, str], Reply]
"""Request, true reply, the fault's value, address of the canary -> reply."""

BOMB_MIB = 64
_LOGIN = (
    "<!DOCTYPE html><html><head><title>Sign in - Campus Network</title></head><body><form method=post>"
    "<h1>Please sign in</h1><input name=user><input name=password type=password></form></body></html>"
)
_REASONS = {
    400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 418: "I'm a teapot",
    500: "Internal Server Error",
    502: "Bad Gateway", 503: "Service Temporarily Unavailable", 504: "Gateway Time-out",
}  # fmt: skip
_NCBI_LIMIT = '{"error":"API rate limit exceeded","api-key":"192.0.2.10","count":"4","limit":"3"}'
_SLOW_DOWN: dict[str, tuple[str, str]] = {
    "arxiv": ("text/plain", "Rate exceeded."),
    "semantic_scholar": ("application/json", '{"message": "Too Many Requests.", "code": "429"}'),
    "openalex": ("application/json", '{"error": "Rate limit exceeded", "message": "100 requests per second."}'),
    "pubmed": ("application/json", _NCBI_LIMIT),
}  # fmt: skip
_LEFT = {"dailyRemainingUsd": 0, "prepaidRemainingUsd": 0, "creditsRemaining": 0, "onetimeCreditsRemaining": 0}


def _page(status: int) -> Change:
    """An error page as a gateway writes it."""

    def change(request: Request, reply: Reply, value: str | None, canary: str) -> Reply:
        title = f"{status} {_REASONS[status]}"
        page = f"<html><head><title>{title}</title></head><body><center><h1>{title}</h1></center></body></html>"
        return replace(html_reply(page, status), headers=_retry_after(value))

    return change


def _retry_after(value: str | None) -> dict[str, str]:
    if value is None:
        return {}
    return {"Retry-After": formatdate(time() + 60, usegmt=True) if value == "date" else value}


def _slow_down(request: Request, reply: Reply, value: str | None, canary: str) -> Reply:
    kind, body = _SLOW_DOWN.get(
        request.service, ("application/json", '{"message": "Too many requests", "statusCode": 429}')
    )
    return Reply(429, body.encode(), kind, _retry_after(value))


def _openalex(error: str, message: str, status: int = 429, wait: float | None = None, **more: object) -> Change:
    body: dict[str, object] = {"error": error, "message": message, **more}
    if wait is not None:
        body |= {"retryAfter": wait, "costUsd": 0.001, "creditsRequired": 10, **_LEFT}

    def change(request: Request, reply: Reply, value: str | None, canary: str) -> Reply:
        text = value or (None if wait is None else str(max(1, round(wait))))
        return replace(json_reply(body, status), headers={**reply.headers, **_retry_after(text)})

    return change


def _body(make: Callable[[bytes], bytes]) -> Change:
    """The same reply with another body."""
    return lambda request, reply, value, canary: replace(reply, body=make(reply.body))


def _labelled(content_type: str) -> Change:
    return lambda request, reply, value, canary: replace(reply, content_type=content_type)


def _login(content_type: str) -> Change:
    return lambda request, reply, value, canary: Reply(200, _LOGIN.encode(), content_type)


def _json(text: str) -> Change:
    return lambda request, reply, value, canary: Reply(200, text.encode(), "application/json")


def _redirect(where: Callable[[Request, str], str]) -> Change:
    def change(request: Request, reply: Reply, value: str | None, canary: str) -> Reply:
        return Reply(302, b"", "text/html", {"Location": where(request, canary)})

    return change


def _error_in_200(request: Request, reply: Reply, value: str | None, canary: str) -> Reply:
    """A failure told with status 200, in the service's own way."""
    text = "Search Backend failed: Database is not supported: pubmed"
    if request.service == "arxiv":
        feed = reply.body.split(b"<entry>")[0].split(b"</feed>")[0]
        entry = (
            b"<entry><id>https://arxiv.org/api/errors</id><title>Error</title><summary>internal error</summary></entry>"
        )
        return replace(reply, status=200, body=feed + entry + b"</feed>")
    if request.service == "pubmed" and "json" not in reply.content_type:
        root = "eSearchResult" if "esearch" in request.path else "eFetchResult"
        return xml_reply(f'<?xml version="1.0" encoding="UTF-8" ?>\n<{root}>\n\t<ERROR>{text}</ERROR>\n</{root}>\n')
    if request.service == "pubmed":
        return json_reply({"header": {"type": "esearch", "version": "0.3"}, "esearchresult": {"ERROR": text}})
    return json_reply({"error": "Internal error", "message": "Something went wrong."})


def _nothing(request: Request, reply: Reply, value: str | None, canary: str) -> Reply:
    """A well-formed reply without results although there are some: a page missing in mid-walk, a false empty."""
    if request.service == "arxiv":
        return replace(reply, body=re.sub(rb"<entry>.*</entry>", b"", reply.body, flags=re.S))
    if request.service == "google":
        return json_reply(
            {"search_metadata": {"status": "Success"}, "error": "Google hasn't returned any results for this query."}
        )
    try:
        body = json.loads(reply.body)
    except ValueError:
        return reply
    lists = {name: [] if isinstance(item, list) else item for name, item in body.items()}
    return replace(reply, body=json.dumps(lists).encode())


def _types_wrong(body: bytes) -> bytes:
    try:
        return json.dumps(_twisted(json.loads(body))).encode()
    except ValueError:
        return body


def _twisted(value: Any) -> Any:
    """Numbers as texts, texts as lists, the first list as an object."""
    if isinstance(value, dict):
        return {name: _twisted(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_twisted(item) for item in value]
    if isinstance(value, bool) or value is None:
        return "yes"
    return str(value) if isinstance(value, int | float) else [value]


def _xml_bomb(request: Request, reply: Reply, value: str | None, canary: str) -> Reply:
    levels = 7
    entities = "".join(f'<!ENTITY e{level} "{f"&e{level - 1};" * 10}">' for level in range(1, levels + 1))
    head = f'<?xml version="1.0"?><!DOCTYPE feed [<!ENTITY e0 "expansion">{entities}]>'
    return _hostile(head, f"&e{levels};", reply)


def _outside_entity(request: Request, reply: Reply, value: str | None, canary: str) -> Reply:
    return _hostile(f'<?xml version="1.0"?><!DOCTYPE feed [<!ENTITY out SYSTEM "{canary}/entity">]>', "&out;", reply)


def _hostile(head: str, text: str, reply: Reply) -> Reply:
    entry = f"<entry><id>http://arxiv.org/abs/2601.00001v1</id><title>{text}</title></entry>"
    feed = f'{head}<feed xmlns="http://www.w3.org/2005/Atom">{entry}</feed>'
    return Reply(200, feed.encode(), reply.content_type)


@cache
def _bomb() -> bytes:
    """A little gzip that unpacks to `BOMB_MIB` MiB of one JSON text, which is nowhere in memory as a whole."""
    packer = zlib.compressobj(6, zlib.DEFLATED, 31)
    parts = [b'{"data": [{"title": "', *[b"A" * (1 << 20)] * BOMB_MIB, b'"}]}']
    return b"".join([*map(packer.compress, parts), packer.flush()])


def _gzip(make: Callable[[bytes], bytes]) -> Change:
    """A body said to be gzip; a Content-Encoding of its own keeps the server from packing it."""

    def change(request: Request, reply: Reply, value: str | None, canary: str) -> Reply:
        return replace(reply, body=make(reply.body), headers={**reply.headers, "Content-Encoding": "gzip"})

    return change


_BUDGET = (
    "Insufficient budget. This request costs $0.001 but you only have $0 remaining. Resets at midnight UTC. "
    "Need more? Add funds at https://openalex.org/pricing"
)
_PLAN = 'The "from_updated_date:2026-07-30" filter requires a Premium, Institutional, or Partner plan.'
_TIMEOUT = "Your query took too long and was stopped before completing. Please narrow the query and try again."

REPLIES: dict[str, Change] = {
    **{str(status): _page(status) for status in _REASONS},
    "429": _slow_down,
    "per_second": _openalex("Rate limit exceeded", "Rate limit exceeded: 100 requests per second.", wait=0.01),
    "budget_gone": _openalex("Rate limit exceeded", _BUDGET, wait=34567),
    "broad_boolean": _openalex(
        "Rate limit exceeded", "Please simplify the query.", wait=1, reason="broad_boolean_query"
    ),
    "plan_required": _openalex("Plan upgrade required", _PLAN),
    "search_shed": _openalex("Service unavailable", "Search without an API key is paused.", 503, wait=30),
    "query_timeout": _openalex("Gateway timeout", _TIMEOUT, 504, reason="query_timeout"),
    "error_in_200": _error_in_200,
    "nothing": _nothing,
    "login_page": _login("text/html; charset=utf-8"),
    "login_as_json": _login("application/json"),
    "login_as_xml": _login("application/xml"),
    "json_in_xml": _json(_NCBI_LIMIT),
    "truncated": _body(lambda body: body[: len(body) * 6 // 10]),
    "empty": _body(lambda body: b""),
    "wrong_type": _labelled("application/octet-stream"),
    "bom": _body(lambda body: b"\xef\xbb\xbf" + body),
    "bad_charset": _labelled("text/plain; charset=x-no-such-charset"),
    "bad_bytes": _body(lambda body: body.replace(b"e", b"\xff\xfe", 20)),
    "utf16": _body(lambda body: body.decode("utf-8", "replace").encode("utf-16")),
    "redirect_away": _redirect(lambda request, canary: f"{canary}{request.target}"),
    "redirect_loop": _redirect(lambda request, canary: request.target),
    "gzip_bomb": _gzip(lambda body: _bomb()),
    "gzip_lie": _gzip(lambda body: body),
    "gzip_cut": _gzip(lambda body: gzipped(body)[: max(20, len(gzipped(body)) // 2)]),
    "deep_json": _json('{"data": ' + "[" * 100_000 + "]" * 100_000 + "}"),
    "nan_json": _json('{"total": NaN, "meta": {"count": 1e999}, "data": [-Infinity], "results": [NaN]}'),
    "null_json": _json("null"),
    "list_json": _json("[]"),
    "types_wrong": _body(_types_wrong),
    "lone_surrogate": _body(lambda body: re.sub(rb'("title": ?")', rb"\1\\ud800 ", body)),
    "xml_bomb": _xml_bomb,
    "outside_entity": _outside_entity,
}
"""Faults by name."""
