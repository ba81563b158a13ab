"""Semantic Scholar: papers, references, citations, and recommendations; slow without one's own key."""

import json
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, NoReturn
from urllib.parse import quote, quote_plus

from connectors.batches import in_batches
from connectors.errors import NotFound, RateLimited, SourceError, Unauthorized, Unsupported
from connectors.http.paging import ResultPage, gathered
from connectors.http.responses import Content, HttpReply, fault_of_status, in_json, quoted, retry_after
from connectors.http.secret import Secret
from connectors.identifiers import Identifier
from connectors.paper import Paper
from connectors.person import Person, PersonId
from connectors.query.terms import plain_words
from connectors.registry import SEMANTIC_SCHOLAR
from connectors.semantic_scholar.paper import (
    FIELDS,
    PERSON_FIELDS,
    Side,
    read_batch,
    read_links,
    read_papers,
    read_people,
    read_person,
    read_recommended,
    read_search,
)
from connectors.source import Answer, Query, Source, usable_names
from connectors.spec import Connection

if TYPE_CHECKING:
    from connectors.http.client import HttpClient

SEARCH_PAGE, SEARCH_END = 100, 1_000
LINKS_PAGE, LINKS_END = 1_000, 9_000
BATCH = 500
MOST_PAGES = 12
MOST_RECOMMENDED = 500
QUERY_LENGTH = 300
SYNTAX = '-‐‑‒–—"“”„+|*~^()[]{}\\'
"""Characters removed from queries: there is no syntax, and hyphenated words match nothing."""

_PREFIXES = {"s2": "", "doi": "DOI:", "arxiv": "ARXIV:", "pmid": "PMID:", "pmcid": "PMCID:"}
_UNKNOWN_BATCH = "no valid paper ids"


class RequestDraft(NamedTuple):
    """A request as the library would send it: path and query, and the body of a POST."""

    target: str
    payload: dict[str, list[str]] | None = None


