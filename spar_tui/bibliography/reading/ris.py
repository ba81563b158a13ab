"""Read RIS files: from `TY - JOUR` to `ER - `, as written by reference managers and publishers."""

import re
from itertools import chain

from cache.originals import Original
from connectors.isbn import serials
from connectors.paper import Author
from connectors.records.build import author, author_from_name, is_generation, told_date
from connectors.records.clean import harmless
from connectors.records.publication import first_to_last, page_range
from spar_tui.bibliography.kinds import (
    IN_ISSUES,
    NAMES,
    PUBLISHER_IS_VENUE,
    Kind,
    degree_in,
    kind_in_ris,
    numbers_in_csl,
)
from spar_tui.bibliography.languages import tag_of
from spar_tui.bibliography.more_fields import is_field_of_ris, noted_volume, page_count
from spar_tui.bibliography.reading.entries import RawEntry, found_of, no_date, without_et_al
from spar_tui.bibliography.reading.entries_read import Found, Problem
from spar_tui.bibliography.reading.noted import arxiv_class_in, noted
from spar_tui.bibliography.reading.tagged import TaggedRecord, tagged_records, unended

_TYPE_LINE = re.compile(
    r"^\ufeff?([ \t]*+(?:[0-9]{1,6}[.):]?[ \t]++)?)TY([ \t]*+)([-‐-―−])([ \t]*+)[A-Z]{3,8}[ \t]*+$", re.MULTILINE
)
"""The line with a record's type, which shows how the file writes its tags."""


def tag_lines(text: str) -> re.Pattern[str]:
    """Return the pattern of a line with a tag, in the notation of `text`.

    The standard has two blanks before the hyphen and one after. Databases omit some, indent lines or number records,
    and word processors write dashes. A deviation is allowed if type lines have it; otherwise `AB-initio` is text.
    """
    written = [match.groups() for match in _TYPE_LINE.finditer(text)]
    before = "[ \\t]*+(?:[0-9]{1,6}[.):]?[ \\t]++)?" if any(indent for indent, *_ in written) else ""
    gaps = sorted({"  ", " ", *(gap for _, gap, *_ in written)}, key=len, reverse=True)
    dashes = "".join(sorted({"-", *(dash for *_, dash, _ in written)}))
    behind = "" if any(not space for *_, space in written) else "(?:[ \\t]|$)"
    return re.compile(f"{before}([A-Z][A-Z0-9])(?:{'|'.join(map(re.escape, gaps))})[{dashes}]{behind}[ \\t]*(.*)")


def read_ris(text: str) -> Found:
    """Return the records of a RIS file; each ends with `ER`, or where the type of the next one is given."""
    records = list(tagged_records(text, tag_lines(text), _begins, "ER"))
    problems = [unended(record) for record in records if not record.ended]
    problems += [
        Problem(record.line, record.first("ID"), "it has no type (TY); what there is was read", taken=True)
        for record in records
        if not record.all("TY")
    ]
    return found_of((raw_entry(_original(record), record.line) for record in records), problems)


def _begins(tag: str, record: TaggedRecord | None, _: bool) -> bool:
    """Whether a record begins; some databases write other tags before the type."""
    return record is None or (tag == "TY" and bool(record.all("TY")))


def _original(record: TaggedRecord) -> Original:
    """Return the record as it is in the file."""
    lines = tuple(line for line in record.lines() if line[0] not in ("TY", "ID"))
    return Original("ris", harmless(record.first("TY")), harmless(record.first("ID")), lines)


WITH_SERIES = frozenset[Kind](("book", "collection", "conference-volume", "booklet", "manual", "report", "standard"))
"""Kinds whose secondary title is that of their series; for a thesis it is the department."""


