"""The capabilities of sources; light to import, for entries and help."""

from enum import StrEnum


class Capability(StrEnum):
    """An operation that a source may support."""

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
"""The capabilities about single papers, without those about several papers, about authors, and about registries,
which are asked last."""
