"""The kinds of works that bibliographies distinguish, and the name of each kind in every format."""

import re
from typing import Any, Literal, NamedTuple, get_args

from cache.originals import FileFormat, Original
from connectors.identifiers import SCHEMES
from connectors.paper import PaperType
from spar_tui.bibliography.format_tables import lines_of

Kind = Literal[
    "article", "magazine", "newspaper", "review", "proceedings", "preprint", "book", "collection", "conference-volume",
    "chapter", "inbook", "reference-entry", "booklet", "manual", "thesis", "phdthesis", "mastersthesis", "report",
    "dataset", "software", "online", "patent", "unpublished", "periodical", "standard", "legislation", "case", "letter",
    "artwork", "audio", "video", "other",
]  # fmt: skip
KINDS: tuple[Kind, ...] = get_args(Kind)


class KindNames(NamedTuple):
    """A kind's paper type, and its names in the formats. BibTeX's standard styles have only `misc` for many kinds."""

    paper: PaperType
    biblatex: str
    bibtex: str
    ris: str
    csl: str


_ROWS: dict[Any, Any] = {kind: names for kind, *names in map(str.split, lines_of("kinds.txt"))}
NAMES: dict[Kind, KindNames] = {kind: KindNames(*_ROWS[kind]) for kind in KINDS}


class FinerType(NamedTuple):
    """A more specific type within a kind of work: its names in BibLaTeX, RIS and CSL ("" for none)."""

    kind: Kind
    biblatex: str
    ris: str
    csl: str


_FINER_ROWS: Any = map(str.split, lines_of("finer_kinds.txt"))
FINER = tuple(FinerType(kind, *(name.strip("-") for name in names)) for kind, *names in _FINER_ROWS)
PUBLISHER_IS_VENUE = frozenset[Kind](
    ("book", "collection", "conference-volume", "booklet", "manual", "thesis", "phdthesis", "mastersthesis", "report",
     "dataset", "software", "standard")
)  # fmt: skip
"""Kinds whose container is the publisher or institution, not a journal or book."""

IN_ISSUES = frozenset[Kind](("article", "magazine", "newspaper", "review", "periodical", "preprint"))
THESES = frozenset[Kind](("thesis", "phdthesis", "mastersthesis"))
WHOLE = THESES | frozenset[Kind](
    ("book", "collection", "conference-volume", "booklet", "manual", "report", "unpublished")
)
"""Works printed on their own; RIS gives their number of pages."""
OF_LAW = frozenset[Kind](("case", "legislation"))
"""Works of a court or legislature, which RIS calls the publisher."""
OF_CONFERENCES = frozenset[Kind](("proceedings",))
"""Works of which RIS has the conference in its custom tags; of others these hold anything."""
BOOKS = frozenset[Kind](("book", "collection", "conference-volume", "booklet", "manual"))
WITH_SERIES = frozenset[Kind](("book", "collection", "conference-volume", "booklet", "manual", "report", "standard"))
"""Works whose secondary title in RIS and EndNote is that of their series; for a thesis it is the department."""
IN_SECTIONS = frozenset[Kind](("legislation", "magazine", "newspaper"))
"""Works divided into sections, others into chapters; RIS and BibLaTeX have one field for both."""
IN_SESSIONS = frozenset[Kind](("legislation",))
"""Works of which RIS gives the session where others have the edition."""
VERSIONED = frozenset[Kind](("software", "dataset"))
"""Works whose edition RIS and EndNote call a version."""
_IN_SERIES = frozenset[Kind](
    ("book", "collection", "conference-volume", "proceedings", "chapter", "inbook", "reference-entry", "booklet",
     "manual")
)  # fmt: skip

_SYNONYMS = {
    "conference": "inproceedings", "techreport": "report", "electronic": "online", "www": "online",
    "webpage": "online", "website": "online",
    **dict.fromkeys(("softwareversion", "softwaremodule", "codefragment"), "software"),
}  # fmt: skip
"""Synonymous types of BibTeX and BibLaTeX, and those of the package biblatex-software."""
_BIB: dict[str, Kind] = {
    **{names.bibtex: kind for kind, names in reversed(NAMES.items()) if names.bibtex != "misc"},
    **{names.biblatex: kind for kind, names in reversed(NAMES.items())},
    **{row.biblatex: row.kind for row in FINER},
    "online": "online", "misc": "other",
}  # fmt: skip
_BIB |= {name: _BIB[usual] for name, usual in _SYNONYMS.items()}
_RIS: dict[str, Kind] = {row.ris: row.kind for row in FINER} | {
    names.ris: kind for kind, names in reversed(NAMES.items())
}
_CSL: dict[str, Kind] = {
    **{row.csl: row.kind for row in FINER},
    **{names.csl: kind for kind, names in reversed(NAMES.items())},
    "article": "preprint",
}  # fmt: skip


