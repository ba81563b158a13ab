"""How well candidates fit the history."""

from agents.taste.comparison import TasteComparison
from agents.taste.context import read_context
from agents.taste.scoring import by_vectors, scored
from cache.store import Store
from cache.timestamps import utc_now
from tests.agents.recommendation.people import done, known


def test_a_paper_that_was_glanced_at_does_not_support_itself(store: Store) -> None:
    first, second, third, *_ = known(store)
    done(store, "viewed", first, second, third)
    comparison = TasteComparison(store, read_context(store, utc_now()))
    place = comparison.index[first]
    (found,) = scored(comparison, [place])
    assert found.shares
    assert place not in dict(found.shares)


def test_vectors_count_the_less_the_longer_the_history_is() -> None:
    counts = [by_vectors(papers) for papers in range(1, 1_000)]
    assert counts == sorted(counts, reverse=True)
    assert (counts[0], counts[9], counts[10], counts[-1]) == (1 / 3, 0.1, 0.0, 0.0)


def test_vectors_move_a_score_and_leave_the_measure_of_what_fits_where_it_is(store: Store) -> None:
    numbers = known(store)
    done(store, "saved", *numbers[:4])
    comparison = TasteComparison(store, read_context(store, utc_now()))
    places = [comparison.index[number] for number in numbers[4:]]
    plain = [found.score for found in scored(comparison, places)]
    neither = [found.score for found in scored(comparison, places, near=[0.0] * len(places))]
    nearer = [found.score for found in scored(comparison, places, near=[2.0] * len(places))]
    assert len(set(plain)) > 1
    assert [score > 0.5 for score in neither] == [score > 0.5 for score in plain]
    assert all(high > low for high, low in zip(nearer, neither, strict=True))
    assert sorted(range(len(places)), key=neither.__getitem__) == sorted(range(len(places)), key=plain.__getitem__)
