"""What can be recommended at all."""

import pytest

from agents.run.errors import NothingToBeginWith, RunError
from cache import papers, runs
from cache.store import Store
from tests.agents.recommendation.people import SUBJECTS, about, done, known, numbers_shown, recommended
from tests.agents.scripted import paper


def test_only_what_came_since_the_last_recommendation_is_new(store: Store) -> None:
    history = known(store)
    done(store, "liked", *history[:3])
    assert numbers_shown(store, recommended(store, limit=3))
    assert not recommended(store, only_new=True).shown
    (later,) = papers.remember(store, [about(SUBJECTS[0], 99)])
    assert numbers_shown(store, recommended(store, only_new=True)) == [later]


def test_recommendations_that_were_cut_off_do_not_make_old_papers_new(store: Store) -> None:
    history = known(store)
    done(store, "liked", *history[:3])
    recommended(store, limit=3)
    for _ in range(3):
        runs.finish(store, runs.start(store, "recommendation", ""), "interrupted")
    assert not recommended(store, only_new=True).shown


def test_the_first_recommendation_has_nothing_before_it_so_all_is_new(store: Store) -> None:
    done(store, "liked", *known(store)[:3])
    state = recommended(store, only_new=True)
    assert state.shown
    assert state.started
    assert state.started.new_since is None


def test_a_paper_that_was_glanced_at_is_not_recommended_for_being_like_itself(store: Store) -> None:
    (alone,) = papers.remember(store, [paper("Xylophone sonatas", "10.1000/x")])
    others = known(store, SUBJECTS[0])
    done(store, "viewed", alone, *others[:3])
    shown = numbers_shown(store, recommended(store, limit=100))
    assert alone not in shown
    assert {*others[:3]} <= {*shown}


def test_a_tag_that_no_paper_has_is_wrong_and_one_of_disliked_papers_says_nothing(store: Store) -> None:
    from agents.tools import shelf_actions

    number, *_ = known(store)
    some = papers.by_ids(store, [number])
    shelf_actions.save(store, some, ["old"])
    shelf_actions.rate(store, some, -1)
    with pytest.raises(NothingToBeginWith, match="does not say that you like them"):
        recommended(store, tag="old")
    with pytest.raises(RunError, match="No saved paper has the tag 'new'"):
        recommended(store, tag="new")
