"""Query evolution: what a model would ask next; without one, a random few of what the best papers give."""

import json
from dataclasses import replace

import pytest

from agents.builtin.text.terms import terms
from agents.run.retrieval.queries import OVERLAP
from agents.search.events import QueriesEvolved
from agents.search.evolution import FACETS
from agents.search.kind import SEARCH
from agents.search.options import LIMITS, SearchOptions
from agents.search.state import THRESHOLD
from tests.agents.scripted import paper
from tests.agents.search.world import (
    QUESTION,
    Library,
    Searched,
    judge_words,
    made_up,
    model_at,
    scripted,
    searched,
    shelf,
)
from tests.services.model.server import ModelRequest

PAPERS = made_up(100)
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


def test_without_a_model_the_best_papers_together_give_one_query_in_each_direction() -> None:
    drawn = run(False).of(QueriesEvolved)[0]
    assert drawn.by == "built-in"
    assert [query.direction for query in drawn.queries] == ["method", "application", "limitation"]
    assert not [query for query in drawn.queries if query.work is not None]


def test_a_models_queries_are_asked_in_its_order_whatever_the_dice() -> None:
    written = [f"token pruning {aim}" for aim in ("in hospitals", "against noisy labels", "over rivers")]
    for seed in (0, 1):
        queries = [{"query": query} for query in written]
        found = run(True, replace(ALL, seed=seed), evolve=lambda request, queries=queries: {"queries": queries})
        (drawn,) = found.of(QueriesEvolved)
        assert drawn.by == "model"
        assert [query.query for query in drawn.queries] == written[: LIMITS["fast"].evolved]
        assert all(query.chosen and query.work is None for query in drawn.queries)


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


def test_without_a_model_no_round_adds_a_word_that_an_earlier_one_added() -> None:
    found = run(False, DEEP)
    asked = set(terms(QUESTION))
    rounds = [set(terms(" ".join(query.query for query in evolved.queries))) - asked
              for evolved in found.of(QueriesEvolved)]  # fmt: skip
    assert len(rounds) == 2
    assert rounds[0]  # and the second may have none left
    assert not rounds[0] & rounds[1]


@pytest.mark.parametrize(
    ("written", "queries"),
    [("learned sparse retrieval passages", []), ("passages", ["learned sparse retrieval passages pruning"])],
    ids=["nearly the same", "another"],
)
def test_where_rules_take_over_they_repeat_no_query_that_the_model_wrote(written: str, queries: list[str]) -> None:
    """The papers have one new word in all, so the query by rule is nearly that of the words of the meaning."""
    papers = [
        paper(
            "Learned sparse retrieval of passages",
            f"10.1000/p{number}",
            abstract="We propose learned sparse retrieval of passages with pruning.",
            author=f"Ada Author{number}",
            date=str(2000 + number),
        )
        for number in range(30)
    ]
    read = {"meaning": "learned sparse retrieval of passages", "original": {"query": "looking things up"}}

    def writes_once(request: ModelRequest) -> object:
        return {"queries": [{"query": written}]} if len(endpoint.asked("evolve")) == 1 else "no queries today"

    with scripted(understand=lambda request: read, evolve=writes_once) as endpoint:
        options = replace(DEEP, facets=False)
        search = searched(shelf(Library(papers), model=model_at(endpoint)), options, "how do I find things again")
    by_model, by_rule = search.of(QueriesEvolved)
    assert (by_model.by, by_rule.by) == ("model", "built-in")
    assert [query.query for query in by_rule.queries] == queries


@pytest.mark.parametrize("queries", [[], [{"query": QUESTION}], [{"query": "!?"}]])
def test_a_model_that_misses_nothing_brings_no_second_round(queries: list[dict[str, str]]) -> None:
    found = run(True, evolve=lambda request: {"queries": queries})
    assert max(plan.round for plan in found.state.planned) == 1
    assert [(event.by, event.queries) for event in found.of(QueriesEvolved)] == [("model", ())]
    assert found.titles


def test_the_model_is_told_what_each_query_brought_and_which_needs_lack_papers() -> None:
    read = {"meaning": "sparse retrieval", "needs": ["learned weights", "river surveys"],
            "refined": [{"query": "dense retrieval baselines"}]}  # fmt: skip

    def judged(request: ModelRequest) -> dict[str, object]:
        return {"papers": [{**one, "needs": ["n1"]} for one in judge_words(request)["papers"]]}

    with scripted(understand=lambda request: read, judge_words=judged) as endpoint:
        found = searched(shelf(Library(PAPERS), model=model_at(endpoint)), ALL)
        told = endpoint.asked("evolve")[0].text
    before = found.events[: found.events.index(found.of(QueriesEvolved)[0])]
    state = SEARCH.folded(before)
    brought = json.loads(told.partition("Searched already:\n")[2])
    assert [one["query"] for one in brought] == [QUESTION, "dense retrieval baselines"]
    for one in brought:
        ways = {work: {way.query for way in what.found_by if not way.link} for work, what in state.found.items()}
        works = [work for work, queries in ways.items() if one["query"] in queries]
        assert one["found"] == len(works) > 0
        assert one["relevant"] == sum(state.relevance(work) >= THRESHOLD for work in works)
    counts = json.loads(told.partition("Relevant papers:\n")[2].partition("\n\n")[0])
    judged_relevant = [one for one in state.judged.values() if one.by == "model" and one.score >= THRESHOLD]
    assert counts["n1"] == len(judged_relevant) > 0
    assert counts["n2"] == 0


def test_no_paper_can_speak_to_what_the_model_asks_next() -> None:
    """Nothing of what papers say is in the question for new queries."""
    with scripted() as endpoint:
        found = searched(shelf(Library(PAPERS), model=model_at(endpoint)), ALL)
        (request,) = endpoint.asked("evolve")
    assert not [one for one in found.state.found.values() if one.paper.title in request.text]
    assert "We propose" not in request.text


def test_a_query_that_evolved_is_sent_to_each_source_in_its_own_words() -> None:
    written = {"query": "token pruning for passage search", "openalex": "token pruning", "semantic_scholar": "pruning"}
    sources = [Library(PAPERS, name) for name in ("openalex", "semanticscholar", "google")]
    with scripted(evolve=lambda request: {"queries": [written]}) as endpoint:
        searched(shelf(*sources, model=model_at(endpoint)), ALL)
    sent = {source.name: source.searched[-1].text for source in sources}
    assert sent == {"openalex": "token pruning", "semanticscholar": "pruning", "google": written["query"]}


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


def test_facets_are_asked_for_in_the_words_of_what_the_question_means() -> None:
    read = {"meaning": "sparse retrieval of texts", "original": {"query": QUESTION}}
    question = "how do I find things again"
    with scripted(understand=lambda request: read) as endpoint:
        model = model_at(endpoint)
        found = searched(shelf(Library(PAPERS), model=model), replace(ALL, facets=True), question)
    facets = [query.query for query in found.of(QueriesEvolved)[0].queries if query.direction == "facet"]
    assert facets
    assert all(facet.startswith("sparse retrieval") and "again" not in facet for facet in facets)


@pytest.mark.parametrize(("options", "asked"), [(ALL, False), (DEEP, True), (replace(DEEP, facets=False), False)])
def test_a_deep_search_asks_for_facets_unless_told_otherwise(options: SearchOptions, asked: bool) -> None:
    evolved = run(False, options).of(QueriesEvolved)
    assert any(query.direction == "facet" for after in evolved for query in after.queries) == asked