CSL_TYPES = frozenset(_CSL) - {""}
"""All types of CSL."""


def numbers_in_csl(kind: Kind) -> tuple[str, ...]:
    """Return the CSL members that may hold the number of such a work, most likely first: of an issue, in a series, or
    its own, such as a report's."""
    if kind in IN_ISSUES:
        return ("issue",)
    return ("issue", "collection-number", "number") if kind in _IN_SERIES else ("number", "issue", "collection-number")


class Work(NamedTuple):
    """A kind of thesis or report: its BibTeX type, its name for readers, and whether BibTeX's styles print such a name
    by default."""

    bibtex: str
    words: str
    printed: bool


WORKS = {
    "phdthesis": Work("phdthesis", "PhD thesis", True), "mathesis": Work("mastersthesis", "Master's thesis", True),
    "mastersthesis": Work("mastersthesis", "Master's thesis", True),
    "bathesis": Work("mastersthesis", "Bachelor's thesis", False),
    "candthesis": Work("phdthesis", "Candidate thesis", False),
    "techreport": Work("techreport", "Technical report", True),
    "resreport": Work("techreport", "Research report", False),
    **{
        key: Work("misc", words, False)
        for key, words in (
            *((f"{kind}{country}", f"{of}{name}") for kind, name in (("patent", "patent"), ("patreq", "patent request"))
              for country, of in (("", ""), ("de", "German "), ("eu", "European "), ("fr", "French "),
                                  ("uk", "British "), ("us", "U.S. "))),
            ("software", "computer software"), ("datacd", "CD-ROM"), ("audiocd", "audio CD"),
        )
    },
}  # fmt: skip
"""BibLaTeX's keys for the field `type`."""
ARCHIVES: dict[str, str] = {"pubmed": "pmid", "medline": "pmid", "pmc": "pmcid"} | {
    scheme: scheme for scheme in SCHEMES
}
"""Identifier schemes by the name of the archive in BibTeX and BibLaTeX."""
STATES = {"inpress": "in press", "inpreparation": "in preparation"}
"""BibLaTeX's keys for the field `pubstate` that differ from the words."""
PEOPLE = frozenset(
    "author editor editora editorb editorc translator bookauthor holder afterword foreword introduction annotator"
    " commentator shortauthor shorteditor".split()
)
"""BibTeX and BibLaTeX fields with lists of names."""


def kind_in_bib(entry_type: str) -> Kind:
    """Return the kind for a BibTeX or BibLaTeX type, in any case."""
    return _BIB.get(entry_type.lower(), "other")


def kind_in_ris(record_type: str) -> Kind:
    """Return the kind for the TY value of a RIS record."""
    return _RIS.get(record_type.upper(), "other")


def kind_in_csl(item_type: str) -> Kind:
    """Return the kind for a CSL type."""
    return _CSL.get(item_type, "other")


def paper_type(kind: Kind, words: str) -> PaperType:
    """Return the paper type of a kind of work; `words` from its fields for the type may mark a preprint, as in JabRef
    and Zotero, or an article that reviews others, as in databases."""
    if "preprint" in words.lower():
        return "preprint"
    return "review" if kind == "article" and _REVIEW.search(words) else NAMES[kind].paper


_REVIEW = re.compile(r"(?<!book )(?<!peer )(?<![\w-])review\b(?! (?:of|essay))", re.IGNORECASE)


def kind_of_type(original: Original) -> Kind:
    """Return the kind for the type of an entry in its own format."""
    match original.format:
        case "bibtex":
            kind, subtype = kind_in_bib(original.type), _subtype(original)
            return _BY_SUBTYPE.get(subtype, kind) if kind in ("article", "online", "other") else kind
        case "ris":
            return kind_in_ris(original.type)
        case "csl-json":
            return kind_in_csl(original.type)
        case "pubmed":
            return "article"


