"""The corpus as a source."""

import asyncio
from collections.abc import Callable, Sequence
from typing import TypeVar

from cache.corpus.index import Index
from cache.corpus.place import CORPUS
from cache.corpus.table import CorpusError, ExtraMissing, NoCorpus, NotIndexed, NoVectors
from cache.corpus.vectors import CorpusVectorizer
from connectors.capability import OF_PAPERS
from connectors.errors import NotConfigured, NotFound, SourceUnavailable
from connectors.identifiers import SCHEMES, Identifier, Scheme
from connectors.paper import Paper
from connectors.source import Answer, Query, Source

_R = TypeVar("_R")


class Corpus(Source):
    """A `Source` over the corpus at `location`, opened at the first query and read in its current state. `encoder`
    computes the vectors of questions."""

    name = CORPUS
    capabilities = OF_PAPERS
    schemes: tuple[Scheme, ...] = SCHEMES

    def __init__(self, location: str, encoder: CorpusVectorizer | None = None) -> None:
        self.location, self._encoder = location, encoder
        self._opened: Index | None = None
        self._opening = asyncio.Lock()

    async def search(self, query: Query) -> Answer:
        """Return works that match the query's words, by BM25, and its meaning if the corpus has vectors of the
        encoder's model; a note says if it has those of another model."""
        meaning, notes = await self._meaning(query.text)
        arguments = (query.text, query.since, query.until, query.limit, query.preferred, meaning)
        return Answer(tuple(await self._in_thread(Index.search, *arguments)), sent=(query.text,), notes=notes)

    async def _meaning(self, text: str) -> tuple[Sequence[float], tuple[str, ...]]:
        """Return the vector of `text`, () if none is compared, and notes with the reason."""
        if self._encoder is None or (model := await self._in_thread(Index.model)) is None:
            return (), ()
        try:
            if model.space != await asyncio.to_thread(lambda encoder: encoder.space, self._encoder):
                other = f"it has vectors by {model.label}, not by {self._encoder.label}: words alone were compared"
                return (), (other,)
            [vector] = await self._encoder.vectors([text])
        except NoVectors as error:
            return (), (f"words alone were compared: {error.sentence}",)
        return vector, ()

    async def lookup(self, names: Sequence[Identifier]) -> Answer:
        """Return the corpus' works with these identifiers."""
        papers = await self._in_thread(Index.lookup, names)
        return Answer(tuple(papers), total=len(papers))

    async def references(self, paper: Paper, limit: int) -> Answer:
        """Return the works in the corpus that `paper` cites, most cited first. Raises `NotFound` if it lacks the
        paper or its reference list."""
        papers, total = await self._in_thread(Index.references, await self._records_of(paper), limit)
        if not total:
            raise NotFound(self.name, "has no reference list of this paper.")
        return Answer(tuple(papers), total=total, notes=_missing(total, len(papers), limit))

    async def citations(self, paper: Paper, limit: int) -> Answer:
        """Return the works in the corpus that cite `paper`, most cited first. Raises `NotFound` if it lacks the
        paper."""
        papers, total = await self._in_thread(Index.citations, await self._records_of(paper), limit)
        return Answer(tuple(papers), total=total)

    async def similar(self, paper: Paper, limit: int) -> Answer:
        """Return works that share words of the title and of the abstract or note."""
        papers = await self._in_thread(Index.search, f"{paper.title} {paper.about}", None, None, limit + 1)
        others = (match for match in papers if not set(match.identifiers) & set(paper.identifiers))
        return Answer(tuple(others)[:limit])

    async def _records_of(self, paper: Paper) -> list[Paper]:
        """Return the corpus' records of the paper, one per dump."""
        papers = await self._in_thread(Index.lookup, paper.identifiers)
        if not papers:
            raise NotFound(self.name, "does not have this paper.")
        return papers

    async def _in_thread(self, ask: "Callable[..., _R]", *arguments: object) -> _R:
        """Call `ask` in a thread, because a query takes some hundredths of a second."""
        try:
            async with self._opening:
                if self._opened is None:
                    self._opened = await asyncio.to_thread(Index, self.location)
            return await asyncio.to_thread(ask, self._opened, *arguments)
        except (ExtraMissing, NoCorpus, NotIndexed) as error:
            raise NotConfigured(self.name, f"was not asked: {error.sentence}") from error
        except CorpusError as error:
            raise SourceUnavailable(self.name, error.sentence) from error


def _missing(total: int, count: int, limit: int) -> tuple[str, ...]:
    remark = f"{count} of the {total} references are in the corpus"
    return (remark,) if count < min(total, limit) else ()
