"""Crossref's entry in the registry."""

from connectors.capability import Capability
from connectors.http.limits import RateLimit
from connectors.spec import Scope, Service, SourceSpec

SOURCE = "crossref"
LISTS, RECORDS = "lists", "single records"
"""The kinds of requests with separate rate limits."""


CROSSREF = SourceSpec(
    name=SOURCE,
    title="Crossref",
    interface="Crossref REST API",
    search_page="https://search.crossref.org",
    strategy=("query.bibliographic", "filter"),
    capabilities=frozenset({Capability.SEARCH, Capability.SEARCH_ADDED, Capability.LOOKUP}),
    schemes=("doi",),
    services=(Service(SOURCE, "Crossref", "https://api.crossref.org"),),
    url_variable="SPAR_CROSSREF_URL",
    # One list and five records a second, three and ten with a mail address, one request at a time. If its headers allow
    # less, that holds.
    rate_limit=RateLimit(gap=1.05, gaps={LISTS: 1.05, RECORDS: 0.21}, failures=3, rest=120.0, rate_limited_rest=10.0),
    rate_limit_with_email=RateLimit(
        gap=0.35, gaps={LISTS: 0.35, RECORDS: 0.11}, failures=3, rest=120.0, rate_limited_rest=10.0
    ),
    trust=6,
    # Its search always returns something, so it is asked only if a title can show whether the result fits.
    scope=Scope(named_paper="Publishers register their papers here, each under its title and DOI."),
    query_style="sentence",
    opener="connectors.crossref.source:open_source",
)
