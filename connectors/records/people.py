"""Authors as sources send them: a malformed reply is an error, not an empty list."""

from collections.abc import Callable

from connectors.errors import BadResponse
from connectors.person import Person

Read = Callable[[object], Person | None]
"""A source's parser of one author; returns None for invalid data."""


def people_of(source: str, rows: object, total: int | None, read: Read) -> list[Person]:
    """Return the authors of a list with `total` matches. Raises `BadResponse` for invalid data, and for an empty list
    unless `total` is zero."""
    if not isinstance(rows, list) or (not rows and total != 0):
        raise BadResponse(source, "sent a list without authors or how many there are; try again later.")
    people = [person for row in rows if (person := read(row))]
    if rows and not people:
        raise BadResponse(source, "sent a list of something that is no author; try again later.")
    return people


def person_of(source: str, row: object, read: Read) -> Person:
    """Return a single author. Raises `BadResponse` for invalid data."""
    if person := read(row):
        return person
    raise BadResponse(source, "sent something that is no author; try again later.")
