"""`Entry`: the data of one bibliography entry, independent of the format."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, get_args
from urllib.parse import unquote

from cache.originals import Original, RawFields
from cache.shelf import Shelved
from cache.shelf_texts import DETAILS
from connectors.identifiers import is_preprint_doi
from connectors.paper import Paper
from connectors.records.build import UNTITLED
from spar_tui.bibliography.kinds import Dialect, FinerType, Kind, type_in
from spar_tui.bibliography.names import Name, name_of

Format = Literal["bibtex", "biblatex", "ris", "csl-json", "markdown", "csv", "text"]
PreferredVersion = Literal["preprint", "published"]
Extra = Literal["abstract", "keywords", "file", "note"]
EXTRAS: tuple[Extra, ...] = get_args(Extra)
_NOT_EDITED: tuple[Kind, ...] = ("preprint", "thesis", "report")

_CONFERENCE = re.compile(
    r"\b(?:conference|symposium|workshop|colloquium|neurips|nips|icml|iclr|acl|emnlp|naacl|eacl|coling|conll|cvpr|iccv"
    r"|eccv|aaai|ijcai|aistats|colt|sigir|cikm|wsdm|recsys|ecir|sigkdd|kdd|interspeech|icassp|icra|chi)\b"
    r"|\bannual meeting of the association for computational linguistics\b"
    r"|\badvances in neural information processing systems\b"
    r"|^proceedings of the [0-9]+(?:st|nd|rd|th)\b|^www\b(?!\.)",
    re.IGNORECASE,
)
_PERIODICAL = re.compile(
    r"^(?:journal|transactions|annals|acta|letters|bulletin)\b|\bconference series$", re.IGNORECASE
)
"""A journal, even if its name mentions a conference: "Journal of Physics: Conference Series"."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A reference with its citation key. Text is plain Unicode, with `$math$` and a few tags.

    `container` is the journal, proceedings, book or institution; `editors` are its editors. `date` is an ISO date, as
    precise as known; `edtf` holds what ISO cannot express, such as a range (`bibliography.edtf`), and
    `date_words` what no date can, such as `Hilary term 1688`. `volume` to `issn` describe the printed form; `address`
    is the publisher's. `arxiv` is the id, with a version only if an original
    names it. With `et_al` there are more authors than `names`. The four fields after `retracted` are written only on
    request; `file` has one path per line. An `original` in the output format is written instead of these fields, with
    inherited fields unless they are `handed_down` by parents that are written too, and with the fields that the person
    `corrected`; `from_shelf` names fields that replace its own. In other formats, `more` are the original's fields that
    the format has, and `rest` all others on request (`bibliography.more_fields`); otherwise `unplaced` has their
    names. The original type may be `finer` than `kind`.
    """

    key: str
    kind: Kind
    title: str
    names: tuple[Name, ...] = ()
    et_al: bool = field(default=False, kw_only=True)
    editors: tuple[Name, ...] = field(default=(), kw_only=True)
    date: str | None = None
    edtf: str = field(default="", kw_only=True)
    date_words: str = field(default="", kw_only=True)
    container: str = ""
    volume: str = ""
    number: str = ""
    pages: str = ""
    publisher: str = ""
    address: str = ""
    series: str = ""
    edition: str = ""
    isbn: str = ""
    issn: str = ""
    doi: str | None = None
    arxiv: str | None = None
    arxiv_class: str = ""
    pmid: str | None = None
    pmcid: str | None = field(default=None, kw_only=True)
    url: str | None = None
    retracted: bool = False
    abstract: str = ""
    keywords: tuple[str, ...] = ()
    file: str = ""
    note: str = ""
    original: Original | None = None
    handed_down: RawFields | None = None
    corrected: tuple[str, ...] = ()
    from_shelf: tuple[str, ...] = ()
    more: Mapping[str, str] = field(default_factory=dict)
    rest: tuple[tuple[str, str], ...] = ()
    unplaced: tuple[str, ...] = ()
    finer: FinerType | None = None

    def type_in(self, dialect: Dialect) -> str:
        """Return the type of the entry in a format; in RIS a collection's authors would become its editors."""
        authored = dialect == "ris" and self.kind == "collection" and bool(self.names) and not self.editors
        return type_in(dialect, "book" if authored else self.kind, self.finer)

    @property
    def year(self) -> str:
        """Return the year with four digits, with a minus before Christ; "" if unknown."""
        date = self.date or (self.edtf if self.edtf[:4].isdecimal() else "")
        return date[: 5 if date.startswith("-") else 4]

    @property
    def own_url(self) -> str | None:
        """Return the address, unless it is only the page of the DOI or the arXiv id."""
        bare = re.sub(r"^https?://(?:www\.)?", "", self.url or "").rstrip("/")
        on_arxiv = re.sub(r"v\d+$", "", self.arxiv or "")
        repeats = {
            f"doi.org/{self.doi}".lower(),
            f"dx.doi.org/{self.doi}".lower(),
            *(f"arxiv.org/abs/{name}" for name in (self.arxiv, on_arxiv)),
        }
        return self.url if self.url and unquote(bare).lower() not in repeats else None

    @property
    def arxiv_name(self) -> str:
        """Return the arXiv id with its class for fields not made for it: `arXiv:1706.03762 [cs.CL]`."""
        area = f" [{self.arxiv_class}]" if self.arxiv_class and "/" not in (self.arxiv or "") else ""
        return f"arXiv:{self.arxiv}{area}" if self.arxiv else ""

    @property
    def page_range(self) -> tuple[str, str]:
        """Return the first and the last page; "" for unknown ones. Pages such as `3-1` have hyphens themselves;
        several ranges, such as `12, 15–17`, stand for the first page."""
        pages = re.sub(r"(?:(?<!\s)\s+)?(?:--+|[‐-―−])\s*", "–", self.pages)
        if re.search(r"[,;]", pages):
            return re.sub(r"(?<=\w)-(?=\w)", "–", pages), ""
        first, dash, last = pages.partition("–")
        if dash:
            return first, last
        parts = re.split(r"(?:(?<!\s)\s+)?-\s*", first)
        middle = len(parts) // 2 if len(parts) % 2 == 0 else 0
        return ("-".join(parts[:middle]), "-".join(parts[middle:])) if middle else (first, "")


