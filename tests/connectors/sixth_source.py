"""A sixth source, which is known to no other file of the program: one entry, and papers of its own."""

from connectors.capability import Capability
from connectors.http.limits import RateLimit
from connectors.source import Source
from connectors.spec import Connection, Scope, Service, SourceSpec
from tests.agents.scripted import ScriptedSource, paper

SPARSE = paper(
    "Sparse retrieval of passages",
    "10.6000/sparse",
    abstract="We study sparse retrieval of passages with inverted indexes. It works well.",
    source="sixth",
)
TRUST = 9


def open_source(connection: Connection) -> Source:
    return ScriptedSource("sixth", [SPARSE], known=[SPARSE])


SIXTH = SourceSpec(
    name="sixth",
    title="Sixth Index",
    aliases=("six",),
    capabilities=frozenset({Capability.SEARCH, Capability.LOOKUP}),
    schemes=("doi", "arxiv", "pmid"),
    services=(Service("sixth", "Sixth Index", "https://api.sixth.example", "SIXTH_API_KEY"),),
    url_variable="SPAR_SIXTH_URL",
    rate_limit=RateLimit(gap=2.0),
    rate_limit_with_key=RateLimit(gap=0.5),
    trust=TRUST,
    scope=Scope(always="It covers what no other source covers."),
    opener=f"{__name__}:open_source",
)
