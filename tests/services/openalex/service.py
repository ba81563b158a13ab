"""OpenAlex: `/works` with search, filters and paging, `/authors` by name, single ones, and a ledger of credits."""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any
from urllib.parse import unquote

from tests.services.corpus.boolean import BadExpression, Expression
from tests.services.corpus.search import STOP_WORDS, date_of, holds_phrase, terms, text_of, words
from tests.services.corpus.works import Work
from tests.services.http.message import Reply, Request, html_reply, json_reply
from tests.services.openalex.filters import Filters, parse_filters
from tests.services.openalex.rules import USD, Gate, Refused, check_parameters, check_search, invalid, price_of
from tests.services.openalex.work import AUTHOR_FIELDS, ROOT_FIELDS, author_id, author_object, work_object
from tests.services.service import Service, number

NOT_FOUND = (
    "<!doctype html>\n<html lang=en>\n<title>404 Not Found</title>\n<h1>Not Found</h1>\n<p>The requested URL was not "
    "found on the server. If you entered the URL manually please check your spelling and try again.</p>\n"
)
_SORTS: dict[str, Callable[[Work, int, float], Any]] = {
    "publication_date": lambda work, cited, score: date_of(work) or "",
    "publication_year": lambda work, cited, score: work.year or 0,
    "cited_by_count": lambda work, cited, score: cited,
    "display_name": lambda work, cited, score: work.title,
    "title": lambda work, cited, score: work.title,
    "relevance_score": lambda work, cited, score: score,
}
_PAGINATION = (
    "Maximum results size of 10,000 records is exceeded. Cursor pagination is required for records beyond 10,000. "
    "See: https://developers.openalex.org/guides/page-through-results"
)


class OpenAlex(Service):
    name = "openalex"

    def reset(self) -> None:
        self._gate = Gate(self.terms)
        self._filters = Filters(self.corpus, self._searched)

    def midnight(self) -> None:
        """A new day: the credits are back."""
        self._gate.midnight()

    def answer(self, request: Request) -> Reply:
        keyed = False
        try:
            keyed = self._gate.keyed(request)
            check_parameters(request)
            self._gate.admit(request, keyed)
            price = price_of(request)
            reply = self._routed(request, price)
            self._gate.pay(keyed, price)
        except Refused as refusal:
            price, reply = 0, self._refusal(request, refusal)
        return replace(reply, headers={**reply.headers, **self._gate.headers(keyed, price)})

    def _refusal(self, request: Request, refusal: Refused) -> Reply:
        if refusal.breach:
            self.breach(f"{refusal} ({request.target[:300]})")
        wait = refusal.body.get("retryAfter")
        headers = {} if wait is None else {"Retry_After": str(max(1, round(float(str(wait)))))}
        return json_reply(refusal.body, refusal.status, **headers)

    def _routed(self, request: Request, price: int) -> Reply:
        if request.path == "/works":
            return self._list(request, price)
        if request.path.startswith("/works/"):
            return self._single(request, unquote(request.path.removeprefix("/works/")))
        if request.path == "/authors":
            return self._authors(request, price)
        if request.path.startswith("/authors/"):
            return self._author(request, request.path.removeprefix("/authors/"))
        return html_reply(NOT_FOUND, 404)

    def _authors(self, request: Request, price: int) -> Reply:
        """Those whose name holds all words of the search, who wrote most first."""
        text, size = request.parameters.get("search", ""), _per_page(request.parameters)
        check_search(text)
        found = [one for one in self.corpus.profiles.values() if set(words(text)) <= set(words(one.name))]
        found.sort(key=lambda one: (-len(one.works), one.number))
        results = [_selected(author_object(one), request.parameters.get("select"), AUTHOR_FIELDS) for one in found]
        meta = {"count": len(found), "page": 1, "per_page": size, "cost_usd": round(price * USD, 6)}
        return json_reply({"meta": meta, "results": results[:size], "group_by": []})

    def _author(self, request: Request, name: str) -> Reply:
        found = next((one for one in self.corpus.profiles.values() if author_id(one.number) == name.upper()), None)
        if found is None:
            return html_reply(NOT_FOUND, 404)
        return json_reply(_selected(author_object(found), request.parameters.get("select"), AUTHOR_FIELDS))

    def _single(self, request: Request, name: str) -> Reply:
        if target := self.corpus.merged.get(name.rsplit("/", 1)[-1].upper()):
            query = f"?{request.query}" if request.query else ""
            return Reply(301, b"", "text/html; charset=utf-8", {"Location": f"/works/{target}{query}"})
        work = self._named(name)
        if work is None:
            return html_reply(NOT_FOUND, 404)
        return json_reply(_selected(work_object(work, self.corpus, single=True), request.parameters.get("select")))

    def _named(self, name: str) -> Work | None:
        if re.fullmatch(r"(https://openalex\.org/)?[Ww]\d+", name):
            return self.corpus.find("openalex", name.rsplit("/", 1)[-1])
        for prefix, kind in (("doi:", "doi"), ("https://doi.org/", "doi"), ("pmid:", "pmid"), ("pmcid:", "pmcid")):
            if name.lower().startswith(prefix):
                work = self.corpus.find(kind, name[len(prefix) :])
                return work if work and work.openalex else None
        return None

    def _list(self, request: Request, price: int) -> Reply:
        parameters = request.parameters
        size = _per_page(parameters)
        found = self._found(request)
        page, start, cursor = _place(parameters, size)
        shown = found[start : start + size]
        results = [
            {
                **work_object(work, self.corpus, single=False),
                **({"relevance_score": score} if score is not None else {}),
            }
            for work, score in shown
        ]
        meta: dict[str, Any] = {"count": len(found), "db_response_time_ms": 65, "page": page, "per_page": size}
        if cursor:
            meta["next_cursor"] = _cursor(start + size) if len(shown) == size else None
        meta |= {"groups_count": None, "cost_usd": round(price * USD, 6)}
        chosen = [_selected(result, parameters.get("select")) for result in results]
        return json_reply({"meta": meta, "results": chosen, "group_by": []})

    def _found(self, request: Request) -> list[tuple[Work, float | None]]:
        numbers = {work.number for work in self.corpus.works if work.openalex}
        asked: list[str] = []
        for name, raw in request.raw_pairs:
            if name == "filter" and raw:
                for key, value in parse_filters(raw):
                    numbers &= self._filters.numbers(key, value)
                    asked += terms(value) if key.endswith(".search") else []
        if (text := request.parameters.get("search.semantic")) is not None:
            near = {work.number for work, _ in self.index.matching(text, share=0.1)[:50]}
            numbers, asked = numbers & near, asked + terms(text)
        for name in ("search", "search.exact"):
            if text := request.parameters.get(name):
                numbers &= self._searched(text, text_of)
                asked += terms(text)
        scored: list[tuple[Work, float | None]] = [
            (work, round(score, 4) if asked else None) for work, score in self.index.ranked(numbers, asked)
        ]
        return self._sorted(scored, request.parameters.get("sort"), bool(asked))

    def _sorted(
        self, found: list[tuple[Work, float | None]], sort: str | None, searched: bool
    ) -> list[tuple[Work, float | None]]:
        for part in reversed((sort or "").split(",") if sort else []):
            name, _, order = part.partition(":")
            if name not in _SORTS or order not in {"", "asc", "desc"}:
                raise invalid(f"Sort values such as {part} are not valid. Use one of: {', '.join(_SORTS)}.")
            if name == "relevance_score" and not searched:
                raise invalid("Must include a search query in order to sort by relevance_score.")
            value = _SORTS[name]
            found.sort(
                key=lambda pair: value(pair[0], len(self.corpus.citations(pair[0])), pair[1] or 0.0),
                reverse=order == "desc",
            )
        return found

    def _searched(self, text: str, where: Callable[[Work], str]) -> set[int]:
        """The works whose text holds all words of the query, or what its operators say. Raises Refused."""
        check_search(text)
        texts = {work.number: where(work) for work in self.corpus.works}
        stems = {number: set(terms(text)) for number, text in texts.items()}

        def matching(token: str) -> set[int]:
            if token.startswith('"'):
                return {number for number, text in texts.items() if holds_phrase(text, token)}
            wanted = set(terms(token))
            return {number for number, have in stems.items() if wanted <= have}

        tokens = [token for token in re.findall(r'"[^"]*"|[()]|[^\s()"]+', text) if _counts(token)]
        try:
            return Expression(tokens, matching, set(texts)).value() if tokens else set()
        except BadExpression as reason:
            raise invalid(f"The search query could not be parsed: {reason}.") from None


