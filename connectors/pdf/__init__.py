"""What a paper cites, read from its open-access PDF where no service lists it.

    async with ConnectionPool() as connections:
        works = await cited_works(paper, PdfFetcher(connections, limiters))
        papers = await resolved(works, sources, limit=20)

A PDF is fetched politely (`fetching.py`), read by a child process that can do no harm (`reading.py`), set as plain
lines (`layout.py`), searched for its lists of references (`sections.py`), which are divided into entries
(`entries.py`), each of which is read by its style (`parsing.py`) and then looked up at the sources (`resolving.py`).
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
    """The works that `paper` cites, in the order of its bibliography; never empty.

    Raises, in the name of `pdf`: `NotFound` when no PDF is known, it is gone, or it has no bibliography; `Unauthorized`
    when its host does not hand it out; `Unsupported` when it holds no text or is locked; `BadResponse` when it is too
    large,
    damaged, at a forbidden address, or no PDF; `SourceUnavailable`, `RateLimited` and `DeadlineExceeded` as every
    source does.
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
