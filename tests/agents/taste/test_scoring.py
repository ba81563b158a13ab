"""How well candidates fit the history."""

from agents.taste.comparison import Comparison
from agents.taste.context import read_context
from agents.taste.scoring import scored
from cache.store import Store
from cache.timestamps import utc_now
from tests.agents.recommendation.people import done, known


def test_a_paper_that_was_glanced_at_does_not_support_itself(store: Store) -> None:
    first, second, third, *_ = known(store)
    done(store, "viewed", first, second, third)
    comparison = Comparison(store, read_context(store, utc_now()))
    place = comparison.place[first]
    (found,) = scored(comparison, [place])
    assert found.shares
    assert place not in dict(found.shares)
