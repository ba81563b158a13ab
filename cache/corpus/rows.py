"""Convert a line of a dump to a row of the corpus, and a row to a `Paper`, with the source's own reader.

A row keeps the record as served, as far as the reader uses it, beside the columns for search and look-up. So building
costs little per record, only the few records found are parsed, and an improved reader also applies to an old corpus.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache
from hashlib import blake2b
from typing import Any, Literal, NamedTuple

from cache.paper_json import from_mapping, to_mapping
from connectors.arxiv.feed import read_metadata
from connectors.crossref.work import PAPERS as CROSSREF_PAPERS
from connectors.crossref.work import read_work
from connectors.dblp.record import read_element
from connectors.http.json_values import listing, mapping
from connectors.identifiers import Identifier, closed
from connectors.identifiers import openalex as openalex_id
from connectors.identifiers import s2 as s2_id
from connectors.openalex import work as openalex
from connectors.openalex.source import FIELDS as OPENALEX_FIELDS
from connectors.paper import Paper
from connectors.records.acl_anthology import SOURCE as ACL_ANTHOLOGY
from connectors.records.acl_anthology import read_paper
from connectors.records.build import UNTITLED, iso_date, partial_date
from connectors.records.matching import title_key
from connectors.records.retraction_watch import NATURE, read_row
from connectors.records.retraction_watch import SOURCE as RETRACTION_WATCH
from connectors.registry import ARXIV, CROSSREF, DBLP, OPENALEX, SEMANTIC_SCHOLAR
from connectors.semantic_scholar import paper as s2
from connectors.semantic_scholar.paper import as_served

_ADDRESS = "https://openalex.org/W"
Omission = Literal[
    "without title or id", "outside the filters", "no record of a work", "without an abstract", "without both papers"
]
"""Why a record is left out."""
BibtexReader = Callable[[str], Paper | None]
"""Parses a BibTeX entry."""
BIBTEX = "bibtex"
"""Source name of works from BibTeX files."""


@dataclass(frozen=True, slots=True)
class WorkFilter:
    """The works that a corpus keeps: those in one of the `fields` and `languages` (empty: all), from the year
    `since` to the year `until`. Fields are compared by name: for OpenAlex the domain, field and subfield of the
    primary topic, for Semantic Scholar its fields of study."""

    fields: frozenset[str] = field(default=frozenset())
    languages: frozenset[str] = frozenset()
    since: int | None = None
    until: int | None = None

    @property
    def name(self) -> str:
        """The filters as one text, which identifies builds with the same filters."""
        bounds = (f"since {self.since}" if self.since else "", f"until {self.until}" if self.until else "")
        return "; ".join(filter(None, (", ".join(sorted(self.fields)), ", ".join(sorted(self.languages)), *bounds)))


class CorpusRow(NamedTuple):
    """A stored work: `key` is its own identifier as a number, `names` are its others; `opens` and `closes` are the
    first and the last day on which it can have appeared, such as 20200517, 0 if unknown. `venue` is its name in the
    form of `title_key`, between blanks, and `free` says that a PDF is known."""

    key: int
    source: str
    text: str
    opens: int
    closes: int
    year: int
    cited: int
    venue: str
    free: bool
    record: Mapping[str, Any]
    names: Sequence[int]
    references: Sequence[int]


class Abstract(NamedTuple):
    """The abstract of the work `key`, from a file of abstracts."""

    key: int
    text: str


class CitationRow(NamedTuple):
    """The work `citing` cites the work `cited`, from a file of citations."""

    citing: int
    cited: int


def key_of(name: Identifier) -> int:
    """Return `name` as a 64-bit number: an OpenAlex id unchanged, others as a negative digest."""
    return int(name.value[1:]) if name.scheme == "openalex" else _digest(f"{name.scheme}:{name.value}")


def _digest(text: str) -> int:
    """Return a negative 64-bit hash of `text`."""
    digest = blake2b(text.encode("utf-8", "replace"), digest_size=8).digest()
    return -1 - (int.from_bytes(digest, "big") >> 1)


def is_own(name: Identifier) -> bool:
    """Whether works are stored and cited by this kind of identifier, so that it is never an additional one."""
    return name.scheme == "openalex" or name.value.startswith("CorpusId:")


def row_of(
    record: object, work_filter: WorkFilter, bibtex: BibtexReader | None = None
) -> CorpusRow | Abstract | CitationRow | Omission:
    """Return the row, abstract or citation in a line's JSON value, or the reason why there is none."""
    fields = mapping(record)
    if row := _read(fields, bibtex):
        return _paper_row(*row, work_filter)
    if "citingcorpusid" in fields:
        return _citation(fields)
    if "corpusid" in fields and "abstract" in fields and "title" not in fields:
        return _abstract(fields)
    if "corpusid" in fields or "paperId" in fields:
        return _s2_row(as_served(fields), work_filter)
    return _openalex_row(fields, work_filter)


