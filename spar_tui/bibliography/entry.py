"""`Entry`: what a bibliography says of a paper, the same for every format."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, get_args
from urllib.parse import unquote

from cache.originals import Original
from cache.shelf import DETAILS, Shelved
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
"""A journal, even where a conference's name is part of its own: "Journal of Physics: Conference Series"."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A reference with its citation key. Text is plain Unicode, in which `$math$` and a few tags may stand.

    `container` is the journal, the proceedings, the book, or the institution, and `editors` are its. `date` is an ISO
    date as precise as it is known; `edtf` is what that cannot say, such as a range (`bibliography.edtf`). `volume` to
    `issn` are of the printed form, `address` is its publisher's. `arxiv` is the id without version. With
    `et_al` there are more authors than `names`.
    The four after `retracted` are written only where they are asked for; `file` has a path a line.
    With an `original` in the format that is written, that is written instead: what it says of itself, with the fields
    of the entry that it refers to unless this is written too (`with_parent`), and what the person `corrected` (fields
    of a paper) in place of what it says; `rewritten` is what it says otherwise than is written.
    In another format `more` are its fields that this has a place for, and `rest` are all others, if they are asked for
    (`bibliography.more_fields`); else their names are `unplaced`. Its own type may be `finer` than
    its kind.
    """

    key: str
    kind: Kind
    title: str
    names: tuple[Name, ...] = ()
    et_al: bool = field(default=False, kw_only=True)
    editors: tuple[Name, ...] = field(default=(), kw_only=True)
    date: str | None = None
    edtf: str = field(default="", kw_only=True)
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
    with_parent: bool = False
    corrected: tuple[str, ...] = ()
    rewritten: tuple[str, ...] = ()
    more: Mapping[str, str] = field(default_factory=dict)
    rest: tuple[tuple[str, str], ...] = ()
    unplaced: tuple[str, ...] = ()
    finer: FinerType | None = None

    def type_in(self, dialect: Dialect) -> str:
        """The type of the entry in a format; the authors of a collection would be its editors in RIS."""
        authored = dialect == "ris" and self.kind == "collection" and bool(self.names) and not self.editors
        return type_in(dialect, "book" if authored else self.kind, self.finer)

    @property
    def year(self) -> str:
        """The year in four digits, before Christ with a minus; "" if it is not known."""
        return self.date[: 5 if self.date.startswith("-") else 4] if self.date else ""

    @property
    def own_url(self) -> str | None:
        """The address, unless it is only the DOI's or arXiv's page, which the identifier says already."""
        bare = re.sub(r"^https?://(?:www\.)?", "", self.url or "").rstrip("/")
        repeats = {f"doi.org/{self.doi}", f"dx.doi.org/{self.doi}", f"arxiv.org/abs/{self.arxiv}"}
        return self.url if self.url and unquote(bare).lower() not in repeats else None

    @property
    def arxiv_name(self) -> str:
        """The arXiv id as it stands where no field is made for it, with its class: `arXiv:1706.03762 [cs.CL]`."""
        area = f" [{self.arxiv_class}]" if self.arxiv_class and "/" not in (self.arxiv or "") else ""
        return f"arXiv:{self.arxiv}{area}" if self.arxiv else ""

    @property
    def page_range(self) -> tuple[str, str]:
        """The first and the last page; "" for what is not known."""
        first, _, last = re.sub(r"(?:(?<!\s)\s+)?(?:--+|[‐-―−-])\s*", "–", self.pages).partition("–")
        return first, last


def entry_of(
    paper: Paper,
    key: str,
    prefer: PreferredVersion = "published",
    extras: Sequence[Extra] = (),
    shelved: Shelved | None = None,
    imported: Kind | None = None,
) -> Entry:
    """`paper` as an entry, by what was retrieved of it, or told of it on the shelf, and nothing else.

    A person's own file goes before what can be told from venue and type: its kind is `imported`.
    Of a work that appeared in both ways the one of `prefer` is cited; the published one keeps its arXiv id.
    """
    version = paper.preprint if prefer == "preprint" else None
    dois = [name.value for name in paper.identifiers if name.scheme == "doi"]
    if version is None:
        kind, venue, date = imported or kind_of(paper), paper.venue, paper.date
        url, doi = paper.url, paper.identifier("doi")
    else:
        kind, venue, url = "preprint", version.venue, version.url
        date = version.date or (paper.date if paper.type == "preprint" else None)
        doi = version.doi if version.doi in dois else next(filter(is_preprint_doi, sorted(dois)), None)
    printed = _printed(paper, shelved) if kind != "preprint" else {}
    if kind == "book":  # sources name the place where a book is read as its venue, such as "Cambridge eBooks"
        venue = printed.get("publisher") or venue
    wanted: dict[str, object] = {"abstract": paper.abstract}
    if shelved:
        wanted |= {"keywords": shelved.tags, "file": "\n".join(shelved.files), "note": shelved.note}
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
        **printed,  # type: ignore[arg-type]  # all are text
        **{name: wanted[name] for name in extras if name in wanted},  # type: ignore[arg-type]  # one dict, two types
    )


def _printed(paper: Paper, shelved: Shelved | None) -> dict[str, str]:
    """What is known of the printed form, by the names in `DETAILS`: a file that the person imported goes first."""
    details = shelved.details if shelved else {}
    values = ((name, details.get(name) or getattr(paper.imprint, name, "")) for name in DETAILS)
    return {name: text for name, text in values if text}


def kind_of(paper: Paper) -> Kind:
    """What `paper` is to a bibliography: by the type that a source gave, corrected by the venue."""
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
        case known:
            return known
