"""Parse a stored entry again."""

from cache.originals import Original
from spar_tui.bibliography.reading.entries import RawEntry, entry_of
from spar_tui.bibliography.reading.entries_read import FoundEntry


def found_again(original: Original) -> FoundEntry | None:
    """Return the parsed entry; None if nothing in it can be read any more, which no import would store."""
    entry = entry_of(_raw_entry(original))
    return entry if isinstance(entry, FoundEntry) else None


def _raw_entry(original: Original) -> RawEntry:
    match original.format:
        case "bibtex":
            from spar_tui.bibliography.reading import bibtex

            return bibtex.raw_entry(original, 0)
        case "ris":
            from spar_tui.bibliography.reading import ris

            return ris.raw_entry(original, 0)
        case "csl-json":
            from spar_tui.bibliography.reading import csl_json

            return csl_json.raw_entry(original, 0)
        case "pubmed":
            from spar_tui.bibliography.reading import pubmed

            return pubmed.raw_entry(original, 0)
