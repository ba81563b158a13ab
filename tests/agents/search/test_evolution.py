"""Query evolution: three directions from each of the best papers, a random few of them asked next."""

from dataclasses import replace

import pytest

from agents.builtin.text.terms import terms
from agents.run.retrieval.queries import OVERLAP
from agents.search.events import QueriesEvolved
from agents.search.evolution import FACETS, SEEDS
from agents.search.options import LIMITS, SearchOptions
from tests.agents.search.world import (
    QUESTION,
    Library,
    Searched,
    evolve,
    made_up,
    model_at,
    scripted,
    searched,
    shelf,
    shown,
)

PAPERS = made_up(200)
ALL = SearchOptions(choose_sources=False)
DEEP = SearchOptions(choose_sources=False, mode="deep")


@pytest.fixture(autouse=True)
def short_lists(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that there is something left for later rounds to find."""
    for mode in ("fast", "deep"):
        monkeypatch.setitem(LIMITS, mode, replace(LIMITS[mode], records=20))


def run(by_model: bool, options: SearchOptions = ALL, **scripts: object) -> Searched:
    with scripted(**scripts) as endpoint:  # type: ignore[arg-type]
        model = model_at(endpoint) if by_model else None
        return searched(shelf(Library(PAPERS), model=model), options)


def test_each_paper_gives_at_most_one_query_in_each_direction() -> None:
    for by_model in (False, True):
        drawn = run(by_model).of(QueriesEvolved)[0]
        assert drawn.by == ("model" if by_model else "built-in")
        assert len({(query.work, query.direction) for query in drawn.queries}) == len(drawn.queries)
        assert {query.direction for query in drawn.queries} == {"method", "application", "limitation"}
        assert len({query.work for query in drawn.queries}) <= SEEDS


def test_as_many_queries_go_on_as_the_depth_says_and_are_asked_in_the_next_round() -> None:
    for options in (ALL, DEEP):
        found = run(True, options)
        for evolved in found.of(QueriesEvolved):
            chosen = {query.query: query.direction for query in evolved.queries if query.chosen}
            drawn = [query for query, direction in chosen.items() if direction != "facet"]
            assert len(drawn) == LIMITS[options.mode].evolved
            assert {plan.query for plan in found.state.planned if plan.round == evolved.round + 1} == chosen.keys()


def test_no_query_is_asked_twice_nor_in_nearly_the_same_words() -> None:
    for by_model in (False, True):
        found = run(by_model, DEEP)
        assert found.state.understood is not None
        asked = list(found.state.understood.queries)
        for evolved in found.of(QueriesEvolved):
            for one in evolved.queries:
                words = set(terms(one.query))
                for other in map(set, map(terms, asked)):
                    assert len(words & other) / len(words | other) < OVERLAP
                asked.append(one.query)


def test_a_paper_that_gave_queries_once_gives_no_more() -> None:
    found = run(True, DEEP)
    drawn = [[query for query in evolved.queries if query.direction != "facet"] for evolved in found.of(QueriesEvolved)]
    rounds = [{query.work for query in queries} for queries in drawn]
    assert len(rounds) == 2
    assert not rounds[0] & rounds[1]


def test_a_model_that_repeats_the_question_brings_no_second_round() -> None:
    same = {"method": QUESTION, "application": QUESTION, "limitation": "!?"}
    found = run(True, evolve=lambda request: {"papers": [{"id": entry["id"], **same} for entry in shown(request)]})
    assert max(plan.round for plan in found.state.planned) == 1
    assert found.titles


def test_queries_for_papers_that_were_not_shown_are_dropped() -> None:
    found = run(
        True, evolve=lambda request: {"papers": [{"id": "p77", "method": "stolen goods"}, *evolve(request)["papers"]]}
    )
    assert not any("stolen" in query.query for evolved in found.of(QueriesEvolved) for query in evolved.queries)


def test_nothing_evolves_without_the_wish() -> None:
    found = run(True, SearchOptions(choose_sources=False, evolution=False))
    assert not found.of(QueriesEvolved)
    assert max(plan.round for plan in found.state.planned) == 1


@pytest.mark.parametrize("by_model", [False, True])
def test_with_facets_each_facet_of_the_best_papers_is_asked_for_in_the_second_round(by_model: bool) -> None:
    found = run(by_model, replace(ALL, facets=True))
    first = found.of(QueriesEvolved)[0]
    facets = [query for query in first.queries if query.direction == "facet"]
    assert 0 < len(facets) <= FACETS
    assert all(facet.chosen for facet in facets)
    asked = {plan.query for plan in found.state.planned if plan.round == 2}
    assert {facet.query for facet in facets} <= asked
    assert len(asked) > len(facets), "new queries are drawn from papers as well"
    without = run(by_model)
    assert not [query for query in without.of(QueriesEvolved)[0].queries if query.direction == "facet"]


@pytest.mark.parametrize(("options", "asked"), [(ALL, False), (DEEP, True), (replace(DEEP, facets=False), False)])
def test_a_deep_search_asks_for_facets_unless_told_otherwise(options: SearchOptions, asked: bool) -> None:
    evolved = run(False, options).of(QueriesEvolved)
    assert any(query.direction == "facet" for after in evolved for query in after.queries) == asked
