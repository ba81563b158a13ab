"""Opening the doors: every live source, wired to its service with the person's keys and addresses."""

import hashlib
from collections.abc import Sequence
from pathlib import Path

from connectors.errors import NotConfigured
from connectors.http.client import Wire
from connectors.http.limits import policy_for
from connectors.http.pool import Connections
from connectors.http.rate_limiter import Gate
from connectors.http.responses import Explain
from connectors.services import HOME_PAGES, Access
from connectors.source import Ability, PartialDoor, Source


class ClosedGoogle(PartialDoor):
    """Google without a key: off, and saying so."""

    name = "google"
    abilities = frozenset({Ability.SEARCH})
    schemes = ()
    why = "is off: it needs a key of yours in SERPER_API_KEY or SERPAPI_API_KEY."

    def _lacking(self, what: str) -> NotConfigured:  # type: ignore[override]  # a refusal like any other
        return NotConfigured(self.name, self.why)


def open_doors(names: Sequence[str], access: Access, connections: Connections, gates: Path) -> dict[str, Source]:
    """The doors called `names`. `gates` is the folder in which all processes keep their manners."""
    gates.mkdir(parents=True, exist_ok=True, mode=0o700)
    return {name: _door(name, access, connections, gates) for name in names}


def _door(name: str, access: Access, connections: Connections, gates: Path) -> Source:
    # Each door brings in its client library, so it is imported when it is opened.
    match name:
        case "arxiv":
            from connectors.arxiv import source as arxiv

            return arxiv.Arxiv(_wire(name, name, arxiv.explain, access, connections, gates))
        case "openalex":
            from connectors.openalex import source as openalex

            wire = _wire(name, name, openalex.explain, access, connections, gates)
            return openalex.OpenAlex(wire, access.keys.get(name))
        case "semanticscholar":
            from connectors.semantic_scholar import source as semantic_scholar

            wire = _wire(name, name, semantic_scholar.explain, access, connections, gates)
            return semantic_scholar.SemanticScholar(wire, access.keys.get(name))
        case "pubmed":
            from connectors.pubmed import source as pubmed

            wire = _wire(name, name, pubmed.explain, access, connections, gates)
            return pubmed.PubMed(wire, access.keys.get(name), access.email)
        case "google":
            return _google(access, connections, gates)
    raise ValueError(f"no source is called {name}")


def _google(access: Access, connections: Connections, gates: Path) -> Source:
    from connectors.google import source as google

    for provider in google.PROVIDERS:
        if key := access.keys.get(provider):
            wire = _wire("google", provider, google.explain, access, connections, gates)
            return google.GoogleScholar(wire, key, provider)
    return ClosedGoogle()


def _wire(source: str, service: str, explain: Explain, access: Access, connections: Connections, gates: Path) -> Wire:
    key = access.keys.get(service)
    base_url = access.urls.get(source) or HOME_PAGES[service]
    policy = policy_for(source, key is not None)
    # A new key or another address is another budget: it starts with an open gate.
    budget = hashlib.sha256(f"{base_url}\n{key.reveal() if key else ''}".encode()).hexdigest()[:12]
    gate = Gate(source, policy, gates / f"{source}-{budget}.json")
    return Wire(
        source,
        base_url,
        policy=policy,
        gate=gate,
        connections=connections,
        explain=explain,
        secrets=[key] if key else [],
    )
