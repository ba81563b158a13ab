"""Table of the less common fields: their names in each format, and the kind of their values."""

import re
from collections.abc import Mapping
from typing import Literal, NamedTuple

from cache.originals import FileFormat
from spar_tui.bibliography.kinds import (
    IN_ISSUES,
    IN_SECTIONS,
    IN_SESSIONS,
    KINDS,
    OF_CONFERENCES,
    OF_LAW,
    THESES,
    VERSIONED,
    WHOLE,
    Kind,
)


class FieldNames(NamedTuple):
    """The names of a field in BibTeX and BibLaTeX, in RIS and in CSL ("" for none), and the type of its value; `only`
    limits a name to some kinds of works in some formats, `instead` has another name in a format for some kinds."""

    bib: str
    ris: str
    csl: str
    kind: Literal["text", "people", "date", "language"] = "text"
    only: tuple[tuple[FileFormat, ...], frozenset[Kind]] | None = None
    instead: tuple[FileFormat, str, frozenset[Kind]] | None = None

    @property
    def key(self) -> str:
        """Return the internal name of the field."""
        return self.bib or self.csl

    def name_in(self, file_format: FileFormat, kind: Kind) -> str:
        """Return the name of the field in a format for a kind of work; "" for none."""
        if self.only and file_format in self.only[0] and kind not in self.only[1]:
            return ""
        if self.instead and file_format == self.instead[0] and kind in self.instead[2]:
            return self.instead[1]
        return {"bibtex": self.bib, "ris": self.ris, "csl-json": self.csl}.get(file_format, "")

    def member(self, kind: Kind) -> str:
        """Return the name of the field in the item of a work, which also holds fields that CSL lacks."""
        return self.name_in("csl-json", kind) or f":{self.key}"


