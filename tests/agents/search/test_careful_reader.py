"""A careful reader in place of the model: recorded questions searched again in a world of the papers it was shown."""

import pytest

from tests.benchmarks.model.careful_reader import ANSWERS, MISSING, replayed

pytestmark = pytest.mark.skipif(not ANSWERS.exists(), reason=MISSING)


@pytest.mark.parametrize("by_grade", [False, True])
@pytest.mark.parametrize("name", ["B2", "B5"])
def test_a_fast_search_with_a_careful_reader_puts_the_best_first(name: str, by_grade: bool) -> None:
    result = replayed(name, by_grade)
    assert result.ndcg > 0.9
    assert result.calls <= 9 + 30, "the texts of half as many papers again as are shown, the others by their words"
    assert result.relevant_judged >= min(0.9 * result.relevant, 30)


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


def test_ten_calls_order_as_well_as_all() -> None:
    """The words of all papers are judged before a text is read."""
    assert replayed("A1", calls=10).ndcg == replayed("A1").ndcg
    assert replayed("A1", calls=10).calls == 10


@pytest.mark.parametrize(("name", "least"), [("A1", 0.98), ("A2", 0.93)])
def test_a_finer_grade_orders_papers_of_one_label_and_a_constant_one_changes_nothing(name: str, least: float) -> None:
    assert replayed(name, finer="graded").ndcg >= max(least, replayed(name).ndcg)
    assert replayed(name, finer="always").ndcg == replayed(name).ndcg
