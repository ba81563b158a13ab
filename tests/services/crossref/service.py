"""Crossref: `/works` with queries, filters and cursors, single works, and pools by kind of request and by who asks."""

from __future__ import annotations

import base64
import binascii
import json
import re
from typing import Any
from urllib.parse import unquote

from tests.services.corpus.search import date_of, terms
from tests.services.corpus.works import Work
from tests.services.crossref.work import REGISTERED, SELECTS, journal_object, kind_of, work_object
from tests.services.http.message import Reply, Request, html_reply, json_reply
from tests.services.rules import Window
from tests.services.service import Service, number

POOLS = {"polite-single": (10, 3), "polite-array": (3, 3), "public-single": (5, 1), "public-array": (1, 1)}
"""Requests a second, and how many at once."""
_TOO_MANY = "<html><body><p>You have sent too many requests in a given amount of time.</p></body></html>"
_PARAMETERS = frozenset(
    "query query.bibliographic query.author query.title query.container-title filter rows offset cursor sort order "
    "select sample facet mailto".split()
)
_FILTERS = frozenset(
    "doi type from-pub-date until-pub-date from-created-date has-abstract updates update-type is-update issn".split()
)
_ADDRESS = re.compile(r"[^@\s,;]+@[^@\s,;]+\.[^@\s,;]+")
_SHARED = re.compile(r"@(?:[^@]*\.)?example\.(?:com|org|net)$")


class Refused(Exception):
    """A request that does not pass validation."""

    def __init__(
        self, kind: str, value: str, message: str, status: int = 400, told: str = "validation-failure"
    ) -> None:
        super().__init__(message)
        self.status = status
        complaint = {"type": kind, "value": value, "message": message}
        self.body = {"status": "failed", "message-type": told, "message": [complaint]}


class Crossref(Service):
    name = "crossref"

    def reset(self) -> None:
        self._windows = {pool: Window(limit, self.terms.scale) for pool, (limit, _) in POOLS.items()}
        held = [work for work in self.corpus.works if work.doi and not work.doi.startswith("10.48550/")]
        self._works = {work.number: work for work in held}
        self._dois = {(work.doi or "").lower(): work for work in held}

    def answer(self, request: Request) -> Reply:
        pool = f"{self._manners(request)}-{'array' if request.path == '/works' else 'single'}"
        if self.terms.enforced and not self._windows[pool].admit(request.time):
            self.breach(f"more than {POOLS[pool][0]} requests in {self.terms.scale:g} s ({pool}, {request.path})")
            return html_reply(_TOO_MANY, 429)
        try:
            reply = self._routed(request)
        except Refused as refusal:
            self.breach(f"{refusal} ({request.target[:300]})")
            reply = json_reply(refusal.body, refusal.status)
        return Reply(reply.status, reply.body, reply.content_type, {**reply.headers, **self._headers(pool)})

    def _headers(self, pool: str) -> dict[str, str]:
        limit, at_once = POOLS[pool]
        interval = f"{self.terms.scale:g}s"
        return {
            "X-Api-Pool": pool,
            "X-Rate-Limit-Limit": str(limit),
            "X-Rate-Limit-Interval": interval,
            "X-Concurrency-Limit": str(at_once),
        }

    def _manners(self, request: Request) -> str:
        """The pool of those who say who they are, or of everyone."""
        given = request.parameters.get("mailto")
        if given is None:
            return "public"
        if not _ADDRESS.fullmatch(given) or _SHARED.search(given):
            self.breach(f"an address that is nobody's ({given})")
            return "public"
        return "polite"

    def _routed(self, request: Request) -> Reply:
        if request.path == "/works":
            return self._list(request)
        match = re.fullmatch(r"/works/([^/]+)", request.path)
        if match is None:
            return _not_found()
        for name in request.parameters:
            if name != "mailto":
                raise Refused("parameter-not-allowed", name, f"This route does not support {name}")
        work = self._dois.get(unquote(match[1]).lower())
        return _not_found() if work is None else json_reply(_frame("work", work_object(work, self.corpus, 1.0)))

    def _list(self, request: Request) -> Reply:
        parameters = request.parameters
        for name in parameters:
            if name not in _PARAMETERS:
                raise Refused("parameter-not-allowed", name, f"This route does not support {name}")
        for name in filter(None, parameters.get("select", "").split(",")):
            if name not in SELECTS:
                raise Refused("select-not-available", name, f"Select {name} specified but there is no such select.")
        rows = _whole(parameters.get("rows"), 20, 1000)
        start = _start(parameters)
        found = self._found(request)
        items = [self._item(work, score) for work, score in found[start : start + rows]]
        message: dict[str, Any] = {
            "facets": {},
            "total-results": len(found),
            "items": [_selected(item, parameters.get("select")) for item in items],
            "items-per-page": rows,
            "query": {"start-index": start, "search-terms": parameters.get("query")},
        }
        if "cursor" in parameters:  # the last page has one as well
            message["next-cursor"] = _cursor(start + rows)
        return json_reply(_frame("work-list", message))

    def _item(self, work: Work | str, score: float) -> dict[str, Any]:
        return journal_object(work, score) if isinstance(work, str) else work_object(work, self.corpus, score)

    def _found(self, request: Request) -> list[tuple[Work | str, float]]:
        """By relevance; whatever shares a word with the query is found, be it a journal."""
        wanted = _filters(request.parameters.get("filter", ""))
        works = [work for work in self._works.values() if _passes(work, wanted)]
        asked = [text for name, text in request.parameters.items() if name.startswith("query")]
        if not asked:
            return [(work, 1.0) for work in works]
        words = terms(" ".join(asked))
        ranked = self.index.ranked((work.number for work in works), words)
        found: list[tuple[Work | str, float]] = [(work, round(score, 4)) for work, score in ranked if score > 0]
        if "type" not in wanted:
            venues = sorted({work.venue for work in works if set(words) & set(terms(work.venue))})
            found = [*((venue, 99.0) for venue in venues), *found]
        return found


