"""Convert a question to Europe PMC's query language, which searches full texts unless fields are named."""

from datetime import date

from connectors.errors import NotAskable
from connectors.identifiers import Identifier
from connectors.query.dialects import sent_text
from connectors.query.terms import Term, content, most_telling, terms_of
from connectors.registry import EUROPE_PMC
from connectors.source import Query

REQUIRED_TERMS = 8
"""Maximum number of required words: hardly any paper has more of them together."""
ANY_TERMS = 15
LITERATURE = "(SRC:MED OR SRC:PMC OR SRC:PPR)"
"""Articles and preprints, without patents and guidelines."""
_OPERATORS = frozenset({"and", "or", "not"})
_FIRST_DAY, _LAST_DAY = date(1500, 1, 1), date(2099, 12, 31)


def search_queries(query: Query) -> tuple[str, str]:
    """Return two queries: for papers with all words in title, abstract or authors, and for papers with any word in
    title or abstract. An expression is used for both. Raises `NotAskable` if no word is left."""
    bounds = [LITERATURE, *_bounds(query)]
    if (expression := sent_text(EUROPE_PMC.name, query)) is not None:
        whole = " AND ".join([f"({expression})", *bounds])
        return whole, whole
    telling = [term for term in content(terms_of(EUROPE_PMC.name, query.text)) if not set(term.words) <= _OPERATORS]
    if not telling:
        raise NotAskable(EUROPE_PMC.name, "the query has no words to search for.")
    every = [f"(TITLE_ABS:{_spelled(term)} OR AUTH:{_spelled(term)})" for term in most_telling(telling, REQUIRED_TERMS)]
    some = [f"TITLE_ABS:{_spelled(term)}" for term in most_telling(telling, ANY_TERMS)]
    narrow, wide = " AND ".join(every), f"({' OR '.join(some)})"
    return " AND ".join([narrow, *bounds]), " AND ".join([wide if len(telling) > 1 else narrow, *bounds])


def lookup_query(names: list[Identifier]) -> str:
    """Return a query for the records with these identifiers."""
    return " OR ".join(map(named, names))


def named(name: Identifier) -> str:
    """Return one identifier as a search term. DOIs contain brackets and colons, which are syntax outside quotes."""
    match name.scheme:
        case "pmid":
            return f"(EXT_ID:{name.value} AND SRC:MED)"
        case "pmcid":
            return f"PMCID:{name.value}"
    return f'DOI:"{name.value}"'


def _spelled(term: Term) -> str:
    return f'"{" ".join(term.words)}"' if term.joined else term.words[0]


def _bounds(query: Query) -> list[str]:
    added = [f"FIRST_IDATE:[{query.added.isoformat()} TO {_LAST_DAY.isoformat()}]"] if query.added else []
    if not (query.since or query.until):
        return added
    since, until = query.since or _FIRST_DAY, query.until or _LAST_DAY
    return [f"FIRST_PDATE:[{since.isoformat()} TO {until.isoformat()}]", *added]
