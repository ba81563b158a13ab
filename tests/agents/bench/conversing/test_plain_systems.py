"""The plain ways beside the assistant."""

from pathlib import Path

import pytest

from agents.bench.closed_world import ClosedWorld
from agents.bench.conversing.measuring import BM25, FACTS, POPULARITY, RANDOM, SIMILARITY, PlainSystems, as_words
from agents.bench.conversing.simulated_person import Fact
from agents.bench.recommending.world import World
from connectors.source import Query
from tests.agents.bench import tiny


@pytest.fixture
def ways(tmp_path: Path) -> PlainSystems:
    return PlainSystems(tiny.collection(tmp_path).documents)


def test_popular_is_what_most_papers_link_to(ways: PlainSystems) -> None:
    assert set(ways.order(POPULARITY)[:2]) == {"d05", "d15"}


def test_bm25_orders_as_the_search_of_the_collection_does(ways: PlainSystems, tmp_path: Path) -> None:
    expected = [document for document, _ in ClosedWorld(tiny.collection(tmp_path)).ranking(Query("coral", limit=20))]
    assert ways.order(BM25, words="coral")[: len(expected)] == expected


def test_bm25_reads_years_and_authors_that_a_person_tells(ways: PlainSystems) -> None:
    assert ways.order(BM25, words=as_words([Fact("year", "2017")]))[0] == "d17"


def test_similarity_is_that_of_the_bench_of_recommendations(ways: PlainSystems) -> None:
    world = World(ways.documents)
    scores = world.vanilla([world.index_of["d01"]])
    order = ways.order(SIMILARITY, history=["d01"])
    assert [scores[world.index_of[document]] for document in order] == sorted(scores, reverse=True)


def test_before_anything_is_told_only_the_history_counts(ways: PlainSystems) -> None:
    assert ways.order(FACTS, history=["d01"]) == ways.order(SIMILARITY, history=["d01"])
    assert ways.order(FACTS, history=["d20"], words="coral") != ways.order(SIMILARITY, history=["d20"])


def test_only_those_that_are_left_are_ordered(ways: PlainSystems) -> None:
    assert ways.order(BM25, {"d09", "d03"}, words="coral") == ["d03", "d09"]


def test_chance_is_drawn_once(ways: PlainSystems) -> None:
    assert ways.order(RANDOM, draw=(1,)) == ways.order(RANDOM, draw=(1,)) != ways.order(RANDOM, draw=(2,))
