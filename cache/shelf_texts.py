"""The texts of a saved paper that are its person's or its bibliography's: their names, lengths and plain form."""

from connectors.records.visible import visible

TAG_CAP = 100
NOTE_CAP = 100_000
DETAIL_CAP = 1_000
DETAILS = ("volume", "number", "pages", "publisher", "address", "series", "edition", "isbn", "issn")
"""Bibliographic details of a printed work, by BibTeX's names."""


def plain_note(text: str) -> str:
    """Return a note as stored: lines without control characters, stripped of blanks at the ends."""
    return "\n".join(visible(line).rstrip() for line in text[:NOTE_CAP].splitlines()).strip()
