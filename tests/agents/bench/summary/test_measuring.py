"""What a benchmark of summaries measures, on twenty documents whose order can be told by counting."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from agents.bench.closed_world import answerable, closed_cases
from agents.bench.collections import questions_among, read_collection
from agents.bench.summary.measuring import SummaryRow, lines_of, measure, report
from agents.bench.summary.rubrics import Criterion, Rubrics, read_rubrics
from agents.summary.options import SummaryOptions
from tests.agents.bench import tiny

OPTIONS = SummaryOptions(depth=1, branch=2, papers=4)


def rows(folder: Path) -> list[SummaryRow]:
    collection = read_collection(folder)
    rubrics = read_rubrics(folder)

    async def run() -> list[SummaryRow]:
        return [row async for row in measure(closed_cases(collection, answerable(collection)), rubrics, OPTIONS)]

    return asyncio.run(run())


def test_the_tree_and_what_it_is_compared_with_have_as_many_papers(tmp_path: Path) -> None:
    (row,) = rows(tiny.write(tmp_path / "reefs"))
    assert row.tree["papers"] == row.bm25["papers"] == row.spar["papers"] > 0
    assert row.tree["recall_depth_0"] <= row.tree["recall"] <= 1


def test_every_quote_and_citation_is_checked(tmp_path: Path) -> None:
    (row,) = rows(tiny.write(tmp_path / "reefs"))
    assert row.tree["quotes_verbatim"] == row.tree["citations_in_tree"] == 1
    assert row.tree["uncited"] == 0


def test_a_heading_is_covered_by_a_cited_document_with_its_words(tmp_path: Path) -> None:
    answers = [{"id": "coral", "cites": ["d02", "d20"], "headings": ["1 Coral study", "2 Sand", "3 Whales"]}]
    folder = tiny.write(tmp_path / "reefs", answers=answers)
    assert read_rubrics(folder)["coral"] == Rubrics(("d02", "d20"), ("1 Coral study", "2 Sand", "3 Whales"))
    (row,) = rows(folder)
    assert row.tree["facet_coverage"] == 1  # both d02's; nobody wrote of whales, so that is not counted


def test_a_collection_without_texts_has_no_facets_to_cover(tmp_path: Path) -> None:
    (row,) = rows(tiny.write(tmp_path / "reefs"))
    assert "facet_coverage" not in row.tree


def test_what_people_say_on_a_question_is_looked_for_in_both_texts(tmp_path: Path) -> None:
    said = "Coral sand coral [3]. Whales sing long songs in winter [1, 2]."
    rubric = {"text": "It names sand.", "weight": 0.5, "evidence": ["coral sand", "sand"]}
    unmet = {"text": "It names lobsters.", "weight": 0.1}
    folder = tiny.write(
        tmp_path / "reefs",
        answers=[{"id": "coral", "text": said}],
        rubrics=[{"id": "coral", "criteria": [rubric]}, {"id": "coral", "criteria": [unmet]}],
        aspects=[{"id": "coral", "aspects": [{"text": "coral", "sub": ["polyps"]}, {"text": "lobsters"}]}],
    )
    criteria = read_rubrics(folder)["coral"].criteria
    assert criteria["text_coverage"] == (Criterion("Whales sing long songs in winter."),)
    assert [one.claims for one in criteria["rubric_coverage"]] == [("coral sand", "sand"), ("It names lobsters.",)]
    (row,) = rows(folder)
    for text in (row.tree, row.bm25):
        assert text["text_coverage"] == 0
        assert text["rubric_coverage"] == pytest.approx(0.5 / 0.6)
        assert text["aspect_coverage"] == 0.5
    assert "text_coverage" not in row.spar  # a search writes no text


def test_a_text_that_only_quotes_is_supported_by_its_quotes(tmp_path: Path) -> None:
    (row,) = rows(tiny.write(tmp_path / "reefs"))
    assert row.tree["citation_recall"] == row.tree["citation_precision"] == 1


def test_questions_without_labels_are_measured_by_their_text_alone(tmp_path: Path) -> None:
    folder = tiny.write(tmp_path / "asked", rubrics=[{"id": "coral", "criteria": [{"text": "coral"}]}])
    collection = questions_among(folder, tiny.write(tmp_path / "reefs"))
    assert collection.name == "asked among reefs"

    async def run() -> list[SummaryRow]:
        cases = closed_cases(collection, collection.questions[:1])
        return [row async for row in measure(cases, read_rubrics(folder), OPTIONS)]

    (row,) = asyncio.run(run())
    assert "recall" not in row.tree
    assert row.tree["rubric_coverage"] == 1


def test_the_report_compares_at_the_same_depth(tmp_path: Path) -> None:
    found = rows(tiny.write(tmp_path / "reefs"))
    better = [replace(row, tree={**row.tree, "recall": 0.9}, bm25={**row.bm25, "recall": 0.6}) for row in found * 2]
    told = report("reefs", better, "all", OPTIONS)
    assert told["arms"]["tree"]["vs_bm25"]["recall"]["ratio"] == pytest.approx(1.5)
    lines = lines_of(told)
    assert any(line.startswith("with as many papers") for line in lines)
    assert any(line.startswith("tree against bm25") and "recall (2 questions)" in line for line in lines)
