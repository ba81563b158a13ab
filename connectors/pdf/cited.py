"""`CitedWork`: the data of one bibliography entry."""

from dataclasses import dataclass

from connectors.identifiers import Identifier
from connectors.paper import Author


@dataclass(frozen=True, slots=True)
class CitedWork:
    """An entry of a bibliography. `title`, `first_author` (a family name or a group), `venue`, `volume`, `number`,
    `pages` and `url` are "" if missing or not understood. `authors` are all named authors, with `et_al` not all of
    them; `raw` is the whole entry on one line."""

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