Dialect = Literal["bibtex", "biblatex", "ris", "csl"]
_DIALECTS: dict[str, Dialect] = {"bibtex": "biblatex", "ris": "ris", "csl-json": "csl"}
_IN_FORMAT: dict[Dialect, FileFormat] = {"bibtex": "bibtex", "biblatex": "bibtex", "ris": "ris", "csl": "csl-json"}
_SUBTYPES = frozenset[Kind](("magazine", "newspaper", "preprint"))
"""Kinds that BibLaTeX expresses with `entrysubtype`, mostly of an article."""
_BY_SUBTYPE: dict[str, Kind] = {kind: kind for kind in _SUBTYPES} | {
    name.replace("_", "-"): kind
    for name, kind in _CSL.items()
    if name and NAMES[kind].bibtex == "misc" and kind != "preprint"
}
"""The kinds by `entrysubtype`: those above, and by CSL's name those for which BibTeX has only `misc`."""


def finer_type(original: Original, kind: Kind) -> FinerType | None:
    """Return the table row for the type of an imported entry, if it is more specific than its kind."""
    type_there, subtype = original.type.lower(), _subtype(original)
    for row in FINER if original.type else ():
        name = getattr(row, _DIALECTS.get(original.format, ""), "")
        if row.kind == kind and (name.lower() == type_there or (subtype and subtype == row.csl.replace("_", "-"))):
            return row
    return None


def _subtype(original: Original) -> str:
    return original.value("entrysubtype").replace("\\", "").strip("{} ").lower() if original.format == "bibtex" else ""


def subtype_in_bib(kind: Kind, finer: FinerType | None, dialect: Dialect) -> str:
    """Return the `entrysubtype` for a work without a type of its own in BibLaTeX, or in BibTeX; "" for none."""
    if kind in _SUBTYPES:
        return kind
    csl_type = finer.csl if finer and (dialect == "bibtex" or not finer.biblatex) else ""
    usual = NAMES[kind].csl if dialect == "bibtex" and NAMES[kind].bibtex == "misc" and kind != "other" else ""
    return (csl_type or usual).replace("_", "-")


def type_in(dialect: Dialect, kind: Kind, finer: FinerType | None) -> str:
    """Return a format's name for a kind, or for a more specific type if it has one."""
    return getattr(finer, dialect, "") or getattr(NAMES[kind], dialect)


def tells_type(type_name: str, subtype: str, dialect: Dialect, original: Original, kind: Kind) -> bool:
    """Whether the type `type_name` that a format uses for an imported entry can be converted back to its own type."""
    if not original.type or kind in THESES or kind == "preprint":  # other fields express it
        return True
    original_there = Original(_IN_FORMAT[dialect], type_name, "", (("entrysubtype", subtype),))
    back = kind_of_type(original_there)
    type_there = original.type.lower()
    type_there = _SYNONYMS.get(type_there, type_there) if original.format == "bibtex" else type_there
    return type_in(_DIALECTS[original.format], back, finer_type(original_there, back)).lower() == type_there


_MASTERS = re.compile(
    r"master|magist|ma[iî]trise|mestrado|maestr[ií]a|laurea|dipl[oô]m|licen[ctz]i|bachelor"
    r"|(?<!\w)[bm]\.? ?(?:a|s|sc|eng|phil|res|ed)(?!\w)|(?:ma|ba)thesis",
    re.IGNORECASE,
)
_DOCTORATE = re.compile(r"do[ck]tor|doutor|dottor|dissertation|ph\.? ?d|d\.? ?phil|candthesis", re.IGNORECASE)


def kind_of_thesis(words: str) -> Kind:
    """Return the kind of a thesis from the degree in its type, as far as BibTeX distinguishes degrees."""
    if _MASTERS.search(words):
        return "mastersthesis"
    return "phdthesis" if _DOCTORATE.search(words) else "thesis"


def degree_in(volume: str, kind: Kind) -> str:
    """Return the degree of a thesis, which RIS and EndNote put where other works have the volume; else ""."""
    return volume if kind in THESES and not re.search(r"\d", volume) else ""


def kind_of_original(original: Original, paper: PaperType) -> Kind:
    """Return the kind of a work in the person's file. Only preprints, for which most formats have no type, are decided
    by the paper's type."""
    if original.format == "pubmed":
        return next(kind for kind, names in NAMES.items() if names.paper == paper or paper == "review")
    kind, words = kind_of_type(original), original.value({"bibtex": "type", "ris": "M3"}.get(original.format, "genre"))
    if kind == "thesis":
        return kind_of_thesis(words)
    if kind in ("other", "online", "unpublished", "article", "preprint"):
        return "preprint" if paper == "preprint" else "unpublished" if kind == "preprint" else kind
    return kind
