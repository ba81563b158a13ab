"""Which sources to ask: those strong in the question's field, and always one that covers all fields (SPAR §3.2)."""

from collections.abc import Sequence

from agents.builtin.question_parsing.question import Reading

_ALL_FIELDS = {
    "openalex": "covers all fields",
    "semanticscholar": "covers all fields, with citations and abstracts",
}
_ARXIV_FIELDS = ("computer science", "physics", "mathematics")
_PUBMED_FIELDS = ("biomedicine", "psychology")


def choose_sources(reading: Reading, available: Sequence[str]) -> dict[str, str]:
    """Those of `available` worth asking, each with the reason in a short sentence, in the order of `available`.

    Never empty unless `available` is. A source this does not know was added by the person and is always asked.
    """
    chosen = {name: reason for name in available if (reason := _reason(reading, name))}
    return chosen or dict.fromkeys(available, "Nothing that suits the question better is available.")


def _reason(reading: Reading, name: str) -> str | None:
    if name in _ALL_FIELDS:
        return f"It {_ALL_FIELDS[name]}."
    if name == "arxiv":
        return _arxiv_reason(reading)
    if name == "pubmed":
        return _pubmed_reason(reading)
    if name == "google":
        return _google_reason(reading)
    return "It was added to the sources and is always asked."


def _arxiv_reason(reading: Reading) -> str | None:
    if any(paper.startswith("arxiv:") for paper in reading.papers):
        return "The paper asked for is named by its arXiv id."
    if reading.domain is None:
        return "The field is not clear, and it may be one of its fields."
    if reading.domain.startswith(_ARXIV_FIELDS):
        return f"Preprints in {reading.domain.split(':')[0]} appear here first."
    if reading.domain in ("economics", "engineering"):
        return f"It holds part of {reading.domain}."
    return None


def _pubmed_reason(reading: Reading) -> str | None:
    if any(paper.startswith(("pmid:", "pmcid:")) for paper in reading.papers):
        return "The paper asked for is named by its PubMed id."
    if reading.domain is None:
        return "The field is not clear, and it may be biomedicine."
    if reading.domain in _PUBMED_FIELDS:
        return "It is the index of biomedicine and the life sciences."
    if reading.domain == "chemistry":
        return "It holds the chemistry that matters to medicine."
    return None


def _google_reason(reading: Reading) -> str | None:
    if reading.papers:
        return "A title is found best by its exact words."
    if reading.domain is None or reading.needs_refinement:
        return "It takes a whole sentence and forgives its wording."
    if reading.domain in ("humanities", "law and politics", "education", "economics", "sociology"):
        return "It finds books and reports the indexes of papers lack."
    return None
