"""Find identifiers of papers that are cited by title alone, from the library's records."""

import asyncio
from collections.abc import Sequence

from connectors.errors import SourceError
from connectors.identifiers import Identifier
from connectors.paper import Paper
from connectors.records.matching import same_work, title_key
from connectors.source import Query, Source

_HITS = 5


async def names_in(library: Source, papers: Sequence[Paper]) -> list[tuple[Identifier, ...]]:
    """Return the identifiers that `library` has for each of `papers` without any; () for the others. They only tell
    where to look: the source's records under them are the evidence."""
    return list(await asyncio.gather(*(_names_of(library, paper) for paper in papers)))


async def _names_of(library: Source, paper: Paper) -> tuple[Identifier, ...]:
    if paper.identifiers or not title_key(paper.title):
        return ()
    try:
        match = await library.search(Query(paper.title, limit=_HITS))
    except SourceError:
        return ()  # the search goes on as without a library
    return next((record.identifiers for record in match.papers if same_work(paper, record)), ())
