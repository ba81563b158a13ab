"""Convert Semantic Scholar's replies, and records of its dumps, to papers and people."""

from collections import Counter
from typing import Any, Literal

from connectors.errors import BadResponse, Unsupported
from connectors.http.json_values import listing, mapping
from connectors.http.paging import ResultPage
from connectors.identifiers import Identifier, arxiv, doi, identifiers, pmcid, pmid, s2
from connectors.paper import Imprint, Paper
from connectors.person import Person, PersonId
from connectors.records.build import (
    author_from_name,
    build_paper,
    count,
    is_preprint_venue,
    iso_date,
    partial_date,
    people_of,
    person_of,
)
from connectors.records.clean import NAME_CAP, clean_text
from connectors.records.publication import publication_of
from connectors.registry import SEMANTIC_SCHOLAR

FIELDS = (
    "paperId,externalIds,title,abstract,year,publicationDate,authors,venue,journal,publicationTypes,citationCount,"
    "referenceCount,openAccessPdf,url,s2FieldsOfStudy"
).split(",")
WITHHELD = "abstracts are withheld by the publisher"
UNNAMED = "entries without title or identifier were left out"

Side = Literal["citedPaper", "citingPaper"]

_TYPES = {
    "Review": "review",
    "MetaAnalysis": "review",
    "Conference": "conference-paper",
    "BookSection": "chapter",
    "Book": "book",
    "Dataset": "dataset",
    "JournalArticle": "article",
    "CaseReport": "article",
    "ClinicalTrial": "article",
    "Study": "article",
    "LettersAndComments": "article",
    "Editorial": "article",
}
"""The more specific type first, because most reviews are also journal articles."""


def read_search(body: object, following: bool = False) -> ResultPage:
    """Parse a page of a search, a bulk search or a title match. Raises `BadResponse` for anything else. An empty
    list is accepted only if the reply reports zero, or on a page after others."""
    fields = mapping(body)
    total = count(fields.get("total"))
    rows = fields.get("data", [] if total == 0 else None)
    if not isinstance(rows, list) or (not rows and total != 0 and not following):
        raise BadResponse(SEMANTIC_SCHOLAR.name, "sent a list without papers or total; try again later.")
    papers, counts = _read_rows(rows)
    return ResultPage(papers, total=total, counts=counts, following=count(fields.get("next")))


def read_batch(body: object, size: int | None = None) -> ResultPage:
    """Parse the rows of a batch, where null is an unknown paper. Raises `BadResponse` unless there are `size` of
    them."""
    if not isinstance(body, list) or (size is not None and len(body) != size):
        raise BadResponse(SEMANTIC_SCHOLAR.name, "sent a different number of papers than requested; try again later.")
    papers, counts = _read_rows([row for row in body if row is not None])
    return ResultPage(papers, counts=counts)


def read_links(body: object, side: Side) -> ResultPage:
    """Parse a page of references (`citedPaper`) or citations (`citingPaper`). Raises `Unsupported` if the publisher
    withdrew the list, `BadResponse` for anything else."""
    fields = mapping(body)
    if "data" in fields and fields["data"] is None and "offset" in fields:
        raise Unsupported(SEMANTIC_SCHOLAR.name, "cannot show this list: it was withdrawn by the publisher.")
    rows = fields.get("data")
    if not isinstance(rows, list) or (rows and not any(side in mapping(row) for row in rows)):
        raise BadResponse(SEMANTIC_SCHOLAR.name, "did not send a list of references or citations; try again later.")
    # A link to nothing is an error of the record, not of the reply.
    linked = [paper for row in rows if (paper := mapping(row).get(side)) is not None]
    papers, counts = _read_rows(linked)
    counts[UNNAMED] += len(rows) - len(linked)
    return ResultPage(papers, counts=counts, following=count(fields.get("next")))


def read_papers(body: object) -> ResultPage:
    """Parse a page of an author's papers. Raises `BadResponse` for anything else."""
    fields = mapping(body)
    rows = fields.get("data")
    if not isinstance(rows, list) or "offset" not in fields:
        raise BadResponse(SEMANTIC_SCHOLAR.name, "did not send a list of papers; try again later.")
    papers, counts = _read_rows(rows)
    return ResultPage(papers, counts=counts, following=count(fields.get("next")))


def read_recommended(body: object) -> ResultPage:
    """Parse recommended papers. Raises `BadResponse` for anything else."""
    rows = mapping(body).get("recommendedPapers")
    if not isinstance(rows, list):
        raise BadResponse(SEMANTIC_SCHOLAR.name, "did not send a list of recommendations; try again later.")
    papers, counts = _read_rows(rows)
    return ResultPage(papers, counts=counts)


def read_single(body: object) -> Paper:
    """Parse a single paper. Raises `BadResponse` for anything else."""
    if _is_paper(body) and (paper := read_paper(mapping(body))):
        return paper
    raise BadResponse(SEMANTIC_SCHOLAR.name, "did not send a paper; try again later.")


