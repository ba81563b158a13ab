"""What the program must know of a source, light to import: each source's folder holds one such entry in `spec.py`."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from connectors.capability import Capability
from connectors.entry_points import loaded
from connectors.http.limits import RateLimit

if TYPE_CHECKING:
    from connectors.http.client import HttpClient
    from connectors.http.responses import ErrorOf
    from connectors.http.secret import Secret
    from connectors.identifiers import Scheme
    from connectors.source import Source

QueryStyle = Literal["sentence", "technical terms", "broad terms", "subject headings"]
"""How a source wants its words: a whole sentence, or keywords of one kind."""


@dataclass(frozen=True, slots=True)
class Access:
    """What the person has for the services: keys by the service's name, addresses by the source's name that replace
    the services' own, and the person's mail address for the services that ask who asks.

    `background`: a list is worked through, and whoever waits for a single answer goes first."""

    keys: "dict[str, Secret]" = field(default_factory=dict)
    urls: dict[str, str] = field(default_factory=dict)
    email: str | None = None
    background: bool = False


@dataclass(frozen=True, slots=True)
class Service:
    """Who answers for a source: mostly its own makers, for Google one of several providers.

    `key_variable` is the environment variable that holds the person's key; "" where there are no keys.
    """

    name: str
    title: str
    address: str
    key_variable: str = ""


@dataclass(frozen=True, slots=True)
class Connection:
    """What a source is opened with: the chosen service, the person's key and mail address, and `http`, which makes the
    client that knows the service's own ways to tell errors."""

    service: str
    key: "Secret | None"
    email: str | None
    http: "Callable[[ErrorOf], HttpClient]"


Opener = Callable[[Connection], "Source"]


@dataclass(frozen=True, slots=True)
class Scope:
    """Which questions a source is asked; each reason is a sentence, and "" means that it is no reason.

    A source of all fields is asked `always`. Another one is asked for the first of these that holds: a paper is named
    by an identifier of the source's own, a paper is named at all, the subject may need it, the field is unclear, the
    question is vague, or it is of one of `fields`, whose reasons may say `{field}`. `subjects` names, for docs, what
    the source holds.
    """

    always: str = ""
    own_identifier: str = ""
    named_paper: str = ""
    by_subject: str = ""
    subjects: str = ""
    unclear_field: str = ""
    vague_question: str = ""
    fields: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceSpec:
    """A source, as search, settings, merging, help and every other part of the program know it."""

    name: str
    """The stored and public name: in settings, flags, results and kept runs."""
    title: str
    interface: str = ""
    """How it is asked, as a report of a search names it."""
    search_page: str = ""
    """The page on which a person can paste a strategy."""
    strategy: tuple[str, ...] = ()
    """The parameters of its requests that hold a strategy: the query first, then those that limit it."""
    aliases: tuple[str, ...] = ()
    """Other spellings of the name that a person may type."""
    capabilities: frozenset[Capability]
    schemes: "tuple[Scheme, ...]"
    """The identifiers it can look papers up by, its own first."""
    services: tuple[Service, ...]
    """Who answers for it: the first one that the person has a key for, else the first."""
    url_variable: str
    """The environment variable that holds an address to ask instead of the service's own."""
    needs_key: bool = False
    optional: bool = False
    """Whether it is asked only where the person names it, by --source or in the setting `sources`."""
    paid: bool = False
    """Whether every question costs the person money."""
    rate_limit: RateLimit
    rate_limit_with_key: RateLimit | None = None
    rate_limit_with_email: RateLimit | None = None
    """How fast it may be asked by those who say whom to write to; it then counts by their address."""
    trust: int
    """When two sources differ on a bibliographic fact, the one with more of it is believed."""
    scope: Scope
    query_style: QueryStyle = "technical terms"
    needs_every_word: bool = False
    """Whether it is taken to find nothing where no paper has all words of a query; others then ask for any of them."""
    opener: str
    """Where the `Opener` stands, as "module:name": it brings in the client library when it is loaded."""

    def load(self) -> Opener:
        """The function that opens the source."""
        opener: Opener = loaded(self.opener)
        return opener

    @property
    def covers_all_fields(self) -> bool:
        return bool(self.scope.always)

    @property
    def own_schemes(self) -> "tuple[Scheme, ...]":
        """The identifier by which it, and hardly another, knows its papers; a DOI is nobody's own."""
        return tuple(scheme for scheme in self.schemes[:1] if scheme != "doi")

    def limit(self, with_key: bool, with_email: bool = False) -> RateLimit:
        """How politely it is asked; it may allow more to those who bring a key, or say who they are."""
        by_key = self.rate_limit_with_key if with_key else None
        by_email = self.rate_limit_with_email if with_email else None
        return by_key or by_email or self.rate_limit

    def is_open(self, access: Access) -> bool:
        """Whether it can be asked with the keys that the person has."""
        return not self.needs_key or self.service(access).name in access.keys

    def service(self, access: Access) -> Service:
        """The service to ask."""
        return next((service for service in self.services if service.name in access.keys), self.services[0])
