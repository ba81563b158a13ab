"""Identifiers of papers that are named by title alone, from what the library already has of them."""

import asyncio
from collections.abc import Sequence

from connectors.errors import SourceError
from connectors.identifiers import Identifier
from connectors.paper import Paper
from connectors.records.matching import same_work, title_key
from connectors.source import Query, Source

_HITS = 5


async def names_in(library: Source, papers: Sequence[Paper]) -> list[tuple[Identifier, ...]]:
    """The identifiers under which `library` has each of `papers` that comes without one; none for the others.

    They only say where to look: what a source has under them is the evidence.
    """
    return list(await asyncio.gather(*(_names_of(library, paper) for paper in papers)))


async def _names_of(library: Source, paper: Paper) -> tuple[Identifier, ...]:
    if paper.identifiers or not title_key(paper.title):
        return ()
    try:
        match = await library.search(Query(paper.title, limit=_HITS))
    except SourceError:
        return ()  # then it is searched for elsewhere, as without a library
    return next((record.identifiers for record in match.papers if same_work(paper, record)), ())
