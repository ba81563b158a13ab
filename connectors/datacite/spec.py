"""DataCite's entry in the registry."""

from connectors.capability import Capability
from connectors.http.limits import RateLimit
from connectors.spec import Scope, Service, SourceSpec

SOURCE = "datacite"


DATACITE = SourceSpec(
    name=SOURCE,
    title="DataCite",
    capabilities=frozenset({Capability.LAST_LOOKUP}),
    schemes=("doi",),
    services=(Service(SOURCE, "DataCite", "https://api.datacite.org"),),
    url_variable="SPAR_DATACITE_URL",
    # A thousand requests in five minutes for those who say who they are, fewer for others: nobody is told to it.
    rate_limit=RateLimit(gap=0.65, failures=3, rest=120.0, rate_limited_rest=10.0),
    trust=5,
    scope=Scope(),
    query_style="sentence",
    opener="connectors.datacite.source:open_source",
)
