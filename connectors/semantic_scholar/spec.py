"""Semantic Scholar's entry in the registry."""

from connectors.capability import OF_PAPERS, Capability
from connectors.http.limits import RateLimit
from connectors.spec import Scope, Service, SourceSpec

SOURCE = "semanticscholar"


SEMANTIC_SCHOLAR = SourceSpec(
    name=SOURCE,
    title="Semantic Scholar",
    interface="Semantic Scholar Academic Graph API",
    search_page="https://www.semanticscholar.org/search",
    strategy=("query", "publicationDateOrYear"),
    aliases=("s2", "semantic-scholar", "semantic_scholar"),
    capabilities=OF_PAPERS | {Capability.PEOPLE, Capability.NEWEST_CITATIONS},
    schemes=("s2", "doi", "arxiv", "pmid", "pmcid"),
    services=(Service(SOURCE, "Semantic Scholar", "https://api.semanticscholar.org", "S2_API_KEY"),),
    url_variable="SPAR_SEMANTIC_SCHOLAR_URL",
    rate_limit=RateLimit(gap=3.0, tries=3, failures=3, rest=120.0),
    rate_limit_with_key=RateLimit(gap=1.05, tries=3),
    trust=4,
    scope=Scope(always="It covers all fields, with citations and abstracts."),
    needs_every_word=True,
    opener="connectors.semantic_scholar.source:open_source",
)
