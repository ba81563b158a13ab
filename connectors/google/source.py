"""Google Scholar through a provider that the person pays: Serper or SerpApi. Off until there is a key."""

import json
import re
from collections.abc import AsyncGenerator
from dataclasses import replace
from typing import TYPE_CHECKING, Literal, NamedTuple, cast
from urllib.parse import quote, urlencode

from connectors.errors import BadResponse, QuotaExhausted, RateLimited, SourceError, SourceUnavailable, Unauthorized
from connectors.http.json_values import listing, mapping
from connectors.http.paging import ResultPage, gathered
from connectors.http.responses import HttpReply, fault_of_status, in_json, json_body, quoted, retry_after
from connectors.http.secret import Secret
from connectors.identifiers import Identifier, certainly_named
from connectors.paper import Author, Paper
from connectors.query.dialects import sent_text
from connectors.query.terms import plain_words
from connectors.records.build import author_from_name, build_paper, count, partial_date
from connectors.records.clean import clean_text
from connectors.registry import GOOGLE
from connectors.source import Answer, Query, Source
from connectors.spec import Connection

if TYPE_CHECKING:
    from connectors.http.client import HttpClient


_MARK = re.compile(r"^\s*\[(?P<mark>PDF|HTML|BOOK|CITATION|DOC|PS|TXT|B|C)\]\s*", re.IGNORECASE)
_PARTS = re.compile(r"(?<!\s)\s+[-–—]\s+|(?<!\s)\s+[-–—]$")
_YEAR = re.compile(r"(?:^|,\s*|\s)(?P<year>1[5-9]\d\d|20\d\d)$")
_SITE = re.compile(r"[\w-]+(\.[\w-]+)+")


class Publication(NamedTuple):
    """The line under a title in Scholar. Truncated lists and names keep their ellipsis in `venue` only."""

    authors: tuple[Author, ...] = ()
    venue: str = ""
    year: str | None = None


def read_publication(line: object) -> Publication:
    """Parse a line such as `A Vaswani, N Shazeer… - Advances in neural …, 2017 - proceedings.neurips.cc`."""
    parts = [part.strip() for part in _PARTS.split(clean_text(line, 1_000)) if part.strip()]
    if len(parts) > 1 and _SITE.fullmatch(parts[-1]):
        parts.pop()
    elif len(parts) > 2 and not _YEAR.search(parts[-1]):
        parts.pop()  # the publisher's name in place of the site
    dated = next((index for index, part in enumerate(parts) if _YEAR.search(part)), None)
    if dated is None:
        return Publication(_authors(parts[0]) if parts else (), " - ".join(parts[1:]))
    year = _YEAR.search(parts[dated])
    assert year is not None
    tail = parts[dated][: year.start()].strip(" ,")
    venue = " - ".join(part for part in (*parts[1:dated], tail) if part)
    return Publication(_authors(parts[0]) if dated else (), venue, year["year"])


def read_result(
    item: object, *, publication: object, citations: object, pdf: object, year: object = None
) -> Paper | None:
    """Return the paper of one result; None if it has no title. The snippet is not an abstract and is left out."""
    fields = mapping(item)
    title, marks = unmarked(clean_text(fields.get("title")))
    if not title:
        return None
    printed = read_publication(publication)
    return build_paper(
        GOOGLE.name,
        title=title,
        authors=printed.authors,
        date=partial_date(year) or partial_date(printed.year),
        venue=printed.venue,
        type="book" if {"BOOK", "B"} & marks else None,
        identifiers=link_identifiers(fields.get("link")),
        citation_count=citations,
        pdf=pdf,
        url=fields.get("link"),
    )


def unmarked(title: str) -> tuple[str, set[str]]:
    """Split a title into the title and its marks, such as `[PDF]`."""
    marks = set()
    while match := _MARK.match(title):
        marks.add(match["mark"].upper())
        title = title[match.end() :]
    return title, marks


