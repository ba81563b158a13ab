"""The library as a source, which finds earlier results again without a network."""

import asyncio
from collections.abc import Callable, Sequence
from typing import ParamSpec, TypeVar

from cache import fulltext, papers
from cache.errors import CacheError
from cache.store import Store
from connectors.capability import OF_PAPERS, Capability
from connectors.errors import NotFound, SourceUnavailable
from connectors.identifiers import SCHEMES, Identifier, Scheme
from connectors.paper import Paper
from connectors.source import Answer, Query, Source

_P = ParamSpec("_P")
_R = TypeVar("_R")


class Library(Source):
    """A `Source` over the papers in `store`; its links come from other sources."""

    name = "library"
    schemes: tuple[Scheme, ...] = SCHEMES

    def __init__(self, store: Store, run: str | None = None, capabilities: frozenset[Capability] = OF_PAPERS) -> None:
        self._store, self._run, self.capabilities = store, run, capabilities

    def before(self, run: str, capabilities: frozenset[Capability]) -> "Library":
        """Return the library as `run` may use it: a search leaves out papers first seen after the run began."""
        return Library(self._store, run, capabilities)

    async def search(self, query: Query) -> Answer:
        """Return papers that match the query's words, by BM25."""
        bounds = query.since, query.until, query.limit
        results = await self._in_thread(fulltext.search, self._store, query.text, *bounds, before_run=self._run)
        return Answer(tuple(results), sent=(" ".join(fulltext.words_of(query.text)),))

    async def lookup(self, names: Sequence[Identifier]) -> Answer:
        """Return the library's papers with these identifiers."""
        papers = await self._in_thread(self._papers_named, names)
        return Answer(tuple(papers), total=len(papers))

    async def references(self, paper: Paper, limit: int) -> Answer:
        """Return the papers in the library that `paper` cites. Raises `NotFound` if there are none."""
        return await self._linked(papers.references_of, paper, limit, "references")

    async def citations(self, paper: Paper, limit: int) -> Answer:
        """Return the papers in the library that cite `paper`. Raises `NotFound` if there are none."""
        return await self._linked(papers.citing, paper, limit, "citing papers")

    async def similar(self, paper: Paper, limit: int) -> Answer:
        """Return papers that share the rarest words of the title and of the abstract or note."""
        words = f"{paper.title} {paper.about}"
        results = await self._in_thread(fulltext.search, self._store, words, None, None, limit + 1)
        own = await self._in_thread(papers.number_of, self._store, paper)
        itself = await self._in_thread(papers.by_ids, self._store, [own] if own else [])
        return Answer(tuple(match for match in results if match not in itself)[:limit])

    async def _linked(
        self, links: Callable[[Store, int], list[Paper]], paper: Paper, limit: int, relation: str
    ) -> Answer:
        number = await self._in_thread(papers.number_of, self._store, paper)
        if number is None:
            raise NotFound(self.name, "does not have this paper.")
        results = await self._in_thread(links, self._store, number)
        if not results:
            # No source has listed any, which does not mean that there are none.
            raise NotFound(self.name, f"knows no {relation} of this paper.")
        return Answer(tuple(results[:limit]), total=len(results))

    def _papers_named(self, names: Sequence[Identifier]) -> list[Paper]:
        return list(dict.fromkeys(paper for name in names if (paper := papers.find(self._store, [name]))))

    async def _in_thread(self, ask: Callable[_P, _R], *args: _P.args, **kwargs: _P.kwargs) -> _R:
        """Call `ask` in a thread, because a query may take some hundredths of a second."""
        try:
            return await asyncio.to_thread(ask, *args, **kwargs)
        except CacheError as error:
            raise SourceUnavailable(self.name, error.sentence) from error