def _filters(raw: str) -> dict[str, list[str]]:
    """Values by the filter's name: of several of one name, one must hold."""
    wanted: dict[str, list[str]] = {}
    for part in filter(None, raw.split(",")):
        name, colon, value = part.partition(":")
        if name not in _FILTERS or not colon:
            raise Refused(
                "filter-not-available", name, f"Filter {name} specified but there is no such filter for this route."
            )
        if name.endswith("-date") and not re.fullmatch(r"\d{4}(-\d{2}(-\d{2})?)?", value):
            raise Refused("date-not-valid", value, f"Date specified as {value} but must be of the form yyyy-MM-dd.")
        wanted.setdefault(name, []).append(value.lower())
    return wanted


def _passes(work: Work, wanted: dict[str, list[str]]) -> bool:
    return all(_has(work, name, values) for name, values in wanted.items())


def _has(work: Work, name: str, values: list[str]) -> bool:
    day = date_of(work) or ""
    match name:
        case "doi":
            return (work.doi or "").lower() in values
        case "type":
            return kind_of(work) in values
        case "from-pub-date":
            return day >= max(values)
        case "from-created-date":
            return max(values) <= REGISTERED
        case "until-pub-date":
            return day != "" and day <= min(values)
    return True


def _whole(text: str | None, default: int, most: int) -> int:
    value = number(text, default)
    if value is None or not 0 <= value <= most:
        raise Refused(
            "integer-not-valid",
            str(text),
            f"Integer specified as {text} but must be a positive integer less than or equal to {most}. ",
        )
    return value


def _start(parameters: dict[str, str]) -> int:
    cursor = parameters.get("cursor")
    if cursor is None:
        return _whole(parameters.get("offset"), 0, 10_000)
    if cursor == "*":
        return 0
    try:
        return int(json.loads(base64.b64decode(cursor, validate=True))["from"])
    except (binascii.Error, ValueError, KeyError, TypeError):
        message = "Cursor specified but it is invalid"
        raise Refused("cursor-invalid", cursor, message, 404, "resource-failure") from None


def _cursor(start: int) -> str:
    """With `+`, `/` and `=`, which must be encoded when it is sent back."""
    return base64.b64encode(json.dumps({"from": start, "pad": "~~??>>"}).encode()).decode()


def _selected(item: dict[str, Any], select: str | None) -> dict[str, Any]:
    return {name: value for name, value in item.items() if not select or name in select.split(",")}


def _frame(kind: str, message: dict[str, Any]) -> dict[str, Any]:
    return {"status": "ok", "message-type": kind, "message-version": "1.0.0", "message": message}


def _not_found() -> Reply:
    """Plain text under the label of JSON."""
    return Reply(404, b"Resource not found.", "application/json")
