"""What is done to the shelf is done, and what was changed is said, whoever asked for it."""

from collections.abc import Callable

import pytest

from agents.taste.context import read_context
from agents.tools import shelf_actions
from cache import papers, reading_history, runs, shelf
from cache.errors import NotOnShelf
from cache.reading_history import Feedback
from cache.shelf import Shelved
from cache.shelf_undo import ShelfStep
from cache.store import Store
from cache.taking_back import take_back
from cache.timestamps import utc_now
from connectors.paper import Paper
from tests.cache.conftest import make_paper

ENGINES = make_paper("Engines", "10.1000/a")
WHALES = make_paper("Whales", "pmid:2", author="Melville")


def entry(store: Store, paper: Paper) -> Shelved:
    found = shelf_actions.entry_of(store, paper)
    assert found is not None
    return found


def test_saving_says_which_papers_are_new(store: Store) -> None:
    shelf_actions.save(store, [WHALES])
    change = shelf_actions.save(store, [ENGINES, WHALES], ["rag"])
    assert change.new == tuple(papers.numbers_of(store, [ENGINES]))
    assert [entry(store, paper).tags for paper in (ENGINES, WHALES)] == [("rag",), ("rag",)]
    assert {one.paper for one in shelf.shelf(store)} == {ENGINES, WHALES}


def test_taking_off_says_what_was_lost_and_passes_over_what_is_not_there(store: Store) -> None:
    shelf_actions.save(store, [ENGINES], ["rag"])
    shelf_actions.note(store, ENGINES, "Mine.")
    change = shelf_actions.unsave(store, [WHALES, ENGINES])
    [lost] = change.before.values()
    assert change.gone == tuple(papers.numbers_of(store, [ENGINES]))
    assert (lost.tags, lost.note) == (("rag",), "Mine.")
    assert shelf.shelf(store) == []


def test_tags_are_given_and_taken_off_at_once(store: Store) -> None:
    shelf_actions.save(store, [ENGINES, WHALES], ["old"])
    change = shelf_actions.tag(store, [ENGINES, WHALES], ["new"], ["OLD"])
    assert [one.tags for one in change.before.values()] == [("old",), ("old",)]
    assert [one.tags for one in change.after.values()] == [("new",), ("new",)]


def test_papers_are_marked_as_read_and_as_not_read(store: Store) -> None:
    shelf_actions.save(store, [ENGINES])
    [read] = shelf_actions.mark_read(store, [ENGINES]).after.values()
    [unread] = shelf_actions.mark_read(store, [ENGINES], False).after.values()
    assert (read.read is not None, unread.read) == (True, None)


def test_files_are_kept_and_forgotten(store: Store) -> None:
    shelf_actions.save(store, [ENGINES])
    shelf_actions.set_files(store, ENGINES, ["/papers/engines.pdf", "/papers/slides.pdf"])
    assert entry(store, ENGINES).files == ("/papers/engines.pdf", "/papers/slides.pdf")
    shelf_actions.set_files(store, ENGINES, [])
    assert entry(store, ENGINES).files == ()


CHANGES: list[Callable[[Store, bool], ShelfStep]] = [
    lambda store, saving: shelf_actions.tag(store, [WHALES, ENGINES], ["rag"], saving=saving),
    lambda store, saving: shelf_actions.note(store, ENGINES, "Mine.", saving=saving),
    lambda store, saving: shelf_actions.mark_read(store, [WHALES, ENGINES], saving=saving),
]


@pytest.mark.parametrize("change", CHANGES)
def test_what_is_said_of_an_unsaved_paper_is_refused_and_changes_nothing(
    store: Store, change: Callable[[Store, bool], ShelfStep]
) -> None:
    shelf_actions.save(store, [WHALES])
    before = entry(store, WHALES)
    with pytest.raises(NotOnShelf, match=r"doi:10\.1000/a is not on the shelf"):
        change(store, False)
    assert shelf.shelf(store) == [before]


@pytest.mark.parametrize("change", CHANGES)
def test_what_is_said_of_an_unsaved_paper_saves_it_where_that_is_wanted(
    store: Store, change: Callable[[Store, bool], ShelfStep]
) -> None:
    shelf_actions.save(store, [WHALES])
    assert change(store, True).new == tuple(papers.numbers_of(store, [ENGINES]))
    assert entry(store, ENGINES).paper == ENGINES


