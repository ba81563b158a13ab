"""A careful reader in place of the model: recorded questions searched again in a world of the papers it was shown."""

import pytest

from agents.search.options import LIMITS
from tests.benchmarks.model.careful_reader import ANSWERS, MISSING, replayed

pytestmark = pytest.mark.skipif(not ANSWERS.exists(), reason=MISSING)


@pytest.mark.parametrize("by_grade", [False, True])
@pytest.mark.parametrize("name", ["B2", "B5"])
def test_a_fast_search_with_a_careful_reader_puts_the_best_first(name: str, by_grade: bool) -> None:
    result = replayed(name, by_grade)
    assert result.ndcg > 0.9
    assert result.calls <= 1.6 * LIMITS["fast"].judged
    assert result.relevant_judged >= 0.9 * result.relevant


@pytest.mark.parametrize(("name", "least"), [("A1", 0.95), ("A2", 0.85)])
def test_among_papers_that_a_reader_calls_equal_the_question_itself_comes_first(name: str, least: float) -> None:
    """An English question, and a German one whose reader called 31 of 58 relevant papers equally good."""
    assert replayed(name).ndcg >= least


def test_a_deep_search_leaves_papers_unread_and_misses_none_that_is_relevant() -> None:
    result = replayed("D7")
    assert result.judged <= 70, (
        "of 210 that are chosen, those that are about something else by their words are not read"
    )
    assert result.calls <= 90
    assert result.relevant_judged == result.relevant
