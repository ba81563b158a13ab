"""What sources can do; light to import, for entries and help."""

from enum import StrEnum


class Capability(StrEnum):
    """What a source may be asked for."""

    SEARCH = "search"
    SEARCH_ADDED = "search by the day on which it added records"
    LOOKUP = "lookup"
    LAST_LOOKUP = "lookup of what no other source knows"
    REFERENCES = "references"
    LISTS_REFERENCES = "reference lists in the records of a lookup"
    CITATIONS = "citations"
    CITING_ANY = "what cites any of several papers"
    SIMILAR = "similar"
    PEOPLE = "people"
    NEWEST_CITATIONS = "newest citations"


OF_PAPERS = frozenset(
    {Capability.SEARCH, Capability.LOOKUP, Capability.REFERENCES, Capability.CITATIONS, Capability.SIMILAR}
)
"""All that a source of papers may be asked for about one of them; asking about several at once, following people and
citations over time are apart from it, and so is a registry, which is asked last."""