def test_a_rating_of_an_unsaved_paper_is_in_the_reading_history_alone(store: Store) -> None:
    shelf_actions.save(store, [WHALES])
    assert shelf_actions.rate(store, [ENGINES, WHALES], -1).new == ()
    assert entry(store, WHALES).rating == -1
    assert shelf_actions.entry_of(store, ENGINES) is None
    assert [shelf_actions.feedback_on(store, paper) for paper in (ENGINES, WHALES)] == [-1, -1]
    assert [one.act for one in reading_history.interactions(store)] == ["disliked", "disliked", "saved"]


def test_of_a_paper_that_nobody_knows_there_is_no_feedback_and_asking_keeps_nothing(store: Store) -> None:
    assert shelf_actions.feedback_on(store, ENGINES) == 0
    assert papers.number_of(store, ENGINES) is None


def test_saved_papers_are_known_among_others_by_their_places(store: Store) -> None:
    assert shelf_actions.saved_among(store, [ENGINES, WHALES]) == frozenset()
    shelf_actions.save(store, [WHALES])
    assert shelf_actions.saved_among(store, [ENGINES, WHALES]) == {1}


def test_what_is_done_with_a_paper_is_noted_though_it_was_not_remembered(store: Store) -> None:
    shelf_actions.note_interaction(store, ENGINES, "opened")
    [done] = reading_history.interactions(store)
    assert (done.act, done.number) == ("opened", papers.number_of(store, ENGINES))


def test_a_paper_is_dismissed_saved_or_not_and_that_can_be_undone(store: Store) -> None:
    shelf_actions.save(store, [WHALES])
    shelf_actions.rate(store, [WHALES], 1)
    dismissal = shelf_actions.dismiss(store, [ENGINES, WHALES])
    assert dismissal.papers == tuple(papers.numbers_of(store, [ENGINES, WHALES]))
    assert all(shelf_actions.is_dismissed(store, paper) for paper in (ENGINES, WHALES))
    take_back(store, dismissal.recording)
    assert not any(shelf_actions.is_dismissed(store, paper) for paper in (ENGINES, WHALES))
    assert [shelf_actions.feedback_on(store, paper) for paper in (ENGINES, WHALES)] == [0, 1]
    assert entry(store, WHALES).rating == 1


def test_what_is_dismissed_already_is_passed_over_and_stays_so_when_the_second_is_undone(store: Store) -> None:
    shelf_actions.dismiss(store, [ENGINES])
    again = shelf_actions.dismiss(store, [ENGINES])
    assert again.papers == ()
    take_back(store, again.recording)
    assert shelf_actions.is_dismissed(store, ENGINES)


@pytest.mark.parametrize("rating", [1, -1, 0])
def test_what_is_said_of_a_dismissed_paper_afterwards_holds(store: Store, rating: Feedback) -> None:
    shelf_actions.rate(store, [ENGINES], rating)
    shelf_actions.dismiss(store, [ENGINES])
    shelf_actions.rate(store, [ENGINES], rating)
    assert not shelf_actions.is_dismissed(store, ENGINES)
    assert shelf_actions.feedback_on(store, ENGINES) == rating
    context = read_context(store, utc_now())
    assert (len(context.wanted), len(context.unwanted)) == (rating > 0, rating < 0)


def test_a_dismissed_paper_that_is_saved_counts_as_saved_until_it_is_dismissed_again(store: Store) -> None:
    shelf_actions.dismiss(store, [ENGINES])
    shelf_actions.save(store, [ENGINES])
    assert not shelf_actions.is_dismissed(store, ENGINES)
    assert not read_context(store, utc_now()).unwanted
    shelf_actions.dismiss(store, [ENGINES])
    assert shelf_actions.is_dismissed(store, ENGINES)
    context = read_context(store, utc_now())
    assert context.unwanted
    assert not context.wanted


def test_what_is_said_of_a_paper_is_noted_with_the_run_in_which_it_was_said(store: Store) -> None:
    run = runs.start(store, "search", "steam", {})
    shelf_actions.save(store, [WHALES])
    shelf_actions.rate(store, [WHALES, ENGINES], 1, run)
    shelf_actions.dismiss(store, [WHALES, ENGINES], run)
    said = [one for one in reading_history.interactions(store) if one.act != "saved"]
    assert [(one.act, one.run) for one in said] == [("dismissed", run)] * 2 + [("liked", run)] * 2
