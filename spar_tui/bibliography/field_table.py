"""The table of fields beside the common ones: their names in each format, and what their values are."""

from typing import Literal, NamedTuple


class FieldNames(NamedTuple):
    """A field's name in BibTeX and BibLaTeX, in RIS ("" where one has none) and in CSL, and what its value is."""

    bib: str
    ris: str
    csl: str
    kind: Literal["text", "people", "date"] = "text"

    @property
    def key(self) -> str:
        """The name by which it is known here."""
        return self.bib or self.csl


KNOWN: tuple[FieldNames, ...] = (
    FieldNames("type", "M3", "genre"),
    FieldNames("shorttitle", "ST", "title-short"),
    FieldNames("shortjournal", "J2", "container-title-short"),
    FieldNames("language", "LA", "language"),
    FieldNames("eventtitle", "C3", "event-title"),
    FieldNames("venue", "C1", "event-place"),
    FieldNames("chapter", "SE", "chapter-number"),
    FieldNames("eid", "C7", "number"),
    FieldNames("version", "C8", "version"),
    FieldNames("volumes", "NV", "number-of-volumes"),
    FieldNames("pagetotal", "M2", "number-of-pages"),
    FieldNames("library", "DP", "source"),
    FieldNames("label", "LB", "citation-label"),
    FieldNames("urldate", "Y2", "accessed", "date"),
    FieldNames("translator", "A4", "translator", "people"),
    FieldNames("bookauthor", "", "container-author", "people"),
    FieldNames("origdate", "", "original-date", "date"),
    FieldNames("eventdate", "", "event-date", "date"),
    FieldNames("origtitle", "OP", "original-title"),
    FieldNames("origpublisher", "", "original-publisher"),
    FieldNames("origlocation", "", "original-publisher-place"),
    FieldNames("part", "", "part-number"),
    FieldNames("pubstate", "", "status"),
    FieldNames("note", "N1", "note"),
    FieldNames("annotation", "RN", "annote"),
    FieldNames("", "A3", "collection-editor", "people"),
    FieldNames("", "RI", "reviewed-title"),
    FieldNames("", "CN", "call-number"),
    FieldNames("", "DB", "archive"),
    FieldNames("", "AV", "archive_location"),
)
"""Fields beside the common ones that more than one format has a place for, in the order in which they are written."""
