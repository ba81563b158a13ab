"""Sources that say what a test wants them to say."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from connectors.capability import Capability
from connectors.errors import SourceError
from connectors.identifiers import Identifier, parse_identifier
from connectors.paper import Paper
from connectors.records.build import author_from_name, build_paper
from connectors.source import Answer, Query, Source


def paper(title: str, *names: str, **more: Any) -> Paper:
    """A record with `title` and the identifiers `names`."""
    author = author_from_name(more.pop("author", "Ada Lovelace"))
    return build_paper(
        more.pop("source", "openalex"),
        title=title,
        authors=[author] if author else [],
        identifiers=[parse_identifier(name) for name in names],
        **{"type": "article", "date": "2020", **more},
    )


@dataclass
class ScriptedSource(Source):
    """A source that answers with `papers` after `seconds`, or fails with `error`."""

    name: str
    papers: Sequence[Paper] = ()
    seconds: float = 0.0
    error: SourceError | None = None
    partial: bool = False
    known: Sequence[Paper] = ()
    asked: list[Query] = field(default_factory=list)
    named: list[Identifier] = field(default_factory=list)
    capabilities: frozenset[Capability] = frozenset(Capability)
    schemes: Any = ("doi", "arxiv", "pmid")

    async def search(self, query: Query) -> Answer:
        self.asked.append(query)
        return await self._say(self.papers)

    async def lookup(self, names: Sequence[Identifier]) -> Answer:
        self.named += names
        return await self._say([one for one in self.known if set(names) & set(one.identifiers)])

    async def references(self, paper: Paper, limit: int) -> Answer:
        return await self._say(self.papers[:limit])

    async def citations(self, paper: Paper, limit: int) -> Answer:
        return await self._say(self.papers[:limit])

    async def citing_any(self, papers: Sequence[Paper], limit: int) -> Answer:
        cited = {name for paper in papers for name in paper.identifiers}
        return await self._say([one for one in self.papers if cited & set(one.references)][:limit])

    async def similar(self, paper: Paper, limit: int) -> Answer:
        return await self._say(self.papers[:limit])

    async def _say(self, papers: Sequence[Paper]) -> Answer:
        await asyncio.sleep(self.seconds)
        if self.error:
            raise self.error
        return Answer(tuple(papers), notes=("cut short.",) if self.partial else (), partial=self.partial)
