"""Convert a question to PubMed's terms: PubMed maps words to its thesaurus, but requires every one of them."""

from connectors.errors import NotAskable
from connectors.query.stopwords import STOP_WORDS
from connectors.query.terms import Term, content, most_telling, terms_of
from connectors.registry import PUBMED

REQUIRED_TERMS = 8
"""Maximum number of required words: hardly any paper matches more of them together."""
ANY_TERMS = 15
_GLUE = (Term(("of",)), Term(("in",)))
"""Stop words that PubMed ignores but needs in "quality of life" and "carcinoma in situ"."""
_OPERATORS = frozenset({"and", "or", "not"})
"""Operators in every spelling."""


def search_terms(text: str) -> tuple[str, str]:
    """Return two terms for esearch: for papers that match all words, and for papers that match any.

    Neither has field tags, quotes or truncation; only the second has operators. Raises `NotAskable` without a word.
    """
    every = terms_of(PUBMED.name, text)
    telling = [term for term in content(every) if _spelled(term)]
    if not telling:
        raise NotAskable(PUBMED.name, "the query has no words to search for.")
    if all(word in STOP_WORDS for term in telling for word in term.words):
        raise NotAskable(PUBMED.name, "it ignores words that every text has, and the query has no others.")
    required = most_telling(telling, REQUIRED_TERMS)
    narrow = " ".join(_spelled(term) for term in _glued(every, required))
    wide = " OR ".join(f"({_spelled(term)})" for term in most_telling(telling, ANY_TERMS))
    return narrow, wide if len(telling) > 1 else narrow


def _glued(every: list[Term], required: list[Term]) -> list[Term]:
    """Return the required terms, with the glue words between two of them."""
    before, after = [None, *every[:-1]], [*every[1:], None]
    return [
        term
        for left, term, right in zip(before, every, after, strict=True)
        if term in required or (term in _GLUE and left in required and right in required)
    ]


def _spelled(term: Term) -> str:
    if not term.quoted:
        return "" if set(term.words) <= _OPERATORS else "-".join(term.words)
    return " ".join(word for word in term.words if word not in _OPERATORS)
