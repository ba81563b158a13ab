"""What sources can do; light to import, for entries and help."""

from enum import StrEnum


class Capability(StrEnum):
    """What a source may be asked for."""

    SEARCH = "search"
    LOOKUP = "lookup"
    REFERENCES = "references"
    CITATIONS = "citations"
    SIMILAR = "similar"
