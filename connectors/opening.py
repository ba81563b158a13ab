"""Open sources: each with the person's key, at its address, within its rate limit."""

import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from connectors.capability import Capability
from connectors.errors import NotConfigured
from connectors.registry import SOURCES, UNPAYWALL, address_of
from connectors.source import Source
from connectors.spec import Access, Connection, SourceSpec

if TYPE_CHECKING:
    from connectors.http.pool import ConnectionPool
    from connectors.http.responses import ErrorOf
    from connectors.unpaywall.source import Unpaywall


class ClosedSource(Source):
    """A source without its required key: it is off and says so."""

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
    """Open the sources called `names`. `limiters` is the folder in which all processes share rate limits. Raises
    `KeyError` for an unknown name."""
    return {name: _open(SOURCES[name], access, connections, limiters) for name in names}


def open_unpaywall(access: Access, connections: "ConnectionPool", limiters: Path) -> "Unpaywall":
    """Open Unpaywall, which requires the person's mail address."""
    from connectors.unpaywall.source import Unpaywall

    source = _open(UNPAYWALL, access, connections, limiters)
    assert isinstance(source, Unpaywall)
    return source


def _open(spec: SourceSpec, access: Access, connections: "ConnectionPool", limiters: Path) -> Source:
    service = spec.service(access)
    key = access.keys.get(service.name)
    if not spec.is_open(access):
        return ClosedSource(spec)
    open_source = spec.load()
    from connectors.http.client import HttpClient
    from connectors.http.rate_limiter import RateLimiter

    def http(error_of: "ErrorOf") -> HttpClient:
        base_url = address_of(spec, access)
        rate_limit = spec.limit(with_key=key is not None, with_email=access.email is not None)
        # A new key or address has its own budget and starts without a wait. Neither is stored.
        account = (access.email or "") if spec.rate_limit_with_email else ""
        budget = hashlib.sha256(f"{base_url}\n{key.reveal() if key else ''}{account}".encode()).hexdigest()[:12]
        return HttpClient(
            spec.name,
            base_url,
            rate_limit=rate_limit,
            limiter=RateLimiter(
                spec.name, rate_limit, limiters / f"{spec.name}-{budget}.json", background=access.background
            ),
            connections=connections,
            error_of=error_of,
            secrets=[key] if key else [],
        )

    return open_source(Connection(service.name, key, access.email, http))
