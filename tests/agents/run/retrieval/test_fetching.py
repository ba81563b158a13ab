"""Whatever a service does wrong, a search ends, names it, and never takes it for "no results"."""

import asyncio
from dataclasses import replace
from datetime import date
from pathlib import Path
from urllib.parse import unquote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.builtin.question_parsing.question import read
from agents.run.events import ReadQuery
from agents.run.resources import Resources
from agents.run.retrieval.queries import OVERLAP, different, question_itself, within
from agents.search.events import Event
from agents.search.kind import SEARCH
from agents.search.loop import search
from agents.search.options import SearchOptions
from agents.search.state import SearchState
from connectors.http.pool import ConnectionPool
from connectors.opening import open_sources
from connectors.source import Query
from connectors.spec import Access
from tests.agents.scripted import paper
from tests.rows import each
from tests.services import KINDS, Fault, Services

LIVE = ("arxiv", "openalex", "semanticscholar", "pubmed")
QUESTION = "learning"
ONE_ROUND = SearchOptions(source_seconds=1.0, understanding=False, refchain=False, evolution=False)
HONEST = {"nothing"}
"""A fault that is a whole, well-formed answer which says zero."""


def searched(services: Services, folder: Path, options: SearchOptions = ONE_ROUND) -> SearchState:
    urls = {name: services.url("semantic_scholar" if name == "semanticscholar" else name) for name in LIVE}

    async def run() -> list[Event]:
        async with ConnectionPool() as connections:
            sources = open_sources(LIVE, Access(urls=urls), connections, folder)
            return [event async for event in search(QUESTION, Resources(sources), options)]

    return SEARCH.folded(asyncio.run(run()))


def test_without_a_fault_every_source_finds_something(tmp_path: Path) -> None:
    with Services() as services:
        state = searched(services, tmp_path, replace(ONE_ROUND, source_seconds=60.0))
    assert {name: state.sources[name].state for name in LIVE} == dict.fromkeys(LIVE, "ok")
    assert all(state.sources[name].found for name in LIVE)


@pytest.mark.parametrize("kind", sorted(KINDS - HONEST))
def test_no_fault_passes_for_no_results(kind: str, tmp_path: Path) -> None:
    with Services(faults=[Fault(kind, seconds=30.0)]) as services:
        state = searched(services, tmp_path)
        assert not services.canary_hits
    assert state.finished
    for name in LIVE:
        tally = state.sources[name]
        assert tally.state in ("failed", "partial") or tally.found > 0, name
        assert tally.state == "ok" or tally.error, name


SINCE = date(2026, 9, 1)


def found(services: Services, source: str, query: Query, folder: Path) -> int:
    async def run() -> int:
        async with ConnectionPool() as connections:
            sources = open_sources((source,), Access(urls={source: services.url(source)}), connections, folder)
            return len((await sources[source].search(query)).papers)

    return asyncio.run(run())


@pytest.mark.parametrize(
    ("source", "sent"),
    [
        ("pubmed", '2026/09/01"[edat]'),
        ("europepmc", "FIRST_IDATE:[2026-09-01"),
        ("crossref", "from-created-date:2026-09-01"),
    ],
)
def test_the_day_of_addition_is_asked_for_and_not_that_of_publication(source: str, sent: str, tmp_path: Path) -> None:
    with Services() as services:
        every = found(services, source, Query("vaccine"), tmp_path)
        added = found(services, source, Query("vaccine", added=SINCE), tmp_path)
        asked = [unquote_plus(f"{request.target} {request.body.decode()}") for request in services.log]
    assert any(sent in request for request in asked)
    assert 0 <= added <= every
    assert every


def test_queries_that_are_nearly_the_same_words_are_one_query() -> None:
    queries = [
        ReadQuery(text) for text in ("sparse retrieval methods", "methods of sparse retrieval", "dense search", "?")
    ]
    kept = [query.text for query in different(queries, ["dense searches"], 5)]
    assert kept == ["sparse retrieval methods"]
    assert 0 < OVERLAP <= 1


@given(st.lists(st.text("ab c", max_size=9)), st.lists(st.text("ab c", max_size=9)), st.integers(0, 5))
def test_no_query_is_kept_twice_or_beyond_the_number_wanted(texts: list[str], before: list[str], most: int) -> None:
    kept = different(map(ReadQuery, texts), before, most)
    assert len(kept) <= most
    assert different(kept, before, most) == kept
    assert different(kept, [query.text for query in kept], most) == []


def test_sources_that_match_keywords_are_asked_for_the_topic_of_a_question_and_google_for_the_question() -> None:
    question = "What is known about sparse retrieval since 2020?"
    query = question_itself(question, read(question, date(2024, 1, 1)))
    assert query.text == query.text_for("google") == question
    assert query.text_for("openalex") == "sparse retrieval"


@each(
    ("known", "since", "until", "inside"),
    [
        ("2020", date(2020, 6, 1), None, True),
        ("2020", None, date(2020, 1, 31), True),
        ("2020-05", date(2020, 6, 1), None, False),
        ("2020-06", date(2020, 6, 30), None, True),
        ("2020-06-15", date(2020, 6, 16), None, False),
        ("2020-06-15", date(2020, 6, 15), date(2020, 6, 15), True),
        ("2019", date(2020, 1, 1), None, False),
        (None, date(2020, 1, 1), None, False),
        (None, None, None, True),
    ],
)
def test_a_paper_is_within_bounds_if_any_day_of_its_date_is(
    known: str | None, since: date | None, until: date | None, inside: bool
) -> None:
    assert within(paper("Any", date=known), since, until) is inside


@given(st.dates(), st.dates(), st.dates())
def test_a_full_date_is_compared_as_dates_are(day: date, since: date, until: date) -> None:
    assert within(paper("Any", date=day.isoformat()), since, until) is (since <= day <= until)
