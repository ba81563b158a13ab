"""Read a paper's references from its open-access PDF, if no service lists them.

    async with ConnectionPool() as connections:
        works = await cited_works(paper, PdfFetcher(connections, limiters))
        papers = await resolved(works, sources, limit=20)

The steps: fetch the PDF within rate limits (`fetching.py`), read it in a child process that can do no harm
(`reading.py`), convert it to plain lines (`layout.py`), find its reference lists (`sections.py`), split them into
entries (`entries.py`), parse each entry by its style (`parsing.py`), and look it up at the sources (`resolving.py`).
"""

import asyncio

from connectors.errors import NotFound
from connectors.paper import Paper
from connectors.pdf.cited import CitedWork
from connectors.pdf.fetching import PdfFetcher
from connectors.pdf.reading import SOURCE, read_pages
from connectors.pdf.resolving import resolved

__all__ = ["CitedWork", "PdfFetcher", "cited_works", "resolved"]


async def cited_works(paper: Paper, fetcher: PdfFetcher) -> tuple[CitedWork, ...]:
    """Return the works that `paper` cites, in the order of its bibliography; never empty.

    Raises, in the name of `pdf`: `NotFound` if no PDF is known, it is gone, or it has no bibliography; `Unauthorized`
    if its host refuses it; `Unsupported` if it has no text or is locked; `BadResponse` if it is too large, damaged, at
    a forbidden address, or no PDF; `SourceUnavailable`, `RateLimited` and `DeadlineExceeded` as other sources do.
    """
    from connectors.pdf.entries import works_of
    from connectors.pdf.layout import lines_of

    if paper.pdf is None:
        raise NotFound(SOURCE, "no open-access PDF of this paper is known.")
    pages = await read_pages(await fetcher.fetch(paper.pdf))
    works = await asyncio.to_thread(lambda: works_of(lines_of(pages)))  # a long paper takes a second
    if not works:
        raise NotFound(SOURCE, "has no list of references that could be recognized.")
    return works
