"""The bibliographies of PDFs as a source: a paper's own list of references becomes papers that a source knows."""

import asyncio
from pathlib import Path

from connectors.capability import Capability
from connectors.http.pool import ConnectionPool
from connectors.paper import Paper
from connectors.pdf import PdfFetcher
from connectors.pdf.source import PdfBibliographies
from connectors.source import Answer
from connectors.starter.shelf import StarterShelf
from tests.connectors.pdf.bibliographies import Setting, lines_of
from tests.connectors.pdf.known_works import BUILT_ON
from tests.connectors.pdf.test_fetching import QUICK, Host
from tests.connectors.pdf.writing import columns, pdf
from tests.services.http.message import Reply
from tests.services.http.server import Server


def test_references_of_a_pdf_are_found_at_the_sources(tmp_path: Path) -> None:
    """What no source lists is read from the paper itself; who is named there is looked up where it is known."""
    lines = lines_of(BUILT_ON, Setting("plain", False, "  ", width=48), seed=4)
    body = pdf(columns(lines, head="A paper", count=1, height=30))
    host = Host(paper=Reply(body=body, content_type="application/pdf"))

    async def run() -> Answer:
        server = Server(host)
        await server.start()
        try:
            async with ConnectionPool() as connections:
                fetcher = PdfFetcher(connections, tmp_path, local=True, rate_limit=QUICK)
                source = PdfBibliographies(fetcher, {"starter": StarterShelf()})
                assert source.capabilities == {Capability.REFERENCES}
                return await source.references(Paper("A paper", pdf=f"{server.url}/paper"), 50)
        finally:
            await server.stop()

    answer = asyncio.run(run())
    titles = {work.title.casefold() for work in BUILT_ON}
    assert answer.papers
    assert all(paper.title.casefold() in titles for paper in answer.papers)
    assert answer.total is not None
    assert answer.total >= len(answer.papers)
