"""The baseline on collections that people labelled; skipped where they are not at hand."""

import asyncio
from pathlib import Path

import pytest

from agents.bench.closed_world import answerable, closed_cases
from agents.bench.collections import read_collection
from agents.bench.run import BASELINE, Row, Terms, run, summary
from agents.search.options import SearchOptions
from tests.benchmarks import entailment

COLLECTIONS = Path(__file__).parents[4] / "shared" / "collections"


@pytest.mark.parametrize(
    ("name", "recall_50", "ndcg_10"),
    [("cf", 0.356, 0.491), ("cacm", 0.59, 0.451), ("csfcube", 0.440, 0.399), ("scholarqabench", 0.906, 0.754)],
)
def test_the_baseline_is_at_least_as_good_as_published_ones(name: str, recall_50: float, ndcg_10: float) -> None:
    """A weak baseline would make every search look good."""
    folder = COLLECTIONS / name
    if not folder.is_dir():
        pytest.skip(f"needs ../shared/collections/{name}")
    collection = read_collection(folder)
    questions = answerable(collection)

    async def collect() -> list[Row]:
        cases = closed_cases(collection, questions)
        return [row async for rows in run(cases, [BASELINE], SearchOptions(limit=100)) for row in rows]

    result = summary(name, asyncio.run(collect()), Terms())
    assert result["queries"] == len(questions)
    assert result["arms"][BASELINE]["recall@50"] >= recall_50
    assert result["arms"][BASELINE]["ndcg@10"] >= ndcg_10


def test_words_tell_an_experts_own_citations_from_shuffled_ones() -> None:
    """The built-in judge of citations is worth something: docs/bench.md tells its figures."""
    if not entailment.FOLDER.is_dir():
        pytest.skip("needs ../shared/collections/scholarqabench")
    found = entailment.measured(entailment.FOLDER)
    assert len(found.own) > 200
    assert entailment.area(found.own, found.same_answer) > 0.8
    assert entailment.area(found.own, found.other_question) > 0.95
    assert entailment.passing(found.same_answer) < 0.1
