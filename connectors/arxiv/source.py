"""arXiv: preprints of physics, mathematics, computer science and their neighbours; one request per three seconds."""

from collections.abc import AsyncGenerator, Sequence
from dataclasses import replace
from datetime import date
from urllib.parse import urlsplit

from connectors.arxiv.feed import DAMAGED, read_feed
from connectors.batches import in_batches
from connectors.errors import BadQuery, BadResponse, RateLimited, SourceError, Unauthorized
from connectors.http.paging import HttpSource, ResultPage, gathered, widened
from connectors.http.responses import HttpReply, fault_of_status
from connectors.identifiers import Identifier, arxiv, closed
from connectors.query.dialects import sent_text
from connectors.query.terms import Term, content, most_telling, terms_of
from connectors.registry import ARXIV
from connectors.source import Answer, Query
from connectors.spec import Connection

PAGE = 500
"""Results per page; arXiv allows 2000, but takes long for them."""
MOST_RESULTS = 30_000
MOST_PAGES = 12
IDS = 100
"""Ids per look-up: arXiv takes them in the address, which must stay short."""
REQUIRED_TERMS = 6
"""Maximum number of required words: hardly any paper has more of them together."""
ANY_TERMS = 12
FIRST_DAY, LAST_DAY = date(1900, 1, 1), date(2999, 12, 31)
"""Bounds of an open date range: arXiv requires both."""


class Arxiv(HttpSource, spec=ARXIV):
    """arXiv as a source. It has no reference or citation lists."""

    async def search(self, query: Query) -> Answer:
        """Return papers with all distinctive words of the query or, if there are none, papers with any of them."""
        limit = max(1, min(query.limit, MOST_RESULTS))
        narrow, wide = search_expressions(query)
        return await widened(lambda expression: self._pages(expression, limit), narrow, wide, limit)

    async def lookup(self, names: Sequence[Identifier]) -> Answer:
        usable = [name.value for name in closed(names) if name.scheme == "arxiv" and arxiv(name.value)]
        if names and not usable:
            raise BadQuery(self.name, "cannot look up these identifiers; it knows arxiv.")
        return await gathered(self._batches(usable), len(usable))

    async def _batches(self, values: list[str]) -> AsyncGenerator[ResultPage]:
        for batch in in_batches(values, IDS):
            target = request_target("", batch, 0, len(batch))
            feed = await self._whole(target, 0)
            yield replace(feed, sent=target, total=None)

    async def _pages(self, expression: str, limit: int) -> AsyncGenerator[ResultPage]:
        start = 0
        for _ in range(MOST_PAGES):
            target = request_target(expression, [], start, min(limit - start, PAGE))
            feed = await self._whole(target, start)
            yield replace(feed, sent=target)
            start += len(feed.papers) + feed.counts[DAMAGED]
            if start >= min(limit, feed.total or 0):
                return

    async def _whole(self, target: str, start: int) -> ResultPage:
        """Return a page of results from `start` on. Raises `BadResponse` if it is empty twice although there are
        more."""
        for _ in range(2):  # now and then a page comes back empty and is complete on a retry
            feed = await self._http.get(target, read_feed)
            if feed.papers or (feed.total or 0) <= start:
                return feed
        raise BadResponse(self.name, f"has {feed.total} papers but sent an empty page twice; try again later.")


def open_source(connection: Connection) -> Arxiv:
    return Arxiv(connection.http(error_of))


def request_target(expression: str, ids: Sequence[str], start: int, size: int) -> str:
    """Return the path and query of a request for `size` results from `start` on, as the library builds them."""
    import arxiv as library

    search = library.Search(expression, list(ids))
    address = urlsplit(library.Client()._format_url(search, start, size))
    return f"{address.path}?{address.query}"


def search_expressions(query: Query) -> tuple[str, str]:
    """Return the question as two arXiv expressions: for papers with all terms, and for papers with any. A query in
    arXiv's syntax is used for both. Raises `BadQuery` if the question has no words."""
    if (expression := sent_text(ARXIV.name, query)) is not None:
        return (f"({expression}) AND {_span(query)}",) * 2 if query.since or query.until else (expression,) * 2
    terms = content(terms_of(ARXIV.name, query.text))
    narrow = " AND ".join(map(_spelled, most_telling(terms, REQUIRED_TERMS)))
    if len(terms) == 1:  # the words of a phrase need not be adjacent
        wide = " AND ".join(f"all:{word}" for word in terms[0].words)
    else:
        wide = " OR ".join(map(_spelled, most_telling(terms, ANY_TERMS)))
    if not query.since and not query.until:
        return narrow, wide
    span = _span(query)
    return f"{narrow} AND {span}", f"({wide}) AND {span}" if " OR " in wide else f"{wide} AND {span}"


def _span(query: Query) -> str:
    return f"submittedDate:[{_day(query.since or FIRST_DAY)}0000 TO {_day(query.until or LAST_DAY)}2359]"


def error_of(reply: HttpReply) -> SourceError | None:
    """Return the error in a reply; None for a good one. Errors come as feeds, with HTTP 400 or 200."""
    if reply.status in (200, 400) and b">Error<" in reply.body:
        try:
            read_feed(reply)
        except BadQuery as refusal:
            return refusal
        except BadResponse as damage:
            return damage if reply.status == 200 else fault_of_status(ARXIV.name, reply)
    if reply.status == 429 or reply.body.lstrip()[:13].lower() == b"rate exceeded":
        return RateLimited(
            ARXIV.name, "refuses all requests at the moment (“Rate exceeded”); spar waits a while before it asks again."
        )
    if reply.status in (401, 403):
        return Unauthorized(ARXIV.name, f"refuses requests from this address (HTTP {reply.status}); try again later.")
    return fault_of_status(ARXIV.name, reply)


def _spelled(term: Term) -> str:
    """Return a term in arXiv's syntax. A hyphen would mean NOT, so a compound becomes a phrase."""
    return f'all:"{" ".join(term.words)}"' if len(term.words) > 1 else f"all:{term.words[0]}"


def _day(day: date) -> str:
    return day.isoformat().replace("-", "")
