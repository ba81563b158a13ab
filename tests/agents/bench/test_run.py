"""Searches measured by questions with known papers."""

import asyncio
from collections.abc import Sequence

import pytest

from agents.bench.measures import Measures
from agents.bench.questions import GoldPaper, GoldQuestion
from agents.bench.run import measured_search
from agents.run.resources import Resources
from agents.search.options import SearchOptions
from tests.agents.scripted import ScriptedSource, paper


def measured(gold: Sequence[str], *sources: ScriptedSource) -> Measures:
    question = GoldQuestion("q", "coral", tuple(map(GoldPaper, gold)))
    resources = Resources({source.name: source for source in sources})
    return asyncio.run(measured_search(question, resources, SearchOptions()))


def test_answers_are_measured_by_known_titles() -> None:
    first = ScriptedSource("openalex", [paper("Coral and sand", "10.1000/a"), paper("Unknown", "10.1000/b")])
    second = ScriptedSource("pubmed", [paper("Coral tides", "10.1000/c", author="Someone Else", date="1990")])
    measures = measured(["Coral and sand.", "Coral Tides", "Never found"], first, second)
    assert measures["recall@5"] == measures["raw_recall"] == pytest.approx(2 / 3)
    assert measures["papers"] == 3
    assert measures["asked"] >= 2


def test_a_known_paper_that_was_found_twice_counts_once() -> None:
    twins = [paper("Coral and sand", name) for name in ("10.1000/a", "10.1000/b")]
    measures = measured(["Coral and sand"], ScriptedSource("openalex", twins))
    assert (measures["papers"], measures["precision@10"], measures["recall@5"]) == pytest.approx((2, 0.1, 1))
