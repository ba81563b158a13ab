"""RIS files: `TY  - JOUR` to `ER  - `, as reference managers and publishers write them."""

import re
from io import StringIO

from connectors.paper import Author, PaperType
from connectors.records.build import author, author_from_name, partial_date
from spar_tui.bibliography.reading.entries import RawEntry, found_of
from spar_tui.bibliography.reading.entries_read import Found, Problem
from spar_tui.bibliography.reading.tagged import TaggedRecord

_LINE = re.compile(r"([A-Z][A-Z0-9])  ?-(?: (.*)|$)")
_TYPES: dict[str, PaperType] = {
    "JOUR": "article", "JFULL": "article", "MGZN": "article", "EJOUR": "article", "INPR": "article",
    "CONF": "conference-paper", "CPAPER": "conference-paper", "UNPB": "preprint", "BOOK": "book", "EBOOK": "book",
    "EDBOOK": "book", "CHAP": "chapter", "ECHAP": "chapter", "THES": "thesis", "RPRT": "report", "DATA": "dataset",
    "AGGR": "dataset",
}  # fmt: skip
_WITH_PUBLISHER = ("book", "thesis", "report", "dataset")


def read_ris(text: str) -> Found:
    """The records of a RIS file, from `TY` to `ER`."""
    records, problems = _records(text)
    return found_of(map(_raw_entry, records), problems)


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


def _raw_entry(record: TaggedRecord) -> RawEntry:
    kind = _TYPES.get(record.first("TY").upper(), "other")
    venues = ("PB", "T2", "JO") if kind in _WITH_PUBLISHER else ("T2", "JF", "JO", "JA", "BT", "J2")
    numbered = record.all("DO", "M3", "N1") if not record.all("DO") else record.all("DO")
    names = [("doi", text) for text in numbered if "10." in text]
    names += [("any", text) for text in record.all("AN", "C2") if re.match(r"(?:arxiv|pmid|pmc)", text, re.IGNORECASE)]
    pages = "--".join(filter(None, (record.first("SP"), record.first("EP"))))
    authors, editors = (
        [person for text in record.all(*tags) if (person := _author(text))] for tags in (("AU", "A1"), ("ED", "A2"))
    )
    if record.first("TY").upper() == "EDBOOK":  # whose authors are its editors
        authors, editors = [], authors + editors
    return RawEntry(
        line=record.line,
        key=record.first("ID"),
        kind=kind,
        title=record.first("TI", "T1", "CT", "BT"),
        authors=authors,
        editors=editors,
        date=_date(record.first("DA"), record.first("PY", "Y1")),
        venue=record.first(*venues),
        names=names,
        url=record.first("UR", "L2"),
        abstract=record.first("AB", "N2"),
        keywords=record.all("KW"),
        notes=record.all("N1", "RN"),
        file=record.first("L1"),
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
    )


def _author(text: str) -> Author | None:
    """`Family, Given, Suffix`; a group's name ends with a comma."""
    if text.endswith(","):
        return author(text.rstrip(", "))
    family, *rest = [part.strip() for part in text.split(",")]
    if len(rest) == 2:
        return author(f"{family} {rest[1]}".strip(), rest[0])
    return author(family, ", ".join(rest)) if rest else author_from_name(text)


def _date(date: str, year: str) -> str | None:
    """`2017/06/12/` as far as it is known; the year alone is enough."""
    parts = re.split(r"[/-]", date or year)
    found = partial_date(*[part or None for part in parts[:3]]) if parts[0] else None
    loose = re.search(r"\d{4}", year)
    return found or partial_date(loose[0] if loose else None)
