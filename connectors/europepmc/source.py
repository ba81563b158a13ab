"""Europe PMC: articles of medicine and the life sciences, and the preprints of bioRxiv, medRxiv and other servers."""

from collections.abc import AsyncGenerator, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING
from urllib.parse import quote, urlencode

from connectors.errors import SourceError, SourceUnavailable
from connectors.europepmc.query import lookup_query, named, search_queries
from connectors.europepmc.record import read_list
from connectors.http.paging import Page, batched, gathered, widened
from connectors.http.responses import Reply, fault_of_status, in_json, quoted
from connectors.identifiers import Identifier, parse_identifier
from connectors.registry import EUROPE_PMC
from connectors.source import Answer, Query, Source
from connectors.spec import Connection

if TYPE_CHECKING:
    from connectors.http.client import HttpClient


PAGE = 100
"""Maximum number of records per page; a thousand are allowed, each with its abstract and subject headings."""
NAMES = 50
"""Maximum number of identifiers per look-up."""
QUERY_LENGTH = 3_000
"""Maximum length of a look-up, so that the request line stays below 4 KB."""
ARXIV_DOIS = "10.48550/"


class EuropePMC(Source):
    """Europe PMC as a source; it needs no key."""

    name = EUROPE_PMC.name
    capabilities = EUROPE_PMC.capabilities
    schemes = EUROPE_PMC.schemes

    def __init__(self, http: "HttpClient") -> None:
        self._http = http

    async def search(self, query: Query) -> Answer:
        """Return papers that match the expression, or all distinctive words of the query, or else any of its words."""
        name = parse_identifier(query.text) if query.form == "words" else None
        if name and name.scheme in self.schemes:
            return await self.lookup([name])
        narrow, wide = search_queries(query)
        return await widened(lambda words: self._list(words, query.limit), narrow, wide, query.limit)

    async def lookup(self, names: Sequence[Identifier]) -> Answer:
        # Europe PMC does not have arXiv's DOIs.
        usable = [name for name in self.known_names(names) if not name.value.startswith(ARXIV_DOIS)]
        answer = await gathered(self._batches(usable), 2 * len(usable))
        papers = (paper for paper in answer.papers if not set(paper.identifiers).isdisjoint(usable))
        return replace(answer, papers=tuple(papers), total=None)

    async def _batches(self, names: Sequence[Identifier]) -> AsyncGenerator[Page]:
        for batch in batches(names):
            async for page in self._list(lookup_query(batch), 2 * len(batch)):  # an article may have two records
                yield page

    async def _list(self, query: str, limit: int) -> AsyncGenerator[Page]:
        size, cursor = max(1, min(limit, PAGE)), "*"
        for number in range(limit // PAGE + 1):
            path = target(query, size, cursor)
            records = await self._http.get(path, in_json(self.name, partial(read_list, following=number > 0)))
            yield Page(records.papers, path, records.total, records.counts)
            if records.cursor in (None, cursor) or len(records.papers) < size:
                return
            cursor = records.cursor or ""


def open_source(connection: Connection) -> EuropePMC:
    return EuropePMC(connection.http(error_of))


def target(query: str, size: int, cursor: str) -> str:
    """Return the path and query of a search; without a format the reply is XML."""
    parameters = {"query": query, "format": "json", "resultType": "core", "pageSize": str(size), "cursorMark": cursor}
    return f"/search?{urlencode(parameters, quote_via=quote, safe=':*()[]')}"


def batches(names: Sequence[Identifier]) -> Iterator[list[Identifier]]:
    """Split `names` into batches for one request each."""
    return batched(names, most=NAMES, room=QUERY_LENGTH, size=lambda name: len(quote(named(name))) + len(quote(" OR ")))


def error_of(reply: Reply) -> SourceError | None:
    """Return the error in a reply; None for a good one. There are no keys that could be wrong."""
    if reply.status in (401, 403):
        return SourceUnavailable(
            EUROPE_PMC.name, f"refuses to answer (HTTP {reply.status}){quoted(reply)}; try again later."
        )
    return fault_of_status(EUROPE_PMC.name, reply)
