"""A query as a model writes it: a sentence, and words for each way in which sources are best asked."""

from pydantic import BaseModel

from agents.run.events import ReadQuery
from agents.run.retrieval.queries import LONGEST_QUERY
from connectors.registry import SOURCES
from connectors.spec import QueryStyle

WORDS_FOR_SOURCES = """\
In each query semantic_scholar holds 2 to 6 technical and method terms, openalex 2 to 5 broader terms, pubmed MeSH \
headings, drugs and processes (empty if the subject is not biomedical)."""
"""What a prompt says of the words for sources."""


class Refined(BaseModel):
    """A refined query as a sentence, and as keywords for the sources that match words."""

    query: str
    semantic_scholar: str = ""
    openalex: str = ""
    pubmed: str = ""


def query_of(refined: Refined) -> ReadQuery:
    """The query as it is asked: in one line, and no longer than a query may be."""
    return ReadQuery(" ".join(refined.query.split())[:LONGEST_QUERY], keywords_of(refined))


def keywords_of(refined: Refined) -> tuple[tuple[str, str], ...]:
    """The words for each source that has any, by the way it is best asked in."""
    by_style: dict[QueryStyle, str] = {
        "technical terms": refined.semantic_scholar,
        "broad terms": refined.openalex,
        "subject headings": refined.pubmed,
    }
    keywords = ((name, by_style.get(spec.query_style, "")[:LONGEST_QUERY]) for name, spec in SOURCES.items())
    return tuple((name, words) for name, words in keywords if any(map(str.isalnum, words)))
