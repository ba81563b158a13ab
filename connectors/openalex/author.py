"""Convert an OpenAlex author to a `Person`."""

from connectors.http.json_values import listing, mapping
from connectors.person import Person, PersonId, parse_person_id
from connectors.records.build import count, people_of, person_of
from connectors.records.clean import NAME_CAP, clean_text
from connectors.registry import OPENALEX

FIELDS = "id,display_name,works_count,last_known_institutions"


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
