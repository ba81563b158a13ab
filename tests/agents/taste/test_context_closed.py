"""What is known of the person, and which papers are closed to recommendations."""

from datetime import timedelta

import pytest

from agents.taste.context import read_context
from cache import profile, shelf
from cache.reading_history import Interaction
from cache.store import Store
from cache.timestamps import utc_now
from tests.agents.recommendation.people import done, known

NOW = utc_now()
LONG_AGO = NOW - timedelta(days=3_650)


@pytest.mark.parametrize("act", ["read", "dismissed", "disliked", "liked", "cited", "exported"])
@pytest.mark.parametrize("when", [NOW, LONG_AGO], ids=["now", "ten years ago"])
def test_what_the_person_knows_or_does_not_want_is_closed_however_long_ago_that_was(
    act: Interaction, when: object, store: Store
) -> None:
    number = known(store)[0]
    done(store, act, number, now=NOW if when is NOW else LONG_AGO)
    assert number in read_context(store, NOW).closed


@pytest.mark.parametrize("act", ["viewed", "opened"])
def test_what_was_only_glanced_at_may_still_be_recommended(act: Interaction, store: Store) -> None:
    number = known(store)[0]
    done(store, act, number)
    context = read_context(store, NOW)
    assert number in context.wanted
    assert number not in context.closed


def test_a_paper_set_aside_says_nothing_and_stays_closed(store: Store) -> None:
    read, dismissed, *_ = known(store)
    done(store, "read", read, now=LONG_AGO)
    done(store, "dismissed", dismissed, now=NOW - timedelta(days=1))
    profile.set_aside(store, [read, dismissed])
    context = read_context(store, NOW)
    assert not {read, dismissed} & {*context.wanted, *context.unwanted}
    assert context.closed >= {read, dismissed}


def test_a_paper_to_start_from_speaks_for_others_though_it_was_dismissed(store: Store) -> None:
    first, second, *_ = known(store)
    done(store, "dismissed", first, second)
    context = read_context(store, NOW, start=[first])
    assert (set(context.wanted), set(context.unwanted)) == ({first}, {second})


def test_what_was_taken_off_the_shelf_is_open_again(store: Store) -> None:
    from agents.tools import shelf_actions
    from cache import papers

    number = known(store)[0]
    some = papers.by_ids(store, [number])
    shelf_actions.save(store, some)
    assert number in read_context(store, NOW).closed
    shelf_actions.unsave(store, some)
    assert number not in shelf.numbers_on_shelf(store)
    assert number not in read_context(store, NOW).closed
