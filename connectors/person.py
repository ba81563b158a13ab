"""People who write: each as one source knows them, by the id that it gives."""

import re
from dataclasses import dataclass
from typing import NamedTuple


class PersonId(NamedTuple):
    """The id of a person at a source; both sources that have such ids split and join people by their own lights."""

    source: str
    value: str

    def __str__(self) -> str:
        return f"{_PREFIXES[self.source]}:{self.value}"


@dataclass(frozen=True, slots=True)
class Person:
    """A person as a source knows them, with what tells them from others of the name; `works` is how many it lists."""

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
    """The id that a person typed or pasted, `openalex:A5023888391`, `s2:1741101` or the address of either's page; None
    for what is none, such as a name."""
    if not isinstance(text, str):
        return None
    bare = text.strip().split("?")[0].split("#")[0].rstrip("/")
    if match := _OPENALEX.fullmatch(bare):
        return PersonId("openalex", match[1].upper())
    if match := _S2.fullmatch(bare):
        return PersonId("semanticscholar", match[1])
    return None
