"""Write RIS: one line per value, one record type per kind."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from connectors.identifiers import is_preprint_doi
from connectors.records.build import is_preprint_venue
from spar_tui.bibliography.corrected_fields import with_corrections
from spar_tui.bibliography.edtf import as_ris
from spar_tui.bibliography.entry import Entry
from spar_tui.bibliography.kinds import (
    BOOKS,
    IN_SESSIONS,
    OF_CONFERENCES,
    PUBLISHER_IS_VENUE,
    VERSIONED,
    Kind,
    degree_in,
)
from spar_tui.bibliography.markup import plain
from spar_tui.bibliography.more_fields import as_ris_lines
from spar_tui.bibliography.names import ET_AL, Name
from spar_tui.bibliography.reading.names import AND_MORE
from spar_tui.bibliography.reading.translation import is_number_among_serials, is_own_number
from spar_tui.bibliography.verbatim import ris_lines

_OWN_NUMBER: Mapping[Kind, str] = {
    "report": "SN", "patent": "SN", "standard": "SN", "legislation": "M1", "case": "SV",
}  # fmt: skip

_OF_PEOPLE = ("AU", "ED", "A1", "A2", "A3", "A4")


def ris_file(entries: Sequence[Entry]) -> str:
    """Join records with a blank line between them, and nothing before the first."""
    return "\n".join(map(ris_record, entries))


def ris_record(entry: Entry) -> str:
    """Return the record of `entry`, from `TY` to `ER`."""
    own = entry.original and entry.original.format == "ris"
    lines = chain.from_iterable(map(_without_et_al, _own_lines(entry) if own else _lines(entry)))
    return "".join(f"{tag}  - {value}\n" for tag, value in lines) + "ER  - \n"


def _without_et_al(line: tuple[str, str]) -> Iterator[tuple[str, str]]:
    """Convert “et al.” among the names to a note, because other programs read it as a person."""
    tag, value = line
    name = AND_MORE.sub("", f" {value}").strip() if tag in _OF_PEOPLE else value
    if name:
        yield tag, name
    if name != value:
        yield "N1", f"{tag}: {ET_AL.literal}"


def _own_lines(entry: Entry) -> Iterator[tuple[str, str]]:
    """Yield the lines of the person's file unchanged, with the requested extras."""
    assert entry.original is not None
    extras = [(tag, plain(value)) for tag, value in _extras(entry) if value]
    replaced = {tag for tag, _ in extras}
    own_type = entry.type_in("ris") if "type" in entry.corrected else entry.original.type
    yield from (("TY", own_type), ("ID", entry.key))
    lines = list(ris_lines(entry.original))
    if entry.corrected:
        lines = with_corrections(lines, entry.corrected, list(_lines(entry)), "ris", entry.kind)
    yield from (line for line in lines if line[0] not in replaced)
    yield from extras


def _extras(entry: Entry) -> list[tuple[str, str]]:
    """Return the fields that are written only on request."""
    # Readers split a single line at semicolons, for some programs write all keywords on it; twice it is one keyword.
    twice = len(entry.keywords) == 1 and ";" in entry.keywords[0]
    keywords = [("KW", keyword) for keyword in entry.keywords] * (1 + twice)
    files = (("L1", path) for path in entry.file.split("\n"))
    return [("AB", entry.abstract), *keywords, *files, ("N1", entry.note)]


def _lines(entry: Entry) -> Iterator[tuple[str, str]]:
    first, last = entry.page_range
    publisher = entry.kind in PUBLISHER_IS_VENUE
    unedited = entry.kind in BOOKS and not entry.editors  # where a third author would be an editor
    edition = "" if entry.kind in VERSIONED | IN_SESSIONS else entry.edition
    there = {"AU": entry.names, "SP": first, "ET": edition, "PB": entry.publisher, "A3": unedited}
    told = entry.arxiv or is_preprint_doi(entry.doi or "") or is_preprint_venue(entry.container)
    lines = [
        ("TY", entry.type_in("ris")),
        ("M3", "Preprint" if entry.kind == "preprint" and not told and "type" not in entry.more else ""),
        ("ID", entry.key),
        *(("AU", _name(name)) for name in entry.names),
        ("AU", f"{ET_AL.literal}," if entry.names and entry.et_al else ""),
        *(("ED", _name(name)) for name in entry.editors),
        ("TI", entry.title),
        ("PB" if publisher else "T2", entry.container),
        ("PY", entry.year),
        ("DA", as_ris(entry.edtf or entry.date or "")),
        _noted("volume-of-thesis", "VL", entry.volume, bool(degree_in(entry.volume, entry.kind))),
        (_number_tag(entry), entry.number),
        ("SP", first.replace("–", "-")),
        ("EP", last.replace("–", "-")),
        ("PB", entry.publisher if not (publisher and entry.container) else ""),
        ("CY", entry.address),
        ("T3", entry.series),
        _noted("edition", "ET", entry.edition, entry.kind in VERSIONED | IN_SESSIONS),
        *(("SN", number) for numbers in (entry.isbn, entry.issn) for number in numbers.split(", ")),
        ("DO", entry.doi or ""),
        *zip(("AN", "C2", "N1"), _ids(entry), strict=False),
        ("UR", entry.url or ""),
        *as_ris_lines(entry.more, entry.rest, entry.kind, [tag for tag in there if there[tag]]),
        *_extras(entry),
    ]
    in_conference = entry.kind in OF_CONFERENCES and entry.container and any(tag == "C3" for tag, _ in lines)
    swapped = {"T2": "C3", "C3": "T2"} if in_conference else {}
    return ((swapped.get(tag, tag), line) for tag, value in lines if (line := plain(value)))


def _noted(name: str, tag: str, text: str, is_taken: bool) -> tuple[str, str]:
    """Return the line of a value: a note with its name if its tag `is_taken` by something else for the kind of work."""
    return ("N1", f"{name}: {text}") if text and is_taken else (tag, text)


def _number_tag(entry: Entry) -> str:
    """Return the tag of the number: the one that EndNote and Zotero use for the kind of work, if spar reads the number
    back from it."""
    tag = _OWN_NUMBER.get(entry.kind, "IS")
    is_read = is_number_among_serials if tag == "SN" else is_own_number
    return tag if is_read(entry.number) else "IS"


def _ids(entry: Entry) -> Iterator[str]:
    """Yield the identifiers that have no tag of their own."""
    named = (("PMID", entry.pmid), ("PMCID", entry.pmcid))
    return filter(None, (entry.arxiv_name, *(f"{scheme}:{value}" for scheme, value in named if value)))


def _name(name: Name) -> str:
    # Without a trailing comma a group's name is split at "and" or before its last word.
    return f"{name.literal}," if re.search(r"[\s,]", name.literal) else name.literal or name.inverted
