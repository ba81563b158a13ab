"""dblp: where and when computer science papers appeared, found by words of title, authors and venue."""

from collections.abc import AsyncGenerator
from functools import partial
from urllib.parse import quote, urlencode

from connectors.dblp.record import read_list
from connectors.errors import NotAskable, RateLimited, SourceError, SourceUnavailable
from connectors.http.paging import HttpSource, ResultPage, widened
from connectors.http.responses import HttpReply, fault_of_status, in_json, looks_like_page, retry_after
from connectors.query.terms import Term, content, most_telling, terms_of
from connectors.registry import DBLP
from connectors.source import Answer, Query
from connectors.spec import Connection

PAGE = 100
"""Maximum number of records per page, whatever is requested."""
REQUIRED_TERMS = 6
"""Maximum number of required words: hardly any title has more of them together."""
ANY_TERMS = 4
OUTSIDE = "results outside the years asked for, or without a year, were left out: dblp is not asked by date"
WHOLE_YEARS = "dblp has only years; papers of the first and last year may be outside the dates"


class Dblp(HttpSource, spec=DBLP):
    """dblp as a source; it needs no key. It does not search by DOI and has no abstracts."""

    async def search(self, query: Query) -> Answer:
        """Return papers with all distinctive words of the query or, if there are none, papers with any of them."""
        narrow, wide = (query.text, query.text) if query.form == "verbatim" else search_queries(query.text)
        return await widened(lambda words: self._list(words, query), narrow, wide, query.limit)

    async def _list(self, words: str, query: Query) -> AsyncGenerator[ResultPage]:
        size = PAGE if query.bounded else max(1, min(query.limit, PAGE))
        for number in range(query.limit // PAGE + 1):
            path = target(words, size, number * size)
            page = await self._http.get(path, in_json(self.name, partial(read_list, following=number > 0)))
            within = tuple(paper for paper in page.papers if query.has_year(paper.year))
            counts = {**page.counts, OUTSIDE: len(page.papers) - len(within)}
            yield ResultPage(within, path, page.total, counts, (WHOLE_YEARS,) if query.bounded else ())
            if (number + 1) * size >= (page.total or 0):
                return


def open_source(connection: Connection) -> Dblp:
    return Dblp(connection.http(error_of))


def search_queries(text: str) -> tuple[str, str]:
    """Return two queries: for papers with all distinctive words, and for papers with any of the most distinctive.

    Raises `NotAskable` if no word is left. Each word matches exactly, not as a prefix: `$` ends it.
    """
    distinctive = content(terms_of(DBLP.name, text))
    if not distinctive:
        raise NotAskable(DBLP.name, "the query has no words to search for.")
    every, some = _words(most_telling(distinctive, REQUIRED_TERMS)), _words(most_telling(distinctive, ANY_TERMS))
    return " ".join(every), "|".join(some)


def _words(terms: list[Term]) -> list[str]:
    return list(dict.fromkeys(f"{word}$" for term in terms for word in term.words))


def target(words: str, size: int, first: int) -> str:
    """Return the path and query of a search, without completions of its words."""
    parameters = {"q": words, "format": "json", "h": str(size), "f": str(first), "c": "0"}
    return f"/search/publ/api?{urlencode(parameters, quote_via=quote)}"


def error_of(reply: HttpReply) -> SourceError | None:
    """Return the error in a reply; None for a good one. dblp blocks programs with web pages, with any status. There
    are no keys that could be wrong."""
    match reply.status:
        case 401 | 403:
            return RateLimited(DBLP.name, f"blocks this program (HTTP {reply.status}).", retry_after(reply))
        case 500 if looks_like_page(reply):  # also its answer to too many requests
            return SourceUnavailable(DBLP.name, "answered with a page instead of data (HTTP 500); try again later.")
    return fault_of_status(DBLP.name, reply)
