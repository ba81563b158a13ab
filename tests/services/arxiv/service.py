"""arXiv: `/api/query`, Atom, one request per three seconds over one connection."""

from __future__ import annotations

import base64
import hashlib
import re
from textwrap import wrap
from urllib.parse import urlencode

from tests.services.corpus.boolean import OPERATORS, BadExpression, Expression
from tests.services.corpus.search import date_of, holds_phrase, index_of, terms, text_of
from tests.services.corpus.works import Work
from tests.services.http.message import Reply, Request, html_reply, xml_reply, xml_text
from tests.services.rules import Window
from tests.services.service import Service, number

_ATOM = "application/atom+xml; charset=utf-8"
_OPEN = (
    "<?xml version='1.0' encoding='UTF-8'?>\n"
    '<feed xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/" xmlns:arxiv="http://arxiv.org/schemas/atom" '
    'xmlns="http://www.w3.org/2005/Atom">\n'
)
_NOW = "2026-11-20T00:00:00Z"
_ID = re.compile(r"(?P<id>\d{4}\.\d{4,5}|[a-z-]+(\.[A-Z]{2})?/\d{7})(v(?P<version>\d+))?")
_TOKEN = re.compile(r'\s+|(?P<range>\w+:\[[^\]]*\])|(?P<term>(\w+:)?"[^"]*")|(?P<paren>[()])|(?P<word>[^\s()"]+)')
_FIELDS = {"all", "ti", "au", "abs", "cat", "id", "co", "jr", "rn"}
_RANGE = re.compile(r"submittedDate:\[(\d{8,14}|\*) TO (\d{8,14}|\*)\]")


class BadRequest(ValueError):
    """What the Error feed says."""


class ArXiv(Service):
    name = "arxiv"
    one_connection = True

    def reset(self) -> None:
        self._window = Window(1, 3.0 * self.terms.scale)
        self._works = {work.number: work for work in self.corpus.works if work.arxiv}
        self._index = index_of(tuple(self._works.values()))

    def answer(self, request: Request) -> Reply:
        if request.path != "/api/query":
            return html_reply("<html><body><h1>Not Found</h1></body></html>", 404)
        if self.terms.enforced and not self._window.admit(request.time):
            self.breach(f"less than {3 * self.terms.scale:g} s after the request before ({request.target})")
            return Reply(429, b"Rate exceeded.", "text/plain")
        parameters = request.parameters
        try:
            return xml_reply(self._feed(parameters), content_type=_ATOM)
        except (BadRequest, BadExpression) as reason:
            return xml_reply(_error_feed(str(reason)), 400, _ATOM)

    def _feed(self, parameters: dict[str, str]) -> str:
        start = _whole(parameters.get("start"), 0, "start")
        size = _whole(parameters.get("max_results"), 10, "max_results")
        if size > 2000:
            raise BadRequest("max_results must not exceed 2000")
        if start + size > 30_000:
            raise BadRequest("start + max_results must not exceed 30000")
        query, id_list = parameters.get("search_query", ""), parameters.get("id_list", "")
        found = _ordered(self._found(query.strip(), id_list), parameters)
        entries = "".join(
            _entry(work, version, self.corpus.journal_version(work)) for work, version in found[start : start + size]
        )
        return _head(query, id_list, start, size, len(found)) + entries + "</feed>\n"

    def _found(self, query: str, id_list: str) -> list[tuple[Work, int]]:
        named = [found for text in id_list.split(",") if text.strip() and (found := self._looked_up(text.strip()))]
        if not query:
            return named
        numbers, ranking = self._searched(query)
        if id_list:
            return [(work, version) for work, version in named if work.number in numbers]
        return [(work, work.arxiv_version) for work, _ in self._index.ranked(numbers, ranking)]

    def _looked_up(self, text: str) -> tuple[Work, int] | None:
        match = _ID.fullmatch(text)
        if not match:
            raise BadRequest(f"incorrect id format for {text}")
        work = self.corpus.find("arxiv", match["id"])
        if work is None:
            return None
        version = int(match["version"] or work.arxiv_version)
        return (work, version) if version <= work.arxiv_version else None

    def _searched(self, query: str) -> tuple[set[int], list[str]]:
        """The numbers that match, and the terms to rank them by."""
        tokens, ranking = _tokens(query)
        return Expression(tokens, self._matching, set(self._works), implied="OR").value(), ranking

    def _matching(self, token: str) -> set[int]:
        if token.startswith("submittedDate:"):
            return self._submitted(token)
        name, text = _field_and_text(token)
        return {number for number, work in self._works.items() if _holds(work, name, text)}

    def _submitted(self, token: str) -> set[int]:
        match = _RANGE.fullmatch(token)
        if not match:
            raise BadRequest(f"malformed date range {token}")
        since, until = (None if end == "*" else end[:8] for end in match.groups())
        days = {number: (work.date or "").replace("-", "") for number, work in self._works.items()}
        return {number for number, day in days.items() if (since or "0") <= day <= (until or "9")}


def _whole(text: str | None, default: int, name: str) -> int:
    value = number(text, default)
    if value is None:
        raise BadRequest(f"{name} must be an integer")
    if value < 0:
        raise BadRequest(f"{name} must be non-negative")
    return value


def _tokens(query: str) -> tuple[list[str], list[str]]:
    tokens: list[str] = []
    ranking: list[str] = []
    if query.count('"') % 2:
        raise BadRequest("unbalanced quotation mark in search_query")
    for match in _TOKEN.finditer(query):
        token = match["range"] or match["term"] or match["paren"] or match["word"]
        if not token:
            continue
        tokens.append(token)
        if match["range"] is None and token not in OPERATORS and match["paren"] is None:
            ranking += terms(_field_and_text(token)[1])
    return tokens, ranking


