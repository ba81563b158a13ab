"""dblp's entry in the registry."""

from connectors.capability import Capability
from connectors.http.limits import RateLimit
from connectors.spec import Scope, Service, SourceSpec

SOURCE = "dblp"


DBLP = SourceSpec(
    name=SOURCE,
    title="dblp",
    interface="dblp publication search API",
    search_page="https://dblp.org/search",
    strategy=("q",),
    capabilities=frozenset({Capability.SEARCH}),
    schemes=(),
    services=(Service(SOURCE, "dblp", "https://dblp.org"),),
    url_variable="SPAR_DBLP_URL",
    optional=True,
    # dblp publishes no limit; five to seven seconds between requests were never refused.
    rate_limit=RateLimit(gap=6.0, tries=1, failures=1, rest=600.0, rate_limited_rest=600.0),
    trust=3,
    scope=Scope(by_subject="The question may touch computer science, which it indexes.", subjects="computer science"),
    opener="connectors.dblp.source:open_source",
)