class SemanticScholar(Source, spec=SEMANTIC_SCHOLAR):
    """Semantic Scholar as a source. Without a `key` all its users worldwide share one small quota."""

    def __init__(self, http: "HttpClient", key: Secret | None) -> None:
        self._http = http
        self._headers = {"x-api-key": key.reveal()} if key and key.reveal() else {}

    async def search(self, query: Query) -> Answer:
        limit = min(query.limit, SEARCH_END)
        draft = await search_draft(query)
        return await gathered(
            self._pages(draft.target, lambda following: partial(read_search, following=following), SEARCH_END), limit
        )

    async def lookup(self, names: Sequence[Identifier]) -> Answer:
        usable = self._usable(self.known_names(names))
        return await gathered(self._batches([spelled(name) for name in usable]), len(usable))

    async def references(self, paper: Paper, limit: int) -> Answer:
        return await self._links(paper, "references", limit)

    async def citations(self, paper: Paper, limit: int) -> Answer:
        return await self._links(paper, "citations", limit)

    async def similar(self, paper: Paper, limit: int) -> Answer:
        """Return recommendations from the pool that suits the paper's subject and age."""
        pool: Literal["all-cs", "recent"] = "all-cs" if paper.identifier("arxiv") else "recent"
        note = "computer science of all years" if pool == "all-cs" else "recent papers of all subjects"
        size = max(1, min(limit, MOST_RECOMMENDED))

        async def pages(name: str) -> AsyncGenerator[ResultPage]:
            draft = await drafted(
                lambda library: library.get_recommended_papers(
                    _in_path(name), fields=FIELDS, limit=size, pool_from=pool
                )
            )
            page = await self._get(draft.target, read_recommended)
            yield replace(page, sent=draft.target, notes=(f"recommended from {note}",))

        return await self._first_known(paper, pages, limit)

    async def newest_citations(self, paper: Paper, limit: int) -> Answer:
        """Return all papers that cite `paper`, whatever the `limit`: the list is not ordered by time, so a part of
        it does not show the newest. Raises `Unsupported` if it needs more than one page."""

        async def pages(name: str) -> AsyncGenerator[ResultPage]:
            draft = await drafted(
                lambda library: library.get_paper_citations(_in_path(name), fields=FIELDS, limit=LINKS_PAGE)
            )
            yield self._whole(await self._get(draft.target, partial(read_links, side="citingPaper")), draft.target)

        return await self._first_known(paper, pages, LINKS_PAGE)

    async def people(self, name: str, limit: int) -> Sequence[Person]:
        words = quote_plus(plain_words(SEMANTIC_SCHOLAR.name, name, SYNTAX, QUERY_LENGTH))
        draft = await drafted(
            lambda library: library.search_author(words, fields=PERSON_FIELDS, limit=max(1, min(limit, LINKS_PAGE)))
        )
        return await self._get(draft.target, read_people)

    async def person(self, id: PersonId) -> Person:
        draft = await drafted(lambda library: library.get_author(id.value, fields=PERSON_FIELDS))
        return await self._get(draft.target, read_person)

    async def works_of(self, id: PersonId, limit: int) -> Answer:
        """Return all works of this person, whatever the `limit`, as in `newest_citations`."""
        draft = await drafted(lambda library: library.get_author_papers(id.value, fields=FIELDS, limit=LINKS_PAGE))

        async def pages() -> AsyncGenerator[ResultPage]:
            yield self._whole(await self._get(draft.target, read_papers), draft.target)

        return await gathered(pages(), LINKS_PAGE)

    def _whole(self, page: ResultPage, request: str) -> ResultPage:
        """Return the page of a complete list. Raises `Unsupported` if there are further pages."""
        if page.following is not None:
            raise Unsupported(
                self.name,
                f"lists more than {LINKS_PAGE:,} papers without an order by date, so it cannot find the new ones.",
            )
        return replace(page, sent=request)

    async def _links(self, paper: Paper, kind: Literal["references", "citations"], limit: int) -> Answer:
        side: Side = "citedPaper" if kind == "references" else "citingPaper"
        size = max(1, min(limit, LINKS_PAGE))

        async def pages(name: str) -> AsyncGenerator[ResultPage]:
            draft = await drafted(
                lambda library: getattr(library, f"get_paper_{kind}")(_in_path(name), fields=FIELDS, limit=size)
            )
            async for page in self._pages(draft.target, lambda _: partial(read_links, side=side), LINKS_END):
                yield page

        return await self._first_known(paper, pages, min(limit, LINKS_END))

    async def _first_known(
        self, paper: Paper, pages: Callable[[str], AsyncGenerator[ResultPage]], limit: int
    ) -> Answer:
        """Return the answer for the first identifier of the paper that is known here. Raises `NotFound` if none is."""
        for name in self._usable(paper.identifiers):
            try:
                return await gathered(pages(spelled(name)), limit)
            except NotFound:
                continue
        raise self._unknown(paper)

    def _usable(self, names: Sequence[Identifier]) -> list[Identifier]:
        return [name for name in dict.fromkeys(usable_names(names, self.schemes)) if name.value.isprintable()]

    async def _pages(
        self, target: str, read: Callable[[bool], Callable[[object], ResultPage]], end: int
    ) -> AsyncGenerator[ResultPage]:
        """Yield pages up to `end`; `target` is the first one's, with offset 0. `read` returns the parser of the
        first page (False) or of a later one (True)."""
        offset = 0
        for _ in range(MOST_PAGES):
            text = target.replace("&offset=0&", f"&offset={offset}&")
            page = await self._get(text, read(offset > 0))
            yield replace(page, sent=text)
            if page.following is None or not offset < page.following < end:
                return
            offset = page.following

    async def _batches(self, names: list[str]) -> AsyncGenerator[ResultPage]:
        for batch in in_batches(names, BATCH):
            yield await self._batch(list(batch))

    async def _batch(self, names: list[str]) -> ResultPage:
        draft = await drafted(lambda library: library.get_papers(names, fields=FIELDS))
        request = f"POST {draft.target} ({len(names)} ids)"
        content = json.dumps(draft.payload).encode()
        try:
            page = await self._http.post(
                draft.target,
                in_json(self.name, partial(read_batch, size=len(names))),
                content=content,
                content_type="application/json",
                headers=self._headers,
            )
        except NotFound:  # raised once all identifiers are unknown
            return ResultPage(sent=request)
        return replace(page, sent=request)

    async def _get(self, target: str, read: Callable[[object], Content]) -> Content:
        return await self._http.get(target, in_json(self.name, read), headers=self._headers)


