"""Opening the doors: every live source, wired to its service with the person's keys and addresses."""

import hashlib
from collections.abc import Sequence
from pathlib import Path

from connectors.errors import NotConfigured
from connectors.http.client import HttpClient
from connectors.http.limits import rate_limit_for
from connectors.http.pool import ConnectionPool
from connectors.http.rate_limiter import RateLimiter
from connectors.http.responses import ErrorOf
from connectors.services import HOME_PAGES, Access
from connectors.source import Capability, PartialSource, Source


class ClosedGoogle(PartialSource):
    """Google without a key: off, and saying so."""

    name = "google"
    capabilities = frozenset({Capability.SEARCH})
    schemes = ()
    why = "is off: it needs a key of yours in SERPER_API_KEY or SERPAPI_API_KEY."

    def _unsupported(self, what: str) -> NotConfigured:  # type: ignore[override]  # a refusal like any other
        return NotConfigured(self.name, self.why)


def open_sources(names: Sequence[str], access: Access, connections: ConnectionPool, gates: Path) -> dict[str, Source]:
    """The doors called `names`. `gates` is the folder in which all processes keep their manners."""
    gates.mkdir(parents=True, exist_ok=True, mode=0o700)
    return {name: _source(name, access, connections, gates) for name in names}


def _source(name: str, access: Access, connections: ConnectionPool, gates: Path) -> Source:
    # Each door brings in its client library, so it is imported when it is opened.
    match name:
        case "arxiv":
            from connectors.arxiv import source as arxiv

            return arxiv.Arxiv(_http(name, name, arxiv.error_of, access, connections, gates))
        case "openalex":
            from connectors.openalex import source as openalex

            http = _http(name, name, openalex.error_of, access, connections, gates)
            return openalex.OpenAlex(http, access.keys.get(name))
        case "semanticscholar":
            from connectors.semantic_scholar import source as semantic_scholar

            http = _http(name, name, semantic_scholar.error_of, access, connections, gates)
            return semantic_scholar.SemanticScholar(http, access.keys.get(name))
        case "pubmed":
            from connectors.pubmed import source as pubmed

            http = _http(name, name, pubmed.error_of, access, connections, gates)
            return pubmed.PubMed(http, access.keys.get(name), access.email)
        case "google":
            return _google(access, connections, gates)
    raise ValueError(f"no source is called {name}")


def _google(access: Access, connections: ConnectionPool, gates: Path) -> Source:
    from connectors.google import source as google

    for provider in google.PROVIDERS:
        if key := access.keys.get(provider):
            http = _http("google", provider, google.error_of, access, connections, gates)
            return google.GoogleScholar(http, key, provider)
    return ClosedGoogle()


def _http(
    source: str, service: str, error_of: ErrorOf, access: Access, connections: ConnectionPool, gates: Path
) -> HttpClient:
    key = access.keys.get(service)
    base_url = access.urls.get(source) or HOME_PAGES[service]
    rate_limit = rate_limit_for(source, key is not None)
    # A new key or another address is another budget: it starts with an open gate.
    budget = hashlib.sha256(f"{base_url}\n{key.reveal() if key else ''}".encode()).hexdigest()[:12]
    limiter = RateLimiter(source, rate_limit, gates / f"{source}-{budget}.json")
    return HttpClient(
        source,
        base_url,
        rate_limit=rate_limit,
        limiter=limiter,
        connections=connections,
        error_of=error_of,
        secrets=[key] if key else [],
    )
