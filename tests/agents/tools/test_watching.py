"""A finished search that is stored to be asked again."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest

from agents.run.errors import RunError
from agents.run.recorder import Recorder
from agents.search.events import Event, RunStarted
from agents.search.kind import SEARCH
from agents.search.options import SearchOptions
from agents.search.state import SearchState
from agents.tools.watching import watch_run
from cache import runs
from cache.store import Store
from cache.watches import unseen, watch
from tests.agents.scripted import paper
from tests.library import copied
from tests.spar_tui.citation_map.maps import events_of

FOUND = [paper(f"Paper {number}", f"10.1000/p{number}") for number in range(3)]


def searched(store: Store, events: Sequence[Event], options: SearchOptions) -> str:
    async def told(recorder: Recorder[SearchState, Event, SearchOptions]) -> None:
        board = SEARCH.board(recorder.post)
        for event in events:
            board.post(event)
        await asyncio.sleep(0)

    recorder = Recorder.begun(SEARCH, store, "old things", options)
    asyncio.run(told(recorder))
    return recorder.run


def test_a_finished_search_is_stored_and_what_it_has_shown_is_no_news(tmp_path: Path) -> None:
    options = SearchOptions(limit=2, sources=("arxiv",), mode="deep")
    with Store.open(copied(tmp_path / "spar.db")) as store:
        run = searched(store, [RunStarted("old things", (), limit=2), *events_of(FOUND)], options)
        assert watch_run(store, " Old\x00 ones ", run) == "Old ones"
        stored = watch(store, "old ones")
        assert (stored.question, stored.parameters["mode"], stored.shown) == ("old things", "deep", 2)
        assert unseen(store, "Old ones", FOUND) == FOUND[2:]


@pytest.mark.parametrize(("chosen_by_spar", "kept"), [(True, None), (False, ["arxiv"])])
def test_only_sources_that_the_person_named_are_kept(
    chosen_by_spar: bool, kept: list[str] | None, tmp_path: Path
) -> None:
    options = SearchOptions(sources=("arxiv",), choose_sources=chosen_by_spar)
    with Store.open(copied(tmp_path / "spar.db")) as store:
        watch_run(store, "one", searched(store, events_of(FOUND), options))
        assert watch(store, "one").parameters["sources"] == kept


def test_a_search_that_has_not_ended_and_what_is_no_search_are_not_watched(tmp_path: Path) -> None:
    with Store.open(copied(tmp_path / "spar.db")) as store:
        with pytest.raises(RunError, match="not finished"):
            watch_run(store, "one", searched(store, events_of(FOUND)[:-1], SearchOptions()))
        with pytest.raises(RunError, match="is not of the kind search"):
            watch_run(store, "one", runs.start(store, "summary", "a topic"))
