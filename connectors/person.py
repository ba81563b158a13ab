"""Authors as one source knows them, by its ids."""

import re
from dataclasses import dataclass
from typing import NamedTuple


class PersonId(NamedTuple):
    """The id of an author at a source; each source with such ids splits and merges authors in its own way."""

    source: str
    value: str

    def __str__(self) -> str:
        return f"{_PREFIXES[self.source]}:{self.value}"


@dataclass(frozen=True, slots=True)
class Person:
    """An author as a source knows them, with data to distinguish namesakes; `works` is the number of works it lists."""

    id: PersonId
    name: str
    works: int | None = None
    affiliation: str = ""


_PREFIXES = {"openalex": "openalex", "semanticscholar": "s2"}
_OPENALEX = re.compile(
    r"(?:(?:https?://)?(?:api\.)?openalex\.org/(?:(?:authors|people)/)?|openalex:\s*)?(A[1-9][0-9]{2,14})",
    re.IGNORECASE,
)
_S2 = re.compile(
    r"(?:(?:https?://)?(?:www\.)?semanticscholar\.org/author/(?:[^/\s]+/)?|(?:s2|semanticscholar):\s*)"
    r"([1-9][0-9]{0,14})",
    re.IGNORECASE,
)


def parse_person_id(text: object) -> PersonId | None:
    """Parse an author id that a person typed or pasted, `openalex:A5023888391`, `s2:1741101` or the address of
    either page; None for anything else, such as a name."""
    if not isinstance(text, str):
        return None
    bare = text.strip().split("?")[0].split("#")[0].rstrip("/")
    if match := _OPENALEX.fullmatch(bare):
        return PersonId("openalex", match[1].upper())
    if match := _S2.fullmatch(bare):
        return PersonId("semanticscholar", match[1])
    return None
