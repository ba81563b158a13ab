"""The open-access PDF of a paper: where it may lie, fetched, and proven to be of that paper; and its text."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256

from cache import page_texts
from cache.page_texts import FullText
from cache.store import PaperId, Store
from connectors.errors import DeadlineExceeded, SourceError, Unsupported
from connectors.paper import Paper
from connectors.pdf import PdfFetcher
from connectors.pdf import layout as pages_as_text
from connectors.pdf.child import PageLines
from connectors.pdf.full_text.own_title import shows_title
from connectors.pdf.reading import read_pages

ARXIV = "https://arxiv.org"
OF_ANOTHER = "is of another paper: its first pages do not show this title."


@dataclass(slots=True)
class FetchedPdf:
    """The bytes of a paper's PDF and where they are from; None, and for each address that was asked the reason.

    With `unproven` its first pages could not be compared with the title, because it holds no text, as `unread` says.
    """

    data: bytes | None = None
    address: str = ""
    unproven: bool = False
    reasons: dict[str, str] = field(default_factory=dict)
    pages: Sequence[PageLines] = ()
    unread: str = ""


def places_of(paper: Paper, arxiv: str = ARXIV) -> tuple[str, ...]:
    """The addresses where the PDF of `paper` may be had by everybody: what its record says, then arXiv's."""
    name = paper.identifier("arxiv")
    addresses = (paper.pdf, f"{arxiv.rstrip('/')}/pdf/{name}" if name else None)
    return tuple(dict.fromkeys(address for address in addresses if address))


async def fetch_pdf(paper: Paper, places: Sequence[str], fetcher: PdfFetcher, *, unproven: bool = False) -> FetchedPdf:
    """The PDF of `paper` from the first of `places` that has it; with `unproven` also one that holds no text."""
    fetched_pdf = FetchedPdf()
    for address in places:
        try:
            data = await fetcher.fetch(address)
            try:
                pages = await read_pages(data)
            except Unsupported as error:
                if not unproven:
                    fetched_pdf.reasons[address] = f"{error.sentence} So it cannot be told whether it is of this paper."
                    continue
                return FetchedPdf(data, address, unproven=True, reasons=fetched_pdf.reasons, unread=error.sentence)
        except SourceError as error:
            fetched_pdf.reasons[address] = error.sentence
            continue
        if shows_title(pages, paper):
            return FetchedPdf(data, address, reasons=fetched_pdf.reasons, pages=pages)
        fetched_pdf.reasons[address] = OF_ANOTHER
    return fetched_pdf


async def keep_text(
    store: Store, number: PaperId, file: str, data: bytes, pages: Sequence[PageLines], unread: str = ""
) -> FullText:
    """Keep the text of `file`, which the shelf knows as the paper's and which holds `data`, or why it has none.

    Raises `CacheError`; then the text is as it was before."""
    texts = await asyncio.to_thread(pages_as_text.page_texts, pages)  # a long book takes seconds
    nothing = "" if any(texts) else "holds nothing but page numbers and what stands on every page."
    return page_texts.keep(store, number, file, sha256(data).digest(), texts, unread or nothing)


async def text_of_file(
    store: Store, number: PaperId, paper: Paper, file: str, data: bytes, *, unproven: bool = False
) -> FullText:
    """The text of `file`, which the shelf knows as the paper's, or why it has none: as it was kept if `data` has not
    changed since, else read now and kept.

    Unless `unproven` is allowed, a file whose first pages do not show the title is not taken for the paper's words.
    Raises `CacheError`."""
    full_text = page_texts.kept(store, number)
    if full_text and (full_text.file, full_text.digest) == (file, sha256(data).digest()):
        return full_text
    try:
        pages = await read_pages(data)
    except DeadlineExceeded as error:  # another time it may be read
        return FullText(file, b"", 0, 0, error.sentence)
    except SourceError as error:
        return await keep_text(store, number, file, data, (), error.sentence)
    if not unproven and not shows_title(pages, paper):
        return FullText(file, b"", 0, 0, OF_ANOTHER)
    return await keep_text(store, number, file, data, pages)