def raw_entry(original: Original, line: int) -> RawEntry:
    """Parse a record."""
    record = TaggedRecord.of(line, original.fields)
    record_type = original.type.upper()
    own_kind = kind_in_ris(record_type)
    kind = NAMES[own_kind].paper
    own_venues = ("PB", "JO") if own_kind in WITH_SERIES else ("PB", "T2", "JO")
    venues = own_venues if own_kind in PUBLISHER_IS_VENUE else ("T2", "JF", "JO", "JA", "BT", "J2", "C3")
    notes = [noted(note) for note in record.all("N1") if not is_field_of_ris(note)] + list(map(noted, record.all("RN")))
    names = [("doi", text) for text in record.all("DO") or record.all("M3")]
    names += [name for note in notes for name in note.names]
    names += [("pmid", text.removesuffix("[pmid]")) for text in record.all("U1") if text.endswith("[pmid]")]
    names += [("any", text) for text in record.all("AN", "C2") if re.match(r"(?:arxiv|pmid|pmc)", text, re.IGNORECASE)]
    in_pubmed = any(re.search(r"pubmed|medline", text, re.IGNORECASE) for text in record.all("DB", "DP"))
    names += [("pmid", text) for text in record.all("AN") if in_pubmed and text.isdecimal()]
    volume = record.first("VL")
    start, end = "" if page_count(original) else record.first("SP"), record.first("EP")
    pages = (page_range(start) if _RANGE.search(start) else first_to_last(start, end)).replace("-", "--")
    authors, editors = _people(record, "AU", "A1"), _people(record, "ED", "A2")
    if record_type == "EDBOOK" and not editors:  # the authors of such a book are its editors
        authors, editors = [], authors
    authors, et_al = without_et_al(authors)
    date = told_date(record.first("DA", "PY", "Y1"), record.first("PY", "Y1"))
    return RawEntry(
        line=record.line,
        key=original.key,
        kind=kind,
        title=record.first("TI", "T1", "CT", "BT"),
        authors=authors,
        et_al=et_al,
        editors=editors,
        date=date,
        faults=no_date(record.first("PY", "Y1", "DA")) if date is None else [],
        venue=record.first(*venues),
        names=names,
        arxiv_class=next(filter(None, map(arxiv_class_in, record.all("AN", "C2", "N1"))), ""),
        url=record.first("UR", "L2"),
        abstract=record.first("AB", "N2"),
        keywords=record.all("KW"),
        language=tag_of(record.first("LA")).partition("-")[0],
        notes=[note.text for note in notes],
        files=record.all("L1"),
        details={
            "volume": noted_volume(record.all("N1")) or ("" if degree_in(volume, own_kind) else volume),
            "pages": pages or "--".join(filter(None, (start, end))) or record.first("C7"),
            "publisher": record.first("PB"),
            "address": record.first("CY"),
            "edition": record.first("ET"),
            "series": record.first("T3") or (record.first("T2") if own_kind in WITH_SERIES else ""),
        }
        | _serial_numbers(record, own_kind),
        original=original,
    )


def _serial_numbers(record: TaggedRecord, kind: Kind) -> dict[str, str]:
    """Return the numbers of a record: its issue, and ISBN or ISSN, which share a tag, by their form. Any other number
    counts as that of a report or patent, or else as the usual one for the kind of work."""
    own = numbers_in_csl(kind)[0] == "number"
    usual = "number" if own else "issn" if NAMES[kind].paper in ("article", "review") else "isbn"
    numbers = {"number": record.first("IS")} if record.first("IS") else {}
    for number in chain.from_iterable(map(serials, record.all("SN"))):
        digits = len(re.findall(r"[0-9Xx]", number))
        form = {8: "issn", 10: "isbn", 13: "isbn"}.get(digits, usual)
        name = usual if own and not SERIAL.fullmatch(number) else form
        numbers[name] = f"{numbers[name]}, {number}" if name in numbers and name == form else numbers.get(name, number)
    if kind not in IN_ISSUES and (number := record.first("M1", "SV")) and _NUMBER.fullmatch(number):
        numbers.setdefault("number", number)
    return numbers


_NUMBER = re.compile(r"(?!10\.\d{4})[\w./ -]{1,20}")
"""The number of a report or in a series; databases also write remarks into this tag."""
SERIAL = re.compile(r"[0-9Xx -]++(?:\([^()]*+\))?")
_RANGE = re.compile(r"[0-9a-zA-Z]\s*[-‐-―−]+\s*[0-9a-zA-Z]")
_ET_AL = re.compile(r"et\.? al\.?", re.IGNORECASE)
_NOBODY = re.compile(r"\[?(?:anon(?:ymous|\.)?|no authors?(?: [a-z ]*)?)\]?,?", re.IGNORECASE)
"""What databases write where a work names no author."""
_BETWEEN = re.compile(r"(?:(?<!\s)\s+)?;\s*+|,?(?<!\s)\s+(?:and|&)\s++")


def names_in(text: str) -> list[str]:
    """Split a line into names, although it should have one. A semicolon or "and" separates names only if all have their
    given names after a comma; other text is one name, such as that of an institute."""
    parts = [part for part in _BETWEEN.split(text) if part.strip()]
    return parts if len(parts) > 1 and all("," in part.strip(", ") for part in parts) else [text]


def _people(record: TaggedRecord, *tags: str) -> list[Author]:
    names = [name for line in record.all(*tags) for name in names_in(line)]
    inverted = any("," in name for name in names)  # then who has no comma is a group
    return [person for name in names if (person := author_of(name if "," in name or not inverted else f"{name},"))]


def author_of(text: str) -> Author | None:
    """Parse `Family, Given, Suffix`, with the last two possibly exchanged; a group's name ends with a comma."""
    if _NOBODY.fullmatch(text):
        return None
    if text.endswith(",") or _ET_AL.fullmatch(text):
        return author(text.rstrip(", "))
    family, *rest = [part.strip() for part in text.split(",")]
    if len(rest) == 2:
        swapped = is_generation(rest[0]) and not is_generation(rest[1])
        given, suffix = reversed(rest) if swapped else rest
        return author(family, given, suffix=suffix)
    if len(rest) > 2:
        return author(text)  # probably several people, so it stays undivided
    return author(family, *rest) if rest else author_from_name(text)
