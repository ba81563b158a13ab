"""The order of the answer: relevance, then authority and timeliness, and why a paper moved."""

from collections.abc import Mapping, Sequence
from datetime import date

from agents.search.events import PapersRanked, Ranked
from agents.search.options import SearchOptions
from agents.search.ranking.reranking import FIRST, meeting_needs
from connectors.paper import Paper, WorkId
from tests.agents.scripted import ScriptedSource, paper
from tests.agents.search.world import Library, made_up, model_at, scripted, searched, shelf, shown, verdict
from tests.services.model.server import ModelRequest

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


def test_of_papers_equally_relevant_the_better_cited_comes_first_where_renowned_work_is_asked_for() -> None:
    old, new = twin("old", date="1995", citation_count=900), twin("new", date=str(date.today().year), citation_count=0)
    assert order(old, new, question="sparse retrieval, preferably from top-tier journals")[0] == "old"


def test_of_papers_equally_relevant_the_newer_comes_first_where_recent_work_is_asked_for() -> None:
    old, new = twin("old", date="1995", citation_count=10), twin("new", date=str(date.today().year), citation_count=0)
    assert order(old, new, question="recent advances in sparse retrieval")[0] == "new"


def test_relevance_comes_before_fame() -> None:
    famous = paper("Bread and yeast", "10.1000/bread", author="B Baker", abstract="We bake.", citation_count=90_000)
    assert order(famous, twin("quiet", citation_count=0))[0] == "quiet"


def test_a_paper_that_moved_says_in_what_it_differs_from_those_it_passed() -> None:
    """The same fact never explains both a move up and a move down."""
    state = searched(shelf(Library(PAPERS)), ALL).state
    moved = [entry.why for entry in state.ranking if entry.why]
    assert any("up 1: " in why for why in moved)
    assert any("down 1: " in why for why in moved)
    for why in moved:
        better, worse = ("more citations" in why or "newer" in why), ("fewer citations" in why or "older" in why)
        assert (better, worse) == (why.startswith("up "), why.startswith("down "))


def test_without_the_wish_relevance_alone_orders() -> None:
    with scripted() as endpoint:
        found = searched(
            shelf(Library(PAPERS), model=model_at(endpoint)), SearchOptions(choose_sources=False, rerank=False)
        )
    assert not any(entry.why for entry in found.state.ranking)
    scores = [entry.score for entry in found.state.ranking]
    assert scores == sorted(scores, reverse=True)


def test_a_model_is_asked_of_papers_one_by_one_and_for_no_order() -> None:
    with scripted() as endpoint:
        found = searched(shelf(Library(PAPERS), model=model_at(endpoint)), ALL)
        assert {request.name for request in endpoint.requests} == {"understand", "judge", "judge-words", "evolve"}
    assert [event.by for event in found.of(PapersRanked)] == ["built-in"]


NEEDS = ("the question itself", "a broader thing", "a thing beside it")


def labeled(*papers: Paper, needs: Mapping[str, Sequence[int]], unquoted: str = "", question: str = "") -> list[str]:
    """The order of papers that a model calls equally relevant, by the `needs` that each meets."""

    def judged(request: ModelRequest) -> dict[str, object]:
        [one] = shown(request)
        name = one["title"].split()[-1]
        label = 3 if name == unquoted else 2
        quote = "words that stand nowhere" if name == unquoted else one["title"]
        return {
            "label": label,
            "needs": [f"n{number}" for number in needs[name]],
            "reason": "It helps.",
            "quote": quote,
        }

    read = {"meaning": "sparse retrieval", "needs": list(NEEDS)}
    with scripted(understand=lambda request: read, judge=judged) as endpoint:
        found = searched(
            shelf(ScriptedSource("openalex", papers), model=model_at(endpoint)), ONCE, question or "sparse retrieval"
        )
    assert len({entry.relevance for entry in found.state.ranking}) == 1
    scores = [entry.score for entry in found.state.ranking]
    assert scores == sorted(scores, reverse=True)
    return [title.split()[-1] for title in found.titles]


def test_of_papers_that_a_model_calls_equal_those_on_the_question_itself_come_first() -> None:
    papers = twin("beside", citation_count=900, date="2026"), twin("core", citation_count=0, date="1990")
    assert labeled(*papers, needs={"beside": [2, 3], "core": [1]}) == ["core", "beside"]


def test_of_papers_on_the_question_itself_those_that_meet_more_needs_come_first() -> None:
    papers = twin("one", citation_count=900, date="2026"), twin("two", citation_count=0, date="1990")
    assert labeled(*papers, needs={"one": [1], "two": [1, 3]}) == ["two", "one"]


