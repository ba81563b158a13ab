"""What is remembered of a search, and what a broken memory costs."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from agents.run import recorder
from agents.run.recorder import Recorder
from agents.run.resources import Resources
from agents.search.events import Event
from agents.search.kind import SEARCH
from agents.search.loop import search
from agents.search.options import SearchOptions
from agents.search.state import SearchState
from cache import runs
from cache.store import Store
from tests.agents.scripted import ScriptedSource, paper
from tests.library import copied

PAPERS = [paper("Sparse retrieval", "10.1000/a"), paper("Dense retrieval", "10.1000/b")]


def searched(kept: Recorder[SearchState, Event, SearchOptions]) -> SearchState:
    board = SEARCH.board(kept.post)

    async def run() -> None:
        async for _ in search(
            "retrieval", Resources({"openalex": ScriptedSource("openalex", PAPERS)}), SearchOptions(), board
        ):
            await asyncio.sleep(0)
        kept.end("finished", board.state)

    asyncio.run(run())
    return board.state


def test_the_kept_events_tell_the_whole_search(tmp_path: Path) -> None:
    said: list[str] = []
    with Store.open(copied(tmp_path / "spar.db")) as store:
        kept = Recorder.begun(SEARCH, store, "retrieval", SearchOptions(), said.append)
        state = searched(kept)
        rows = runs.events(store, kept.run)
        assert SEARCH.folded(event for row in rows if (event := SEARCH.codec.decode(row.kind, row.content))) == state
        first = runs.paper_at(store, kept.run, 1)
        assert first is not None
        assert first.title == state.found[state.ranking[0].work].paper.title


def test_a_memory_that_breaks_during_a_search_costs_the_memory_and_not_the_answer(tmp_path: Path) -> None:
    said: list[str] = []
    path = tmp_path / "spar.db"
    with Store.open(path) as store:
        kept = Recorder.begun(SEARCH, store, "retrieval", SearchOptions(), said.append)
        path.rename(tmp_path / "moved.db")
        state = searched(kept)
    assert len(state.ranking) == 2
    assert len(said) == 1
    assert "is not stored" in said[0]


@pytest.mark.parametrize("lets_go", [True, False])
def test_a_library_that_another_process_holds_keeps_no_search_waiting(
    lets_go: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was found meanwhile is written when the library is free again; only if it never is, the memory is lost."""
    monkeypatch.setattr(recorder, "RETRY_SECONDS", 0.05)
    monkeypatch.setattr(recorder, "WAIT", 600.0 if lets_go else 0.2)
    said: list[str] = []
    path = tmp_path / "spar.db"
    with Store.open(path, wait=0.01) as store, closing(sqlite3.connect(path, isolation_level=None)) as other:
        kept = Recorder.begun(SEARCH, store, "retrieval", SearchOptions(), said.append)
        other.execute("BEGIN IMMEDIATE")
        board = SEARCH.board(kept.post)

        async def run() -> None:
            async for _ in search(
                "retrieval", Resources({"openalex": ScriptedSource("openalex", PAPERS)}), SearchOptions(), board
            ):
                await asyncio.sleep(0)
            kept.end("finished", board.state)
            while not lets_go and len(said) < 2:
                await asyncio.sleep(0.02)
            other.execute("ROLLBACK")
            while lets_go and runs.get(store, kept.run).state != "finished":
                await asyncio.sleep(0.02)
            await asyncio.sleep(0.1)

        asyncio.run(run())
        rows = runs.events(store, kept.run)
        assert (runs.get(store, kept.run).state == "finished") == lets_go
        assert (
            SEARCH.folded(event for row in rows if (event := SEARCH.codec.decode(row.kind, row.content))) == board.state
        ) == lets_go
    assert "another process has locked the library" in said[0]
    assert ["is not stored" in one for one in said[1:]] == [True] * (not lets_go)
