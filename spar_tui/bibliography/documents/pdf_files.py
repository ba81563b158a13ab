"""The lines of a PDF that a person has, read by the child process that reads fetched ones."""

import asyncio
from collections.abc import Sequence

from connectors.errors import SourceError
from connectors.pdf.child import PageLines
from connectors.pdf.layout import lines_of
from connectors.pdf.reading import read_pages
from spar_tui.bibliography.documents.text_lines import TextLine
from spar_tui.errors import UsageError


def pdf_lines(raw: bytes, name: str) -> list[TextLine]:
    """The lines of all pages without running heads. Raises `UsageError` for a PDF without text, or that takes more time
    or memory than it may."""
    return [TextLine(line) for line in lines_of(pages_of(raw, name))]


def pages_of(raw: bytes, name: str) -> Sequence[PageLines]:
    """The lines of each page with their places. Raises `UsageError`."""
    try:
        return asyncio.run(read_pages(raw))
    except SourceError as error:
        raise UsageError(f"{name} {error.sentence}") from None