def test_of_papers_that_meet_as_many_needs_those_with_a_quote_come_first() -> None:
    papers = twin("unquoted", citation_count=900, date="2026"), twin("quoted", citation_count=0, date="1990")
    assert labeled(*papers, needs={"unquoted": [1], "quoted": [1]}, unquoted="unquoted") == ["quoted", "unquoted"]


def test_of_papers_that_meet_the_same_needs_the_better_cited_comes_first_whatever_its_words() -> None:
    """Words of the question order nothing that the model has read."""
    wordy = twin("wordy", abstract="Sparse retrieval, sparse retrieval and more sparse retrieval.", citation_count=1)
    famous = twin("famous", abstract="We rank texts.", citation_count=900)
    assert labeled(wordy, famous, needs={"wordy": [1], "famous": [1]}) == ["famous", "wordy"]


def test_where_renowned_work_is_asked_for_fame_comes_before_the_number_of_needs() -> None:
    papers = twin("famous", citation_count=900), twin("two", citation_count=0)
    question = "sparse retrieval, preferably from top-tier journals"
    assert labeled(*papers, needs={"famous": [1], "two": [1, 2]}, question=question) == ["famous", "two"]


def met(order: Sequence[int], offered: Mapping[int, Sequence[int]], relevant: int = 9) -> list[int]:
    """The order of papers that meet the needs `offered`; the first `relevant` of them are relevant."""
    ranking = [
        Ranked(WorkId(work), 1 - place / 20, 0.9 if place < relevant else 0.1) for place, work in enumerate(order)
    ]
    after = meeting_needs(
        ranking, {WorkId(work): needs for work, needs in offered.items()}, ("surveys", "datasets", "critiques")
    )
    assert [entry.score for entry in after] == [entry.score for entry in ranking]
    assert sorted(entry.work for entry in after) == sorted(order)
    return [entry.work for entry in after]


def test_each_need_is_met_among_the_first_five() -> None:
    needs = {1: [1], 2: [1], 3: [1], 4: [1], 5: [1], 6: [2], 7: [1, 3], 8: [3]}
    assert met(range(1, 10), needs)[:5] == [1, 2, 3, 6, 7]


def test_where_every_need_is_met_nothing_moves() -> None:
    assert met(range(1, 10), {1: [1], 2: [2], 5: [3], 6: [1], 7: [2]}) == list(range(1, 10))
    assert met(range(1, 10), {}) == list(range(1, 10))


def test_what_alone_meets_a_need_stays_among_the_first() -> None:
    assert met(range(1, 10), {1: [1], 2: [2], 3: [2], 4: [2], 5: [1], 8: [3]})[:5] == [1, 2, 3, 4, 8]
    assert met(range(1, 10), {5: [1], 1: [2], 8: [3]})[:5] == [1, 2, 3, 5, 8]


def test_no_paper_moves_up_that_is_not_relevant() -> None:
    assert met(range(1, 10), {1: [1], 8: [2]}, relevant=7) == list(range(1, 10))


def test_no_paper_passes_one_that_is_more_relevant() -> None:
    ranking = [Ranked(WorkId(work), 1 - work / 20, 0.93 if work < 6 else 0.76) for work in range(9)]
    assert meeting_needs(ranking, {WorkId(7): [1]}, ["surveys"]) == ranking


def test_a_paper_that_moves_for_a_need_names_it() -> None:
    """The only paper on the second need, which came last among papers as relevant, comes fifth and says why."""
    on_second = ""

    def judged(request: ModelRequest) -> dict[str, object]:
        [one] = shown(request)
        label = 3 if verdict(one)["label"] else 0
        return {**verdict(one), "label": label, "needs": ["n2" if one["title"] == on_second else "n1"]}

    read = {"meaning": "sparse retrieval", "needs": ["learned sparse retrieval", "collections of passages"]}
    reads = SearchOptions(choose_sources=False, calls=60)
    with scripted(understand=lambda request: read, judge=judged) as endpoint:
        on_second = searched(shelf(Library(PAPERS), model=model_at(endpoint)), reads).titles[7]
        found = searched(shelf(Library(PAPERS), model=model_at(endpoint)), reads)
    assert found.titles[FIRST - 1] == on_second
    assert found.state.ranking[FIRST - 1].why.endswith(": the best on “collections of passages”")


def test_every_work_within_bounds_is_ranked_once() -> None:
    state = searched(shelf(Library(PAPERS)), ALL).state
    works = [entry.work for entry in state.ranking]
    assert len(works) == len(set(works)) == len(state.found)


def test_an_entry_of_the_ranking_can_be_asked_for_by_its_work() -> None:
    state = searched(shelf(Library(PAPERS)), ALL).state
    assert isinstance(state.ranked(state.ranking[3].work), Ranked)