def read_paper(fields: dict[str, object]) -> Paper | None:
    """Return the paper of a paper object; None if it has neither a title nor an identifier."""
    names = identifiers_of(fields)
    title = fields.get("title")
    if not names and not (isinstance(title, str) and title.strip()):
        return None
    return build_paper(
        SEMANTIC_SCHOLAR.name,
        title=title,
        abstract=fields.get("abstract"),
        authors=[
            author
            for entry in listing(fields.get("authors"))
            if (author := author_from_name(mapping(entry).get("name")))
        ],
        date=iso_date(fields.get("publicationDate")) or partial_date(fields.get("year")),
        venue=venue_of(fields),
        type=_type(fields.get("publicationTypes")),
        identifiers=names,
        citation_count=fields.get("citationCount"),
        pdf=pdf_of(fields),
        url=fields.get("url"),
        imprint=_imprint(mapping(fields.get("journal"))),
        keywords=[mapping(entry).get("category") for entry in listing(fields.get("s2FieldsOfStudy"))],
    )


def _read_rows(rows: list[object]) -> tuple[tuple[Paper, ...], Counter[str]]:
    """Return the papers of the rows, and notes about them. Raises `BadResponse` if no row is a paper."""
    entries = [mapping(row) for row in rows if _is_paper(row)]
    if rows and not entries:
        raise BadResponse(SEMANTIC_SCHOLAR.name, "sent a list with something other than papers; try again later.")
    papers = [paper for entry in entries if (paper := read_paper(entry))]
    return tuple(papers), Counter({WITHHELD: sum(map(_withheld, entries)), UNNAMED: len(rows) - len(papers)})


def _is_paper(row: object) -> bool:
    return "paperId" in mapping(row) and "authorId" not in mapping(row)


def _withheld(entry: dict[str, object]) -> bool:
    disclaimer = mapping(entry.get("openAccessPdf")).get("disclaimer")
    elided = isinstance(disclaimer, str) and "elided by the publisher" in disclaimer and "'abstract'" in disclaimer
    return elided and not entry.get("abstract")


def identifiers_of(fields: dict[str, object]) -> tuple[Identifier, ...]:
    """Return all usable identifiers of a paper object."""
    names = mapping(fields.get("externalIds"))
    corpus = names.get("CorpusId") or fields.get("corpusId")
    return identifiers(
        s2(fields.get("paperId")),
        s2(f"CorpusId:{corpus}"),
        doi(names.get("DOI")),
        arxiv(names.get("ArXiv")),
        pmid(names.get("PubMed")),
        pmcid(names.get("PubMedCentral")),
    )


def pdf_of(fields: dict[str, object]) -> object:
    """Return the address of a paper object's PDF."""
    return mapping(fields.get("openAccessPdf")).get("url")


def venue_of(fields: dict[str, object]) -> object:
    """Return the venue; if it is still the preprint's although a journal is named, that journal."""
    venue, name = fields.get("venue"), mapping(fields.get("journal")).get("name")
    in_journal = isinstance(name, str) and name.strip() and not _is_server(name)
    return name if in_journal and _is_server(venue) else venue or name


def _imprint(journal: dict[str, object]) -> Imprint:
    """Return volume and pages; empty if they are still the preprint's, such as `abs/1706.03762` in ArXiv or CoRR."""
    if _is_server(journal.get("name")) or str(journal.get("volume")).startswith("abs/"):
        return Imprint()
    return publication_of(volume=journal.get("volume"), pages=journal.get("pages"))


def _is_server(venue: object) -> bool:
    return isinstance(venue, str) and (is_preprint_venue(venue) or venue.casefold() == "corr")


def _type(types: object) -> str | None:
    kinds = listing(types)
    return next((kind for name, kind in _TYPES.items() if name in kinds), None)


PERSON_FIELDS = ["name", "affiliations", "paperCount"]


def read_people(body: object) -> list[Person]:
    """Parse a page of an author search. Raises `BadResponse` for anything else; an empty page is accepted only if it
    reports zero."""
    fields = mapping(body)
    total = count(fields.get("total"))
    return people_of(SEMANTIC_SCHOLAR.name, fields.get("data", [] if total == 0 else None), total, _person)


def read_person(body: object) -> Person:
    """Parse a single author. Raises `BadResponse` for anything else."""
    return person_of(SEMANTIC_SCHOLAR.name, body, _person)


def _person(row: object) -> Person | None:
    fields = mapping(row)
    id, name = fields.get("authorId"), clean_text(fields.get("name"), NAME_CAP)
    if not isinstance(id, str) or not id.isdecimal() or not name:
        return None
    where = next((text for raw in listing(fields.get("affiliations")) if (text := clean_text(raw, NAME_CAP))), "")
    return Person(PersonId(SEMANTIC_SCHOLAR.name, id), name, count(fields.get("paperCount")), where)


_SERVED = {
    name.lower(): name
    for name in "paperId corpusId externalIds publicationDate publicationTypes citationCount referenceCount "
    "openAccessPdf s2FieldsOfStudy".split()
}
_NAMES = {name.lower(): name for name in ("DOI", "ArXiv", "PubMed", "PubMedCentral", "CorpusId", "MAG", "ACL", "DBLP")}


def as_served(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row of the data set `papers` in the spelling of the service's replies; names already in it stay. The
    row has no `paperId`; it is at the end of the address."""
    fields = {_SERVED.get(name, name): value for name, value in row.items()}
    names = mapping(fields.get("externalIds"))
    fields["externalIds"] = {_NAMES.get(name.lower(), name): value for name, value in names.items()}
    if not fields.get("paperId") and isinstance(fields.get("url"), str):
        fields["paperId"] = fields["url"]
    if not isinstance(fields.get("publicationTypes"), list):
        fields["publicationTypes"] = listing(fields.get("publicationTypes"))
    return fields
