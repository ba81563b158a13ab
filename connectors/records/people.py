"""Authors as sources send them: a reply that holds none where it should is no empty list."""

from collections.abc import Callable

from connectors.errors import BadResponse
from connectors.person import Person

Read = Callable[[object], Person | None]
"""A source's own reader of one author; None for what is none."""


def people_of(source: str, rows: object, total: int | None, read: Read) -> list[Person]:
    """The authors of a list that is to hold some of `total`. Raises `BadResponse` for anything else; none are believed
    only where `total` is zero."""
    if not isinstance(rows, list) or (not rows and total != 0):
        raise BadResponse(source, "sent a list without authors or how many there are; try again later.")
    people = [person for row in rows if (person := read(row))]
    if rows and not people:
        raise BadResponse(source, "sent a list of something that is no author; try again later.")
    return people


def person_of(source: str, row: object, read: Read) -> Person:
    """A single author. Raises `BadResponse` for anything else."""
    if person := read(row):
        return person
    raise BadResponse(source, "sent something that is no author; try again later.")
