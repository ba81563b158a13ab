"""The lines of a PDF that a person has, read by the child process that reads fetched ones."""

import asyncio

from connectors.errors import SourceError
from connectors.pdf.layout import lines_of
from connectors.pdf.reading import PdfText, read_pdf
from spar_tui.bibliography.documents.citing_document import TextLine
from spar_tui.errors import UsageError


def pdf_lines(raw: bytes, name: str) -> list[TextLine]:
    """The lines of all pages without running heads. Raises as `pdf_text` does."""
    return [TextLine(line) for line in lines_of(pdf_text(raw, name).pages)]


def pdf_text(raw: bytes, name: str) -> PdfText:
    """What a PDF says. Raises `UsageError` for one without text, or that takes more time or memory than it may."""
    try:
        return asyncio.run(read_pdf(raw))
    except SourceError as error:
        raise UsageError(f"{name} {error.sentence}") from None