def paper_of(record: dict[str, Any], text: str) -> Paper | None:
    """Return the paper of a row, parsed by its source's reader; None if that reader no longer accepts it as a work.
    Records of OpenAlex have an `id`, those of Semantic Scholar do not."""
    title, _, abstract = text.partition("\n")
    if "paper" in record:
        return from_mapping(record["paper"] | {"title": title} | ({"abstract": abstract} if abstract else {}))
    fields = record | {"title": title, "abstract": abstract}
    return openalex.read_work(fields) if "id" in record else s2.read_paper(fields)


def _read(fields: dict[str, Any], bibtex: BibtexReader | None) -> tuple[str, Paper | None, object] | None:
    """Return source, paper and record id of a record that is stored as a `Paper`; None for OpenAlex and Semantic
    Scholar, whose records are stored as served."""
    if "dblp" in fields:
        paper = read_element(fields["dblp"])
        return DBLP.name, paper, paper and paper.url
    if "anthology" in fields:
        paper = read_paper(fields["anthology"])
        return ACL_ANTHOLOGY, paper, paper and paper.url
    if "bibtex" in fields:
        return BIBTEX, bibtex(fields["bibtex"]) if bibtex else None, fields["bibtex"]
    if NATURE in fields:
        return RETRACTION_WATCH, read_row(fields), fields.get("Record ID")
    if "versions" in fields and "categories" in fields:
        return ARXIV.name, read_metadata(fields), fields.get("id")
    if "DOI" in fields:
        is_paper = fields.get("type") in CROSSREF_PAPERS
        return CROSSREF.name, read_work(fields) if is_paper else None, fields["DOI"]
    return None


def _paper_row(source: str, paper: Paper | None, own: object, work_filter: WorkFilter) -> CorpusRow | Omission:
    if paper is None:
        return "no record of a work"
    if not own or paper.title == UNTITLED or not _has_words(paper.title):
        return "without title or id"
    if not _wanted(work_filter, (), paper.language, paper.year):
        return "outside the filters"
    record = to_mapping(paper)
    return CorpusRow(
        _digest(f"{source} {own}"),
        source,
        text_of(record.pop("title"), record.pop("abstract", "")),
        *_days(paper.date),
        paper.year or 0,
        _count(paper.citation_count),
        _venue(paper.venue),
        paper.pdf is not None,
        {"paper": record},
        [key_of(name) for name in paper.identifiers if not is_own(name)],
        (),
    )


def _openalex_row(fields: dict[str, Any], work_filter: WorkFilter) -> CorpusRow | Omission:
    own = openalex_id(fields.get("id"))
    if own is None and not any(key in fields for key in ("title", "display_name")):
        return "no record of a work"
    title = fields.get("title") or fields.get("display_name")
    if own is None or not _has_words(title):
        return "without title or id"
    if not _wanted(work_filter, _topics(fields), fields.get("language"), fields.get("publication_year")):
        return "outside the filters"
    record = _values(fields, OPENALEX_FIELDS)
    index = record.pop("abstract_inverted_index", None)
    record.pop("title", None)
    record["authorships"] = [_signed(mapping(entry)) for entry in listing(fields.get("authorships"))]
    names = closed(openalex.identifiers_of(record))
    day = iso_date(fields.get("publication_date")) or partial_date(fields.get("publication_year"))
    key = key_of(own)
    return CorpusRow(
        key,
        OPENALEX.name,
        text_of(title, openalex.abstract_of(index)),
        *_days(day),
        int(day[:4]) if day else 0,
        _count(fields.get("cited_by_count")),
        _venue(openalex.venue_of(record)),
        _is_address(openalex.pdf_of(record)),
        record,
        [number for name in names if (number := key_of(name)) != key],
        [reference for cited in listing(fields.get("referenced_works")) if (reference := _cited(cited)) is not None],
    )