def _field_and_text(token: str) -> tuple[str, str]:
    """Raises BadRequest for a word with a colon that names no field: raw text is not safe here."""
    name, colon, text = token.partition(":")
    if not colon or token.startswith('"'):
        return "all", token.strip('"')
    if name not in _FIELDS or not text:
        raise BadRequest(f"unknown field in {token}")
    return name, text.strip('"')


def _holds(work: Work, name: str, text: str) -> bool:
    if name == "cat":
        return work.category == text
    if name == "id":
        return work.arxiv == text.split("v")[0]
    people = " ".join(author.name for author in work.authors)
    where = {"ti": work.title, "abs": work.abstract or "", "au": people, "co": "", "jr": "", "rn": ""}
    return holds_phrase(where.get(name, f"{text_of(work)} {people}"), text.replace("_", " "))


def _ordered(found: list[tuple[Work, int]], parameters: dict[str, str]) -> list[tuple[Work, int]]:
    by = parameters.get("sortBy") or "relevance"
    order = parameters.get("sortOrder") or "descending"
    if by not in {"relevance", "submittedDate", "lastUpdatedDate"}:
        raise BadRequest("sortBy must be in: relevance, lastUpdatedDate, submittedDate")
    if order not in {"ascending", "descending"}:
        raise BadRequest("sortOrder must be in: ascending, descending")
    if by == "relevance":
        return found if order == "descending" else found[::-1]
    return sorted(found, key=lambda pair: date_of(pair[0]) or "", reverse=order == "descending")


def _head(query: str, id_list: str, start: int, size: int, total: int) -> str:
    asked = f"search_query={query}&id_list={id_list}&start={start}&max_results={size}"
    digest = base64.b64encode(hashlib.sha1(asked.encode()).digest()).decode().rstrip("=")
    parameters = {"search_query": query, "start": start, "max_results": size, "id_list": id_list}
    link = f"https://arxiv.org/api/query?{urlencode(parameters)}"
    return (
        f"{_OPEN}  <id>https://arxiv.org/api/{digest}</id>\n"
        f"  <title>arXiv Query: {xml_text(asked)}</title>\n  <updated>{_NOW}</updated>\n"
        f'  <link href="{xml_text(link)}" type="application/atom+xml"/>\n'
        f"  <opensearch:itemsPerPage>{size}</opensearch:itemsPerPage>\n"
        f"  <opensearch:totalResults>{total}</opensearch:totalResults>\n"
        f"  <opensearch:startIndex>{start}</opensearch:startIndex>\n"
    )


def _entry(work: Work, version: int, published: Work | None) -> str:
    address = f"{work.arxiv}v{version}"
    first, last = f"{work.date}T17:59:46Z", f"{work.date}T{17 + version:02}:59:46Z"
    people = "".join(f"    <author>\n      <name>{xml_text(one.name)}</name>\n    </author>\n" for one in work.authors)
    return (
        f"  <entry>\n    <id>http://arxiv.org/abs/{address}</id>\n    <title>{xml_text(_wrapped(work.title))}</title>\n"
        f"    <updated>{last if version > 1 else first}</updated>\n"
        f'    <link href="https://arxiv.org/abs/{address}" rel="alternate" type="text/html"/>\n'
        f'    <link href="https://arxiv.org/pdf/{address}" rel="related" type="application/pdf" title="pdf"/>\n'
        f"    <summary>{xml_text(work.abstract or '')}</summary>\n"
        f'    <category term="{work.category}" scheme="http://arxiv.org/schemas/atom"/>\n'
        f"    <published>{first}</published>\n"
        f"    <arxiv:comment>{work.number % 20 + 5} pages</arxiv:comment>\n"
        f'    <arxiv:primary_category term="{work.category}"/>\n{_journal(published)}{people}  </entry>\n'
    )


def _wrapped(title: str) -> str:
    """Long titles come with line breaks in them."""
    return "\n  ".join(wrap(title, 76, break_on_hyphens=False))


def _journal(work: Work | None) -> str:
    """Where the preprint was published; arXiv knows it of some only."""
    if work is None or work.number % 3 == 0:
        return ""
    return (
        f"    <arxiv:journal_ref>{xml_text(work.venue)} ({work.year})</arxiv:journal_ref>\n"
        f"    <arxiv:doi>{work.doi}</arxiv:doi>\n"
        f'    <link rel="related" href="https://doi.org/{work.doi}" title="doi"/>\n'
    )


def _error_feed(reason: str) -> str:
    address = f"https://arxiv.org/api/errors#{reason.replace(' ', '_')}"
    return (
        f"{_OPEN}  <id>https://arxiv.org/</id>\n  <title>arXiv Search Results</title>\n  <updated>{_NOW}</updated>\n"
        "  <opensearch:itemsPerPage>1</opensearch:itemsPerPage>\n"
        "  <opensearch:totalResults>1</opensearch:totalResults>\n"
        "  <opensearch:startIndex>0</opensearch:startIndex>\n"
        f"  <entry>\n    <id>{xml_text(address)}</id>\n    <title>Error</title>\n    <updated>{_NOW}</updated>\n"
        f'    <link href="{xml_text(address)}" rel="alternate" type="text/html"/>\n'
        f"    <summary>{xml_text(reason)}</summary>\n"
        "    <author>\n      <name>arXiv api core</name>\n    </author>\n  </entry>\n</feed>\n"
    )
