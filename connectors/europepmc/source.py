"""Europe PMC: articles of medicine and the life sciences, and the preprints of bioRxiv, medRxiv and other servers."""

from collections.abc import AsyncGenerator, Iterator, Sequence
from dataclasses import replace
from datetime import date
from functools import partial
from typing import TYPE_CHECKING
from urllib.parse import quote, urlencode

from connectors.errors import NotAskable, SourceError, SourceUnavailable
from connectors.europepmc.record import read_list
from connectors.http.paging import ResultPage, batched, gathered, widened
from connectors.http.responses import HttpReply, fault_of_status, in_json, quoted
from connectors.identifiers import Identifier, parse_identifier
from connectors.query.dialects import sent_text
from connectors.query.terms import Term, content, most_telling, terms_of
from connectors.registry import EUROPE_PMC
from connectors.source import Answer, Query, Source
from connectors.spec import Connection

if TYPE_CHECKING:
    from connectors.http.client import HttpClient

REQUIRED_TERMS = 8
"""Maximum number of required words: hardly any paper has more of them together."""
ANY_TERMS = 15
LITERATURE = "(SRC:MED OR SRC:PMC OR SRC:PPR)"
"""Articles and preprints, without patents and guidelines."""
_OPERATORS = frozenset({"and", "or", "not"})
_FIRST_DAY, _LAST_DAY = date(1500, 1, 1), date(2099, 12, 31)


def search_queries(query: Query) -> tuple[str, str]:
    """Return two queries: for papers with all words in title, abstract or authors, and for papers with any word in
    title or abstract. An expression is used for both. Raises `NotAskable` if no word is left."""
    bounds = [LITERATURE, *_bounds(query)]
    if (expression := sent_text(EUROPE_PMC.name, query)) is not None:
        whole = " AND ".join([f"({expression})", *bounds])
        return whole, whole
    telling = [term for term in content(terms_of(EUROPE_PMC.name, query.text)) if not set(term.words) <= _OPERATORS]
    if not telling:
        raise NotAskable(EUROPE_PMC.name, "the query has no words to search for.")
    every = [f"(TITLE_ABS:{_spelled(term)} OR AUTH:{_spelled(term)})" for term in most_telling(telling, REQUIRED_TERMS)]
    some = [f"TITLE_ABS:{_spelled(term)}" for term in most_telling(telling, ANY_TERMS)]
    narrow, wide = " AND ".join(every), f"({' OR '.join(some)})"
    return " AND ".join([narrow, *bounds]), " AND ".join([wide if len(telling) > 1 else narrow, *bounds])


def lookup_query(names: list[Identifier]) -> str:
    """Return a query for the records with these identifiers."""
    return " OR ".join(map(named, names))


def named(name: Identifier) -> str:
    """Return one identifier as a search term. DOIs contain brackets and colons, which are syntax outside quotes."""
    match name.scheme:
        case "pmid":
            return f"(EXT_ID:{name.value} AND SRC:MED)"
        case "pmcid":
            return f"PMCID:{name.value}"
    return f'DOI:"{name.value}"'


def _spelled(term: Term) -> str:
    return f'"{" ".join(term.words)}"' if term.joined else term.words[0]


def _bounds(query: Query) -> list[str]:
    added = [f"FIRST_IDATE:[{query.added.isoformat()} TO {_LAST_DAY.isoformat()}]"] if query.added else []
    if not (query.since or query.until):
        return added
    since, until = query.since or _FIRST_DAY, query.until or _LAST_DAY
    return [f"FIRST_PDATE:[{since.isoformat()} TO {until.isoformat()}]", *added]


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

    async def _batches(self, names: Sequence[Identifier]) -> AsyncGenerator[ResultPage]:
        for batch in batches(names):
            async for page in self._list(lookup_query(batch), 2 * len(batch)):  # an article may have two records
                yield page

    async def _list(self, query: str, limit: int) -> AsyncGenerator[ResultPage]:
        size, cursor = max(1, min(limit, PAGE)), "*"
        for number in range(limit // PAGE + 1):
            path = target(query, size, cursor)
            records = await self._http.get(path, in_json(self.name, partial(read_list, following=number > 0)))
            yield ResultPage(records.papers, path, records.total, records.counts)
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


def error_of(reply: HttpReply) -> SourceError | None:
    """Return the error in a reply; None for a good one. There are no keys that could be wrong."""
    if reply.status in (401, 403):
        return SourceUnavailable(
            EUROPE_PMC.name, f"refuses to answer (HTTP {reply.status}){quoted(reply)}; try again later."
        )
    return fault_of_status(EUROPE_PMC.name, reply)
