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
    # The limit is a thousand requests in five minutes with a mail address, fewer without one, and spar sends none.
    rate_limit=RateLimit(gap=0.65, failures=3, rest=120.0, rate_limited_rest=10.0),
    trust=5,
    scope=Scope(),
    query_style="sentence",
    opener="connectors.datacite.source:open_source",
)
