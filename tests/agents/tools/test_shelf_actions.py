"""What is done to the shelf is done, and what was changed is said, whoever asked for it."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from agents.tools import shelf_actions
from agents.tools.shelf_actions import ShelfChange
from cache import papers, reading_history, shelf
from cache.errors import NotOnShelf
from cache.shelf import Shelved
from cache.store import Store
from connectors.paper import Paper
from tests.cache.conftest import make_paper

ENGINES = make_paper("Engines", "10.1000/a")
WHALES = make_paper("Whales", "pmid:2", author="Melville")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "library.db") as opened:
        yield opened


def entry(store: Store, paper: Paper) -> Shelved:
    found = shelf_actions.entry_of(store, paper)
    assert found is not None
    return found


def test_saving_says_which_papers_are_new_and_which_were_there(store: Store) -> None:
    shelf_actions.save(store, [WHALES])
    change = shelf_actions.save(store, [ENGINES, WHALES], ["rag"])
    assert (change.action, change.new, change.there) == ("save", (ENGINES,), (WHALES,))
    assert [one.tags for one in change.after if one] == [("rag",), ("rag",)]
    assert {one.paper for one in shelf.shelf(store)} == {ENGINES, WHALES}


def test_taking_off_says_what_was_lost_and_passes_over_what_is_not_there(store: Store) -> None:
    shelf_actions.save(store, [ENGINES], ["rag"])
    shelf_actions.note(store, ENGINES, "Mine.")
    change = shelf_actions.unsave(store, [WHALES, ENGINES])
    lost = change.before[1]
    assert (change.there, change.after) == ((ENGINES,), (None, None))
    assert lost is not None
    assert (lost.tags, lost.note) == (("rag",), "Mine.")
    assert shelf.shelf(store) == []


def test_what_was_taken_off_is_restored_with_all_that_was_said_of_it(store: Store) -> None:
    shelf_actions.save(store, [ENGINES], ["rag"])
    shelf_actions.note(store, ENGINES, "Mine.")
    shelf_actions.mark_read(store, [ENGINES])
    shelf_actions.rate(store, [ENGINES], 1)
    shelf_actions.set_files(store, ENGINES, ["/papers/engines.pdf", "/papers/slides.pdf"])
    shelf.set_details(store, entry(store, ENGINES).number, {"volume": "3"})
    before = entry(store, ENGINES)
    shelf_actions.unsave(store, [ENGINES])
    change = shelf_actions.restore(store, [before])
    assert change.new == (ENGINES,)
    now = entry(store, ENGINES)
    assert now == replace(before, saved=now.saved)


def test_tags_are_given_and_taken_off_at_once(store: Store) -> None:
    shelf_actions.save(store, [ENGINES, WHALES], ["old"])
    change = shelf_actions.tag(store, [ENGINES, WHALES], ["new"], ["OLD"])
    assert [one.tags for one in change.before if one] == [("old",), ("old",)]
    assert [one.tags for one in change.after if one] == [("new",), ("new",)]


def test_papers_are_marked_as_read_and_as_not_read(store: Store) -> None:
    shelf_actions.save(store, [ENGINES])
    [read] = shelf_actions.mark_read(store, [ENGINES]).after
    [unread] = shelf_actions.mark_read(store, [ENGINES], False).after
    assert read is not None
    assert unread is not None
    assert (read.read is not None, unread.read) == (True, None)


def test_files_are_kept_and_forgotten(store: Store) -> None:
    shelf_actions.save(store, [ENGINES])
    shelf_actions.set_files(store, ENGINES, ["/papers/engines.pdf", "/papers/slides.pdf"])
    assert entry(store, ENGINES).files == ("/papers/engines.pdf", "/papers/slides.pdf")
    shelf_actions.set_files(store, ENGINES, [])
    assert entry(store, ENGINES).files == ()


CHANGES: list[Callable[[Store, bool], ShelfChange]] = [
    lambda store, saving: shelf_actions.tag(store, [WHALES, ENGINES], ["rag"], saving=saving),
    lambda store, saving: shelf_actions.note(store, ENGINES, "Mine.", saving=saving),
    lambda store, saving: shelf_actions.mark_read(store, [WHALES, ENGINES], saving=saving),
]


@pytest.mark.parametrize("change", CHANGES)
def test_what_is_said_of_an_unsaved_paper_is_refused_and_changes_nothing(
    store: Store, change: Callable[[Store, bool], ShelfChange]
) -> None:
    shelf_actions.save(store, [WHALES])
    before = entry(store, WHALES)
    with pytest.raises(NotOnShelf, match=r"doi:10\.1000/a is not on the shelf"):
        change(store, False)
    assert shelf.shelf(store) == [before]


@pytest.mark.parametrize("change", CHANGES)
def test_what_is_said_of_an_unsaved_paper_saves_it_where_that_is_wanted(
    store: Store, change: Callable[[Store, bool], ShelfChange]
) -> None:
    shelf_actions.save(store, [WHALES])
    assert change(store, True).new == (ENGINES,)
    assert entry(store, ENGINES).paper == ENGINES


def test_a_rating_of_an_unsaved_paper_is_in_the_reading_history_alone(store: Store) -> None:
    shelf_actions.save(store, [WHALES])
    change = shelf_actions.rate(store, [ENGINES, WHALES], -1)
    assert (change.new, change.there) == ((), (WHALES,))
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
