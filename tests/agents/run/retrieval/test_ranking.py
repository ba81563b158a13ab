"""The order of what a run found, and the pool that is assessed."""

from agents.run.events import FoundBy
from agents.run.retrieval.meaning import pool_of, rank
from connectors.paper import WorkId
from tests.agents.scripted import paper

QUESTION = "sparse retrieval"
ONE, TWO, THREE = WorkId(1), WorkId(2), WorkId(3)
PAPERS = {
    ONE: paper("Sparse retrieval", "10.1000/1"),
    TWO: paper("Dense retrieval", "10.1000/2"),
    THREE: paper("River ecology", "10.1000/3"),
}


def found(source: str, rank: int, query: str = QUESTION) -> FoundBy:
    return FoundBy(source, query, rank)


def test_what_several_sources_list_early_comes_first() -> None:
    lists = {THREE: [found("openalex", 1), found("arxiv", 1)], TWO: [found("openalex", 2)], ONE: [found("arxiv", 40)]}
    assert rank(QUESTION, PAPERS, lists)[0] == 3


def test_where_no_source_lists_a_paper_its_words_decide() -> None:
    assert rank(QUESTION, PAPERS, {}) == [1, 2, 3]


def test_a_source_that_lists_a_paper_twice_for_one_query_counts_once() -> None:
    once = {TWO: [found("openalex", 1)], THREE: [found("openalex", 2)]}
    again = {**once, THREE: [found("openalex", 2)] * 9}
    assert rank(QUESTION, PAPERS, once) == rank(QUESTION, PAPERS, again)


def test_a_pool_has_each_list_in_its_order_and_those_for_the_question_apart() -> None:
    lists = {
        ONE: [found("openalex", 2), found("arxiv", 1, "other words")],
        TWO: [found("openalex", 1)],
        THREE: [FoundBy("openalex", QUESTION, 1, "references", ONE)],
    }
    pool = pool_of(QUESTION, PAPERS, lists, {TWO: 0.9, WorkId(99): 1.0})
    assert list(pool.papers) == list(PAPERS.values())
    assert (pool.lists, pool.other_lists) == ([[1, 0]], [[0]])
    assert pool.judged == {1: 0.9}


def test_the_library_lists_for_a_query_only_what_no_source_does() -> None:
    """It remembers what sources listed: a search that is run again counts no list twice."""
    lists = {
        ONE: [found("openalex", 2), found("library", 1)],
        TWO: [found("openalex", 1), found("library", 2, "other words")],
        THREE: [found("library", 3)],
    }
    pool = pool_of(QUESTION, PAPERS, lists)
    assert (pool.lists, pool.other_lists) == ([[2], [1, 0]], [[1]])
