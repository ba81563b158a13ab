"""Systems on questions, from the collection to the figures."""

import asyncio
from collections.abc import Sequence
from math import log2
from pathlib import Path

import pytest

from agents.bench.closed_world import Case, answerable, closed_cases, live_cases
from agents.bench.collections import GoldPaper, GoldQuestion, Question, read_collection
from agents.bench.run import BASELINE, RIVAL, SYSTEMS, SearchMeasures, SystemAnswer, Terms, answer, run, summary
from agents.bench.table import table
from agents.run.resources import Resources
from agents.search.options import SearchOptions
from tests.agents.bench import tiny
from tests.agents.scripted import ScriptedSource, paper

SPAR = "spar"
OPTIONS = SearchOptions(limit=100)


def rows(
    cases: Sequence[Case], *of: str, error: float | None = None, options: SearchOptions = OPTIONS
) -> list[SearchMeasures]:
    async def collect() -> list[SearchMeasures]:
        return [row async for found in run(cases, of, options, error) for row in found]

    return asyncio.run(collect())


def cases(folder: Path) -> list[Case]:
    collection = tiny.collection(folder)
    return list(closed_cases(collection, answerable(collection)))


def one_outcome(system: str, case: Case, options: SearchOptions = OPTIONS) -> SystemAnswer:
    return asyncio.run(answer(system, case, options))


def test_the_baselines_measures_are_those_worked_out_by_hand(tmp_path: Path) -> None:
    """Of d02 (grade 2), d05 and d15 the plain order has d02 at place 2, d05 at place 5, and never d15."""
    (row,) = rows(cases(tmp_path), BASELINE)
    ideal = 2 + 1 / log2(3) + 1 / log2(4)
    expected = {
        "recall@5": 2 / 3,
        "recall@10": 2 / 3,
        "recall@50": 2 / 3,
        "recall@100": 2 / 3,
        "precision@10": 0.2,
        "f1@10": 0.4 / 1.3,
        "ndcg@10": (2 / log2(3) + 1 / log2(6)) / ideal,
        "raw_recall": 2 / 3,
        "papers": 11,
        "asked": 1,
        "calls": 0,
    }
    assert {name: row.measures[name] for name in expected} == pytest.approx(expected)
    assert "kept_f1" not in row.measures


def test_every_arm_answers_with_documents_of_the_collection(tmp_path: Path) -> None:
    (case,) = cases(tmp_path)
    known = {tiny.doc(number) for number in tiny.NUMBERS}
    for system in SYSTEMS:
        outcome = one_outcome(system, case)
        ranked = [entry.document for entry in outcome.ranking]
        assert set(ranked) <= set(outcome.retrieved) <= known
        assert len(set(ranked)) == len(ranked) > 0


def test_dates_of_the_question_are_limits_but_in_the_arm_without_them(tmp_path: Path) -> None:
    """Document d05, which is relevant, is of 2005."""
    collection = read_collection(tiny.write(tmp_path, queries=[{"id": "coral", "text": "coral since 2010"}]))
    (case,) = closed_cases(collection, answerable(collection))
    listed = {system: {one.document for one in one_outcome(system, case).ranking} for system in (SPAR, "spar-dates")}
    assert tiny.doc(5) in listed["spar-dates"] - listed[SPAR]


def test_what_one_arm_asks_is_not_counted_for_the_next(tmp_path: Path) -> None:
    (case,) = cases(tmp_path)
    first, second = one_outcome(SPAR, case), one_outcome(SPAR, case)
    assert first.requests == second.requests > 0


def test_hidden_documents_are_in_no_systems_answer(tmp_path: Path) -> None:
    collection = tiny.collection(tmp_path)
    hidden = {"d20", "d01", *(tiny.doc(number) for number in range(15, 20))}
    (case,) = closed_cases(collection, [collection.questions[1]])
    for system in SYSTEMS:
        assert not hidden & set(one_outcome(system, case).retrieved)


def test_the_baseline_gets_as_many_papers_as_the_arm_retrieved_and_kept(tmp_path: Path) -> None:
    (case,) = cases(tmp_path)
    outcome = one_outcome(SPAR, case)
    (row,) = rows([case], SPAR)
    order = [entry.document for entry in one_outcome(BASELINE, case).ranking]
    relevant = {"d02", "d05", "d15"}
    assert outcome.kept is not None
    kept = set(order[: len(outcome.kept)])
    assert row.plain[BASELINE]["raw_recall"] == pytest.approx(len(relevant & set(order[: len(outcome.retrieved)])) / 3)
    assert row.plain[BASELINE]["kept_recall"] == pytest.approx(len(relevant & kept) / 3)


def test_an_answer_is_measured_no_deeper_than_it_may_be_long(tmp_path: Path) -> None:
    (row,) = rows(cases(tmp_path), BASELINE, options=SearchOptions(limit=3))
    assert row.measures["recall@100"] == pytest.approx(1 / 3)
    assert row.measures["papers"] == 3