def link_identifiers(link: object) -> list[Identifier]:
    """Return the identifier that an address certainly names, if any."""
    if not isinstance(link, str) or not link.startswith(("http://", "https://")):
        return []
    name = certainly_named(link)
    return [name] if name else []


def first_pdf(resources: object) -> object:
    """Return the address of the first PDF in SerpApi's resources."""
    entries = map(mapping, listing(resources))
    return next((entry.get("link") for entry in entries if entry.get("file_format") == "PDF"), None)


def _authors(names: str) -> tuple[Author, ...]:
    people = (author_from_name(name.strip(" …")) for name in names.replace("...", "…").split(","))
    return tuple(author for author in people if author)


Provider = Literal["serper", "serpapi"]

SERPER_PAGE = 10
SERPAPI_PAGE = 20
QUERY_LENGTH = 256
SYNTAX = ":|*~^()[]{}\\+"
"""Operators (`author:`, `site:`), removed from a question's words."""
NOTHING = "the provider returned nothing"
UNNAMED = "results without a title were left out"
OUTSIDE = "results outside the years asked for, or without a year, were left out: the provider cannot filter by date"
WHOLE_YEARS = "only whole years can be asked for; papers of the first and last year may be outside the dates"


class GoogleScholar(Source, spec=GOOGLE):
    """Google Scholar as a source. Every page costs the person money, so no page is requested twice."""

    def __init__(self, http: "HttpClient", key: Secret, provider: Provider) -> None:
        self._http = http
        self._key = key
        self._provider = provider

    async def search(self, query: Query) -> Answer:
        pages = self._serper(query) if self._provider == "serper" else self._serpapi(query)
        return await gathered(pages, query.limit)

    async def _serper(self, query: Query) -> AsyncGenerator[ResultPage]:
        words = search_words(query)
        for number in range(1, _pages(query.limit, SERPER_PAGE) + 1):
            body = json.dumps({"q": words, "num": SERPER_PAGE, "page": number}, ensure_ascii=False)
            page = await self._http.post(
                "/scholar",
                in_json(self.name, read_serper),
                content=body.encode(),
                content_type="application/json",
                headers={"X-API-KEY": self._key.reveal()},
            )
            yield _within(query, replace(page, sent=f"POST /scholar {body}"))
            if len(page.papers) + page.counts[UNNAMED] < SERPER_PAGE:
                return

    async def _serpapi(self, query: Query) -> AsyncGenerator[ResultPage]:
        parameters = {"engine": "google_scholar", "q": search_words(query)}
        parameters |= {"as_ylo": str(query.since.year)} if query.since else {}
        parameters |= {"as_yhi": str(query.until.year)} if query.until else {}
        for number in range(_pages(query.limit, SERPAPI_PAGE)):
            page = {"start": str(number * SERPAPI_PAGE), "num": str(SERPAPI_PAGE)}
            target = f"/search.json?{urlencode({**parameters, **page})}"
            # The provider takes the key only in the address, so the address is stored without it.
            keyed = f"{target}&api_key={quote(self._key.reveal(), safe='')}"
            results, more = await self._http.get(keyed, in_json(self.name, read_serpapi))
            notes = results.notes + ((WHOLE_YEARS,) if _odd_bounds(query) else ())
            yield replace(results, sent=target, notes=notes)
            if not more:
                return


def open_source(connection: Connection) -> GoogleScholar:
    assert connection.key is not None
    return GoogleScholar(connection.http(error_of), connection.key, cast(Provider, connection.service))


def search_words(query: Query) -> str:
    """Return a query for Google: an expression, or a question in plain words. Raises `BadQuery` if it has no words."""
    if (expression := sent_text(GOOGLE.name, query)) is not None:
        return expression
    words = plain_words(GOOGLE.name, query.text, SYNTAX, QUERY_LENGTH)
    return " ".join(word.lstrip("-") for word in words.split() if word.strip("-"))