def entry_of(
    paper: Paper,
    key: str,
    prefer: PreferredVersion = "published",
    extras: Sequence[Extra] = (),
    shelved: Shelved | None = None,
    imported: Kind | None = None,
    details: Mapping[str, str] | None = None,
) -> Entry:
    """Make an entry from `paper`, using only retrieved data and the `shelved` data.

    `imported` is the kind in the person's file, and outranks the kind derived from venue and type; `details` outrank
    those of the shelf. If the work has a preprint and a published version, `prefer` selects one; the published version
    keeps its arXiv id.
    """
    version = paper.preprint if prefer == "preprint" else None
    dois = [name.value for name in paper.identifiers if name.scheme == "doi"]
    if version is None:
        kind, venue, date = imported or kind_of(paper), paper.venue, paper.date
        url, doi = paper.url or _page_of(paper), paper.identifier("doi")
    else:
        kind, venue, url = "preprint", version.venue, version.url
        date = version.date or (paper.date if paper.type == "preprint" else None)
        doi = version.doi if version.doi in dois else next(filter(is_preprint_doi, sorted(dois)), None)
    if details is None:
        details = shelved.details if shelved else {}
    print_fields = _printed(paper, details) if imported or kind != "preprint" else {}
    if kind == "book":  # sources give the place to read a book as its venue, such as "Cambridge eBooks"
        venue = print_fields.get("publisher") or venue
    extra_fields: dict[str, object] = {"abstract": paper.abstract}
    if shelved:
        extra_fields |= {"keywords": shelved.tags, "file": "\n".join(shelved.files), "note": shelved.note}
    return Entry(
        key,
        kind,
        "" if paper.title == UNTITLED else paper.styled_title or paper.title,
        tuple(map(name_of, paper.authors)),
        date,
        venue,
        et_al=paper.et_al,
        editors=tuple(map(name_of, paper.imprint.editors)) if imported or kind not in _NOT_EDITED else (),
        doi=doi,
        arxiv=paper.identifier("arxiv"),
        arxiv_class=paper.imprint.arxiv_class if paper.identifier("arxiv") else "",
        pmid=paper.identifier("pmid"),
        pmcid=paper.identifier("pmcid"),
        url=url,
        retracted=paper.retracted,
        **print_fields,  # type: ignore[arg-type]  # all are text
        **{name: extra_fields[name] for name in extras if name in extra_fields},  # type: ignore[arg-type]  # one dict, two types
    )


def _page_of(paper: Paper) -> str | None:
    """Return the page of a paper whose only identifier has no field in any format."""
    return paper.page if paper.id.startswith(("s2:", "openalex:", "openreview:")) else None


def _printed(paper: Paper, details: Mapping[str, str]) -> dict[str, str]:
    """Return the printed form by the names in `DETAILS`; the person's imported file comes first. A volume such as `9
    Suppl 2` of the file has the number in it."""
    imprint = paper.imprint
    both = imprint.number and details.get("volume") == f"{imprint.volume} {imprint.number}"
    of_paper = {name: getattr(imprint, name, "") for name in DETAILS if not (both and name == "number")}
    values = ((name, details.get(name) or of_paper.get(name, "")) for name in DETAILS)
    return {name: text for name, text in values if text}


def kind_of(paper: Paper) -> Kind:
    """Return the bibliographic kind of `paper`: the type given by the source, corrected by the venue."""
    venue = paper.venue
    if paper.type in ("article", "review", "other") and _CONFERENCE.search(venue) and not _PERIODICAL.search(venue):
        return "proceedings"
    match paper.type:
        case "conference-paper":
            return "proceedings"
        case "article" | "review":
            return "article" if venue or not paper.identifier("arxiv") else "preprint"
        case "other":
            return "article" if venue else "preprint" if paper.identifier("arxiv") else "other"
        case paper_type:
            return paper_type
