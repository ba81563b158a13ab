"""The live sources, each one entry: what is entered in `SOURCES` is searched, merged, checked, set up and helped with.

To add a source, make a folder with its `spec.py` and list its entry here.
"""

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
"""By name, in the order in which they are asked and listed. To be read when it is needed, never copied at import."""


LOCATORS: dict[str, SourceSpec] = {spec.name: spec for spec in (UNPAYWALL,)}
"""Services that tell only where a paper's PDF is: asked when one is fetched, and for nothing else."""


def asked_unless_left_out() -> tuple[str, ...]:
    """The names of the sources that are asked where the person says nothing of sources."""
    return tuple(spec.name for spec in SOURCES.values() if not spec.optional)


def searchable() -> list[SourceSpec]:
    """The sources that a question can be asked."""
    return [spec for spec in SOURCES.values() if Capability.SEARCH in spec.capabilities]


def is_searchable(name: str) -> bool:
    """Whether a question can be asked at what is called `name`: a registry of names alone cannot be searched."""
    return name not in SOURCES or Capability.SEARCH in SOURCES[name].capabilities


def titles() -> str:
    """The sources that a question is asked unless the person chooses others, as they are named in a sentence."""
    *first, last = (spec.title for spec in searchable() if not spec.optional)
    return f"{', '.join(first)} and {last}"


def address_of(spec: SourceSpec, access: Access) -> str:
    """Where the source is asked: at the person's address for it, else at its service's own."""
    return access.urls.get(spec.name) or spec.service(access).address


def for_references() -> list[SourceSpec]:
    """The sources that can look up what a paper cites: those of all fields first, then the most trusted."""
    able = [spec for spec in SOURCES.values() if Capability.LOOKUP in spec.capabilities and not spec.paid]
    return sorted(able, key=lambda spec: (not spec.covers_all_fields, -spec.trust))
