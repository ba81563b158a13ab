"""Convert OpenAlex works to papers, and its authors to people."""

from collections.abc import Collection
from contextlib import suppress
from dataclasses import replace
from operator import itemgetter
from typing import Any, cast

from connectors.errors import BadResponse
from connectors.http.json_values import listing, mapping
from connectors.http.paging import ResultPage, read_rows
from connectors.identifiers import Identifier, arxiv, doi, openalex, pmcid, pmid
from connectors.paper import Author, Imprint, Paper
from connectors.person import Person, PersonId, parse_person_id
from connectors.records.build import author_from_name, build_paper, count, iso_date, partial_date, people_of, person_of
from connectors.records.clean import NAME_CAP, clean_text
from connectors.records.publication import first_to_last, publication_of
from connectors.registry import OPENALEX

AUTHORS_IN_LISTS = 100
"""Number of authors after which lists truncate; single look-ups return all."""

_TYPES = {
    "article": "article",
    "letter": "article",
    "review": "review",
    "preprint": "preprint",
    "book": "book",
    "book-chapter": "chapter",
    "dissertation": "thesis",
    "dataset": "dataset",
    "report": "report",
    "conference-paper": "conference-paper",
}


def read_list(body: object, following: bool = False) -> ResultPage:
    """Parse a list of works, as `read_rows` does."""
    meta = mapping(mapping(body).get("meta"))
    results, total = mapping(body).get("results"), count(meta.get("count"))
    page = read_rows(OPENALEX.name, results, total, read_work, following, meta.get("next_cursor"))
    truncated = sum(len(paper.authors) == AUTHORS_IN_LISTS for paper in page.papers)
    return replace(page, counts={**page.counts, f"papers show only their first {AUTHORS_IN_LISTS} authors": truncated})


def read_single(body: object) -> Paper:
    """Parse a single work. Raises `BadResponse` for anything else."""
    if paper := read_work(body):
        return paper
    raise BadResponse(OPENALEX.name, "did not send a work; try again later.")


def read_work(work: object) -> Paper | None:
    """Return the paper of a work object; None for other objects, such as an author or a concept."""
    fields = mapping(work)
    identifiers = identifiers_of(fields)
    if not any(name.scheme in ("openalex", "doi") for name in identifiers):
        return None
    if fields.get("id") is not None and not openalex(fields["id"]):
        return None
    primary = mapping(fields.get("primary_location"))
    return build_paper(
        OPENALEX.name,
        title=fields.get("title") or fields.get("display_name"),
        abstract=abstract_of(fields.get("abstract_inverted_index")) or fields.get("abstract"),
        authors=_authors(fields.get("authorships")),
        date=iso_date(fields.get("publication_date")) or partial_date(fields.get("publication_year")),
        venue=venue_of(fields),
        type=_type(fields, primary),
        identifiers=identifiers,
        citation_count=fields.get("cited_by_count"),
        references=[openalex(name) for name in listing(fields.get("referenced_works"))],
        pdf=pdf_of(fields),
        url=primary.get("landing_page_url") or fields.get("doi") or fields.get("id"),
        retracted=fields.get("is_retracted") is True,
        language=fields.get("language"),
        imprint=_imprint(mapping(fields.get("biblio")), mapping(primary.get("source"))),
        keywords=[
            mapping(entry).get("display_name")
            for entry in (*listing(fields.get("keywords")), fields.get("primary_topic"))
        ],
    )


def venue_of(fields: dict[str, object]) -> object:
    """Return the venue of a work object."""
    primary = mapping(fields.get("primary_location"))
    return mapping(primary.get("source")).get("display_name") or primary.get("raw_source_name")


def pdf_of(fields: dict[str, object]) -> object:
    """Return the address of a work object's PDF."""
    best, primary = mapping(fields.get("best_oa_location")), mapping(fields.get("primary_location"))
    return best.get("pdf_url") or primary.get("pdf_url")


