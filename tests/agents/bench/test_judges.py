"""Judges that know the labels."""

from hypothesis import given
from hypothesis import strategies as st

from agents.bench.judges import SimulatedJudge, verdict
from agents.search.state import THRESHOLD
from connectors.paper import Paper

GRADES = {"a": 4, "b": 1, "x": 0}
PAPERS = {name: Paper(name) for name in ("a", "b", "x", "stranger")}


def judge(error: float = 0.0, seed: int = 0) -> SimulatedJudge:
    return SimulatedJudge("q", GRADES, lambda paper: paper.title if paper.title in GRADES else None, error, seed)


def test_a_perfect_judge_keeps_what_is_relevant_and_puts_the_best_grade_first() -> None:
    scores = {name: judge().score(paper) for name, paper in PAPERS.items()}
    assert scores["a"] == 1
    assert THRESHOLD <= scores["b"] < scores["a"]
    assert scores["x"] == scores["stranger"] == 0


def test_a_noisy_judge_errs_as_often_as_it_was_told() -> None:
    wrong = [verdict("q", f"d{number}", 0, 1, 0.2, 0) >= THRESHOLD for number in range(5_000)]
    assert 0.18 < sum(wrong) / len(wrong) < 0.22


@given(st.text(max_size=9), st.text(max_size=9), st.integers(0, 8), st.floats(0, 1), st.integers())
def test_every_verdict_is_a_score_and_the_same_whenever_it_is_asked_for(
    question: str, document: str, grade: int, error: float, seed: int
) -> None:
    score = verdict(question, document, grade, 8, error, seed)
    assert 0 <= score <= 1
    assert score == verdict(question, document, grade, 8, error, seed)


@given(st.text(max_size=9), st.integers(0, 8), st.integers())
def test_a_judge_that_always_errs_keeps_the_wrong_ones(document: str, grade: int, seed: int) -> None:
    assert (verdict("q", document, grade, 8, 1.0, seed) >= THRESHOLD) == (grade == 0)


def test_other_seeds_err_elsewhere() -> None:
    first, second = ([verdict("q", str(n), 1, 1, 0.5, seed) >= THRESHOLD for n in range(64)] for seed in (1, 2))
    assert first != second
