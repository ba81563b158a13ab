"""A candidate scores by what of the history supports it, and names the papers that do."""

from agents.taste.comparison import TasteComparison
from agents.taste.context import read_context
from agents.taste.scoring import scored
from cache import profile
from cache.store import Store
from tests.agents.taste.world import NOON, done, filled


def compared(store: Store) -> TasteComparison:
    return TasteComparison(store, read_context(store, NOON))


def test_scores_are_from_0_to_1_and_higher_on_the_subject(store: Store) -> None:
    whales, compilers = filled(store)
    done(store, "liked", *whales[:4])
    comparison = compared(store)
    found = scored(comparison, [comparison.index[number] for number in (*whales[4:], *compilers)])
    assert all(0 <= one.score < 1 for one in found)
    assert min(one.score for one in found[:2]) > max(one.score for one in found[2:])


def test_shares_are_of_the_history_the_greatest_first_and_no_more_than_all(store: Store) -> None:
    whales, _ = filled(store)
    done(store, "liked", *whales[:4])
    comparison = compared(store)
    [found] = scored(comparison, [comparison.index[whales[4]]], grounds=2)
    shares = [share for _, share in found.shares]
    assert shares == sorted(shares, reverse=True)
    assert 0 < sum(shares) <= 1
    assert {comparison.number(place) for place, _ in found.shares} <= set(whales[:4])


def test_more_like_this_and_not_for_me_move_what_is_like_it(store: Store) -> None:
    whales, compilers = filled(store)
    done(store, "liked", *compilers[:3])
    comparison = compared(store)
    [before] = scored(comparison, [comparison.index[whales[1]]])
    done(store, "disliked", whales[0])
    comparison = compared(store)
    [after] = scored(comparison, [comparison.index[whales[1]]])
    assert comparison.number(after.against or 0) == whales[0]
    assert after.score <= before.score
    profile.add_line(store, "like", "humpback whales and their migration")
    comparison = compared(store)
    [wanted] = scored(comparison, [comparison.index[whales[1]]])
    assert wanted.against is None
    assert wanted.score > after.score


def test_without_a_history_nothing_is_supported(store: Store) -> None:
    whales, _ = filled(store)
    comparison = compared(store)
    assert [(one.score, one.shares) for one in scored(comparison, [comparison.index[whales[0]]])] == [(0.0, ())]
