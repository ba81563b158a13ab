"""The table of fields beside the common ones: their names in each format, and what their values are."""

from collections.abc import Mapping
from typing import Literal, NamedTuple

from cache.originals import FileFormat
from spar_tui.bibliography.kinds import IN_ISSUES, KINDS, THESES, WHOLE, Kind


class FieldNames(NamedTuple):
    """A field's name in BibTeX and BibLaTeX, in RIS and in CSL ("" where one has none), and what its value is; `only`
    for some kinds of works it is called so in a format."""

    bib: str
    ris: str
    csl: str
    kind: Literal["text", "people", "date", "language"] = "text"
    only: tuple[FileFormat, frozenset[Kind]] | None = None

    @property
    def key(self) -> str:
        """The name by which it is known here."""
        return self.bib or self.csl

    def name_in(self, file_format: FileFormat, kind: Kind) -> str:
        """What a format calls it in works of a kind; "" if nothing."""
        if self.only and self.only[0] == file_format and kind not in self.only[1]:
            return ""
        return {"bibtex": self.bib, "ris": self.ris, "csl-json": self.csl}.get(file_format, "")


ROLES: Mapping[str, str] = {
    "compiler": "compiler", "organizer": "organizer", "contributor": "collaborator",
    **{role: role for role in (
        "director", "producer", "executive-producer", "composer", "performer", "narrator", "illustrator",
        "script-writer", "series-creator", "host", "guest", "interviewer", "recipient", "chair", "curator",
        "editorial-director", "editor-translator", "original-author", "reviewed-author")},
}  # fmt: skip
"""The roles of CSL that BibLaTeX has as further editors (`editora`), and what their type (`editoratype`) calls them."""
EDITORS = ("editora", "editorb", "editorc")

KNOWN: tuple[FieldNames, ...] = (
    FieldNames("type", "M3", "genre"),
    FieldNames("shorttitle", "ST", "title-short"),
    FieldNames("shortjournal", "J2", "container-title-short"),
    FieldNames("language", "LA", "language", "language"),
    FieldNames("eventtitle", "C3", "event-title"),
    FieldNames("venue", "C1", "event-place"),
    FieldNames("chapter", "SE", "chapter-number"),
    FieldNames("eid", "C7", "number", only=("csl-json", IN_ISSUES)),
    FieldNames("version", "C8", "version"),
    FieldNames("volumes", "NV", "number-of-volumes"),
    FieldNames("pagetotal", "SP", "number-of-pages", only=("ris", WHOLE)),
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
    FieldNames("origlanguage", "", "", "language"),
    FieldNames("issuetitle", "", "volume-title", only=("csl-json", IN_ISSUES)),
    FieldNames("part", "", "part-number"),
    FieldNames("pubstate", "", "status"),
    *(FieldNames(name, "", "", "people") for name in (
        "editora", "editorb", "editorc", "annotator", "commentator", "introduction", "foreword", "afterword",
        "shortauthor", "shorteditor")),
    *(FieldNames(name, "", "") for name in (
        "editortype", "editoratype", "editorbtype", "editorctype", "authortype", "nameaddon", "addendum",
        "entrysubtype", "pagination", "bookpagination", "shortseries", "shorthand", "isan", "ismn", "isrn", "iswc")),
    FieldNames("note", "N1", "note"),
    FieldNames("annotation", "RN", "annote"),
    FieldNames("", "A3", "collection-editor", "people", only=("ris", frozenset(KINDS) - THESES)),
    *(FieldNames("", "", role, "people") for role in ROLES),
    FieldNames("", "RI", "reviewed-title"),
    FieldNames("", "CN", "call-number"),
    FieldNames("", "DB", "archive"),
    FieldNames("", "AV", "archive_location"),
)  # fmt: skip
"""Fields beside the common ones that more than one format has a place for, in the order in which they are written. What
RIS has no tag for is a note of it, which tells the field."""
TITLE_PARTS: Mapping[str, tuple[str, ...]] = {
    "title": ("subtitle", "titleaddon"), "booktitle": ("booksubtitle", "booktitleaddon"),
    "maintitle": ("mainsubtitle", "maintitleaddon"), "journaltitle": ("journalsubtitle", "journaltitleaddon"),
    "issuetitle": ("issuesubtitle", "issuetitleaddon"), "eventtitle": ("", "eventtitleaddon"),
}  # fmt: skip
"""For each title of BibLaTeX, its fields of subtitle and addition. Formats with one title field join the three."""


def joined_title(title: str, subtitle: str = "", added: str = "") -> str:
    """Join a title, its subtitle and its addition as `Title: subtitle. Addition`."""
    whole = _after(title, ":", subtitle)
    return _after(whole, ".", added)


def _after(title: str, mark: str, more: str) -> str:
    """Join two parts of a title with a mark, unless the first one ends with a mark of its own."""
    end = "" if title.rstrip("}")[-1:] in ("?", "!", ":", ".") else mark
    return f"{title}{end} {more}" if title and more else title or more
