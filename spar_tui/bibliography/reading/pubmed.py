"""Read files in PubMed's own format (.nbib), with lines such as `PMID- 123`. ERIC writes such files too."""

import re
from collections.abc import Iterator
from itertools import islice

from cache.originals import Original
from connectors.paper import Author
from connectors.records.build import author, author_from_name, is_generation, told_date
from connectors.records.medline import language_of, retracted, type_of, without_stop
from connectors.records.publication import page_range
from spar_tui.bibliography.reading.entries import RawEntry, found_of, no_date, without_et_al
from spar_tui.bibliography.reading.entries_read import FileEntries
from spar_tui.bibliography.reading.tagged import TaggedRecord, cut_off, tagged_records

_LINE = re.compile(r"([A-Z]{2,4}) *-(?: (.*))?")
_NEXT_VALUE = "\x1f"
"""Separator before each value; cleaned text does not contain it."""
_PAGES_IN_SOURCE = re.compile(r"\d(?:\([^()]*\))?:([A-Za-z]{0,2}\d[\w-]*)\.")
"""The pages in `J Fens. 2020 May;14(7):e0299. doi: …`: records of articles with only a number lack the tag `PG`."""


def read_pubmed(text: str) -> FileEntries:
    """Return the records of a PubMed file (.nbib, .txt); each begins with `PMID-`, or in some files with `OWN`."""
    records = [*tagged_records(text, _LINE, lambda tag, _, blank: tag == "PMID" or (tag == "OWN" and blank))]
    raw_entries = (raw_entry(Original("pubmed", "", "", tuple(_values(record))), record.line) for record in records)
    return found_of(raw_entries, cut_off(records, text))


def _values(record: TaggedRecord) -> Iterator[tuple[str, str]]:
    """Yield the tags and values of `record` as Biopython parses them, but without joining values of a repeated tag, and
    in the order of the file."""
    from Bio import Medline

    full_names = list(_full_names(record))
    lines = [f"{tag:<4}- {_NEXT_VALUE}{value}" for tag, value in full_names]
    for fields in Medline.parse(lines):  # type: ignore[no-untyped-call]  # Biopython types nothing
        values = {tag: iter("".join(text).split(_NEXT_VALUE)[1:]) for tag, text in fields.items()}
        yield from ((tag, value.strip()) for tag, _ in full_names for value in islice(values.get(tag, ()), 1))


def _full_names(record: TaggedRecord) -> Iterator[tuple[str, str]]:
    """Yield the tags and values, with a full name also for an author who has only the short one among others."""
    before, full = "", len(record.all("FAU"))
    for tag, text in record.lines():
        if 0 < full < len(record.all("AU")) and tag == "AU" and before != "FAU":
            yield "FAU", _inverted(text)
        yield tag, text
        before = tag


def _inverted(name: str) -> str:
    """Return a short name such as `Roe AB Jr` as `Roe, AB, Jr`."""
    if "," in name:  # ERIC writes whole names
        return name
    words = name.split()
    suffix = [words.pop()] if len(words) > 2 and not words[-1].isupper() and is_generation(words[-1]) else []
    return ", ".join([" ".join(words[:-1]), words[-1], *suffix]) if words[-1:] and words[-1].isupper() else name


def raw_entry(original: Original, line: int) -> RawEntry:
    """Parse a record."""
    record = TaggedRecord.of(line, original.fields)
    kinds = [kind.lower() for kind in record.all("PT")]
    ids = record.all("LID", "AID")
    dois = [text for text in ids if text.endswith("[doi]") or "doi.org/10." in text]
    short = "AU" if not record.first("FAU") else "FAU"
    people = list[Author | None]()
    for tag, text in record.listed():
        if tag in (short, "CN"):
            people.append(author(text) if tag == "CN" else author_from_name(_inverted(text) if tag == "AU" else text))
        elif tag == "AUID" and people and (person := people[-1]):
            people[-1] = author(person.family, person.given, person.orcid or text, person.suffix)
    editors = [author_from_name(text) for text in record.all("FED") or map(_inverted, record.all("ED"))]
    source = _PAGES_IN_SOURCE.search(record.first("SO"))
    pages = record.first("PG") or (source[1] if source else "")
    authors, et_al = without_et_al(list(filter(None, people)))
    date = told_date(record.first("DP"))
    kind, title, venue = type_of(kinds), record.first("TI"), record.first("JT", "TA", "VTI")
    book, publisher = without_stop(record.first("BTI")), record.first("PB")
    if book:  # PubMed distinguishes books from chapters by their titles
        venue = book if title else publisher
        kind = kind if kind not in ("article", "review", "chapter") else "chapter" if title else "book"
    return RawEntry(
        line=record.line,
        faults=no_date(record.first("DP")) if date is None else [],
        kind=kind,
        title=without_stop(title or book or record.first("TT")),
        authors=authors,
        et_al=et_al,
        editors=[editor for editor in editors if editor],
        date=date,
        venue=venue,
        names=[
            ("pmid", record.first("PMID")), ("pmcid", record.first("PMC")),
            *(("doi", text.removesuffix("[doi]").strip()) for text in dois),
        ],
        retracted=retracted(kinds) or bool(record.all("RIN")),
        language=language_of(record.first("LA")) or "",
        url=next((text for text in ids if text.startswith("http") and text not in dois), ""),
        abstract="\n".join(record.all("AB")),
        keywords=[keyword.removeprefix("*") for keyword in record.all("OT")],
        details={
            "volume": record.first("VI"), "number": record.first("IP"), "pages": page_range(pages) or pages,
            "publisher": publisher, "address": record.first("PL") if book else "", "edition": record.first("EN"),
            "series": record.first("CTI"),
            "issn": ", ".join(record.all("IS", "ISSN")), "isbn": record.first("ISBN"),
        },
        original=original,
    )  # fmt: skip
