"""The services there are, where they live, and what a person has for them. Imports nothing heavy."""

from dataclasses import dataclass, field

from connectors.http.secret import Secret

LIVE_SOURCES = ("arxiv", "openalex", "semanticscholar", "pubmed", "google")
HOME_PAGES = {
    "arxiv": "https://export.arxiv.org",
    "openalex": "https://api.openalex.org",
    "semanticscholar": "https://api.semanticscholar.org",
    "pubmed": "https://eutils.ncbi.nlm.nih.gov",
    "serper": "https://google.serper.dev",
    "serpapi": "https://serpapi.com",
}


@dataclass(frozen=True, slots=True)
class Access:
    """What the person has for the services: keys by source (`serper` and `serpapi` for Google), addresses that
    replace the services' own, and the mail address NCBI asks for."""

    keys: dict[str, Secret] = field(default_factory=dict)
    urls: dict[str, str] = field(default_factory=dict)
    email: str | None = None
