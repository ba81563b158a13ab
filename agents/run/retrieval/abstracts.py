"""Abstracts that one source withholds, asked for in batches from the others while the search goes on."""

import asyncio
from collections.abc import Collection, Mapping, Sequence

from connectors.capability import Capability
from connectors.errors import SourceError
from connectors.http.deadline import deadline
from connectors.identifiers import Identifier
from connectors.paper import Paper, WorkId
from connectors.records.matching import same_work
from connectors.records.merging import merge
from connectors.source import Source, usable_names

LOOKUP_SECONDS = 5.0
PATIENCE_SECONDS = 0.5
"""Abstracts help to rank and read, but nobody should wait long for them once every source has answered."""
_NAMES_A_BATCH = 100


class AbstractRefill:
    """Looks up works without an abstract, each once, at the sources that have not described them yet."""

    def __init__(self, sources: Mapping[str, Source]) -> None:
        self._sources = [source for source in sources.values() if Capability.LOOKUP in source.capabilities]
        self._asked: set[Identifier] = set()
        self._lookups: list[asyncio.Task[tuple[Paper, ...]]] = []

    def start(self, papers: Sequence[Paper], answering: Collection[str]) -> None:
        """Ask those sources that are `answering` for the abstracts that are missing among `papers` and were not asked
        for before."""
        bare = [paper for paper in papers if not paper.abstract and not self._asked & set(paper.identifiers)]
        self._asked |= {name for paper in bare for name in paper.identifiers}
        for source in (source for source in self._sources if source.name in answering):
            if names := _names_for(source, bare):
                self._lookups.append(asyncio.create_task(_looked_up(source, names)))

    async def finish(self, papers: Mapping[WorkId, Paper], patience: float = PATIENCE_SECONDS) -> dict[WorkId, Paper]:
        """Those of `papers` that got an abstract, merged with what was known of them; waits `patience` seconds."""
        if not self._lookups:
            return {}
        done, late = await asyncio.wait(self._lookups, timeout=patience)
        for lookup in late:
            lookup.cancel()
        names = {name: work for work, paper in papers.items() if not paper.abstract for name in paper.identifiers}
        filled: dict[WorkId, Paper] = {}
        for found in (paper for lookup in done for paper in lookup.result() if paper.abstract):
            for work in {names[name] for name in found.identifiers if name in names}:
                known = filled.get(work, papers[work])
                if same_work(known, found):
                    filled[work] = merge(known, found)
        return filled

    def stop(self) -> None:
        """Ask no more."""
        for lookup in self._lookups:
            lookup.cancel()


def _names_for(source: Source, papers: Sequence[Paper]) -> list[Identifier]:
    """What to ask `source` for; a paper that it described itself is not among them."""
    strangers = [paper for paper in papers if source.name not in {origin.source for origin in paper.provenance}]
    names = [name for paper in strangers for name in usable_names(paper.identifiers, source.schemes)[:1]]
    return names[:_NAMES_A_BATCH]


async def _looked_up(source: Source, names: Sequence[Identifier]) -> tuple[Paper, ...]:
    try:
        async with deadline(source.name, LOOKUP_SECONDS):
            return (await source.lookup(names)).papers
    except SourceError:
        return ()  # an abstract more or less: the search itself tells how the source does
