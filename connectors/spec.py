"""The form of a source's entry in `connectors.registry`, light to import."""

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
"""The form of query that a source handles best: a whole sentence, or keywords of one kind."""


@dataclass(frozen=True, slots=True)
class Access:
    """The person's access to services: keys by service name, addresses by source name that replace the services' own,
    and the person's mail address for services that require one.

    In the `background`, while a list is processed, requests for single answers go first.
    """

    keys: "dict[str, Secret]" = field(default_factory=dict)
    urls: dict[str, str] = field(default_factory=dict)
    email: str | None = None
    background: bool = False


@dataclass(frozen=True, slots=True)
class Service:
    """A service that answers for a source: usually its operator, for Google one of several providers. `key_variable`
    is the environment variable of the person's key; "" if there are no keys."""

    name: str
    title: str
    address: str
    key_variable: str = ""


@dataclass(frozen=True, slots=True)
class Connection:
    """The parameters for opening a source: the chosen service, the person's key and mail address, and `http`, which
    makes the client from the source's error parser."""

    service: str
    key: "Secret | None"
    email: str | None
    http: "Callable[[ErrorOf], HttpClient]"


Opener = Callable[[Connection], "Source"]


@dataclass(frozen=True, slots=True)
class Scope:
    """The questions for which a source is asked; each reason is a sentence, and "" means that it does not apply.

    A source of all fields is asked `always`. Others are asked for the first of these that applies: a paper is named by
    one of the source's own identifiers, a paper is named at all, the subject may need it, the field is unclear, the
    question is vague, or its field is one of `fields`, whose reasons may contain `{field}`. `subjects` describes the
    source's contents for the docs.
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
    """A source as search, settings, merging, help and all other parts of the program see it."""

    name: str
    """The stored and public name: in settings, options, results and stored runs."""
    title: str
    interface: str = ""
    """The name of the source's interface in reports of a search."""
    search_page: str = ""
    """The page on which a person can paste a strategy."""
    strategy: tuple[str, ...] = ()
    """The request parameters with the search strategy: the query first, then its limits."""
    aliases: tuple[str, ...] = ()
    """Other accepted spellings of the name."""
    capabilities: frozenset[Capability]
    schemes: "tuple[Scheme, ...]"
    """The identifier schemes for look-ups, its own first."""
    services: tuple[Service, ...]
    """The services that can answer: the first for which the person has a key is used, else the first."""
    url_variable: str
    """The environment variable with an address to use in place of the service's own."""
    needs_key: bool = False
    optional: bool = False
    """Whether the source is asked only if the person names it, by --source or in the setting `sources`."""
    paid: bool = False
    """Whether every query costs the person money."""
    rate_limit: RateLimit
    rate_limit_with_key: RateLimit | None = None
    rate_limit_with_email: RateLimit | None = None
    """The rate limit for requests with a mail address; the service then counts by address."""
    trust: int
    """If two sources differ on a bibliographic fact, the one with the higher trust wins."""
    scope: Scope
    query_style: QueryStyle = "technical terms"
    needs_every_word: bool = False
    """Whether the source finds only papers with all words of a query; other sources match any of them."""
    opener: str
    """The `Opener`, as "module:name"; loading it imports the client library."""

    def load(self) -> Opener:
        """Return the function that opens the source."""
        opener: Opener = loaded(self.opener)
        return opener

    @property
    def covers_all_fields(self) -> bool:
        return bool(self.scope.always)

    @property
    def own_schemes(self) -> "tuple[Scheme, ...]":
        """The identifier scheme that it issues and hardly any other source uses (never DOI)."""
        return tuple(scheme for scheme in self.schemes[:1] if scheme != "doi")

    def limit(self, with_key: bool, with_email: bool = False) -> RateLimit:
        """Return the rate limit, which may be higher with a key or a mail address."""
        by_key = self.rate_limit_with_key if with_key else None
        by_email = self.rate_limit_with_email if with_email else None
        return by_key or by_email or self.rate_limit

    def is_open(self, access: Access) -> bool:
        """Whether the source can be asked with the person's keys."""
        return not self.needs_key or self.service(access).name in access.keys

    def service(self, access: Access) -> Service:
        """Return the service to ask."""
        return next((service for service in self.services if service.name in access.keys), self.services[0])
