"""What every source offers: papers by words, by name, around a paper and of a person, and saying what it has not."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Literal, Protocol

from connectors.capability import Capability
from connectors.errors import BadQuery, Unsupported
from connectors.identifiers import Identifier, Scheme
from connectors.paper import Paper
from connectors.person import Person, PersonId


@dataclass(frozen=True, slots=True)
class Preferred:
    """What papers are preferred: of one of the `venues` (as `title_key` writes them), free to read, cited so often."""

    venues: tuple[str, ...] = ()
    open_access: bool = False
    min_citations: int = 0


ANY = Preferred()


Form = Literal["words", "expression", "verbatim"]
"""How a query is written: in plain words, with operators (`connectors.query.expression`), or as the source takes it."""


@dataclass(frozen=True, slots=True)
class Query:
    """What is sent to a source: text in its `form`, bounds of the publication date (inclusive), how many papers.

    With `added`, only records that the source added on that day or later; just for those that can tell.

    A source that can tell gives those that are `preferred` first, and the others after them; most cannot.
    """

    text: str
    since: date | None = None
    until: date | None = None
    limit: int = 25
    preferred: Preferred = ANY
    form: Form = "words"
    added: date | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """What a source said: papers in its own order, and what a reader of the search log wants to know.

    `total` is how many the source says it has, where it says so. `sent` are the requests as sent, without keys.
    `notes` are sentences about what is incomplete or was understood differently; with `partial` the list is
    known to be cut short.
    """

    papers: tuple[Paper, ...] = ()
    total: int | None = None
    sent: tuple[str, ...] = ()
    notes: tuple[str, ...] = field(default=())
    partial: bool = False


class Source(Protocol):
    """A source. Every method raises a `SourceError`; an empty answer means that the source said there is nothing."""

    @property
    def name(self) -> str:
        """The name used in settings, flags and results, such as `openalex`."""

    @property
    def capabilities(self) -> frozenset[Capability]: ...

    @property
    def schemes(self) -> tuple[Scheme, ...]:
        """The identifiers it can look papers up by, best first."""

    async def search(self, query: Query) -> Answer:
        """Papers on the query's words, most relevant first."""

    async def lookup(self, names: Sequence[Identifier]) -> Answer:
        """The papers of these names, in any order; names it does not know are left out."""

    async def references(self, paper: Paper, limit: int) -> Answer:
        """What `paper` cites. Raises `NotFound` if the source does not know the paper."""

    async def citations(self, paper: Paper, limit: int) -> Answer:
        """What cites `paper`."""

    async def citing_any(self, papers: Sequence[Paper], limit: int) -> Answer:
        """What cites one of `papers` or more, the most cited first, in as few requests as what cites a single one.
        Those under names that it does not use itself are left out; raises `NotFound` if that leaves none."""

    async def similar(self, paper: Paper, limit: int) -> Answer:
        """Papers like `paper`, by the source's own measure."""

    async def newest_citations(self, paper: Paper, limit: int) -> Answer:
        """What cites `paper`: all of it, or the newest `limit`, the newest first. Raises `NotFound` as `citations`, and
        `Unsupported` where it is more than the source can tell so."""

    async def people(self, name: str, limit: int) -> Sequence[Person]:
        """Those who may be called `name`, the likeliest first."""

    async def person(self, id: PersonId) -> Person:
        """The person of this id, who may bear another by now. Raises `NotFound`."""

    async def works_of(self, id: PersonId, limit: int) -> Answer:
        """What the person of this id wrote, as `newest_citations`. Raises `NotFound` and `Unsupported`."""


class PartialSource:
    """The polite refusals of a source that does not have everything: inherit, then define what there is."""

    name: str
    schemes: tuple[Scheme, ...]

    async def search(self, query: Query) -> Answer:
        raise self._unsupported("searching")

    async def lookup(self, names: Sequence[Identifier]) -> Answer:
        raise self._unsupported("looking papers up by identifier")

    async def references(self, paper: Paper, limit: int) -> Answer:
        raise self._unsupported("reference lists")

    async def citations(self, paper: Paper, limit: int) -> Answer:
        raise self._unsupported("citing papers")

    async def citing_any(self, papers: Sequence[Paper], limit: int) -> Answer:
        raise self._unsupported("what cites any of several papers")

    async def similar(self, paper: Paper, limit: int) -> Answer:
        raise self._unsupported("similar papers")

    async def newest_citations(self, paper: Paper, limit: int) -> Answer:
        raise self._unsupported("citing papers by date")

    async def people(self, name: str, limit: int) -> Sequence[Person]:
        raise self._unsupported("ids of authors")

    async def person(self, id: PersonId) -> Person:
        raise self._unsupported("ids of authors")

    async def works_of(self, id: PersonId, limit: int) -> Answer:
        raise self._unsupported("ids of authors")

    def known_names(self, names: Sequence[Identifier]) -> list[Identifier]:
        """Those of `names` that this source can look up, once each, best scheme first. Raises `BadQuery` if it is none
        of them."""
        usable = list(dict.fromkeys(usable_names(names, self.schemes)))
        if names and not usable:
            raise BadQuery(self.name, f"cannot look up these identifiers; it knows {', '.join(self.schemes)}.")
        return usable

    def _unsupported(self, what: str) -> Unsupported:
        return Unsupported(self.name, f"has no {what}.")


def usable_names(names: Sequence[Identifier], schemes: Sequence[Scheme]) -> list[Identifier]:
    """Those of `names` that a source with these `schemes` understands, best scheme first."""
    return sorted((name for name in names if name.scheme in schemes), key=lambda name: schemes.index(name.scheme))