def abstract_of(index: object) -> str:
    """Return the text of an inverted index, with each word at all of its positions; "" without one."""
    words = mapping(index)
    lists = cast("Collection[list[int]]", words.values())
    # fast path, for dumps with millions of records: every position from 0 on has exactly one word
    with suppress(TypeError, IndexError):
        at: list[Any] = [None] * sum(map(len, lists))
        for word, positions in zip(words, lists, strict=True):
            for position in positions:
                at[position] = word
        return " ".join(at)  # raises if a position has no word, as when two share one
    positioned = [
        (position, word)
        for word, positions in words.items()
        for position in listing(positions)
        if isinstance(position, int)
    ]
    positioned.sort(key=itemgetter(0))
    return " ".join([word for _, word in positioned])


def identifiers_of(fields: dict[str, object]) -> list[Identifier]:
    """Return all identifiers in a work object."""
    ids = mapping(fields.get("ids"))
    locations = [fields.get("primary_location"), fields.get("best_oa_location"), *listing(fields.get("locations"))]
    addresses = [mapping(location).get(key) for location in locations for key in ("landing_page_url", "pdf_url")]
    candidates = [
        openalex(fields.get("id")),
        doi(fields.get("doi")) or doi(ids.get("doi")),
        pmid(ids.get("pmid")),
        pmcid(ids.get("pmcid")),
        next((name for address in addresses if (name := _arxiv_address(address))), None),
    ]
    return [name for name in candidates if name]


def _arxiv_address(address: object) -> Identifier | None:
    return arxiv(address) if isinstance(address, str) and "arxiv" in address.lower() else None


def _authors(authorships: object) -> list[Author]:
    people = []
    for entry in map(mapping, listing(authorships)):
        person = mapping(entry.get("author"))
        people.append(author_from_name(person.get("display_name") or entry.get("raw_author_name"), person.get("orcid")))
    return [author for author in people if author]


def _imprint(biblio: dict[str, object], home: dict[str, object]) -> Imprint:
    return publication_of(
        volume=biblio.get("volume"),
        number=biblio.get("issue"),
        pages=first_to_last(biblio.get("first_page"), biblio.get("last_page")),
        # A repository hosts the work but did not publish it.
        publisher=None if home.get("type") == "repository" else home.get("host_organization_name"),
    )


def _type(fields: dict[str, object], primary: dict[str, object]) -> str | None:
    kind = fields.get("type")
    proceedings = "proceedings-article" in (fields.get("type_crossref"), primary.get("raw_type"))
    if kind == "article" and (proceedings or mapping(primary.get("source")).get("type") == "conference"):
        return "conference-paper"
    return _TYPES.get(kind) if isinstance(kind, str) else None


PERSON_FIELDS = "id,display_name,works_count,last_known_institutions"


def read_people(body: object) -> list[Person]:
    """Parse a list of authors. Raises `BadResponse` for anything else; an empty list is accepted only if the reply
    reports zero."""
    fields = mapping(body)
    return people_of(OPENALEX.name, fields.get("results"), count(mapping(fields.get("meta")).get("count")), _person)


def read_person(body: object) -> Person:
    """Parse a single author. Raises `BadResponse` for anything else."""
    return person_of(OPENALEX.name, body, _person)


def _person(row: object) -> Person | None:
    fields = mapping(row)
    id, name = parse_person_id(fields.get("id")), clean_text(fields.get("display_name"), NAME_CAP)
    if id is None or id.source != OPENALEX.name or not name:
        return None
    at = [mapping(institution) for institution in listing(fields.get("last_known_institutions"))]
    at = at or [mapping(mapping(institution).get("institution")) for institution in listing(fields.get("affiliations"))]
    where = next((text for institution in at if (text := clean_text(institution.get("display_name"), NAME_CAP))), "")
    return Person(PersonId(OPENALEX.name, id.value), name, count(fields.get("works_count")), where)
