"""The search as a whole: its stages in their order, and when it has enough."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from agents.search import options as depths
from agents.search.events import Finished, PapersRanked, QueriesEvolved, RunStarted, StageChanged
from agents.search.kind import ranking_so_far
from agents.search.options import SearchOptions
from connectors.errors import NotConfigured, SourceUnavailable
from tests.agents.scripted import ScriptedSource
from tests.agents.search.world import Library, Searched, made_up, model_at, scripted, searched, shelf, shown
from tests.services.model.server import ModelRequest

PAPERS = made_up(100)
ROUND = ["retrieving", "judging", "references", "judging references"]


def stages(found: Searched) -> list[str]:
    return [event.stage for event in found.of(StageChanged)]


def all_score(score: float) -> Callable[[ModelRequest], object]:
    return lambda request: {"label": score, "quote": shown(request)[0]["title"]}


def run(options: SearchOptions, **scripts: Any) -> Searched:
    with scripted(**scripts) as endpoint:
        return searched(shelf(Library(PAPERS), model=model_at(endpoint)), options)


def test_a_search_walks_through_its_stages_in_order() -> None:
    found = run(SearchOptions(choose_sources=False))
    assert stages(found) == ["understanding", *ROUND, "evolving", *ROUND, "reranking"]
    assert isinstance(found.events[0], RunStarted)
    assert isinstance(found.events[-1], Finished)
    assert found.of(Finished)[0].ending == "complete"


def test_a_deep_search_goes_a_round_further(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(depths.LIMITS, "deep", replace(depths.LIMITS["deep"], records=20))
    assert stages(run(SearchOptions(choose_sources=False, mode="deep"))).count("retrieving") == 3


def test_each_step_can_be_left_out() -> None:
    plain = SearchOptions(choose_sources=False, refchain=False, evolution=False, rerank=False)
    assert stages(run(plain)) == ["understanding", "retrieving", "judging", "reranking"]


def test_a_search_that_has_enough_relevant_papers_asks_no_further(monkeypatch: pytest.MonkeyPatch) -> None:
    enough = 5
    monkeypatch.setitem(depths.LIMITS, "fast", replace(depths.LIMITS["fast"], cache=enough))
    found = run(SearchOptions(choose_sources=False), judge=all_score(0.9))
    assert len(found.state.included) >= enough
    assert not found.of(QueriesEvolved)


def test_a_deep_search_ends_when_a_round_brought_nothing_relevant() -> None:
    """The evolved queries find nothing that the first ones had not found: there is no third round."""
    source = ScriptedSource("openalex", PAPERS[:40])
    with scripted() as endpoint:
        found = searched(
            shelf(source, model=model_at(endpoint)), SearchOptions(choose_sources=False, mode="deep", refchain=False)
        )
    assert stages(found).count("retrieving") == 2
    assert found.of(Finished)[0].ending == "complete"


def test_a_search_in_which_nothing_is_relevant_still_has_a_list() -> None:
    found = run(SearchOptions(choose_sources=False), judge=all_score(0.0))
    assert found.state.ranking
    assert found.state.shown


def test_the_list_that_is_shown_is_as_long_as_was_asked_for() -> None:
    for limit in (1, 7, 40):
        found = run(SearchOptions(choose_sources=False, limit=limit))
        assert len(found.state.shown) == limit


def test_relevant_papers_are_shown_before_others() -> None:
    shown_ones = run(SearchOptions(choose_sources=False, limit=200)).state.shown
    relevant = [float(f"{one.relevance:.2f}") >= 0.5 for one in shown_ones]
    assert relevant == sorted(relevant, reverse=True)


def test_a_search_without_any_source_ends_and_says_so() -> None:
    found = searched(shelf(), SearchOptions())
    assert found.of(Finished)
    assert found.state.ranking == ()


def test_a_search_whose_sources_all_fail_ends_and_names_them() -> None:
    broken = ScriptedSource("openalex", error=SourceUnavailable("openalex", "is down."))
    off = ScriptedSource("google", error=NotConfigured("google", "is off."))
    found = searched(shelf(broken, off), SearchOptions(choose_sources=False))
    assert found.state.failed_sources == {"openalex": "is down."}
    assert found.of(Finished)


def test_the_order_so_far_holds_every_paper_found_so_far() -> None:
    found = run(SearchOptions(choose_sources=False))
    assert {entry.work for entry in ranking_so_far(found.state).ranking} == set(found.state.assessed)
    assert isinstance(ranking_so_far(found.state), PapersRanked)


def test_prismas_numbers_add_up() -> None:
    state = run(SearchOptions(choose_sources=False)).state
    counts = state.counts
    assert counts.identified - counts.duplicates == counts.screened == len(state.found)
    assert counts.included == len(state.included) <= len(state.ranking)
    assert state.finished is not None
    assert state.finished.counts == counts
