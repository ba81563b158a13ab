"""The bibliographies of open-access PDFs as a source, for references only."""

from collections.abc import Mapping

from connectors.capability import Capability
from connectors.identifiers import SCHEMES, Scheme
from connectors.paper import Paper
from connectors.pdf import PdfFetcher, cited_works, resolved
from connectors.pdf.reading import SOURCE
from connectors.source import Answer, Source

TITLES = 8
"""Maximum number of title searches for works without identifiers, to limit the load on services."""


class PdfBibliographies(Source):
    """References read from a paper's PDF and looked up at `sources`, in their order."""

    name = SOURCE
    capabilities = frozenset({Capability.REFERENCES})
    schemes: tuple[Scheme, ...] = SCHEMES

    def __init__(self, fetcher: PdfFetcher, sources: Mapping[str, Source]) -> None:
        self._fetcher = fetcher
        self._sources = sources

    async def references(self, paper: Paper, limit: int) -> Answer:
        works = await cited_works(paper, self._fetcher)
        papers = await resolved(works, self._sources, TITLES)
        note = f"{len(works)} works are listed in the PDF; {len(papers)} of them were found."
        return Answer(papers[:limit], total=len(works), sent=(paper.pdf or "",), notes=(note,))
