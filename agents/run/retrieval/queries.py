"""The queries made from a question, and the date limits of their results."""

from collections.abc import Iterable, Sequence
from datetime import date
from typing import TYPE_CHECKING

from agents.builtin.text.terms import terms
from agents.run.events import ReadQuery
from cache.conditions.values import Interval
from connectors.paper import Paper
from connectors.registry import SOURCES

if TYPE_CHECKING:
    from agents.builtin.question_parsing.parsed_question import ParsedQuestion

LONGEST_QUERY = 300
OVERLAP = 0.8
"""Share of common terms from which two queries count as the same."""


def question_itself(question: str, reading: "ParsedQuestion") -> ReadQuery:
    """Return the question as a query; keyword sources get its topic, without conditions and question words."""
    topic, core = (
        " ".join((words, *(author for author in reading.authors if author not in words)))
        for words in (reading.topic, reading.core or reading.topic)
    )
    return _in_keywords(question, topic, core)


def refined(reading: "ParsedQuestion") -> list[ReadQuery]:
    """Return the papers that the question names, then its reformulations."""
    fewer = dict(reading.fewer)
    others = ((query, fewer.get(query, query)) for query in reading.queries)
    return [*map(ReadQuery, reading.papers), *(_in_keywords(query, few, few) for query, few in others)]


def _in_keywords(query: str, keywords: str, core: str) -> ReadQuery:
    """Return `query` with `keywords` for keyword sources, or `core` for those that require every word."""
    words = {
        name: core if spec.needs_every_word else keywords
        for name, spec in SOURCES.items()
        if spec.query_style != "sentence"
    }
    return ReadQuery(query, tuple((name, text) for name, text in words.items() if text != query))


def different(queries: Iterable[ReadQuery], before: Sequence[str], most: int) -> list[ReadQuery]:
    """Return at most `most` of `queries`, leaving out near repetitions of each other or of `before`."""
    apart_queries: list[ReadQuery] = []
    earlier = [frozenset(terms(text)) for text in before]
    for query in queries:
        words = frozenset(terms(query.text))
        apart = all(len(words & other) < OVERLAP * len(words | other) for other in earlier)
        if words and len(apart_queries) < most and apart:
            apart_queries.append(query)
            earlier.append(words)
    return apart_queries


def within(paper: Paper, since: date | None, until: date | None) -> bool:
    """Whether `paper` appeared between the bounds, both inclusive and optional.

    A date known only to the year or month counts as within the bounds if any of its days is; a work with a preprint
    does if either version does. A paper without a date is never within a bound.
    """
    if since is None and until is None:
        return True
    first, last = (bound.isoformat() if bound else None for bound in (since, until))
    dates = [paper.date, *(version.date for version in (paper.preprint, paper.published) if version)]
    return any(Interval(first, last).has_day(day) for day in dates if day)
