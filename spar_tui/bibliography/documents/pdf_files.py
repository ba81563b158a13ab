"""Read the lines of a person's PDF, in the same child process that reads downloaded ones."""

import asyncio

from connectors.errors import SourceError
from connectors.pdf.layout import lines_of
from connectors.pdf.reading import PdfText, read_pdf
from spar_tui.bibliography.documents.citing_document import TextLine
from spar_tui.errors import UsageError


def pdf_lines(raw: bytes, name: str) -> list[TextLine]:
    """Return the lines of all pages without running heads. Raises as `pdf_text` does."""
    return [TextLine(line) for line in lines_of(pdf_text(raw, name).pages)]


def pdf_text(raw: bytes, name: str) -> PdfText:
    """Return the text of a PDF. Raises `UsageError` if it has no text, or exceeds the limits of time or memory."""
    try:
        return asyncio.run(read_pdf(raw))
    except SourceError as error:
        raise UsageError(f"{name} {error.sentence}") from None
