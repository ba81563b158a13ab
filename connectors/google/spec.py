"""Google Scholar's entry in the registry: used through a provider that the person pays, off until there is a key."""

from connectors.capability import Capability
from connectors.http.limits import RateLimit
from connectors.spec import Scope, Service, SourceSpec

SOURCE = "google"
_FIELDS = ("humanities", "law and politics", "education", "economics", "sociology")
_FORGIVING = "It takes a whole sentence and forgives its wording."


GOOGLE = SourceSpec(
    name=SOURCE,
    title="Google",
    interface="Google Scholar search API of serper.dev or serpapi.com",
    search_page="https://scholar.google.com",
    strategy=("q", "as_ylo", "as_yhi"),
    capabilities=frozenset({Capability.SEARCH}),
    schemes=(),
    services=(
        # the cheaper one first
        Service("serper", "Google by serper.dev", "https://google.serper.dev", "SERPER_API_KEY"),
        Service("serpapi", "Google by serpapi.com", "https://serpapi.com", "SERPAPI_API_KEY"),
    ),
    url_variable="SPAR_GOOGLE_URL",
    needs_key=True,
    paid=True,
    rate_limit=RateLimit(gap=0.21, in_flight=2, tries=1, rate_limited_rest=1.0),
    trust=1,
    scope=Scope(
        named_paper="A title is found best by its exact words.",
        unclear_field=_FORGIVING,
        vague_question=_FORGIVING,
        fields=dict.fromkeys(_FIELDS, "It finds books and reports the indexes of papers lack."),
    ),
    query_style="sentence",
    opener="connectors.google.source:open_source",
)
