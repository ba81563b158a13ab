"""Queries that a question is asked in, and the dates that what they find is held to."""

from collections.abc import Iterable, Sequence
from datetime import date
from typing import TYPE_CHECKING

from agents.builtin.text.terms import terms
from agents.run.events import ReadQuery
from cache.conditions.values import Interval
from connectors.paper import Paper
from connectors.registry import SOURCES

if TYPE_CHECKING:
    from agents.builtin.question_parsing.question import Reading

LONGEST_QUERY = 300
OVERLAP = 0.8
"""From this share of common terms on, two queries are the same question."""


def question_itself(question: str, reading: "Reading") -> ReadQuery:
    """The question; sources that match keywords get its topic, without the conditions and the words of asking."""
    topic, core = (_with(reading.authors, words) for words in (reading.topic, reading.core or reading.topic))
    return _in_keywords(question, topic, core)


def _with(authors: Sequence[str], words: str) -> str:
    return " ".join((words, *(author for author in authors if author not in words)))


def refined(reading: "Reading") -> list[ReadQuery]:
    """The papers that the question names, then its other words."""
    fewer = dict(reading.fewer)
    others = ((query, fewer.get(query, query)) for query in reading.queries)
    return [*map(ReadQuery, reading.papers), *(_in_keywords(query, few, few) for query, few in others)]


def _in_keywords(query: str, keywords: str, core: str) -> ReadQuery:
    """`query`, of which sources that match keywords get no more than `keywords`, and than `core` if they need all."""
    words = {
        name: core if spec.needs_every_word else keywords
        for name, spec in SOURCES.items()
        if spec.query_style != "sentence"
    }
    return ReadQuery(query, tuple((name, sent) for name, sent in words.items() if sent != query))


def different(queries: Iterable[ReadQuery], before: Sequence[str], most: int) -> list[ReadQuery]:
    """At most `most` of `queries`: those that are not, nearly word for word, another of them or one of `before`."""
    kept: list[ReadQuery] = []
    earlier = [frozenset(terms(text)) for text in before]
    for query in queries:
        words = frozenset(terms(query.text))
        if words and len(kept) < most and all(_overlap(words, other) < OVERLAP for other in earlier):
            kept.append(query)
            earlier.append(words)
    return kept


def _overlap(words: frozenset[str], others: frozenset[str]) -> float:
    return len(words & others) / (len(words | others) or 1)


def within(paper: Paper, since: date | None, until: date | None) -> bool:
    """Whether `paper` appeared between the bounds, both inclusive and either open.

    A date known only to the year or month counts as within if any day of it is, and a work with a preprint if either
    version is. Without a date a paper cannot be shown to be within bounds, so with a bound it is not.
    """
    if since is None and until is None:
        return True
    first, last = (bound.isoformat() if bound else None for bound in (since, until))
    dates = [paper.date, *(version.date for version in (paper.preprint, paper.published) if version)]
    return any(Interval(first, last).has_day(day) for day in dates if day)
