"""Semantic Scholar's dumps tell of a paper in lower case; so its reader can read them, this is the spelling of its
replies."""

from typing import Any

from connectors.http.json_values import listing, mapping

_SERVED = {
    name.lower(): name
    for name in "paperId corpusId externalIds publicationDate publicationTypes citationCount referenceCount "
    "openAccessPdf s2FieldsOfStudy".split()
}
_NAMES = {name.lower(): name for name in ("DOI", "ArXiv", "PubMed", "PubMedCentral", "CorpusId", "MAG", "ACL", "DBLP")}


def as_served(row: dict[str, Any]) -> dict[str, Any]:
    """A row of the data set `papers` as the service's replies spell it; what is spelled so already stays.

    The row names no `paperId`: that stands at the end of its address."""
    fields = {_SERVED.get(name, name): value for name, value in row.items()}
    names = mapping(fields.get("externalIds"))
    fields["externalIds"] = {_NAMES.get(name.lower(), name): value for name, value in names.items()}
    if not fields.get("paperId") and isinstance(fields.get("url"), str):
        fields["paperId"] = fields["url"]
    if not isinstance(fields.get("publicationTypes"), list):
        fields["publicationTypes"] = listing(fields.get("publicationTypes"))
    return fields
