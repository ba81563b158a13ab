"""The open-access PDF of a paper: where it may lie, fetched, and proven to be of that paper."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from connectors.errors import SourceError, Unsupported
from connectors.paper import Paper
from connectors.pdf import PdfFetcher
from connectors.pdf.full_text.own_title import shows_title
from connectors.pdf.reading import read_pages

ARXIV = "https://arxiv.org"


@dataclass(slots=True)
class FetchedPdf:
    """The bytes of a paper's PDF and where they are from; None, and for each address that was asked the reason.

    With `unproven` its first pages could not be compared with the title, because it holds no text.
    """

    data: bytes | None = None
    address: str = ""
    unproven: bool = False
    reasons: dict[str, str] = field(default_factory=dict)


def places_of(paper: Paper, arxiv: str = ARXIV) -> tuple[str, ...]:
    """The addresses where the PDF of `paper` may be had by everybody: what its record says, then arXiv's."""
    name = paper.identifier("arxiv")
    found = (paper.pdf, f"{arxiv.rstrip('/')}/pdf/{name}" if name else None)
    return tuple(dict.fromkeys(address for address in found if address))


async def fetch_pdf(paper: Paper, places: Sequence[str], fetcher: PdfFetcher, *, unproven: bool = False) -> FetchedPdf:
    """The PDF of `paper` from the first of `places` that has it; with `unproven` also one that holds no text."""
    found = FetchedPdf()
    for address in places:
        try:
            data = await fetcher.fetch(address)
            try:
                of_paper = shows_title(await read_pages(data), paper)
            except Unsupported as error:
                if not unproven:
                    found.reasons[address] = f"{error.sentence} So it cannot be told whether it is of this paper."
                    continue
                return FetchedPdf(data, address, unproven=True, reasons=found.reasons)
        except SourceError as error:
            found.reasons[address] = error.sentence
            continue
        if of_paper:
            return FetchedPdf(data, address, reasons=found.reasons)
        found.reasons[address] = "is of another paper: its first pages do not show this title."
    return found
