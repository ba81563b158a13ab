"""Crossref: publishers' works, found by words of a reference or by DOI."""

from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from urllib.parse import quote, quote_plus

from connectors.crossref.work import PAPERS, read_list, read_single
from connectors.errors import BadQuery, RateLimited, SourceError
from connectors.http.paging import HttpSource, ResultPage, batched, gathered
from connectors.http.responses import Content, HttpReply, fault_of_status, in_json, quoted, retry_after
from connectors.identifiers import ARXIV_DOIS, Identifier, parse_identifier
from connectors.query.terms import plain_words
from connectors.registry import CROSSREF, LISTS, RECORDS
from connectors.source import Answer, Query
from connectors.spec import Connection

PAGE = 100
"""Maximum number of works per page; a thousand are allowed, each with its reference list."""
NAMES = 50
"""Maximum number of DOIs per look-up."""
FILTER_LENGTH = 3_000
"""Maximum length of a filter's values, so that the request line stays below 4 KB."""
QUERY_LENGTH = 500
BLOCKED = timedelta(hours=1)
"""Pause after Crossref has blocked the person."""


class Crossref(HttpSource, spec=CROSSREF):
    """Crossref as a source. Requests with an `email` are allowed more often. Use the person's own address or none,
    because limits and blocks are per address."""

    lacks = ARXIV_DOIS

    async def search(self, query: Query) -> Answer:
        """Return works whose bibliographic data match the query's words, best match first; for a DOI, the work
        itself."""
        name = parse_identifier(query.text) if query.form == "words" else None
        if name and name.scheme in self.schemes:
            return await self.lookup([name])
        return await gathered(self._list(search_target(query), query.limit), query.limit)

    async def lookup(self, names: Sequence[Identifier]) -> Answer:
        usable = self.known_names(names)
        return await gathered(self._batches(usable), len(usable))

    async def _batches(self, names: Sequence[Identifier]) -> AsyncGenerator[ResultPage]:
        for batch in batches(names):
            if len(batch) == 1:
                target = single_target(batch[0])
                yield await self._single(target, self._get(target, read_single, RECORDS))
            else:
                async for page in self._list(batch_target(batch), len(batch)):
                    yield page

    async def _list(self, target: str, limit: int) -> AsyncGenerator[ResultPage]:
        rows = max(1, min(limit, PAGE))
        cursor = "*" if limit > PAGE else None
        for number in range(limit // PAGE + 1):
            path = f"{target}&rows={rows}" + (f"&cursor={quote(cursor, safe='*')}" if cursor else "")
            works = await self._get(path, partial(read_list, following=number > 0), LISTS)
            yield replace(works, sent=path)
            if not works.cursor or len(works.papers) < rows:  # the last page has a cursor too
                return
            cursor = works.cursor

    async def _get(self, target: str, read: Callable[[object], Content], part: str) -> Content:
        if self._email:
            target += f"{'&' if '?' in target else '?'}mailto={quote(self._email, safe='@')}"
        return await self._http.get(target, in_json(self.name, read), part=part)


def open_source(connection: Connection) -> Crossref:
    return Crossref(connection.http(error_of), connection.email)


def search_target(query: Query) -> str:
    """Return the path and query of a search. Raises `BadQuery` if the question has no words."""
    words = query.text if query.form == "verbatim" else plain_words(CROSSREF.name, query.text, "", QUERY_LENGTH)
    filters = [f"type:{kind}" for kind in PAPERS]  # filters of one name are alternatives
    filters += [f"from-pub-date:{query.since.isoformat()}"] if query.since else []
    filters += [f"until-pub-date:{query.until.isoformat()}"] if query.until else []
    filters += [f"from-created-date:{query.added.isoformat()}"] if query.added else []
    return f"/works?query.bibliographic={quote_plus(words)}&filter={','.join(filters)}"


def single_target(name: Identifier) -> str:
    """Return the path of a single look-up."""
    return f"/works/{quote(name.value, safe='')}"


def batch_target(names: Sequence[Identifier]) -> str:
    """Return the path and query of a look-up of several DOIs."""
    return f"/works?filter={','.join(map(_filtered, names))}"


def batches(names: Sequence[Identifier]) -> Iterator[list[Identifier]]:
    """Split `names` into batches for one request each; a DOI with a comma, which would end the filter, is alone."""
    return batched(
        names,
        most=NAMES,
        capacity=FILTER_LENGTH,
        size=lambda name: len(_filtered(name)) + 1,
        alone=lambda name: "," in name.value,
    )


def _filtered(name: Identifier) -> str:
    return f"doi:{quote(name.value, safe='/')}"


def error_of(reply: HttpReply) -> SourceError | None:
    """Return the error in a reply; None for a good one. A 404 is plain text, whatever its content type."""
    quote = quoted(reply)
    match reply.status:
        case 403:
            until = retry_after(reply) or datetime.now(UTC) + BLOCKED
            return RateLimited(
                CROSSREF.name, f"has blocked this machine or your mail address (HTTP 403){quote}.", until
            )
        case 404 if reply.body.lstrip()[:1] == b"{":  # an invalid request; an unknown work is answered in plain text
            return BadQuery(CROSSREF.name, f"refused the request (HTTP 404){quote}.")
    return fault_of_status(CROSSREF.name, reply)
