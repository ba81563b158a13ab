"""What is taken back is as if it had never been done, and nobody else's work is taken back with it."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cache import citation_keys, journal, papers, reading_history, runs, shelf
from cache.shelf_undo import ShelfStep, changed_by, put_as_it_was
from cache.store import PaperId, Store
from cache.taking_back import take_back
from tests.cache.conftest import make_paper
from tests.library import copied

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
ENGINES = make_paper("Engines", "10.1000/a")
WHALES = make_paper("Whales", "pmid:2", author="Melville")
TABLES = ("shelf", "tags", "acts", "citation_keys")


def kept(store: Store) -> dict[str, list[tuple[object, ...]]]:
    """All that is kept of papers beside their records, row by row."""
    with store.reading() as db:
        return {table: sorted(db.execute(f"SELECT * FROM {table}"), key=repr) for table in TABLES}


def both(store: Store) -> list[PaperId]:
    return papers.remember(store, [ENGINES, WHALES])


def saved(store: Store, paper: int) -> None:
    shelf.put(store, [paper])


ACTIONS: dict[str, Sequence[Callable[[Store, int], object]]] = {
    "save": [saved],
    "save with a tag": [lambda store, paper: shelf.put(store, [paper], ["rag"])],
    "take off": [lambda store, paper: shelf.unsave(store, [paper])],
    "tag": [lambda store, paper: shelf.put(store, [paper], ["RAG", "new"])],
    "note": [saved, lambda store, paper: shelf.set_note(store, paper, "Mine.")],
    "read": [saved, lambda store, paper: shelf.mark_read(store, paper, True)],
    "unread": [saved, lambda store, paper: shelf.mark_read(store, paper, False)],
    "like": [saved, lambda store, paper: shelf.rate(store, paper, 1)],
    "opinion": [lambda store, paper: reading_history.note_feedback(store, paper, -1)],
    "dismiss": [reading_history.note_dismissal],
    "file": [saved, lambda store, paper: shelf.set_files(store, paper, ["/a.pdf"])],
}


def done_to(store: Store, action: str, numbers: Sequence[int]) -> None:
    for act in ACTIONS[action]:
        for number in numbers:
            act(store, number)


@given(st.lists(st.tuples(st.sampled_from(sorted(ACTIONS)), st.sets(st.integers(0, 1), min_size=1)), max_size=8))
def test_whatever_was_done_taken_back_step_by_step_leaves_what_was_there(
    tmp_path_factory: pytest.TempPathFactory, done: list[tuple[str, set[int]]]
) -> None:
    with Store.open(copied(tmp_path_factory.mktemp("undo") / "library.db")) as store:
        numbers = both(store)
        shelf.put(store, numbers[:1], ["old"], NOON)
        citation_keys.keep(store, numbers[0], "lovelace20")
        stood, changes = [kept(store)], list[ShelfStep]()
        for name, places in done:
            chosen = [numbers[place] for place in sorted(places)]
            changes.append(changed_by(store, chosen, partial(done_to, store, name, chosen)))
            stood.append(kept(store))
        for change in reversed(changes):
            assert kept(store) == stood.pop()
            assert take_back(store, change.recording) == set(change.papers)
        assert kept(store) == stood.pop()


def test_a_paper_taken_off_comes_back_with_its_date_tags_note_rating_files_and_key(store: Store) -> None:
    [number] = shelf.save(store, [ENGINES], ["rag"], NOON)
    shelf.set_note(store, number, "Mine.")
    shelf.mark_read(store, number, True, NOON)
    shelf.rate(store, number, 1)
    shelf.set_files(store, number, ["/papers/engines.pdf"])
    shelf.put_imported(store, [(number, shelf.ImportedData([], "", [], {"volume": "3"}))], NOON)
    citation_keys.keep(store, number, "lovelace20")
    before = shelf.shelved(store, number)
    change = changed_by(store, [number], lambda: shelf.unsave(store, [number]))
    assert (change.gone, shelf.shelved(store, number)) == ((number,), None)
    take_back(store, change.recording)
    assert shelf.shelved(store, number) == before
    assert "unsaved" not in {one.act for one in reading_history.interactions(store)}


def test_what_another_changed_meanwhile_stays_and_the_rest_is_taken_back(path: Path, store: Store) -> None:
    engines, whales = numbers = both(store)
    change = changed_by(store, numbers, lambda: shelf.put(store, numbers))
    with Store.open(path) as other:
        shelf.set_note(other, engines, "Theirs.")
    assert take_back(store, change.recording) == {whales}
    assert shelf.numbers_on_shelf(store) == {engines}
    assert [(one.number, one.act) for one in reading_history.interactions(store)] == [(engines, "saved")]


def test_what_another_added_beside_a_change_does_not_hinder_it(path: Path, store: Store) -> None:
    [number] = shelf.save(store, [ENGINES], ["old"])
    change = changed_by(store, [number], lambda: shelf.tag(store, number, ["rag"]))
    with Store.open(path) as other:
        shelf.set_note(other, number, "Theirs.")
    assert take_back(store, change.recording) == {number}
    [entry] = shelf.shelf(store)
    assert (entry.tags, entry.note) == (("old",), "Theirs.")


def test_a_paper_that_was_saved_anew_elsewhere_is_not_overwritten(path: Path, store: Store) -> None:
    [number] = shelf.save(store, [ENGINES], ["old"], NOON)
    change = changed_by(store, [number], lambda: shelf.unsave(store, [number]))
    with Store.open(path) as other:
        shelf.put(other, [number], ["theirs"])
    assert not take_back(store, change.recording)
    assert [entry.tags for entry in shelf.shelf(store)] == [("theirs",)]


def test_a_paper_that_turned_out_to_be_another_is_left_alone(store: Store) -> None:
    one, other = papers.remember(store, [make_paper("Engines", "2001.00001"), make_paper("On Engines", "pmid:5")])
    shelf.put(store, [other], ["mine"])
    change = changed_by(store, [other], lambda: shelf.unsave(store, [other]))
    papers.remember(store, [make_paper("Engines", "2001.00001", "pmid:5")])
    assert papers.by_ids(store, [other]) == []
    assert not take_back(store, change.recording)
    assert shelf.numbers_on_shelf(store).isdisjoint({one, other})


def test_an_opinion_that_was_forgotten_since_is_not_taken_back_twice(store: Store) -> None:
    [number] = papers.remember(store, [ENGINES])
    change = changed_by(store, [number], lambda: reading_history.note_feedback(store, number, 1))
    reading_history.forget_interactions(store)
    reading_history.note_feedback(store, number, -1)
    assert not take_back(store, change.recording)
    assert reading_history.last_said(store, number) == "disliked"


def test_what_was_said_in_a_run_is_taken_back_though_the_run_was_forgotten(store: Store) -> None:
    paper, _ = both(store)
    run = runs.start(store, "recommendation", "to read")
    change = changed_by(store, [paper], lambda: reading_history.note_interaction(store, paper, "dismissed", run))
    runs.forget(store, run)
    assert take_back(store, change.recording) == {paper}
    assert reading_history.last_said(store, paper) is None


def test_what_fails_half_way_changes_nothing(store: Store) -> None:
    numbers = both(store)

    def fail() -> None:
        shelf.put(store, numbers)
        raise ZeroDivisionError

    before = kept(store)
    try:
        changed_by(store, numbers, fail)
    except ZeroDivisionError:
        assert kept(store) == before


def test_a_paper_that_is_saved_again_can_get_back_what_it_had(store: Store) -> None:
    [number] = shelf.save(store, [ENGINES], ["rag"], NOON)
    before = shelf.shelved(store, number)
    lost = changed_by(store, [number], lambda: shelf.unsave(store, [number]))
    shelf.put(store, [number])
    put_as_it_was(store, {number: lost.before[number]})
    assert shelf.shelved(store, number) == before


def test_a_changed_row_is_looked_up_by_an_index_however_its_key_is_compared(store: Store) -> None:
    """Else each change of an import reads a whole table."""
    with store.reading() as db:
        for table in journal.tables(db).values():
            asked = f'EXPLAIN QUERY PLAN SELECT * FROM "{table.name}" WHERE {table.where_key}'
            [(*_, how)] = db.execute(asked, ["x"] * len(table.key)).fetchall()
            assert how.startswith("SEARCH"), (table.name, how)
