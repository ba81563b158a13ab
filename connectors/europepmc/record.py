"""Convert a Europe PMC record to a `Paper`."""

import re

from connectors.http.json_values import listing, mapping
from connectors.http.paging import Listed, read_rows
from connectors.identifiers import Identifier, doi, pmcid, pmid
from connectors.paper import Author, Paper
from connectors.records.build import author, build_paper, count, iso_date, partial_date, told_date
from connectors.records.medline import language_of, retracted, type_of, without_stop
from connectors.records.publication import publication_of
from connectors.registry import EUROPE_PMC

_HEADING = re.compile(r"<h4>([^<]{1,100})</h4>", re.IGNORECASE)
_FREE = frozenset({"OA", "F"})
"""Codes of texts that are free to read: open access, and free of charge."""


def read_list(body: object, following: bool = False) -> Listed:
    """Parse a list of records, as `read_rows` does."""
    reply = mapping(body)
    results, total = mapping(reply.get("resultList")).get("result"), count(reply.get("hitCount"))
    return read_rows(EUROPE_PMC.name, results, total, read_record, following, reply.get("nextCursorMark"))


def read_record(record: object) -> Paper | None:
    """Return the paper of a record; None if it has no title or no Europe PMC id."""
    fields = mapping(record)
    title, record_id = fields.get("title"), (fields.get("source"), fields.get("id"))
    if not (isinstance(title, str) and title.strip() and all(isinstance(part, str) and part for part in record_id)):
        return None
    kinds = {kind.lower() for kind in _texts(fields.get("pubTypeList"), "pubType")}
    posted = record_id[0] == "PPR"
    issue = mapping(fields.get("journalInfo"))
    notices = {entry.get("type") for entry in _entries(fields.get("commentCorrectionList"), "commentCorrection")}
    return build_paper(
        EUROPE_PMC.name,
        title=without_stop(title.strip()),
        abstract=_abstract(fields.get("abstractText")),
        authors=_authors(fields),
        date=_date(fields, issue, posted),
        venue=_venue(fields, issue),
        type=type_of(kinds),
        preprint=posted or None,
        identifiers=_identifiers(fields, str(record_id[0]), str(record_id[1])),
        citation_count=fields.get("citedByCount"),
        pdf=_pdf(fields.get("fullTextUrlList")),
        url=f"https://europepmc.org/article/{record_id[0]}/{record_id[1]}",
        retracted=retracted(kinds) or "Retraction in" in notices,
        concern="Expression of concern in" in notices,
        language=language_of(str(fields.get("language") or "")),
        imprint=publication_of(
            volume=issue.get("volume") or fields.get("journalVolume"),
            number=issue.get("issue") or fields.get("issue"),
            pages=fields.get("pageInfo"),
        ),
        keywords=_keywords(fields),
        indexed=iso_date(fields.get("firstIndexDate")),
    )


def _texts(holder: object, name: str) -> list[str]:
    return [text for text in listing(mapping(holder).get(name)) if isinstance(text, str)]


def _entries(holder: object, name: str) -> list[dict[str, object]]:
    return [mapping(entry) for entry in listing(mapping(holder).get(name))]


def _abstract(raw: object) -> str:
    """Return the abstract with MEDLINE's label before each part."""
    return _HEADING.sub(_label, raw) if isinstance(raw, str) else ""


def _label(heading: re.Match[str]) -> str:
    label = heading[1].strip().removesuffix(":").strip()
    return f" {label}: " if label else " "


def _authors(fields: dict[str, object]) -> list[Author]:
    """Return the authors by the parts of their names, else from the string of family names and initials."""
    authors = [_author(entry) for entry in _entries(fields.get("authorList"), "author")]
    if not authors and isinstance(names := fields.get("authorString"), str):
        authors = [_from_initials(name) for name in names.rstrip(".").split(",")]
    return [person for person in authors if person]


def _author(entry: dict[str, object]) -> Author | None:
    name = mapping(entry.get("authorId"))
    orcid = name.get("value") if name.get("type") == "ORCID" else None
    family = entry.get("lastName") or entry.get("collectiveName") or entry.get("fullName")
    return author(family, entry.get("firstName") or entry.get("initials"), orcid)


def _from_initials(name: str) -> Author | None:
    family, _, initials = name.strip().rpartition(" ")
    return author(family, initials) if family and initials.isupper() else author(name)


def _date(fields: dict[str, object], issue: dict[str, object], posted: bool) -> str | None:
    """Return the date of the issue; if it is only a year or a month, the date of online publication in the same year.

    The date of first publication is derived from the month if nothing else is known, so it counts for preprints only.
    """
    if posted and (day := iso_date(fields.get("firstPublicationDate"))):
        return day
    printed, online = (
        told_date(str(issue.get("dateOfPublication") or "")),
        iso_date(fields.get("electronicPublicationDate")),
    )
    if printed and online and len(online) > len(printed) and printed[:4] == online[:4]:
        return online
    return printed or online or partial_date(fields.get("pubYear"))


def _venue(fields: dict[str, object], issue: dict[str, object]) -> object:
    journal, book = mapping(issue.get("journal")), mapping(fields.get("bookOrReportDetails"))
    return (
        journal.get("title")
        or journal.get("medlineAbbreviation")
        or fields.get("journalTitle")
        or book.get("comprisingTitle")
        or book.get("publisher")
    )


def _identifiers(fields: dict[str, object], source: str, number: str) -> list[Identifier | None]:
    return [
        pmid(fields.get("pmid")) or (pmid(number) if source == "MED" else None),
        pmcid(fields.get("pmcid")) or (pmcid(number) if source == "PMC" else None),
        doi(fields.get("doi")),
    ]


def _pdf(addresses: object) -> object:
    pdfs = (entry for entry in _entries(addresses, "fullTextUrl") if entry.get("documentStyle") == "pdf")
    return next((entry.get("url") for entry in pdfs if entry.get("availabilityCode") in _FREE), None)


def _keywords(fields: dict[str, object]) -> list[object]:
    """Return the authors' keywords, then the MeSH headings without their qualifiers."""
    headings = _entries(fields.get("meshHeadingList"), "meshHeading")
    return [*_texts(fields.get("keywordList"), "keyword"), *(entry.get("descriptorName") for entry in headings)]
