"""Convert a Semantic Scholar author to a `Person`."""

from connectors.http.json_values import listing, mapping
from connectors.person import Person, PersonId
from connectors.records.build import count, people_of, person_of
from connectors.records.clean import NAME_CAP, clean_text
from connectors.registry import SEMANTIC_SCHOLAR

FIELDS = ["name", "affiliations", "paperCount"]


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