ROLES: Mapping[str, str] = {
    "compiler": "compiler", "organizer": "organizer", "contributor": "collaborator",
    **{role: role for role in (
        "director", "producer", "executive-producer", "composer", "performer", "narrator", "illustrator",
        "script-writer", "series-creator", "host", "guest", "interviewer", "recipient", "chair", "curator",
        "editorial-director", "editor-translator", "original-author", "reviewed-author")},
}  # fmt: skip
"""CSL roles that BibLaTeX writes as further editors (`editora`), with the value of `editoratype`."""
MAKERS = ("author", "director", "performer", "composer")
"""CSL roles whose people count as the authors of a work, in order: a film or a song may have only these."""
EDITORS = ("editora", "editorb", "editorc")
_VIDEO = frozenset[Kind](("video",))
_ROLES_IN_RIS: Mapping[str, tuple[str, frozenset[Kind]]] = {
    "director": ("AU", _VIDEO), "producer": ("A3", _VIDEO), "performer": ("A2", frozenset({"audio", "video"})),
    "recipient": ("A2", frozenset({"letter"})), "contributor": ("A3", THESES),
}  # fmt: skip
"""The RIS tag of a CSL role, and the kinds of works in which EndNote and Zotero use the tag for this role; of theses
the advisor."""
KNOWN: tuple[FieldNames, ...] = (
    FieldNames("type", "M3", "genre"),
    FieldNames("shorttitle", "ST", "title-short"),
    FieldNames("shortjournal", "J2", "container-title-short"),
    FieldNames("language", "LA", "language", "language"),
    FieldNames("eventtitle", "C3", "event-title", only=(("ris",), OF_CONFERENCES)),
    FieldNames("venue", "C1", "event-place", only=(("ris",), OF_CONFERENCES)),
    FieldNames("institution", "PB", "authority", only=(("bibtex", "ris", "csl-json"), OF_LAW)),
    FieldNames("chapter", "SE", "chapter-number", instead=("csl-json", "section", IN_SECTIONS),
               only=(("ris",), frozenset(KINDS) - IN_ISSUES | IN_SECTIONS)),
    FieldNames("", "ET", "chapter-number", only=(("ris", "csl-json"), IN_SESSIONS)),
    FieldNames("eid", "C7", "number", only=(("csl-json",), IN_ISSUES)),
    FieldNames("version", "ET", "version", only=(("ris",), VERSIONED)),
    FieldNames("volumes", "NV", "number-of-volumes"),
    FieldNames("pagetotal", "SP", "number-of-pages", only=(("ris",), WHOLE)),
    FieldNames("library", "DP", "source"),
    FieldNames("label", "LB", "citation-label"),
    FieldNames("urldate", "Y2", "accessed", "date"),
    FieldNames("translator", "A4", "translator", "people", only=(("ris",), frozenset(KINDS) - _VIDEO)),
    FieldNames("bookauthor", "", "container-author", "people"),
    FieldNames("origdate", "", "original-date", "date"),
    FieldNames("eventdate", "", "event-date", "date"),
    FieldNames("origtitle", "OP", "original-title", only=(("ris",), frozenset(KINDS) - OF_LAW)),
    FieldNames("", "OP", "references", only=(("ris",), OF_LAW)),
    FieldNames("origpublisher", "", "original-publisher"),
    FieldNames("origlocation", "", "original-publisher-place"),
    FieldNames("origlanguage", "", "", "language"),
    FieldNames("issuetitle", "", "volume-title", only=(("csl-json",), IN_ISSUES)),
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
    FieldNames("", "A3", "collection-editor", "people", only=(("ris",), frozenset(KINDS) - THESES - {"video"})),
    *(FieldNames("", tag, role, "people", only=(("ris",), kinds) if kinds else None,
                 instead=("ris", "A4", _VIDEO) if role == "performer" else None)
      for role in ROLES for tag, kinds in (_ROLES_IN_RIS.get(role, ("", frozenset[Kind]())),)),
    FieldNames("", "RI", "reviewed-title"),
    FieldNames("", "", "section", only=(("csl-json",), frozenset(KINDS) - IN_SECTIONS)),
    FieldNames("", "CN", "call-number"),
    FieldNames("", "DB", "archive"),
    FieldNames("", "AV", "archive_location"),
    FieldNames("", "", "volume-title", only=(("csl-json",), frozenset(KINDS) - IN_ISSUES)),
    *(FieldNames("", "", name) for name in (
        "part-title", "volume-title-short", "supplement-number", "printing-number", "archive_collection",
        "archive-place", "medium", "dimensions", "scale", "division", "jurisdiction", "reviewed-genre", "year-suffix")),
    *(FieldNames("", "", name, "date") for name in ("submitted", "available-date")),
)  # fmt: skip
"""Less common fields, in output order: those of more than one format, and the other variables of CSL 1.0.2. For those
without a RIS tag, RIS gets a note with the field's name; .bib files get a field such as `x-archive`."""
NUMBER_OF_PAGES = re.compile(r"(?:[ivxlc]{1,9},\s?)?\d++(?:\s?(?:pp?\.?|pages))?", re.IGNORECASE)
VERBATIM = frozenset("url urlraw doi eprint file pdf verba verbb verbc".split())
"""Fields of BibLaTeX that are printed as written, without LaTeX commands."""
TITLE_PARTS: Mapping[str, tuple[str, ...]] = {
    "title": ("subtitle", "titleaddon"), "booktitle": ("booksubtitle", "booktitleaddon"),
    "maintitle": ("mainsubtitle", "maintitleaddon"), "journaltitle": ("journalsubtitle", "journaltitleaddon"),
    "issuetitle": ("issuesubtitle", "issuetitleaddon"), "eventtitle": ("", "eventtitleaddon"),
}  # fmt: skip
"""For each title of BibLaTeX, its fields of subtitle and addition. Formats with one title field join the three."""


def joined_title(title: str, subtitle: str = "", addition: str = "") -> str:
    """Join a title, its subtitle and its addition as `Title: subtitle. Addition`."""
    full_title = _after(title, ":", subtitle)
    return _after(full_title, ".", addition)


def _after(title: str, mark: str, more: str) -> str:
    """Join two parts of a title with a mark, unless the first one ends with a mark of its own."""
    end = "" if title.rstrip("}")[-1:] in ("?", "!", ":", ".") else mark
    return f"{title}{end} {more}" if title and more else title or more
