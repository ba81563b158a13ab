"""OpenAlex' entry in the registry."""

from connectors.capability import OF_PAPERS, Capability
from connectors.http.limits import RateLimit
from connectors.spec import Scope, Service, SourceSpec

SOURCE = "openalex"


OPENALEX = SourceSpec(
    name=SOURCE,
    title="OpenAlex",
    interface="OpenAlex REST API",
    search_page="https://openalex.org/works",
    strategy=("search", "filter"),
    capabilities=OF_PAPERS - {Capability.SIMILAR}
    | {Capability.LISTS_REFERENCES, Capability.CITING_ANY, Capability.PEOPLE, Capability.NEWEST_CITATIONS},
    schemes=("openalex", "doi", "pmid", "arxiv"),
    services=(Service(SOURCE, "OpenAlex", "https://api.openalex.org", "OPENALEX_API_KEY"),),
    url_variable="SPAR_OPENALEX_URL",
    rate_limit=RateLimit(gap=0.11, in_flight=4, rate_limited_rest=1.0),
    trust=5,
    scope=Scope(always="It covers all fields."),
    query_style="broad terms",
    needs_every_word=True,
    opener="connectors.openalex.source:open_source",
)