def open_source(connection: Connection) -> SemanticScholar:
    return SemanticScholar(connection.http(error_of), connection.key)


async def search_draft(query: Query) -> RequestDraft:
    """Return the first page's request of a search. Raises `BadQuery` if the question has no words."""
    words = (
        query.text if query.form == "verbatim" else plain_words(SEMANTIC_SCHOLAR.name, query.text, SYNTAX, QUERY_LENGTH)
    )
    span = f"{query.since or ''}:{query.until or ''}" if query.since or query.until else None
    size = max(1, min(query.limit, SEARCH_PAGE))
    encoded = quote_plus(words)
    return await drafted(
        lambda library: library.search_paper(encoded, publication_date_or_year=span, fields=FIELDS, limit=size)
    )


async def drafted(ask: Callable[[Any], Awaitable[object]]) -> RequestDraft:
    """Return the request that the library would send for `ask`. This skips the library's constructor, which installs
    a log handler on standard error that spoils a terminal screen."""
    from semanticscholar.AsyncSemanticScholar import AsyncSemanticScholar

    library: Any = AsyncSemanticScholar.__new__(AsyncSemanticScholar)
    library.api_url = ""
    library._requester = _Recorder()
    try:
        await ask(library)
    except _Drafted as request:
        return request.draft
    raise AssertionError("the library sends a request for every call")


class _Drafted(Exception):
    def __init__(self, draft: RequestDraft) -> None:
        self.draft = draft


class _Recorder:
    """Replaces the library's own requester, which loses keys, hides failures and sleeps for minutes."""

    async def get_data_async(
        self, url: str, parameters: str, headers: dict[str, str], payload: dict[str, list[str]] | None = None
    ) -> NoReturn:
        raise _Drafted(RequestDraft(f"{url}?{parameters.lstrip('&')}", payload))


def spelled(name: Identifier) -> str:
    """Return an identifier in Semantic Scholar's spelling."""
    return _PREFIXES[name.scheme] + (name.value.removeprefix("PMC") if name.scheme == "pmcid" else name.value)


def error_of(reply: HttpReply) -> SourceError | None:
    """Return the error in a reply; None for a good one."""
    if reply.status < 300:
        return None
    quote = quoted(reply)
    match reply.status:
        case 400 if _UNKNOWN_BATCH in quote.lower():
            return NotFound(SEMANTIC_SCHOLAR.name, "knows none of these papers.")
        case 401 | 403:
            return Unauthorized(
                SEMANTIC_SCHOLAR.name,
                f"refused the key{quote}; unused keys lapse after 60 days: set S2_API_KEY to a valid key or unset it.",
            )
        case 404:
            return NotFound(SEMANTIC_SCHOLAR.name, f"does not know this{quote}.")
        case 429:
            return RateLimited(
                SEMANTIC_SCHOLAR.name,
                "got too many requests, from you or from everyone without a key; set S2_API_KEY to your own key.",
                retry_after(reply),
            )
    return fault_of_status(SEMANTIC_SCHOLAR.name, reply)


def _in_path(name: str) -> str:
    return quote(name, safe=":/()")
