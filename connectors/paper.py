"""`Paper`: the record to which every source's records are converted."""

from dataclasses import dataclass, field, fields
from typing import Literal, NamedTuple, NewType, get_args
from urllib.parse import quote

from connectors.identifiers import Identifier, Scheme, is_preprint_doi

PaperType = Literal[
    "article",
    "review",
    "conference-paper",
    "preprint",
    "book",
    "chapter",
    "thesis",
    "report",
    "dataset",
    "software",
    "other",
]
PAPER_TYPES: tuple[PaperType, ...] = get_args(PaperType)

WorkId = NewType("WorkId", int)
"""The number of a work within a run."""


UNNAMED = "title:"
"""Prefix of the id of a paper without identifiers."""
_PAGES = {
    "doi": "https://doi.org/",
    "arxiv": "https://arxiv.org/abs/",
    "pmid": "https://pubmed.ncbi.nlm.nih.gov/",
    "pmcid": "https://pmc.ncbi.nlm.nih.gov/articles/",
    "s2": "https://www.semanticscholar.org/paper/",
    "openalex": "https://openalex.org/",
    "openreview": "https://openreview.net/forum?id=",
}


@dataclass(frozen=True, slots=True)
class Author:
    """A person, or a group as author (then `given` is empty)."""

    family: str
    given: str = ""
    orcid: str | None = None
    suffix: str = ""
    """The generation, `Jr.` or `III`, if a source separates it from the family name."""

    @property
    def name(self) -> str:
        return " ".join(filter(None, (self.given, self.family, self.suffix)))


@dataclass(frozen=True, slots=True)
class Imprint:
    """Bibliographic details of the printed form; "" if unknown.

    `number` is the issue's. `pages` are `100-110`, with one hyphen, or one page or article number. `editors` are those
    of the book or proceedings. All but `arxiv_class`, the primary category on arXiv such as `cs.CL`, describe the
    published version, never a preprint.
    """

    volume: str = ""
    number: str = ""
    pages: str = ""
    publisher: str = ""
    arxiv_class: str = ""
    editors: tuple[Author, ...] = ()


IMPRINT_PARTS: tuple[str, ...] = tuple(part.name for part in fields(Imprint))


@dataclass(frozen=True, slots=True)
class Version:
    """Where and when one version of a work appeared: the preprint, or the published one."""

    venue: str = ""
    date: str | None = None
    doi: str | None = None
    url: str | None = None


class Provenance(NamedTuple):
    """The source of a field or a part of the imprint, and whether it described the preprint."""

    field: str
    source: str
    preprint: bool = False


class KeywordOrigin(NamedTuple):
    """The source of a keyword, and its position in the source's list."""

    source: str
    position: int


class Indexed(NamedTuple):
    """The day on which a source added the record of a work, if the source reports it."""

    source: str
    date: str


@dataclass(frozen=True, slots=True)
class Paper:
    """A work as the sources describe it, cleaned; every field but the title may be unknown.

    `date` is an ISO date, as precise as the sources report it: `2020`, `2020-05` or `2020-05-17`.
    With `et_al`, the work has more authors than `authors` lists.
    `references` are the identifiers of the cited works; empty if unknown.
    A work that appeared as a preprint and in print keeps both as `preprint` and `published`.
    `styled_title` is the title with its tags (`<i>`, `<sub>`, `<span class="nocase">` as in CSL), "" where it has none.
    `described` is a description written by spar, in addition to the abstract or instead of it. Because the paper does
    not contain it, it is never quoted and never passed on as an abstract.
    `keywords` are the sources' subject terms, the most trusted source's first; never the person's tags.
    `keyword_origins` are the origins of the keywords, in the same order, as far as known.
    `retraction_notice` is the DOI of the retraction notice, if a source reports it.
    With `concern`, the journal has published an expression of concern about the paper.
    `indexed` has the earliest date on which each source added a record of the work, if reported.
    """

    title: str
    abstract: str = ""
    authors: tuple[Author, ...] = ()
    date: str | None = None
    venue: str = ""
    type: PaperType = "other"
    identifiers: tuple[Identifier, ...] = ()
    citation_count: int | None = None
    references: tuple[Identifier, ...] = ()
    pdf: str | None = None
    url: str | None = None
    retracted: bool = False
    language: str | None = None
    preprint: Version | None = None
    published: Version | None = None
    imprint: Imprint = field(default_factory=Imprint)
    described: str = ""
    provenance: tuple[Provenance, ...] = field(default=(), repr=False)
    styled_title: str = ""
    et_al: bool = False
    keywords: tuple[str, ...] = ()
    keyword_origins: tuple[KeywordOrigin, ...] = field(default=(), repr=False)
    retraction_notice: str | None = None
    concern: bool = False
    indexed: tuple[Indexed, ...] = field(default=(), repr=False)

    def identifier(self, scheme: Scheme) -> str | None:
        """Return the paper's identifier in `scheme`, preferring the published version's DOI to a preprint's and a
        paper id to a corpus id."""
        values = [name.value for name in self.identifiers if name.scheme == scheme]
        if len(values) < 2:  # of most papers, whose identifiers are read thousands of times per search
            return values[0] if values else None
        posted = self.preprint.doi if self.preprint else None
        return min(values, key=lambda value: (_is_second_choice(value) or value == posted, value))

    @property
    def page(self) -> str | None:
        """The web address of the paper's page: its DOI's or the like, which last, else a source's; None if unknown."""
        scheme, _, value = self.id.partition(":")
        page = _PAGES[scheme] + quote(value, safe="/:;()+") if scheme in _PAGES else None
        return self.url or page if scheme in ("s2", "openalex") else page or self.url

    @property
    def id(self) -> str:
        """The identifier to show and to use in commands, such as `doi:10.1000/x` or `arxiv:1706.03762`."""
        published_doi = self.identifier("doi")
        if published_doi and not published_doi.startswith("10.48550/"):
            return f"doi:{published_doi}"
        for scheme in ("arxiv", "pmid", "pmcid", "s2", "openalex", "openreview", "doi"):
            if value := self.identifier(scheme):
                return f"{scheme}:{value}"
        return f"{UNNAMED}{'-'.join(self.title.casefold().split())[:120]}"

    @property
    def about(self) -> str:
        """The text about its content for search and ranking: its abstract or, without one, spar's note on it. Show
        and quote only `abstract` as the paper's own words."""
        return self.abstract or self.described

    @property
    def year(self) -> int | None:
        return year_of(self.date) if self.date else None


def year_of(date: str) -> int:
    """Return the year of a partial date; negative for BC."""
    return int(date[: 5 if date.startswith("-") else 4])


def _is_second_choice(value: str) -> bool:
    return is_preprint_doi(value) or value.startswith("CorpusId:")


def short_authors(paper: Paper, most: int = 3) -> str:
    """Return `A. One, B. Two, C. Three` or `A. One et al. (12)`, to fit on a line."""
    names = [author.name for author in paper.authors]
    if len(names) <= most:
        return ", ".join(names) + (" et al." if names and paper.et_al else "")
    return f"{names[0]} et al. ({'more than ' if paper.et_al else ''}{len(names)})"


def all_authors(paper: Paper, most: int | None = None) -> str:
    """Return all known authors, or the first `most`, and whether there are more."""
    names = [author.name for author in paper.authors[:most]]
    more = len(paper.authors) - len(names)
    if paper.et_al and names:
        return f"{', '.join(names)} et al."
    return ", ".join(names) + (f" and {more} more" if more else "")
