"""Convert records of Semantic Scholar's dumps, with lower-case names, to the spelling of its replies, so that one
reader reads both."""

from typing import Any

from connectors.http.json_values import listing, mapping

_SERVED = {
    name.lower(): name
    for name in "paperId corpusId externalIds publicationDate publicationTypes citationCount referenceCount "
    "openAccessPdf s2FieldsOfStudy".split()
}
_NAMES = {name.lower(): name for name in ("DOI", "ArXiv", "PubMed", "PubMedCentral", "CorpusId", "MAG", "ACL", "DBLP")}


def as_served(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row of the data set `papers` in the spelling of the service's replies; names already in it stay. The
    row has no `paperId`; it is at the end of the address."""
    fields = {_SERVED.get(name, name): value for name, value in row.items()}
    names = mapping(fields.get("externalIds"))
    fields["externalIds"] = {_NAMES.get(name.lower(), name): value for name, value in names.items()}
    if not fields.get("paperId") and isinstance(fields.get("url"), str):
        fields["paperId"] = fields["url"]
    if not isinstance(fields.get("publicationTypes"), list):
        fields["publicationTypes"] = listing(fields.get("publicationTypes"))
    return fields
