"""The order of the answer: relevance, then authority and timeliness, and why a paper moved."""

from datetime import date

import pytest

from agents.search.events import PapersRanked, Ranked
from agents.search.options import SearchOptions
from agents.search.ranking.reranking import TOP, read_new_score
from connectors.paper import Paper
from tests.agents.scripted import ScriptedSource, paper
from tests.agents.search.world import Library, made_up, model_at, rerank, scripted, searched, shelf, shown

PAPERS = made_up(60)
ALL = SearchOptions(choose_sources=False)
ONCE = SearchOptions(choose_sources=False, evolution=False, refchain=False)


def twin(name: str, **more: object) -> Paper:
    """Papers that say the same and differ in their records only."""
    return paper(
        f"Sparse retrieval {name}",
        f"10.1000/{name}",
        **{"author": f"A {name}", "abstract": "Sparse retrieval.", **more},
    )


def order(*papers: Paper, question: str = "sparse retrieval", options: SearchOptions = ONCE) -> list[str]:
    return [
        title.split()[-1] for title in searched(shelf(ScriptedSource("openalex", papers)), options, question).titles
    ]


def test_of_papers_equally_relevant_the_better_cited_for_its_age_comes_first() -> None:
    assert order(twin("little", citation_count=2), twin("much", citation_count=900)).index("much") == 0


def test_of_papers_equally_relevant_the_newer_comes_first_where_recent_work_is_asked_for() -> None:
    old, new = twin("old", date="1995", citation_count=10), twin("new", date=str(date.today().year), citation_count=0)
    assert order(old, new, question="recent advances in sparse retrieval")[0] == "new"


def test_relevance_comes_before_fame() -> None:
    famous = paper("Bread and yeast", "10.1000/bread", author="B Baker", abstract="We bake.", citation_count=90_000)
    assert order(famous, twin("quiet", citation_count=0))[0] == "quiet"


def test_a_paper_that_moved_says_why() -> None:
    state = searched(shelf(Library(PAPERS)), ALL).state
    moved = [entry for entry in state.ranking if entry.why]
    assert moved
    assert all(one.why.startswith(("up ", "down ")) and "cited" in one.why for one in moved)


def test_without_the_wish_relevance_alone_orders() -> None:
    with scripted() as endpoint:
        found = searched(
            shelf(Library(PAPERS), model=model_at(endpoint)), SearchOptions(choose_sources=False, rerank=False)
        )
        assert not endpoint.asked("rerank")
    assert not any(entry.why for entry in found.state.ranking)
    scores = [entry.score for entry in found.state.ranking]
    assert scores == sorted(scores, reverse=True)


def test_the_model_reorders_the_top_ten_and_nothing_below() -> None:
    with scripted() as endpoint:
        found = searched(shelf(Library(PAPERS), model=model_at(endpoint)), ALL)
        assert len(shown(endpoint.asked("rerank")[0])) == TOP == 10
    before, after = (event.ranking for event in found.of(PapersRanked))
    assert after[TOP:] == before[TOP:]
    assert {one.work for one in after[:TOP]} == {one.work for one in before[:TOP]}
    titles = [found.state.found[one.work].paper.title for one in after[:TOP]]
    assert titles == sorted(titles)
    assert all("It is well known." in one.why for one in after[:TOP])


def test_how_far_the_model_moved_a_paper_is_told() -> None:
    with scripted() as endpoint:
        found = searched(shelf(Library(PAPERS), model=model_at(endpoint)), ALL)
    before, after = ([entry.work for entry in ranked.ranking[:TOP]] for ranked in found.of(PapersRanked))
    for place, one in enumerate(found.of(PapersRanked)[1].ranking[:TOP]):
        up = before.index(one.work) - place
        assert one.why.startswith(f"up {up}:" if up > 0 else f"down {-up}:" if up < 0 else "same place:")
    assert after != before


def test_a_paper_that_the_model_left_out_keeps_its_place() -> None:
    with scripted(rerank=lambda request: {"papers": rerank(request)["papers"][::2]}) as endpoint:
        found = searched(shelf(Library(PAPERS), model=model_at(endpoint)), ALL)
        scored = {one["id"] for one in rerank(endpoint.asked("rerank")[0])["papers"][::2]}
    before, after = (event.ranking for event in found.of(PapersRanked))
    for place in range(TOP):
        if f"p{place + 1}" not in scored:
            assert after[place].work == before[place].work


@pytest.mark.parametrize(
    "papers", [[], [{"id": "p99", "score": 1}], [{"id": "p1", "score": "best"}], [{"id": "p1", "score": -3}]]
)
def test_an_order_of_the_model_that_says_nothing_changes_nothing(papers: list[dict[str, object]]) -> None:
    with scripted(rerank=lambda request: {"papers": papers}) as endpoint:
        found = searched(shelf(Library(PAPERS), model=model_at(endpoint)), ALL)
    assert [event.by for event in found.of(PapersRanked)] == ["built-in"]


def test_scores_and_relevance_stay_within_0_and_1() -> None:
    with scripted(
        rerank=lambda request: {"papers": [{**one, "score": 9} for one in rerank(request)["papers"]]}
    ) as endpoint:
        found = searched(shelf(Library(PAPERS), model=model_at(endpoint)), ALL)
    assert all(0 <= entry.score <= 1 and 0 <= entry.relevance <= 1 for entry in found.state.ranking)


@pytest.mark.parametrize(
    ("told", "score"), [(0.9, 0.9), ("8/10", 8.0), (11, None), (float("nan"), None), ("good", None), (None, None)]
)
def test_new_scores_may_count_to_1_or_to_10(told: object, score: float | None) -> None:
    assert read_new_score(told) == score


def test_every_work_within_bounds_is_ranked_once() -> None:
    state = searched(shelf(Library(PAPERS)), ALL).state
    works = [entry.work for entry in state.ranking]
    assert len(works) == len(set(works)) == len(state.found)


def test_an_entry_of_the_ranking_can_be_asked_for_by_its_work() -> None:
    state = searched(shelf(Library(PAPERS)), ALL).state
    assert isinstance(state.ranked(state.ranking[3].work), Ranked)
