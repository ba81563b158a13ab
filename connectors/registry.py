"""The live sources, one entry each: a source in `SOURCES` is searched, merged, checked, configured and documented.
To add a source, make a folder with its `spec.py` and list its entry here."""

from connectors.arxiv.spec import ARXIV
from connectors.capability import Capability
from connectors.crossref.spec import CROSSREF
from connectors.datacite.spec import DATACITE
from connectors.dblp.spec import DBLP
from connectors.europepmc.spec import EUROPE_PMC
from connectors.google.spec import GOOGLE
from connectors.openalex.spec import OPENALEX
from connectors.pubmed.spec import PUBMED
from connectors.semantic_scholar.spec import SEMANTIC_SCHOLAR
from connectors.spec import Access, SourceSpec
from connectors.unpaywall.spec import UNPAYWALL

SOURCES: dict[str, SourceSpec] = {
    spec.name: spec
    for spec in (ARXIV, OPENALEX, SEMANTIC_SCHOLAR, PUBMED, EUROPE_PMC, CROSSREF, DATACITE, DBLP, GOOGLE)
}
"""The sources by name, in the order in which they are asked and listed. Read it when needed; never copy it at
import."""


LOCATORS: dict[str, SourceSpec] = {spec.name: spec for spec in (UNPAYWALL,)}
"""Services that only locate a paper's PDF, asked only when one is fetched."""


def asked_unless_left_out() -> tuple[str, ...]:
    """Return the names of the sources that are asked by default."""
    return tuple(spec.name for spec in SOURCES.values() if not spec.optional)


def searchable() -> list[SourceSpec]:
    """Return the sources that can be searched."""
    return [spec for spec in SOURCES.values() if Capability.SEARCH in spec.capabilities]


def is_searchable(name: str) -> bool:
    """Whether the source `name` can be searched; registries only look up names."""
    return name not in SOURCES or Capability.SEARCH in SOURCES[name].capabilities


def titles() -> str:
    """Return the sources that are asked by default, as a list in a sentence."""
    *first, last = (spec.title for spec in searchable() if not spec.optional)
    return f"{', '.join(first)} and {last}"


def address_of(spec: SourceSpec, access: Access) -> str:
    """Return the address of a source: the person's setting, else its service's own."""
    return access.urls.get(spec.name) or spec.service(access).address


def for_references() -> list[SourceSpec]:
    """Return the sources that can look up references: those of all fields first, then the most trusted."""
    able = [spec for spec in SOURCES.values() if Capability.LOOKUP in spec.capabilities and not spec.paid]
    return sorted(able, key=lambda spec: (not spec.covers_all_fields, -spec.trust))
