"""What the keys do to papers leaves alone what was done to them elsewhere in between, and says so."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from cache import corrections, merges, shelf
from cache import papers as library
from cache.journal import SESSION
from cache.store import PaperId, Store
from spar_tui.tui.models.personal_shelf import PersonalShelf
from tests.agents.scripted import paper
from tests.library import copied

TITLE = "A paper"
OTHER = "A paper of another title"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(copied(tmp_path / "spar.db")) as opened:
        yield opened


@pytest.fixture
def personal(store: Store) -> PersonalShelf:
    return PersonalShelf(store, lambda: "U")


def saved(store: Store) -> PaperId:
    [number] = shelf.save(store, [paper(TITLE, "10.1000/a")])
    return number


def note(store: Store, number: int) -> str:
    entry = shelf.shelved(store, number)
    assert entry is not None
    return entry.note


@pytest.mark.parametrize(
    ("before", "theirs", "mine", "kept", "told"),
    [
        ("", "", "Mine.", "Mine.", "Note saved."),
        ("Old.", "Old.", "Old. Mine.", "Old. Mine.", "Note saved."),
        ("Old.", "Old.", "", "", "Note erased."),
        ("Old.", "Theirs.", "Old. Mine.", "Theirs.\n\nOld. Mine.", "Note saved, below the text written elsewhere."),
        ("Old.", "Old. Mine.", "Old. Mine.", "Old. Mine.", "The note about “A paper” did not change."),
        ("Old.", "Theirs.", "", "Theirs.", "The note about “A paper” was changed elsewhere; it was not erased."),
        ("Old.", "", "Old. Mine.", "Old. Mine.", "Note saved."),
    ],
)
def test_a_note_is_kept_beside_what_was_written_elsewhere_while_it_was_edited(
    before: str, theirs: str, mine: str, kept: str, told: str, store: Store, personal: PersonalShelf
) -> None:
    number = saved(store)
    shelf.set_note(store, number, theirs)
    assert personal.write_note(number, before, mine) == told
    assert note(store, number) == kept
    if kept != theirs:
        personal.take_back()
        assert note(store, number) == theirs


def test_a_tag_that_was_taken_off_elsewhere_does_not_come_back_with_others(
    store: Store, personal: PersonalShelf
) -> None:
    number = saved(store)
    shelf.tag(store, number, ["new", "theirs"])  # of the tags that were there before the edit one was taken off
    personal.set_tags([number], ["gone", "old"], ["gone", "old", "mine"])
    assert shelf.tags_of(store, [number])[number] == ("mine", "new", "theirs")


def test_what_changed_is_said_of_several_papers_whose_other_tags_may_differ(
    store: Store, personal: PersonalShelf
) -> None:
    numbers = [saved(store), *shelf.save(store, [paper(OTHER, "10.1000/b")], ["theirs", "old"])]
    assert personal.set_tags(numbers, ["old"], ["mine"]) == "Tagged 2 papers: +mine -old."


def test_only_the_tags_that_changed_are_called_added_or_removed(store: Store, personal: PersonalShelf) -> None:
    numbers = [saved(store)]
    shelf.tag(store, numbers[0], ["old"])
    assert personal.change_tags(numbers, ["old", "new"], ["none"]) == (
        "Tagged “A paper”: +new; already tagged old; no tag none to remove."
    )
    assert personal.change_tags(numbers, [], ["none"]) == "Tags of “A paper” did not change: no tag none to remove."


def test_removing_a_tag_saves_no_paper(store: Store, personal: PersonalShelf) -> None:
    numbers = library.remember(store, [paper(OTHER, "10.1000/b")])
    personal.change_tags(numbers, [], ["none"])
    assert not shelf.numbers_on_shelf(store)


def unsave(store: Store, number: PaperId) -> None:
    shelf.unsave(store, [number])


def write(store: Store, number: PaperId) -> None:
    shelf.set_note(store, number, "Theirs.")


def merge(store: Store, number: PaperId) -> None:
    [kept] = shelf.save(store, [paper(OTHER, "10.1000/b")])
    merges.merge(store, kept, number)


@pytest.mark.parametrize("elsewhere", [unsave, write, merge])
def test_undo_overwrites_nothing_that_was_done_elsewhere_and_says_so(
    elsewhere: Callable[[Store, PaperId], None], store: Store, personal: PersonalShelf
) -> None:
    number = saved(store)
    shelf.set_note(store, number, "Old.")
    personal.write_note(number, "Old.", "Mine.")
    elsewhere(store, number)
    before = shelf.shelf(store)
    assert personal.take_back().sentence == (
        "Not undone: wrote the note about “A paper”. It was changed or removed elsewhere since."
    )
    assert shelf.shelf(store) == before


def undone(personal: PersonalShelf) -> str:
    """Undo the last change, also one of others."""
    others = personal.last_of_others()
    return personal.take_back(others.name if others else "").sentence


@contextmanager
def other_session() -> Iterator[None]:
    """Make the changes of the block belong to another process."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(SESSION, "another")
        yield


def test_a_change_of_others_is_undone_only_if_the_person_agreed_to_this_one(
    store: Store, personal: PersonalShelf
) -> None:
    number = saved(store)
    with other_session():
        corrections.correct(store, number, {"title": OTHER})
    asked = personal.last_of_others()
    assert asked is not None
    assert asked.question.endswith(f"“{OTHER}” (corrected title). Undo it?")
    with other_session():
        corrections.correct(store, number, {"title": TITLE})
    for agreed in ("", asked.name):
        assert personal.take_back(agreed).sentence.startswith("Not undone: there is a newer change now.")
    assert undone(personal) == f"Undone: “{OTHER}” (corrected title)."


def test_a_change_by_a_command_of_the_app_is_undone_without_a_question(store: Store, personal: PersonalShelf) -> None:
    number = saved(store)
    corrections.correct(store, number, {"title": OTHER})
    assert personal.last_of_others() is None
    assert personal.take_back().sentence == f"Undone: “{TITLE}” (corrected title)."


def test_what_was_changed_elsewhere_since_the_app_opened_is_taken_back_in_its_turn(
    store: Store, personal: PersonalShelf
) -> None:
    number = saved(store)
    personal.mark_read([number])
    with other_session():
        corrections.correct(store, number, {"title": OTHER})
    personal.toggle_rating(number, 1)
    assert [undone(personal) for _ in range(4)] == [
        f"Undone: more like “{OTHER}”.",
        f"Undone: “{TITLE}” (corrected title).",
        f"Undone: marked “{TITLE}” as read.",
        "Nothing more to undo.",
    ]


def test_what_was_done_before_the_app_opened_stays(store: Store) -> None:
    number = saved(store)
    corrections.correct(store, number, {"title": OTHER})
    assert PersonalShelf(store, lambda: "U").take_back().sentence == "Nothing to undo."
