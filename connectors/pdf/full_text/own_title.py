"""Whether a PDF is of the paper that it was fetched for: its first pages must show the paper's title."""

import re
from collections.abc import Sequence

from rapidfuzz import fuzz

from connectors.paper import Paper
from connectors.pdf.child import PageLines
from connectors.pdf.layout import legible
from connectors.records.letters import folded

FIRST_PAGES = 3
"""A repository may put a page of its own before the first."""
ALIKE = 88.0
"""Edit similarity (0-100) to the title of the best stretch of the text, as long as the title."""
SHORT = 12
"""Letters of a title that may stand in any paper: then an author must be named as well."""
_REFERENCES = re.compile(r"(?:\d+\.?\s*)?(?:references|bibliography|literature cited)\W*", re.IGNORECASE)


def shows_title(pages: Sequence[PageLines], paper: Paper) -> bool:
    """Whether the first of `pages`, before any list of references, show the title of `paper`."""
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
    """The letters and digits of `text`, without case and accents: line ends, hyphens and spaces do not matter."""
    return "".join(filter(str.isalnum, folded(text)))
