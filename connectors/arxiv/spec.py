"""arXiv's entry in the registry."""

from connectors.capability import Capability
from connectors.http.limits import RateLimit
from connectors.spec import Scope, Service, SourceSpec

SOURCE = "arxiv"


ARXIV = SourceSpec(
    name=SOURCE,
    title="arXiv",
    interface="arXiv API",
    search_page="https://arxiv.org/search/advanced",
    strategy=("search_query",),
    capabilities=frozenset({Capability.SEARCH, Capability.LOOKUP}),
    schemes=("arxiv",),
    services=(Service(SOURCE, "arXiv", "https://export.arxiv.org"),),
    url_variable="SPAR_ARXIV_URL",
    rate_limit=RateLimit(gap=3.05, tries=1, keep_alive=False, failures=1, rest=600.0, rate_limited_rest=600.0),
    trust=3,
    scope=Scope(
        own_identifier="The question names an arXiv id.",
        by_subject="The question may touch physics, mathematics or computer science, whose preprints appear here.",
        subjects="physics, mathematics, computer science and what uses them",
    ),
    opener="connectors.arxiv.source:open_source",
)
