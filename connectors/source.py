"""The interface of sources: search, look-up, linked papers and authors, with errors for what a source lacks."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Literal, Protocol

from connectors.capability import Capability
from connectors.errors import BadQuery, NotFound, Unsupported
from connectors.identifiers import Identifier, Scheme
from connectors.paper import Paper
from connectors.person import Person, PersonId


@dataclass(frozen=True, slots=True)
class Preferred:
    """Preferred papers: at one of the `venues` (in the form of `title_key`), free to read, cited at least so often."""

    venues: tuple[str, ...] = ()
    open_access: bool = False
    min_citations: int = 0


ANY = Preferred()


Form = Literal["words", "expression", "verbatim", "name"]
"""The form of a query: plain words, operators (`connectors.query.expression`), the source's own syntax, or the
identifier of one paper."""


@dataclass(frozen=True, slots=True)
class Query:
    """A query for a source: text in its `form`, bounds of the publication date (inclusive), and number of papers.

    With `added`, only records that the source added on that day or later, at sources that report it. A source that can
    rank by preference returns `preferred` papers first; most cannot.
    """

    text: str
    since: date | None = None
    until: date | None = None
    limit: int = 25
    preferred: Preferred = ANY
    form: Form = "words"
    added: date | None = None

    @property
    def bounded(self) -> bool:
        """Whether the date of publication is bounded."""
        return bool(self.since or self.until)

    def has_year(self, year: int | None) -> bool:
        """Whether a paper of this year can be within the bounds; an unknown year (None) never is."""
        first, last = self.since and self.since.year, self.until and self.until.year
        return not self.bounded or (year is not None and (first or year) <= year <= (last or year))


@dataclass(frozen=True, slots=True)
class Answer:
    """A source's answer: papers in its order, and details for the search log.

    `total` is the number of matches, if the source reports it. `sent` are the requests as sent, without keys. `notes`
    are sentences about what is incomplete or was interpreted differently; `partial` means that the list is cut short.
    """

    papers: tuple[Paper, ...] = ()
    total: int | None = None
    sent: tuple[str, ...] = ()
    notes: tuple[str, ...] = field(default=())
    partial: bool = False


class SourceEntry(Protocol):
    """What the registry says of a source (`connectors.spec.SourceSpec`)."""

    @property
    def name(self) -> str: ...
    @property
    def capabilities(self) -> frozenset[Capability]: ...
    @property
    def schemes(self) -> tuple[Scheme, ...]: ...


class Source:
    """A source. Every method raises a `SourceError`; an empty answer means that the source reported no results.

    Each source defines the methods for its capabilities; the others raise `Unsupported`. A class with a `spec` has its
    name, capabilities and schemes."""

    name: str
    """The name used in settings, flags and results, such as `openalex`."""
    capabilities: frozenset[Capability]
    schemes: tuple[Scheme, ...]
    """The identifier schemes for look-ups, best first."""
    lacks: str = ""
    """Prefix of the DOIs that the source never has, because another registry issues them."""

    def __init_subclass__(cls, spec: SourceEntry | None = None) -> None:
        if spec is not None:
            cls.name, cls.capabilities, cls.schemes = spec.name, spec.capabilities, spec.schemes

    async def search(self, query: Query) -> Answer:
        """Return papers that match the query's words, most relevant first."""
        raise self._unsupported("searching")

    async def lookup(self, names: Sequence[Identifier]) -> Answer:
        """Return the papers with these identifiers, in any order, without unknown ones."""
        raise self._unsupported("look-ups by identifier")

    async def references(self, paper: Paper, limit: int) -> Answer:
        """Return the papers that `paper` cites. Raises `NotFound` if the source does not know the paper."""
        raise self._unsupported("reference lists")

    async def citations(self, paper: Paper, limit: int) -> Answer:
        """Return the papers that cite `paper`."""
        raise self._unsupported("citing papers")

    async def citing_any(self, papers: Sequence[Paper], limit: int) -> Answer:
        """Return the papers that cite one or more of `papers`, most cited first, in as few requests as for a single
        paper. Papers without an identifier of the source's own are left out; raises `NotFound` if none is left."""
        raise self._unsupported("papers that cite any of several")

    async def similar(self, paper: Paper, limit: int) -> Answer:
        """Return papers similar to `paper`, by the source's own measure."""
        raise self._unsupported("similar papers")

    async def newest_citations(self, paper: Paper, limit: int) -> Answer:
        """Return all papers that cite `paper`, or the newest `limit`, newest first. Raises `NotFound` as `citations`
        does, and `Unsupported` if there are more than the source can list by date."""
        raise self._unsupported("citing papers by date")

    async def people(self, name: str, limit: int) -> Sequence[Person]:
        """Return the people who may be called `name`, likeliest first."""
        raise self._unsupported("ids of authors")

    async def person(self, id: PersonId) -> Person:
        """Return the person with this id, who may have another id by now. Raises `NotFound`."""
        raise self._unsupported("ids of authors")

    async def works_of(self, id: PersonId, limit: int) -> Answer:
        """Return the works of the person with this id, as `newest_citations` does. Raises `NotFound` and
        `Unsupported`."""
        raise self._unsupported("ids of authors")

    def looks_up(self, name: Identifier) -> bool:
        """Whether the source can look up such an identifier."""
        able = not self.capabilities.isdisjoint((Capability.LOOKUP, Capability.LAST_LOOKUP))
        return able and name.scheme in self.schemes

    def known_names(self, names: Sequence[Identifier]) -> list[Identifier]:
        """Return those of `names` that this source can look up, once each, best scheme first, without DOIs that it
        never has. Raises `BadQuery` if none has a scheme of the source."""
        usable = list(dict.fromkeys(usable_names(names, self.schemes)))
        if names and not usable:
            raise BadQuery(self.name, f"cannot look up these identifiers; it knows {', '.join(self.schemes)}.")
        return [name for name in usable if not (self.lacks and name.value.startswith(self.lacks))]

    def _unknown(self, paper: Paper) -> NotFound:
        return NotFound(self.name, f"does not know “{paper.title[:80]}” by any of its identifiers.")

    def _unsupported(self, what: str) -> Unsupported:
        return Unsupported(self.name, f"does not support {what}.")


def usable_names(names: Sequence[Identifier], schemes: Sequence[Scheme]) -> list[Identifier]:
    """Return those of `names` in a source's `schemes`, best scheme first."""
    return sorted((name for name in names if name.scheme in schemes), key=lambda name: schemes.index(name.scheme))