def read_serper(body: object) -> ResultPage:
    """Return Serper's results. Raises `BadResponse` for anything else."""
    items = mapping(body).get("organic")
    if not isinstance(items, list) or "searchParameters" not in mapping(body):
        raise BadResponse(GOOGLE.name, "did not send a page of results; try again later.")
    papers = [
        read_result(
            item,
            publication=mapping(item).get("publicationInfo"),
            citations=mapping(item).get("citedBy"),
            pdf=mapping(item).get("pdfUrl"),
            year=mapping(item).get("year"),
        )
        for item in items
    ]
    return _page(papers)


def read_serpapi(body: object) -> tuple[ResultPage, bool]:
    """Return SerpApi's results, and whether more follow. Raises `BadResponse` for anything else. It reports an empty
    result as an `error` beside its own metadata, sometimes wrongly."""
    fields = mapping(body)
    items = fields.get("organic_results")
    if items is None and isinstance(fields.get("error"), str) and "search_metadata" in fields:
        return ResultPage(total=0, notes=(NOTHING,)), False
    if not isinstance(items, list) or "search_metadata" not in fields:
        raise BadResponse(GOOGLE.name, "did not send a page of results; try again later.")
    papers = []
    for entry in map(mapping, items):
        cited_by = mapping(mapping(entry.get("inline_links")).get("cited_by"))
        papers.append(
            read_result(
                entry,
                publication=mapping(entry.get("publication_info")).get("summary"),
                citations=cited_by.get("total"),
                pdf=first_pdf(entry.get("resources")),
            )
        )
    total = count(mapping(fields.get("search_information")).get("total_results"))
    return _page(papers, total), "next" in mapping(fields.get("serpapi_pagination"))


def error_of(reply: HttpReply) -> SourceError | None:
    """Return the error in a reply of either provider; None for a good one."""
    message = quoted(reply)
    if reply.status < 300:
        return (
            SourceUnavailable(GOOGLE.name, f"failed at the provider{message}; try again later.")
            if _failed(reply)
            else None
        )
    if any(words in message.lower() for words in ("enough credit", "out of credit", "run out of searches")):
        return QuotaExhausted(GOOGLE.name, f"has no paid searches left{message}; top up the account or unset its key.")
    if reply.status in (401, 403):
        return Unauthorized(
            GOOGLE.name, f"refused the key{message}; set SERPER_API_KEY or SERPAPI_API_KEY to a valid key or unset it."
        )
    if reply.status == 429:
        return RateLimited(GOOGLE.name, f"got too many requests{message}.", retry_after(reply))
    return fault_of_status(GOOGLE.name, reply)


def _failed(reply: HttpReply) -> bool:
    """Whether a reply with status 200 reports a failure, not a search without results."""
    try:
        fields = mapping(json_body(GOOGLE.name, reply))
    except BadResponse:
        return False  # the parser of the body gives a better message
    metadata = mapping(fields.get("search_metadata"))
    return bool(fields.get("error")) and (not metadata or metadata.get("status") == "Error")


def _page(results: list[Paper | None], total: int | None = None) -> ResultPage:
    papers = tuple(paper for paper in results if paper)
    if results and not papers:
        raise BadResponse(GOOGLE.name, "sent results without titles; try again later.")
    notes = () if results else (NOTHING,)
    return ResultPage(papers, total=total, counts={UNNAMED: len(results) - len(papers)}, notes=notes)


def _within(query: Query, page: ResultPage) -> ResultPage:
    """Return the page without papers of other years, which Serper cannot filter."""
    papers = tuple(paper for paper in page.papers if query.has_year(paper.year))
    counts = {**page.counts, OUTSIDE: len(page.papers) - len(papers)}
    return replace(
        page, papers=papers, counts=counts, notes=page.notes + ((WHOLE_YEARS,) if _odd_bounds(query) else ())
    )


def _odd_bounds(query: Query) -> bool:
    since, until = query.since, query.until
    return bool((since and (since.month, since.day) != (1, 1)) or (until and (until.month, until.day) != (12, 31)))


def _pages(limit: int, size: int) -> int:
    return max(1, -(-limit // size))
