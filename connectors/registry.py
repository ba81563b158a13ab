"""The live sources, one entry each: a source in `SOURCES` is searched, merged, checked, configured and documented.
To add a source, add its entry here and make a folder with its `source.py`."""

from connectors.capability import OF_PAPERS, Capability
from connectors.http.limits import RateLimit
from connectors.spec import Access, Scope, Service, SourceSpec

ARXIV = SourceSpec(
    name="arxiv",
    title="arXiv",
    interface="arXiv API",
    search_page="https://arxiv.org/search/advanced",
    strategy=("search_query",),
    capabilities=frozenset({Capability.SEARCH, Capability.LOOKUP}),
    schemes=("arxiv",),
    services=(Service("arxiv", "arXiv", "https://export.arxiv.org"),),
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

OPENALEX = SourceSpec(
    name="openalex",
    title="OpenAlex",
    interface="OpenAlex REST API",
    search_page="https://openalex.org/works",
    strategy=("search", "filter"),
    capabilities=OF_PAPERS - {Capability.SIMILAR}
    | {Capability.LISTS_REFERENCES, Capability.CITING_ANY, Capability.PEOPLE, Capability.NEWEST_CITATIONS},
    schemes=("openalex", "doi", "pmid", "arxiv"),
    services=(Service("openalex", "OpenAlex", "https://api.openalex.org", "OPENALEX_API_KEY"),),
    url_variable="SPAR_OPENALEX_URL",
    rate_limit=RateLimit(gap=0.11, in_flight=4, rate_limited_rest=1.0),
    trust=5,
    scope=Scope(always="It covers all fields."),
    query_style="broad terms",
    needs_every_word=True,
    opener="connectors.openalex.source:open_source",
)

SEMANTIC_SCHOLAR = SourceSpec(
    name="semanticscholar",
    title="Semantic Scholar",
    interface="Semantic Scholar Academic Graph API",
    search_page="https://www.semanticscholar.org/search",
    strategy=("query", "publicationDateOrYear"),
    aliases=("s2", "semantic-scholar", "semantic_scholar"),
    capabilities=OF_PAPERS | {Capability.PEOPLE, Capability.NEWEST_CITATIONS},
    schemes=("s2", "doi", "arxiv", "pmid", "pmcid"),
    services=(Service("semanticscholar", "Semantic Scholar", "https://api.semanticscholar.org", "S2_API_KEY"),),
    url_variable="SPAR_SEMANTIC_SCHOLAR_URL",
    rate_limit=RateLimit(gap=3.0, tries=3, failures=3, rest=120.0),
    rate_limit_with_key=RateLimit(gap=1.05, tries=3),
    trust=4,
    scope=Scope(always="It covers all fields, with citations and abstracts."),
    needs_every_word=True,
    opener="connectors.semantic_scholar.source:open_source",
)

PUBMED = SourceSpec(
    name="pubmed",
    title="PubMed",
    interface="NCBI E-utilities (esearch, efetch)",
    search_page="https://pubmed.ncbi.nlm.nih.gov/advanced/",
    strategy=("term",),
    capabilities=OF_PAPERS | {Capability.SEARCH_ADDED},
    schemes=("pmid", "doi", "pmcid"),
    services=(Service("pubmed", "PubMed", "https://eutils.ncbi.nlm.nih.gov", "NCBI_API_KEY"),),
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

EUROPE_PMC = SourceSpec(
    name="europepmc",
    title="Europe PMC",
    interface="Europe PMC Articles RESTful API",
    search_page="https://europepmc.org/advancesearch",
    strategy=("query",),
    aliases=("europe-pmc", "europe_pmc", "epmc"),
    capabilities=frozenset({Capability.SEARCH, Capability.SEARCH_ADDED, Capability.LOOKUP}),
    schemes=("pmid", "pmcid", "doi"),
    services=(Service("europepmc", "Europe PMC", "https://www.ebi.ac.uk/europepmc/webservices/rest"),),
    url_variable="SPAR_EUROPEPMC_URL",
    # Europe PMC publishes no limit.
    rate_limit=RateLimit(gap=0.25, failures=3, rest=120.0, rate_limited_rest=10.0),
    trust=7,
    scope=Scope(
        own_identifier="The question names a PubMed or PubMed Central id.",
        by_subject="The question may touch health or the life sciences; it has their preprints beside PubMed.",
        subjects="health, psychology and the life sciences",
    ),
    query_style="subject headings",
    opener="connectors.europepmc.source:open_source",
)

LISTS, RECORDS = "lists", "single records"
"""The kinds of requests with separate rate limits."""
CROSSREF = SourceSpec(
    name="crossref",
    title="Crossref",
    interface="Crossref REST API",
    search_page="https://search.crossref.org",
    strategy=("query.bibliographic", "filter"),
    capabilities=frozenset({Capability.SEARCH, Capability.SEARCH_ADDED, Capability.LOOKUP}),
    schemes=("doi",),
    services=(Service("crossref", "Crossref", "https://api.crossref.org"),),
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

DATACITE = SourceSpec(
    name="datacite",
    title="DataCite",
    capabilities=frozenset({Capability.LAST_LOOKUP}),
    schemes=("doi",),
    services=(Service("datacite", "DataCite", "https://api.datacite.org"),),
    url_variable="SPAR_DATACITE_URL",
    # The limit is a thousand requests in five minutes with a mail address, fewer without one, and spar sends none.
    rate_limit=RateLimit(gap=0.65, failures=3, rest=120.0, rate_limited_rest=10.0),
    trust=5,
    scope=Scope(),
    query_style="sentence",
    opener="connectors.datacite.source:open_source",
)

DBLP = SourceSpec(
    name="dblp",
    title="dblp",
    interface="dblp publication search API",
    search_page="https://dblp.org/search",
    strategy=("q",),
    capabilities=frozenset({Capability.SEARCH}),
    schemes=(),
    services=(Service("dblp", "dblp", "https://dblp.org"),),
    url_variable="SPAR_DBLP_URL",
    optional=True,
    # dblp publishes no limit; five to seven seconds between requests were never refused.
    rate_limit=RateLimit(gap=6.0, tries=1, failures=1, rest=600.0, rate_limited_rest=600.0),
    trust=3,
    scope=Scope(by_subject="The question may touch computer science, which it indexes.", subjects="computer science"),
    opener="connectors.dblp.source:open_source",
)

_FIELDS = ("humanities", "law and politics", "education", "economics", "sociology")
_FORGIVING = "It takes a whole sentence and forgives its wording."
GOOGLE = SourceSpec(
    name="google",
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

UNPAYWALL = SourceSpec(
    name="unpaywall",
    title="Unpaywall",
    capabilities=frozenset(),
    schemes=("doi",),
    services=(Service("unpaywall", "Unpaywall", "https://api.unpaywall.org"),),
    url_variable="SPAR_UNPAYWALL_URL",
    # The limit is a hundred thousand calls a day per mail address.
    rate_limit=RateLimit(gap=0.9, failures=3, rest=120.0, rate_limited_rest=10.0),
    rate_limit_with_email=RateLimit(gap=0.9, failures=3, rest=120.0, rate_limited_rest=10.0),
    trust=0,
    scope=Scope(),
    opener="connectors.unpaywall.source:open_source",
)

SOURCES: dict[str, SourceSpec] = {
    spec.name: spec
    for spec in (ARXIV, OPENALEX, SEMANTIC_SCHOLAR, PUBMED, EUROPE_PMC, CROSSREF, DATACITE, DBLP, GOOGLE)
}
"""The sources by name, in the order in which they are asked and listed. Read it when needed; never copy it at
import."""

LOCATORS: dict[str, SourceSpec] = {spec.name: spec for spec in (UNPAYWALL,)}
"""Services that only locate a paper's PDF, asked only when one is fetched."""


def asked_unless_left_out() -> tuple[str, ...]:
    """Return the names of the sources that are asked by default."""
    return tuple(spec.name for spec in SOURCES.values() if not spec.optional)


def searchable() -> list[SourceSpec]:
    """Return the sources that can be searched."""
    return [spec for spec in SOURCES.values() if Capability.SEARCH in spec.capabilities]


def is_searchable(name: str) -> bool:
    """Whether the source `name` can be searched; registries only look up names."""
    return name not in SOURCES or Capability.SEARCH in SOURCES[name].capabilities


def titles() -> str:
    """Return the sources that are asked by default, as a list in a sentence."""
    *first, last = (spec.title for spec in searchable() if not spec.optional)
    return f"{', '.join(first)} and {last}"


def address_of(spec: SourceSpec, access: Access) -> str:
    """Return the address of a source: the person's setting, else its service's own."""
    return access.urls.get(spec.name) or spec.service(access).address


def for_references() -> list[SourceSpec]:
    """Return the sources that can look up references: those of all fields first, then the most trusted."""
    able = [spec for spec in SOURCES.values() if Capability.LOOKUP in spec.capabilities and not spec.paid]
    return sorted(able, key=lambda spec: (not spec.covers_all_fields, -spec.trust))
