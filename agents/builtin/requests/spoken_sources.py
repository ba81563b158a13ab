"""The sources as people name them in a request."""

from connectors.registry import SOURCES

_ALSO = {"medline": "pubmed", "google scholar": "google"}
SPOKEN = _ALSO | {
    spelling: spec.name
    for spec in SOURCES.values()
    for spelling in (spec.title.lower(), spec.name, *spec.aliases)
    if spelling.replace(" ", "").isalnum()
}
"""The name of each source by every way of naming it, in lower case."""
ANY_SOURCE = "|".join(sorted(SPOKEN, key=len, reverse=True))
"""All ways of naming one, of two that begin alike the longer before the shorter."""
