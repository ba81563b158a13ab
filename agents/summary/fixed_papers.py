"""Papers at hand as a source: an earlier run, a tag, or the shelf instead of new searches."""

from collections.abc import Sequence
from functools import cached_property

from agents.builtin.ranking.bm25 import Bm25Index, best
from agents.run.retrieval.queries import within
from connectors.capability import Capability
from connectors.identifiers import Scheme
from connectors.paper import Paper
from connectors.source import Answer, PartialSource, Query


class FixedPapers(PartialSource):
    """A source of `papers` alone, called `name`; it finds by BM25 over their titles and what they are about.

    With `every` it gives those without a word of the query too, last: their full texts may have some."""

    capabilities = frozenset({Capability.SEARCH})
    schemes: tuple[Scheme, ...] = ()

    def __init__(self, name: str, papers: Sequence[Paper], every: bool = False) -> None:
        self.name, self.papers, self._every = name, papers, every

    async def search(self, query: Query) -> Answer:
        scores = self._index.scores(query.text)
        numbers = best(scores, len(scores))
        if self._every:
            numbers = list(dict.fromkeys((*numbers, *range(len(scores)))))
        papers = [self.papers[number] for number in numbers if within(self.papers[number], query.since, query.until)]
        return Answer(tuple(papers[: query.limit]), total=len(papers), sent=(query.text,))

    @cached_property
    def _index(self) -> Bm25Index:
        # Titles count twice: many papers have no abstract, and a title says most of what is said.
        return Bm25Index(f"{paper.title} {paper.title} {paper.about}" for paper in self.papers)