def test_a_perfect_judge_keeps_only_what_is_relevant_and_puts_it_first(tmp_path: Path) -> None:
    (row,) = rows(cases(tmp_path), SPAR, error=0.0)
    assert row.measures["kept_precision"] == 1
    assert row.measures["kept_recall"] == pytest.approx(row.measures["raw_recall"])
    assert row.measures["recall@5"] == pytest.approx(row.measures["raw_recall"])


def test_a_question_whose_words_nobody_has_counts_as_a_failure_and_not_as_no_question(tmp_path: Path) -> None:
    collection = read_collection(tiny.write(tmp_path, labels=("wordless\td01\t1",)))
    for row in rows(list(closed_cases(collection, answerable(collection))), BASELINE, SPAR):
        assert row.measures["recall@100"] == 0
        assert row.question == "wordless"


def live(gold: Sequence[str], *sources: ScriptedSource) -> SearchMeasures:
    question = GoldQuestion(Question("q", "coral"), tuple(map(GoldPaper, gold)))
    resources = Resources({source.name: source for source in sources})
    (row,) = rows(list(live_cases([question], resources)), SPAR, options=SearchOptions())
    return row


def test_live_answers_are_measured_by_known_titles() -> None:
    first = ScriptedSource("openalex", [paper("Coral and sand", "10.1000/a"), paper("Unknown", "10.1000/b")])
    second = ScriptedSource("pubmed", [paper("Coral tides", "10.1000/c", author="Someone Else", date="1990")])
    row = live(["Coral and sand.", "Coral Tides", "Never found"], first, second)
    assert row.measures["recall@5"] == row.measures["raw_recall"] == pytest.approx(2 / 3)
    assert row.measures["papers"] == 3
    assert row.measures["asked"] >= 2
    assert row.plain == {}


def test_a_known_paper_that_was_found_twice_counts_once() -> None:
    twins = [paper("Coral and sand", name) for name in ("10.1000/a", "10.1000/b")]
    row = live(["Coral and sand"], ScriptedSource("openalex", twins))
    assert (row.measures["papers"], row.measures["precision@10"], row.measures["recall@5"]) == pytest.approx(
        (2, 0.1, 1)
    )


def test_the_summary_keeps_to_the_contract(tmp_path: Path) -> None:
    result = summary("tiny", rows(cases(tmp_path), BASELINE, SPAR), Terms())
    assert (result["collection"], result["queries"]) == ("tiny", 1)
    promised = "recall@10 recall@50 recall@100 precision@10 f1@10 ndcg@10 papers calls seconds".split()
    for system in (BASELINE, SPAR):
        assert set(promised) <= set(result["arms"][system])
    against = result["arms"][SPAR]["vs_bm25"]["recall@50"]
    assert against["low"] <= against["difference"] <= against["high"]
    assert result["arms"][SPAR]["recall@50"] == pytest.approx(against["baseline"] + against["difference"])
    assert "vs_bm25" not in result["arms"][BASELINE]


def test_the_summary_tells_how_reliable_the_judge_is_and_nothing_of_who_does_not_judge(tmp_path: Path) -> None:
    arms = summary("tiny", rows(cases(tmp_path), BASELINE, RIVAL, SPAR, error=0.0), Terms())["arms"]
    told = arms[SPAR]["reliability"]
    assert {tenth["relevant"] for tenth in told if tenth["low"] >= 0.5} == {1.0}
    assert {tenth["relevant"] for tenth in told if tenth["low"] < 0.5} == {0.0}
    assert all("reliability" not in arms[way] for way in (BASELINE, RIVAL))


def test_the_rival_is_given_as_many_papers_as_the_arm_it_stands_beside(tmp_path: Path) -> None:
    (case,) = cases(tmp_path)
    rival, ours = rows([case], RIVAL, SPAR)
    order = [entry.document for entry in one_outcome(RIVAL, case).ranking]
    relevant = {"d02", "d05", "d15"}
    assert set(rival.plain) == {BASELINE}
    assert set(ours.plain) == {BASELINE, RIVAL}
    depth = int(ours.measures["papers"])
    assert ours.plain[RIVAL]["raw_recall"] == pytest.approx(len(relevant & set(order[:depth])) / 3)


def test_averages_are_over_questions(tmp_path: Path) -> None:
    made = [
        SearchMeasures(name, BASELINE, {"recall@10": value}, {}) for name, value in (("a", 1.0), ("b", 0.5), ("c", 0.0))
    ]
    assert summary("made", made, Terms())["arms"][BASELINE]["recall@10"] == 0.5


def test_the_table_names_every_arm_and_its_columns_are_aligned(tmp_path: Path) -> None:
    lines = table(summary("tiny", rows(cases(tmp_path), BASELINE, SPAR), Terms(judge="perfect")))
    assert "tiny · 1 question" in lines[0]
    assert "judge: perfect" in lines[0]
    blocks = "\n".join(lines[2:]).split("\n\n")
    assert len(blocks) == 4
    for block in blocks:
        assert len({len(line) for line in block.splitlines()}) == 1
    for block in blocks[:2]:
        assert [line.split()[0] for line in block.splitlines()[1:]] == [BASELINE, SPAR]
