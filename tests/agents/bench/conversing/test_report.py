"""What is said of a measured assistant."""

from pathlib import Path

from agents.bench.conversing.measuring import CANDIDATES, ConversingRow
from agents.bench.conversing.report import FAILURES, NO_MODEL, ConversingTerms, lines_of, report
from agents.bench.conversing.simulated_person import AT_ONCE, HELD_BY, SHARE, SHOWN, TURNS

OURS = {"understood": 1.0, "calls": 0.0}
ROWS = [
    ConversingRow("dialog", "u1", "spar", {"hit@5": 1.0, "at@5": 2.0, **OURS}),
    ConversingRow("dialog", "u2", "spar", {"hit@5": 1.0, "at@5": 4.0, **OURS, "understood": 0.5}),
    ConversingRow("dialog", "u1", "popularity", {"hit@5": 1.0, "at@5": 5.0}),
    ConversingRow("dialog", "u2", "popularity", {"hit@5": 0.0, "at@5": 6.0}),
]
ASKED = [
    ConversingRow("retrieval", "q1", "spar", {"recall@5": 0.5, **OURS}),
    ConversingRow("retrieval", "q1", "bm25", {"recall@5": 0.25}),
]


def test_averages_are_over_people_and_the_assistant_is_compared_with_each_plain_way() -> None:
    told = report("tiny", "people", ROWS, ConversingTerms("report", 3))
    assert (told["people"], told["half"], told["seed"], told["model"]) == (2, "report", 3, None)
    arms = told["tasks"]["dialog"]["arms"]
    assert arms["spar"] == {"hit@5": 1.0, "at@5": 3.0, "understood": 0.75, "calls": 0.0}
    against = arms["popularity"]["spar_against"]
    assert (against["hit@5"]["difference"], against["hit@5"]["ratio"]) == (0.5, 2.0)
    assert against["at@5"]["difference"] == -2.5
    assert against["at@5"]["low"] <= -2.5 <= against["at@5"]["high"]


def test_what_needs_a_model_is_said_not_to_have_been_measured() -> None:
    told = report("tiny", "people", ROWS, ConversingTerms())
    assert told["not_measured"] == ["plan_first", "demonstrations", "reflection"]
    assert lines_of(told)[-1] == NO_MODEL


def test_what_a_failure_counts_is_said_where_turns_are_counted() -> None:
    assert FAILURES in lines_of(report("tiny", "people", ROWS, ConversingTerms()))
    assert FAILURES not in lines_of(report("tiny", "questions", ASKED, ConversingTerms()))


def test_the_table_names_the_collection_and_every_arm() -> None:
    lines = lines_of(report("tiny", "questions", ASKED, ConversingTerms()))
    assert lines[0] == "tiny · 1 question · half: all"
    assert any(line.startswith("spar ") and "0.500" in line for line in lines)
    assert any(line.startswith("spar against bm25") and "2.00" in line for line in lines)


def test_the_docs_tell_the_bounds_that_hold() -> None:
    told = " ".join((Path(__file__).parents[4] / "docs" / "bench.md").read_text("utf-8").split())
    numbers = {2: "two", 5: "five"}
    assert f"in at most {TURNS} turns" in told
    assert f"say up to {numbers[AT_ONCE]} things more" in told
    assert f"fewer than {HELD_BY} or more than a tenth of the documents" in told
    assert SHARE == 0.1
    assert f"a failure counts {TURNS + 1}" in told
    assert f"among the first {numbers[SHOWN]} shown" in told
    assert f"{CANDIDATES} papers in no order" in told
