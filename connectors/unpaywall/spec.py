"""Unpaywall's entry: not a source of papers, but with a rate limit like one."""

from connectors.http.limits import RateLimit
from connectors.spec import Scope, Service, SourceSpec

SOURCE = "unpaywall"


UNPAYWALL = SourceSpec(
    name=SOURCE,
    title="Unpaywall",
    capabilities=frozenset(),
    schemes=("doi",),
    services=(Service(SOURCE, "Unpaywall", "https://api.unpaywall.org"),),
    url_variable="SPAR_UNPAYWALL_URL",
    # The limit is a hundred thousand calls a day per mail address.
    rate_limit=RateLimit(gap=0.9, failures=3, rest=120.0, rate_limited_rest=10.0),
    rate_limit_with_email=RateLimit(gap=0.9, failures=3, rest=120.0, rate_limited_rest=10.0),
    trust=0,
    scope=Scope(),
    opener="connectors.unpaywall.source:open_source",
)
