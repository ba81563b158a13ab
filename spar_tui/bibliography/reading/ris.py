"""RIS files: `TY  - JOUR` to `ER  - `, as reference managers and publishers write them."""

import re
from io import StringIO

from cache.originals import Original
from connectors.paper import Author
from connectors.records.build import author, author_from_name, is_generation, told_date
from connectors.records.clean import harmless
from spar_tui.bibliography.kinds import NAMES, PUBLISHER_IS_VENUE, kind_in_ris
from spar_tui.bibliography.reading.entries import RawEntry, found_of, without_et_al
from spar_tui.bibliography.reading.entries_read import Found, Problem
from spar_tui.bibliography.reading.tagged import TaggedRecord

_LINE = re.compile(r"([A-Z][A-Z0-9])  ?-(?: (.*)|$)")


def read_ris(text: str) -> Found:
    """The records of a RIS file, from `TY` to `ER`."""
    records, problems = _records(text)
    return found_of((raw_entry(_original(record), record.line) for record in records), problems)


def _records(text: str) -> tuple[list[TaggedRecord], list[Problem]]:
    records: list[TaggedRecord] = []
    problems: list[Problem] = []
    for number, line in enumerate(StringIO(text), start=1):
        found = _LINE.match(line.lstrip("\ufeff"))
        within = records and not records[-1].ended
        if found and found[1] == "TY":
            if within:
                problems.append(_unended(records[-1]))
            records.append(TaggedRecord(number))
            within = True
        if not within:
            if found:
                problems.append(Problem(number, "", f"{found[1]} stands outside a record, which begins with TY"))
        elif found and found[1] == "ER":
            records[-1].ended = True
        elif found:
            records[-1].add(found[1], found[2] or "")
        else:
            records[-1].go_on(line)
    if records and not records[-1].ended:
        problems.append(_unended(records[-1]))
    return records, problems


def _unended(record: TaggedRecord) -> Problem:
    return Problem(record.line, record.first("ID"), "it has no end (ER); what there is was read", taken=True)


def _original(record: TaggedRecord) -> Original:
    """The record as it stands in the file."""
    lines = tuple(line for line in record.lines() if line[0] not in ("TY", "ID"))
    return Original("ris", harmless(record.first("TY")), harmless(record.first("ID")), lines)


def raw_entry(original: Original, line: int) -> RawEntry:
    """What a record tells."""
    record = TaggedRecord.of(line, original.fields)
    record_type = original.type.upper()
    own_kind = kind_in_ris(record_type)
    kind = NAMES[own_kind].paper
    venues = ("PB", "T2", "JO") if own_kind in PUBLISHER_IS_VENUE else ("T2", "JF", "JO", "JA", "BT", "J2", "C3")
    numbered = record.all("DO", "M3", "N1") if not record.all("DO") else record.all("DO")
    names = [("doi", text) for text in numbered if "10." in text]
    names += [("pmid", text.removesuffix("[pmid]")) for text in record.all("U1") if text.endswith("[pmid]")]
    names += [("any", text) for text in record.all("AN", "C2") if re.match(r"(?:arxiv|pmid|pmc)", text, re.IGNORECASE)]
    pages = "--".join(filter(None, (record.first("SP"), record.first("EP")))) or record.first("C7")
    authors, editors = (
        [person for text in record.all(*tags) if (person := _author(text))] for tags in (("AU", "A1"), ("ED", "A2"))
    )
    if record_type == "EDBOOK":  # whose authors are its editors
        authors, editors = [], authors + editors
    authors, et_al = without_et_al(authors)
    return RawEntry(
        line=record.line,
        key=original.key,
        kind=kind,
        title=record.first("TI", "T1", "CT", "BT"),
        authors=authors,
        et_al=et_al,
        editors=editors,
        date=told_date(record.first("DA", "PY", "Y1"), record.first("PY", "Y1")),
        venue=record.first(*venues),
        names=names,
        url=record.first("UR", "L2"),
        abstract=record.first("AB", "N2"),
        keywords=record.all("KW"),
        notes=record.all("N1", "RN"),
        files=record.all("L1"),
        details={
            "volume": record.first("VL"),
            "number": record.first("IS"),
            "pages": pages,
            "publisher": record.first("PB"),
            "address": record.first("CY"),
            "edition": record.first("ET"),
            "series": record.first("T3"),
            "issn" if kind in ("article", "review") else "isbn": record.first("SN"),
        },
        original=original,
    )


def _author(text: str) -> Author | None:
    """`Family, Given, Suffix`, of which some exchange the last two; a group's name ends with a comma."""
    if text.endswith(","):
        return author(text.rstrip(", "))
    family, *rest = [part.strip() for part in text.split(",")]
    if len(rest) == 2:
        swapped = is_generation(rest[0]) and not is_generation(rest[1])
        given, suffix = reversed(rest) if swapped else rest
        return author(family, given, suffix=suffix)
    if len(rest) > 2:
        return author(text)  # several people: whoever they are, they stay whole
    return author(family, *rest) if rest else author_from_name(text)
