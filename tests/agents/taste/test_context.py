"""The context is what stands of the reading history, with the person's own lines that count."""

from datetime import timedelta

from agents.taste.context import PASSED_OVER, read_context
from agents.tools import shelf_actions
from cache import papers, profile, runs, shelf
from cache.reading_history import forget_interactions
from cache.store import Store
from connectors.paper import Paper
from tests.agents.taste.world import NOON, WHALES, done, filled, paper

DAY = timedelta(days=1)


def recommended(store: Store, shown: Paper, times: int) -> None:
    for _ in range(times):
        run = runs.start(store, "recommendation", "", {})
        runs.finish(store, run, "finished", {}, [runs.StoredRank(shown, {})])


def test_who_did_nothing_has_an_empty_context(store: Store) -> None:
    filled(store)
    context = read_context(store, NOON)
    assert context.empty
    assert not context.closed


def test_what_was_done_long_ago_says_less_and_at_last_nothing(store: Store) -> None:
    (first, second, third, *_), _ = filled(store)
    done(store, "opened", first, at=NOON - DAY)
    done(store, "opened", second, at=NOON - 100 * DAY)
    done(store, "opened", third, at=NOON - 1_000 * DAY)
    wanted = read_context(store, NOON).wanted
    assert wanted[first] > wanted[second]
    assert third not in wanted


def test_what_is_done_now_counts_twice(store: Store) -> None:
    (first, second, *_), _ = filled(store)
    done(store, "read", first, at=NOON)
    done(store, "read", second, at=NOON - DAY)
    context = read_context(store, NOON)
    assert context.session == {first}
    assert context.wanted[first] > 1.9 * context.wanted[second]


def test_saved_read_and_unwanted_papers_are_not_recommended(store: Store) -> None:
    (saved, read, disliked, dismissed, viewed, _), _ = filled(store)
    shelf.save(store, papers.by_ids(store, [saved]))
    done(store, "read", read)
    done(store, "disliked", disliked)
    done(store, "dismissed", dismissed)
    done(store, "viewed", viewed)
    context = read_context(store, NOON)
    assert context.closed == {saved, read, disliked, dismissed}
    assert set(context.unwanted) == {disliked, dismissed}
    assert not set(context.wanted) & set(context.unwanted)


def test_the_shelf_counts_though_the_reading_history_was_forgotten(store: Store) -> None:
    number, *_ = shelf.save(store, [paper(*WHALES[0])], now=NOON)
    shelf.rate(store, number, 1)
    forget_interactions(store)
    assert set(read_context(store, NOON).acts[number]) == {"saved", "liked"}


def test_what_is_set_aside_says_nothing_until_something_is_done_again(store: Store) -> None:
    (first, second, *_), _ = filled(store)
    shelf.save(store, papers.by_ids(store, [first]), now=NOON - DAY)
    done(store, "liked", first, second, at=NOON - DAY)
    profile.set_aside(store, [first], NOON)
    assert set(read_context(store, NOON).wanted) == {second}
    assert first in read_context(store, NOON).closed  # it is on the shelf still
    done(store, "opened", first, at=NOON + DAY)
    assert read_context(store, NOON + DAY).acts[first] == ("opened",)


def test_a_paper_that_was_recommended_thrice_and_never_looked_at_is_closed(store: Store) -> None:
    (passed, looked_at, once, *_), _ = filled(store)
    [first, second, third] = papers.by_ids(store, [passed, looked_at, once])
    recommended(store, first, PASSED_OVER)
    recommended(store, second, PASSED_OVER)
    recommended(store, third, PASSED_OVER - 1)
    done(store, "viewed", looked_at)
    assert read_context(store, NOON).closed == {passed}


def test_chosen_papers_stand_in_place_of_the_history_and_are_not_recommended(store: Store) -> None:
    (first, second, *_), _ = filled(store)
    done(store, "liked", first)
    context = read_context(store, NOON, start=[second])
    assert context.wanted == {second: 1.0}
    assert second in context.closed
    assert not context.lines


def test_a_tag_narrows_the_history_to_what_bears_it(store: Store) -> None:
    (first, second, *_), _ = filled(store)
    shelf_actions.save(store, papers.by_ids(store, [first]), ["sea"])
    shelf_actions.save(store, papers.by_ids(store, [second]))
    assert set(read_context(store, NOON, tag="sea").wanted) == {first}
    assert read_context(store, NOON, tag="land").empty


def test_lines_that_contradict_each_other_do_not_count_until_one_goes(store: Store) -> None:
    liked = profile.add_line(store, "like", "whales")
    disliked = profile.add_line(store, "dislike", "papers about whales")
    profile.add_line(store, "expect", "since 2020")
    context = read_context(store, NOON)
    assert [line.facet for line in context.lines] == ["expect"]
    assert {line.number for line in context.contradicting} == {liked, disliked}
    profile.forget_line(store, disliked)
    assert [line.number for line in read_context(store, NOON).lines] == [liked, disliked + 1]


def test_a_line_alone_is_no_empty_context_unless_it_is_a_dislike(store: Store) -> None:
    number = profile.add_line(store, "dislike", "whales")
    assert read_context(store, NOON).empty
    profile.forget_line(store, number)
    profile.add_line(store, "like", "whales")
    assert not read_context(store, NOON).empty