def _counts(token: str) -> bool:
    """Whether a token of a search takes part: stop words and bare punctuation do not."""
    return token in {"(", ")"} or token.isupper() or any(word not in STOP_WORDS for word in words(token))


def _per_page(parameters: dict[str, str]) -> int:
    size = number(parameters.get("per-page", parameters.get("per_page")), 25)
    if size is None or not 1 <= size <= 100:
        raise Refused("Pagination error.", "per-page parameter must be between 1 and 100")
    return size


def _place(parameters: dict[str, str], size: int) -> tuple[int | None, int, bool]:
    """Page, first row, and whether a cursor is used."""
    if (cursor := parameters.get("cursor")) is not None:
        try:
            return None, 0 if cursor == "*" else json.loads(base64.urlsafe_b64decode(cursor))["from"], True
        except (binascii.Error, ValueError, KeyError, TypeError):
            raise Refused("Pagination error.", "Cursor value is invalid.") from None
    page = number(parameters.get("page"), 1)
    if page is None or page < 1:
        raise Refused("Pagination error.", "Page parameter must be a number greater than 0.")
    if page * size > 10_000:
        raise Refused("Pagination error.", _PAGINATION)
    return page, (page - 1) * size, False


def _cursor(start: int) -> str:
    return base64.urlsafe_b64encode(json.dumps({"from": start}).encode()).decode()


def _selected(value: dict[str, Any], select: str | None, fields: frozenset[str] = ROOT_FIELDS) -> dict[str, Any]:
    if not select:
        return value
    names = select.split(",")
    for name in names:
        if name not in fields | {"relevance_score"}:
            raise invalid(
                f"{name} is not a valid select field. Valid fields for select are: {', '.join(sorted(fields))}."
            )
    return {name: value[name] for name in value if name in names}
