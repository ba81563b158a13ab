"""The sources as people name them in a request: those of `connectors.registry`, and what else they are called."""

SPOKEN = {
    "arxiv": "arxiv",
    "openalex": "openalex",
    "semantic scholar": "semanticscholar",
    "semanticscholar": "semanticscholar",
    "s2": "semanticscholar",
    "pubmed": "pubmed",
    "medline": "pubmed",
    "europe pmc": "europepmc",
    "europepmc": "europepmc",
    "epmc": "europepmc",
    "crossref": "crossref",
    "dblp": "dblp",
    "google scholar": "google",
    "google": "google",
}
"""The name of each source by every way of naming it, in lower case."""
ANY_SOURCE = "|".join(sorted(SPOKEN, key=len, reverse=True))
"""All ways of naming one, of two that begin alike the longer before the shorter."""
