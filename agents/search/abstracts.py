"""Abstracts that one source withholds, asked for in one batch from the others."""

import asyncio
from collections.abc import Mapping, Sequence

from connectors.deadline import deadline
from connectors.errors import SourceError
from connectors.identifiers import Identifier
from connectors.identity import merge, same_work
from connectors.paper import Paper
from connectors.source import Ability, Source, usable_names

REFILL_SECONDS = 1.3
"""Abstracts help to rank and read, but nobody should wait long for them: what is not here by then is left out."""
_NAMES_A_BATCH = 100


async def refill(
    papers: Mapping[int, Paper], sources: Mapping[str, Source], seconds: float = REFILL_SECONDS
) -> dict[int, Paper]:
    """Those of `papers` without an abstract that a source could give one to, merged with what it said."""
    bare = {work: paper for work, paper in papers.items() if not paper.abstract}
    names = {name: work for work, paper in bare.items() for name in paper.identifiers}
    if not names:
        return {}
    asked = [source for source in sources.values() if Ability.LOOKUP in source.abilities]
    answers = await asyncio.gather(*(_looked_up(source, list(bare.values()), seconds) for source in asked))
    filled: dict[int, Paper] = {}
    for found in (paper for answer in answers for paper in answer if paper.abstract):
        for work in {names[name] for name in found.identifiers if name in names}:
            known = filled.get(work, bare[work])
            if same_work(known, found):
                filled[work] = merge(known, found)
    return filled


async def _looked_up(source: Source, papers: Sequence[Paper], seconds: float) -> tuple[Paper, ...]:
    names: list[Identifier] = []
    for paper in papers:
        names += usable_names(paper.identifiers, source.schemes)[:1]
    if not names:
        return ()
    try:
        async with deadline(source.name, seconds):
            return (await source.lookup(names[:_NAMES_A_BATCH])).papers
    except SourceError:
        return ()  # an abstract more or less: the search itself has already told how the source does
