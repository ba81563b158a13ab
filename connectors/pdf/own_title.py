"""Check that a PDF is the paper for which it was fetched: its first pages must show the paper's title."""

import re
from collections.abc import Sequence

from rapidfuzz import fuzz

from connectors.paper import Paper
from connectors.pdf.child import PageLines
from connectors.pdf.layout import legible
from connectors.records.letters import folded

FIRST_PAGES = 3
"""Number of pages to check, because a repository may add a cover page."""
ALIKE = 88.0
"""Minimum edit similarity (0-100) of the title and the most similar passage of its length."""
SHORT = 12
"""Length of a title, in letters, up to which an author must be named as well."""
_REFERENCES = re.compile(r"(?:\d+\.?\s*)?(?:references|bibliography|literature cited)\W*", re.IGNORECASE)


def shows_title(pages: Sequence[PageLines], paper: Paper) -> bool:
    """Whether the first of `pages`, before any reference list, show the title of `paper`."""
    text = _letters(" ".join(_before_references(pages[:FIRST_PAGES])))
    title = _letters(paper.title)
    if not title or fuzz.partial_ratio(title, text) < ALIKE or len(text) < len(title):
        return False
    if len(title) > SHORT:
        return True
    family = [_letters(author.family or author.name) for author in paper.authors]
    return any(name and name in text for name in family)


def _before_references(pages: Sequence[PageLines]) -> list[str]:
    lines: list[str] = []
    for page in pages:
        for _, _, text in page:
            line = legible(text)
            if _REFERENCES.fullmatch(line):
                return lines
            lines.append(line)
    return lines


def _letters(text: str) -> str:
    """Return the letters and digits of `text`, without case and accents, so that line ends, hyphens and spaces do
    not matter."""
    return "".join(filter(str.isalnum, folded(text)))
