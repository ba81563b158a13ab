"""Find the open-access PDF of a paper, fetch it, check that it is this paper, and store its text."""

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
from connectors.pdf.own_title import shows_title
from connectors.pdf.reading import read_pages

ARXIV = "https://arxiv.org"
OF_ANOTHER = "is of another paper: its first pages do not show this title."


@dataclass(slots=True)
class FetchedPdf:
    """The bytes of a paper's PDF and their address; or None, and the reason for each address that failed.

    With `unproven` the title was not found on the first pages, because the PDF holds no text, as `unread` says.
    """

    data: bytes | None = None
    address: str = ""
    unproven: bool = False
    reasons: dict[str, str] = field(default_factory=dict)
    pages: Sequence[PageLines] = ()
    unread: str = ""


def places_of(paper: Paper, arxiv: str = ARXIV) -> tuple[str, ...]:
    """Return the addresses of the open-access PDF of `paper`: the one in its record, then arXiv's."""
    name = paper.identifier("arxiv")
    addresses = (paper.pdf, f"{arxiv.rstrip('/')}/pdf/{name}" if name else None)
    return tuple(dict.fromkeys(address for address in addresses if address))


async def fetch_pdf(
    paper: Paper, addresses: Sequence[str], fetcher: PdfFetcher, *, unproven: bool = False
) -> FetchedPdf:
    """Fetch the PDF of `paper` from the first of `addresses` that has it; with `unproven`, accept a PDF without
    text."""
    fetched_pdf = FetchedPdf()
    for address in addresses:
        try:
            data = await fetcher.fetch(address)
            try:
                pages = await read_pages(data)
            except Unsupported as error:
                if not unproven:
                    fetched_pdf.reasons[address] = f"{error.sentence} So spar cannot check whether it is of this paper."
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
    """Store the text of `file`, the paper's file on the shelf with the bytes `data`, or the reason why it has none.
    Raises `CacheError`; then the stored text is unchanged."""
    texts = await asyncio.to_thread(pages_as_text.page_texts, pages)  # a long book takes seconds
    nothing = "" if any(texts) else "has only page numbers and text that repeats on every page."
    return page_texts.keep(store, number, file, sha256(data).digest(), texts, unread or nothing)


async def text_of_file(
    store: Store, number: PaperId, paper: Paper, file: str, data: bytes, *, unproven: bool = False
) -> FullText:
    """Return the text of `file`, the paper's file on the shelf, or the reason why it has none: the stored text if
    `data` has not changed, else text that is read and stored now.

    Unless `unproven` is allowed, a file without the title on its first pages is not accepted. Raises `CacheError`.
    """
    full_text = page_texts.kept(store, number)
    if full_text and (full_text.file, full_text.digest) == (file, sha256(data).digest()):
        return full_text
    try:
        pages = await read_pages(data)
    except DeadlineExceeded as error:  # a later attempt may succeed
        return FullText(file, b"", 0, 0, error.sentence)
    except SourceError as error:
        return await keep_text(store, number, file, data, (), error.sentence)
    if not unproven and not shows_title(pages, paper):
        return FullText(file, b"", 0, 0, OF_ANOTHER)
    return await keep_text(store, number, file, data, pages)
