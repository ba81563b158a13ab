"""The live sources, each one entry: what is entered in `SOURCES` is searched, merged, checked, set up and helped with.

To add a source, make a folder with its `spec.py` and list its entry here.
"""

import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from connectors.arxiv.spec import ARXIV
from connectors.errors import NotConfigured
from connectors.google.spec import GOOGLE
from connectors.openalex.spec import OPENALEX
from connectors.pubmed.spec import PUBMED
from connectors.semantic_scholar.spec import SEMANTIC_SCHOLAR
from connectors.source import Capability, PartialSource, Source
from connectors.spec import Access, Connection, SourceSpec

if TYPE_CHECKING:
    from connectors.http.pool import ConnectionPool
    from connectors.http.responses import ErrorOf

SOURCES: dict[str, SourceSpec] = {spec.name: spec for spec in (ARXIV, OPENALEX, SEMANTIC_SCHOLAR, PUBMED, GOOGLE)}
"""By name, in the order in which they are asked and listed. To be read when it is needed, never copied at import."""


class ClosedSource(PartialSource):
    """A source without the key that it needs: off, and saying so."""

    capabilities = frozenset({Capability.SEARCH})
    schemes = ()

    def __init__(self, spec: SourceSpec) -> None:
        self.name = spec.name
        variables = " or ".join(service.key_variable for service in spec.services)
        self.why = f"is off: it needs a key of yours in {variables}."

    def _unsupported(self, what: str) -> NotConfigured:  # type: ignore[override]  # a refusal like any other
        return NotConfigured(self.name, self.why)


def open_sources(
    names: Iterable[str], access: Access, connections: "ConnectionPool", limiters: Path
) -> dict[str, Source]:
    """The sources called `names`. `limiters` is the folder in which all processes keep the rate limits together.

    Raises `KeyError` for a name that is not in the table, `OSError` if the folder cannot be made.
    """
    limiters.mkdir(parents=True, exist_ok=True, mode=0o700)
    return {name: _open(SOURCES[name], access, connections, limiters) for name in names}


def address_of(spec: SourceSpec, access: Access) -> str:
    """Where the source is asked: at the person's address for it, else at its service's own."""
    return access.urls.get(spec.name) or spec.service(access).address


def for_references() -> list[SourceSpec]:
    """The sources that can look up what a paper cites: those of all fields first, then the most trusted."""
    able = [spec for spec in SOURCES.values() if Capability.LOOKUP in spec.capabilities and not spec.paid]
    return sorted(able, key=lambda spec: (not spec.covers_all_fields, -spec.trust))


def _open(spec: SourceSpec, access: Access, connections: "ConnectionPool", limiters: Path) -> Source:
    service = spec.service(access)
    key = access.keys.get(service.name)
    if spec.needs_key and key is None:
        return ClosedSource(spec)
    open_source = spec.load()
    from connectors.http.client import HttpClient
    from connectors.http.rate_limiter import RateLimiter

    def http(error_of: "ErrorOf") -> HttpClient:
        base_url, rate_limit = address_of(spec, access), spec.limit(with_key=key is not None)
        # A new key or another address is another budget: it starts with no wait.
        budget = hashlib.sha256(f"{base_url}\n{key.reveal() if key else ''}".encode()).hexdigest()[:12]
        return HttpClient(
            spec.name,
            base_url,
            rate_limit=rate_limit,
            limiter=RateLimiter(spec.name, rate_limit, limiters / f"{spec.name}-{budget}.json"),
            connections=connections,
            error_of=error_of,
            secrets=[key] if key else [],
        )

    return open_source(Connection(service.name, key, access.email, http))
