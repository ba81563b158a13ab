"""Whatever a service does wrong, a search ends, names it, and never takes it for "no results"."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from agents.run.resources import Resources
from agents.search.events import Event
from agents.search.kind import SEARCH
from agents.search.loop import search
from agents.search.options import SearchOptions
from agents.search.state import SearchState
from connectors.http.pool import ConnectionPool
from connectors.opening import open_sources
from connectors.spec import Access
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
