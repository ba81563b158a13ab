"""dblp: where and when papers of computer science appeared, found by words of title, authors and venue."""

from collections import Counter
from collections.abc import AsyncGenerator
from functools import partial
from typing import TYPE_CHECKING
from urllib.parse import quote, urlencode

from connectors.dblp.record import read_list
from connectors.dblp.spec import DBLP, SOURCE
from connectors.errors import NotAskable, RateLimited, SourceError, SourceUnavailable
from connectors.http.paging import Page, widened
from connectors.http.responses import Reply, fault_of_status, in_json, looks_like_page, retry_after
from connectors.paper import Paper
from connectors.query.terms import Term, content, most_telling, terms_of
from connectors.source import Answer, PartialSource, Query
from connectors.spec import Connection

if TYPE_CHECKING:
    from connectors.http.client import HttpClient

PAGE = 100
"""Most records of a page, whatever is asked for."""
REQUIRED_TERMS = 6
"""Titles that hold more words than these all at once are hardly ever there."""
ANY_TERMS = 4
OUTSIDE = "results outside the years asked for, or without a year, were left out: dblp is not asked by date"
WHOLE_YEARS = "dblp tells whole years only; papers of the first and last year may lie outside the dates"


class Dblp(PartialSource):
    """dblp as a source; it needs no key. It knows neither DOIs as words nor abstracts."""

    name = SOURCE
    capabilities = DBLP.capabilities
    schemes = DBLP.schemes

    def __init__(self, http: "HttpClient") -> None:
        self._http = http

    async def search(self, query: Query) -> Answer:
        """Papers that hold all of the query's telling words; if there is none, papers that hold any."""
        narrow, wide = (query.text, query.text) if query.form == "verbatim" else search_queries(query.text)
        return await widened(lambda words: self._list(words, query), narrow, wide, query.limit)

    async def _list(self, words: str, query: Query) -> AsyncGenerator[Page]:
        bounded = bool(query.since or query.until)
        size = PAGE if bounded else max(1, min(query.limit, PAGE))
        for number in range(query.limit // PAGE + 1):
            path = target(words, size, number * size)
            page = await self._http.get(path, in_json(self.name, partial(read_list, following=number > 0)))
            within = tuple(paper for paper in page.papers if _is_within(paper, query))
            counts = page.counts + Counter({OUTSIDE: len(page.papers) - len(within)})
            yield Page(within, path, page.total, counts, (WHOLE_YEARS,) if bounded else ())
            if (number + 1) * size >= (page.total or 0):
                return


def open_source(connection: Connection) -> Dblp:
    return Dblp(connection.http(error_of))


def search_queries(text: str) -> tuple[str, str]:
    """A question as two queries: for what holds all of its telling words, and for what holds any of the most telling.

    Raises `NotAskable` when no word is left. Each word stands for itself and not for a beginning: `$` ends it.
    """
    telling = content(terms_of(SOURCE, text))
    if not telling:
        raise NotAskable(SOURCE, "the query holds no words to search for.")
    every, some = _words(most_telling(telling, REQUIRED_TERMS)), _words(most_telling(telling, ANY_TERMS))
    return " ".join(every), "|".join(some)


def _words(terms: list[Term]) -> list[str]:
    return list(dict.fromkeys(f"{word}$" for term in terms for word in term.words))


def target(words: str, size: int, first: int) -> str:
    """Path and query of a search, without completions of its words."""
    parameters = {"q": words, "format": "json", "h": str(size), "f": str(first), "c": "0"}
    return f"/search/publ/api?{urlencode(parameters, quote_via=quote)}"


def _is_within(paper: Paper, query: Query) -> bool:
    if not (query.since or query.until):
        return True
    after = paper.year is not None and (query.since is None or paper.year >= query.since.year)
    return after and (query.until is None or (paper.year or 0) <= query.until.year)


def error_of(reply: Reply) -> SourceError | None:
    """What a reply says went wrong; None for a good one.

    It keeps programs away with pages in place of answers, whatever their status. Nobody has a key that could be wrong.
    """
    match reply.status:
        case 401 | 403:
            return RateLimited(SOURCE, f"keeps this program away (HTTP {reply.status}).", retry_after(reply))
        case 500 if looks_like_page(reply):  # as it also does when it is asked too often
            return SourceUnavailable(SOURCE, "answered with a page instead of data (HTTP 500); try again later.")
    return fault_of_status(SOURCE, reply)
