"""`CitedWork`: what one entry of a bibliography says about a work."""

from dataclasses import dataclass

from connectors.identifiers import Identifier
from connectors.paper import Author


@dataclass(frozen=True, slots=True)
class CitedWork:
    """An entry of a bibliography. `title` and `first_author`, a family name or a group, are "" where the entry does
    not say them or cannot be understood; so are `venue`, `volume`, `number`, `pages` and `url`. `authors` are all whom
    it names, with `et_al` not all who wrote it; `raw` is the whole entry in one line."""

    title: str
    first_author: str
    year: int | None
    identifiers: tuple[Identifier, ...]
    raw: str
    authors: tuple[Author, ...] = ()
    et_al: bool = False
    venue: str = ""
    volume: str = ""
    number: str = ""
    pages: str = ""
    url: str = ""
