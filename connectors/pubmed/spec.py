"""PubMed's entry in the registry."""

from connectors.capability import OF_PAPERS, Capability
from connectors.http.limits import RateLimit
from connectors.spec import Scope, Service, SourceSpec

SOURCE = "pubmed"


PUBMED = SourceSpec(
    name=SOURCE,
    title="PubMed",
    interface="NCBI E-utilities (esearch, efetch)",
    search_page="https://pubmed.ncbi.nlm.nih.gov/advanced/",
    strategy=("term",),
    capabilities=OF_PAPERS | {Capability.SEARCH_ADDED},
    schemes=("pmid", "doi", "pmcid"),
    services=(Service(SOURCE, "PubMed", "https://eutils.ncbi.nlm.nih.gov", "NCBI_API_KEY"),),
    url_variable="SPAR_PUBMED_URL",
    # Three requests in any second, ten with a key, measured at the service.
    rate_limit=RateLimit(gap=0.34, in_flight=3, window=1.05, rate_limited_rest=1.05),
    rate_limit_with_key=RateLimit(gap=0.11, in_flight=10, window=1.05, rate_limited_rest=1.05),
    trust=8,
    scope=Scope(
        own_identifier="The question names a PubMed id.",
        by_subject="The question may touch health or the life sciences, which it indexes.",
        subjects="health, psychology and the life sciences",
    ),
    query_style="subject headings",
    opener="connectors.pubmed.source:open_source",
)
