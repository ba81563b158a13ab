"""Europe PMC's entry in the registry."""

from connectors.capability import Capability
from connectors.http.limits import RateLimit
from connectors.spec import Scope, Service, SourceSpec

SOURCE = "europepmc"


EUROPE_PMC = SourceSpec(
    name=SOURCE,
    title="Europe PMC",
    interface="Europe PMC Articles RESTful API",
    search_page="https://europepmc.org/advancesearch",
    strategy=("query",),
    aliases=("europe-pmc", "europe_pmc", "epmc"),
    capabilities=frozenset({Capability.SEARCH, Capability.SEARCH_ADDED, Capability.LOOKUP}),
    schemes=("pmid", "pmcid", "doi"),
    services=(Service(SOURCE, "Europe PMC", "https://www.ebi.ac.uk/europepmc/webservices/rest"),),
    url_variable="SPAR_EUROPEPMC_URL",
    # Europe PMC publishes no limit.
    rate_limit=RateLimit(gap=0.25, failures=3, rest=120.0, rate_limited_rest=10.0),
    trust=7,
    scope=Scope(
        own_identifier="The question names a PubMed or PubMed Central id.",
        by_subject="The question may touch health or the life sciences; it has their preprints beside PubMed.",
        subjects="health, psychology and the life sciences",
    ),
    query_style="subject headings",
    opener="connectors.europepmc.source:open_source",
)