def _s2_row(fields: dict[str, Any], work_filter: WorkFilter) -> CorpusRow | Omission:
    names = s2.identifiers_of(fields)
    own = next(filter(is_own, names), names[0] if names else None)
    title = fields.get("title")
    if own is None or not _has_words(title):
        return "without title or id"
    topics = [mapping(entry).get("category") for entry in listing(fields.get("s2FieldsOfStudy"))]
    if not _wanted(work_filter, topics, None, fields.get("year")):
        return "outside the filters"
    record = _values(fields, (*s2.FIELDS, "corpusId"))
    abstract = record.pop("abstract", None)
    record.pop("title", None)
    day = iso_date(fields.get("publicationDate")) or partial_date(fields.get("year"))
    key = key_of(own)
    return CorpusRow(
        key,
        SEMANTIC_SCHOLAR.name,
        text_of(title, abstract if isinstance(abstract, str) else ""),
        *_days(day),
        int(day[:4]) if day else 0,
        _count(fields.get("citationCount")),
        _venue(s2.venue_of(record)),
        _is_address(s2.pdf_of(record)),
        record,
        [number for name in names if (number := key_of(name)) != key],
        (),
    )


def _abstract(fields: dict[str, Any]) -> Abstract | Omission:
    own, abstract = s2_id(f"CorpusId:{fields['corpusid']}"), fields["abstract"]
    if own is None or not _has_words(abstract):
        return "without an abstract"
    return Abstract(key_of(own), str(abstract))


def _citation(fields: dict[str, Any]) -> CitationRow | Omission:
    citing, cited = (s2_id(f"CorpusId:{fields.get(name)}") for name in ("citingcorpusid", "citedcorpusid"))
    return CitationRow(key_of(citing), key_of(cited)) if citing and cited else "without both papers"


def _cited(address: object) -> int | None:
    """Return the key of a work in a reference list, nearly always from its URL; fast, because each record has
    dozens."""
    if isinstance(address, str) and address.startswith(_ADDRESS):
        digits = address[len(_ADDRESS) :]
        if digits.isascii() and digits.isdigit() and digits[0] != "0" and len(digits) < 16:
            return int(digits)
    name = openalex_id(address)
    return key_of(name) if name else None


def _signed(authorship: dict[str, Any]) -> dict[str, Any]:
    """Return the parts of an authorship that the reader uses, without the institutions, which are most of it."""
    person = mapping(authorship.get("author"))
    author = {name: person[name] for name in ("display_name", "orcid") if person.get(name)}
    return {"author": author} if author else {"raw_author_name": authorship.get("raw_author_name")}


def _values(fields: Mapping[str, Any], names: Iterable[str]) -> dict[str, Any]:
    """Return the non-empty values of `fields` under these names, including 0 and False."""
    return {name: value for name in names if (value := fields.get(name)) or value == 0}


def _topics(fields: dict[str, Any]) -> list[object]:
    topic = mapping(fields.get("primary_topic"))
    return [mapping(topic.get(level)).get("display_name") for level in ("domain", "field", "subfield")]


def _wanted(work_filter: WorkFilter, topics: Sequence[object], language: object, year: object) -> bool:
    """Whether a work passes the filters; an unknown value fails a bound."""
    if work_filter.fields and not any(
        isinstance(topic, str) and topic.casefold() in work_filter.fields for topic in topics
    ):
        return False
    if work_filter.languages and language not in work_filter.languages:
        return False
    if work_filter.since is None and work_filter.until is None:
        return True
    return isinstance(year, int) and (work_filter.since or 0) <= year <= (work_filter.until or 9999)


def _has_words(title: object) -> bool:
    return isinstance(title, str) and any(map(str.isalnum, title))


def text_of(title: object, abstract: str) -> str:
    """Return the searchable text of a work: its title on one line, followed by its abstract."""
    title = " ".join(str(title).split())
    return f"{title}\n{abstract}" if abstract else title


@lru_cache(maxsize=50_000)
def _venue_key(name: str) -> str:
    return f" {title_key(name)} "


def _venue(name: object) -> str:
    return _venue_key(name) if isinstance(name, str) else ""


def _is_address(raw: object) -> bool:
    return isinstance(raw, str) and raw.startswith(("http://", "https://"))


def _count(raw: object) -> int:
    return raw if isinstance(raw, int) and 0 < raw < 2**31 else 0


def _days(day: str | None) -> tuple[int, int]:
    """Return the first and the last day that `2020`, `2020-05` or `2020-05-17` can mean, as numbers."""
    if day is None:
        return 0, 0
    digits = day.replace("-", "")
    return int(digits + "0101"[len(digits) - 4 :]), int(digits + "1231"[len(digits) - 4 :])


def number_of(day: date) -> int:
    """Return a day as a number, as in `opens` and `closes`."""
    return day.year * 10_000 + day.month * 100 + day.day
