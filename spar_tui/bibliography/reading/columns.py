"""Columns of tables of works, and the tags of the Web of Science, which some tables use as names; values as in
`translation.Table`.
"""

import csv
import re

TAGS = {
    "DT": "type", "PT": "type", "AF": "author", "AU": "author", "CA": "group", "BF": "container-author",
    "BA": "container-author", "BE": "editor", "TI": "title", "SO": "container-title", "SE": "collection-title",
    "JI": "container-title-short", "LA": "language", "CT": "event-title", "CL": "event-place", "CY": "event-date",
    "DE": "keyword", "ID": "keyword", "AB": "abstract", "PU": "publisher", "PI": "publisher-place", "SN": "serial",
    "EI": "serial", "BN": "serial", "PD": "date", "PY": "year", "VL": "volume", "IS": "issue", "BP": "first-page",
    "EP": "last-page", "AR": "article-number", "DI": "DOI", "PM": "PMID", "PG": "number-of-pages",
    "AE": "publisher", "PN": "number",
}  # fmt: skip
COLUMNS = {
    **{tag.lower(): member for tag, member in TAGS.items()},
    **dict.fromkeys(("document type", "document identifier", "item type", "publication type", "type"), "type"),
    "author full names": "author", "authors": "author", "author": "author",
    "book author full names": "container-author",
    "group authors": "group", "editors": "editor", "editor": "editor", "book editors": "editor",
    "translator": "translator", "title": "title", "article title": "title", "document title": "title",
    "source title": "container-title", "publication title": "container-title", "journal/book": "container-title",
    "venue": "container-title", "journal": "container-title", "abbreviated source title": "container-title-short",
    "journal iso abbreviation": "container-title-short", "journal abbreviation": "container-title-short",
    "book series title": "collection-title", "series": "collection-title", "conference name": "event-title",
    "conference title": "event-title", "conference location": "event-place", "conference date": "event-date",
    "year": "year", "publication year": "year", "publication date": "date", "date": "date", "volume": "volume",
    "issue": "issue", "number": "issue", "art. no.": "article-number", "article number": "article-number",
    "page start": "first-page", "start page": "first-page", "page end": "last-page", "end page": "last-page",
    "pages": "page", "doi": "DOI",
    "link": "URL", "url": "URL", "doi link": "", "abstract": "abstract", "abstract note": "abstract",
    "author keywords": "keyword", "index keywords": "keyword", "keywords plus": "keyword", "keywords": "keyword",
    "manual tags": "keyword", "automatic tags": "keyword", "publisher": "publisher", "place": "publisher-place",
    "publisher city": "publisher-place", "issn": "serial", "eissn": "serial", "isbn": "serial", "isbns": "serial",
    "pubmed id": "PMID", "pmid": "PMID", "pmcid": "PMCID", "arxiv": "arxiv", "language": "language",
    "language of original document": "language", "edition": "edition", "short title": "title-short",
    "num pages": "number-of-pages", "number of pages": "number-of-pages", "number of volumes": "number-of-volumes",
    "extra": "note", "note": "annote", "notes": "annote", "file attachments": "file", "file": "file",
    "library catalog": "source", "source": "source", "access date": "accessed",
    "key": "citation-key", "retracted": "type",
    "cited by": "", "date added": "", "date modified": "",
}  # fmt: skip
_TITLES = frozenset(("ti", "title", "article title", "document title"))
_HEAD_CAP = 20_000
_FEWEST = 3
"""Minimum number of known columns, including the title, of a table of works."""


def is_table(text: str) -> bool:
    """Whether the first line of the text has the columns of a table of works."""
    columns = names_of_columns(text)
    return not _TITLES.isdisjoint(columns) and sum(column in COLUMNS for column in columns) >= _FEWEST


def first_line(text: str) -> tuple[str, str]:
    """Return the first line and the separator of its columns."""
    head = rows_of(text[:_HEAD_CAP]).partition("\n")[0]
    return head, max("\t,;|", key=head.count)


def rows_of(text: str) -> str:
    """Return the text from the header on; Excel may write a line before it that states the separator."""
    return re.sub(r"\A[\ufeff\n]*(?:sep=.\n)?", "", text)


def names_of_columns(text: str) -> list[str]:
    """Return the column names in the first line, in lower case."""
    head, sign = first_line(text)
    return [column.strip().lower() for column in next(csv.reader([head], delimiter=sign), [])]
