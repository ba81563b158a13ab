"""What the person saves stays as they left it, whatever is learned about the papers later."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlite_utils import Database

from cache import citation_keys, papers, reading_history, runs, shelf
from cache.errors import CacheError
from cache.migrations import LIBRARY
from cache.store import Store
from connectors.paper import Paper
from tests.cache.conftest import make_paper, name

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
ENGINES = make_paper("Engines", "10.1000/a")
WHALES = make_paper("Whales", "pmid:2", author="Melville")


def saved(store: Store, number: int) -> shelf.Shelved:
    found = shelf.shelved(store, number)
    assert found is not None
    return found


def test_a_saved_paper_is_on_the_shelf_with_all_that_is_said_of_it(store: Store) -> None:
    [number] = shelf.save(store, [ENGINES], ["rag", "to read"], NOON)
    shelf.set_note(store, number, "Compare with Babbage.\nPage 3!")
    shelf.rate(store, number, 1)
    shelf.mark_read(store, number, True, NOON)
    shelf.set_files(store, number, ["/papers/engines.pdf", "/papers/slides.pdf"])
    citation_keys.keep(store, number, "lovelace20")
    assert saved(store, number) == shelf.Shelved(
        number, ENGINES, NOON, NOON, 1, ("rag", "to read"), "Compare with Babbage.\nPage 3!",
        ("/papers/engines.pdf", "/papers/slides.pdf"), "lovelace20",
    )  # fmt: skip
    assert shelf.shelf(store) == [saved(store, number)]
    assert shelf.numbers_on_shelf(store) == {number}


def test_saving_again_keeps_the_first_date_and_the_note_and_adds_tags(store: Store) -> None:
    [number] = shelf.save(store, [ENGINES], ["rag"], NOON)
    shelf.set_note(store, number, "Mine.")
    assert shelf.save(store, [ENGINES], ["RAG", "new"], NOON + timedelta(days=1)) == [number]
    found = saved(store, number)
    assert (found.saved, found.note, found.tags) == (NOON, "Mine.", ("new", "rag"))


def test_a_list_is_the_last_saved_first_and_can_be_narrowed(store: Store) -> None:
    [old] = shelf.save(store, [ENGINES], ["Machines"], NOON)
    [new] = shelf.save(store, [WHALES], now=NOON + timedelta(hours=1))
    shelf.mark_read(store, new, True)
    assert [row.number for row in shelf.rows(store)] == [new, old]
    assert [row.number for row in shelf.rows(store, tag="machines")] == [old]
    assert [one.number for one in shelf.shelf(store, unread=True)] == [old]
    [row] = shelf.rows(store, unread=True)
    assert (row.title, row.authors, row.year, row.tags, row.noted, row.read) == (
        *("Engines", ("Ada Lovelace",), 2020, ("Machines",), False, False),
    )
    assert shelf.tags(store) == [("Machines", 1)]


def test_unsaving_takes_a_paper_off_with_its_tags_and_leaves_its_key(store: Store) -> None:
    [number] = shelf.save(store, [ENGINES], ["rag"], NOON)
    citation_keys.keep(store, number, "lovelace20")
    assert shelf.unsave(store, [number, number, 99]) == 1
    assert shelf.shelved(store, number) is None
    assert shelf.tags(store) == []
    assert citation_keys.paper_of(store, "lovelace20") == number
    assert papers.by_ids(store, [number]) == [ENGINES]


def test_only_a_saved_paper_can_be_noted_tagged_rated_or_read(store: Store) -> None:
    [number] = papers.remember(store, [ENGINES])
    changes: list[Callable[[], None]] = [
        lambda: shelf.set_note(store, number, "x"),
        lambda: shelf.tag(store, number, ["x"]),
        lambda: shelf.untag(store, number, ["x"]),
        lambda: shelf.rate(store, number, 1),
        lambda: shelf.mark_read(store, number, True),
        lambda: shelf.set_files(store, number, ["x.pdf"]),
    ]
    for change in changes:
        with pytest.raises(shelf.NotOnShelf, match="save it first") as caught:
            change()
        assert isinstance(caught.value, CacheError)


def test_papers_with_a_tag_are_found_without_its_diacritics_and_by_the_levels_above_it(store: Store) -> None:
    [number] = shelf.save(store, [ENGINES], ["Größe/Øl"])
    for tag in ("größe/øl", "grosse/ol", "GROSSE", "gro*"):
        assert [one.number for one in shelf.shelf(store, tag=tag)] == [number]
        assert [one.number for one in shelf.rows(store, tag=tag)] == [number]
    assert shelf.shelf(store, tag="gross") == []


def test_tags_are_added_and_taken_off_whatever_their_case(store: Store) -> None:
    [number] = shelf.save(store, [ENGINES])
    shelf.tag(store, number, ["Deep  Learning", "deep learning", "", "\x1b[31mred"])
    assert saved(store, number).tags == ("Deep Learning", "red")
    shelf.untag(store, number, ["DEEP LEARNING", "never there"])
    assert saved(store, number).tags == ("red",)


def test_a_note_keeps_its_lines_and_loses_what_could_steer_a_terminal(store: Store) -> None:
    [number] = shelf.save(store, [ENGINES])
    shelf.set_note(store, number, "one\r\n\n  two\x1b]0;title\x07 \ud800\n")
    assert saved(store, number).note == "one\n\n  two]0;title \ufffd"


def test_details_of_print_are_kept_beside_those_that_are_known(store: Store) -> None:
    first, second = _two_works(store)
    for number, details in [
        (first, {"volume": "7", "pages": "1--9", "colour": "red", "isbn": ""}),
        (first, {"number": "2", "volume": "8"}),
        (second, {"volume": "9", "publisher": "Acme"}),
    ]:
        shelf.put_imported(store, [(number, shelf.ImportedData([], "", [], details))], NOON)
    papers.remember(store, [JOINING])
    assert saved(store, first).details == {"volume": "8", "number": "2", "pages": "1--9", "publisher": "Acme"}


def test_what_a_bibliography_tells_is_added_to_what_the_person_wrote_and_never_twice(store: Store) -> None:
    first, second = _two_works(store)
    shelf.set_note(store, first, "Mine.")
    shelf.set_files(store, first, ["/mine.pdf"])
    told = shelf.ImportedData(
        ["new", " "], "From a file.", ["/a.pdf", "/b\n.pdf", ""], {"volume": "7", "colour": "red"}
    )
    unsaved = papers.remember(store, [make_paper("Bees", "pmid:9", author="Maeterlinck")])[0]
    for _ in range(2):
        shelf.put_imported(store, [(first, told), (second, told), (unsaved, told), (first, told)], NOON)
    assert [(one.note, one.files, one.details, one.tags) for one in (saved(store, first), saved(store, unsaved))] == [
        ("Mine.\n\nFrom a file.", ("/mine.pdf", "/a.pdf"), {"volume": "7"}, ("new",)),
        ("From a file.", ("/a.pdf",), {"volume": "7"}, ("new",)),
    ]
    assert [act.act for act in reading_history.interactions(store, unsaved)] == ["saved"]


def test_a_path_with_control_characters_is_no_path(store: Store) -> None:
    [number] = shelf.save(store, [ENGINES])
    shelf.set_files(store, number, ["/papers/é 1.pdf", "/papers/a\nb.pdf", "", "/b.pdf", "/papers/é 1.pdf"])
    assert saved(store, number).files == ("/papers/é 1.pdf", "/b.pdf")
    shelf.set_files(store, number, ["/papers/a\nb.pdf"])
    assert saved(store, number).files == ()


def test_each_act_enters_the_reading_history_once(store: Store) -> None:
    [number] = shelf.save(store, [ENGINES], now=NOON)
    shelf.save(store, [ENGINES], now=NOON)
    for minute in (1, 2):
        shelf.mark_read(store, number, True, NOON + timedelta(minutes=minute))
        shelf.rate(store, number, -1, NOON + timedelta(minutes=minute))
    for minute in (3, 4):
        shelf.rate(store, number, 0, NOON + timedelta(minutes=minute))
    shelf.unsave(store, [number], NOON + timedelta(hours=1))
    done = [(one.act, one.at) for one in reversed(reading_history.interactions(store))]
    later, taken_back = NOON + timedelta(minutes=1), NOON + timedelta(minutes=3)
    assert done == [
        ("saved", NOON), ("read", later), ("disliked", later), ("unrated", taken_back),
        ("unsaved", NOON + timedelta(hours=1)),
    ]  # fmt: skip


def test_the_last_opinion_holds_whether_the_paper_was_saved_or_not(store: Store) -> None:
    [number] = papers.remember(store, [ENGINES])
    assert reading_history.last_feedback(store, number) == 0
    reading_history.note_feedback(store, number, 0)
    assert reading_history.interactions(store) == []
    reading_history.note_feedback(store, number, 1, now=NOON)
    assert reading_history.last_feedback(store, number) == 1
    shelf.save(store, [ENGINES], now=NOON)
    assert reading_history.last_feedback(store, number) == 1
    shelf.rate(store, number, 0, now=NOON)
    assert reading_history.last_feedback(store, number) == 0
    reading_history.note_feedback(store, number, -1, now=NOON)
    assert reading_history.last_feedback(store, number) == -1
    reading_history.forget_interactions(store)
    assert reading_history.last_feedback(store, number) == 0


def _two_works(store: Store) -> tuple[int, int]:
    first, second = shelf.save(store, [make_paper("Engines", "2001.00001"), make_paper("On Engines", "pmid:5")])
    return first, second


JOINING = make_paper("Engines", "2001.00001", "pmid:5")


def test_two_saved_papers_that_turn_out_to_be_one_lose_nothing(store: Store) -> None:
    first, second = _two_works(store)
    shelf.tag(store, first, ["a", "both"])
    shelf.tag(store, second, ["b", "Both"])
    shelf.set_note(store, first, "First note.")
    shelf.set_note(store, second, "Second note.")
    shelf.mark_read(store, second, True, NOON)
    shelf.rate(store, second, 1)
    shelf.set_files(store, first, ["/first.pdf", "/both.pdf"])
    shelf.set_files(store, second, ["/both.pdf", "/second.pdf"])
    citation_keys.keep(store, second, "older", NOON)
    citation_keys.keep(store, first, "younger", NOON + timedelta(days=1))
    reading_history.note_interaction(store, second, "viewed")
    assert papers.remember(store, [JOINING]) == [first]
    found = saved(store, first)
    assert found.tags == ("a", "b", "both")
    assert found.note == "First note.\n\nSecond note."
    assert (found.read, found.rating, found.key) == (NOON, 1, "older")
    assert found.files == ("/first.pdf", "/both.pdf", "/second.pdf")
    assert citation_keys.paper_of(store, "younger") == citation_keys.paper_of(store, "OLDER") == first
    assert {one.act for one in reading_history.interactions(store, first)} == {"saved", "viewed", "read", "liked"}
    assert shelf.shelved(store, second) is None
    assert len(shelf.rows(store)) == 1


def test_a_saved_paper_that_turns_out_to_be_an_unsaved_older_one_stays_saved(store: Store) -> None:
    [first] = papers.remember(store, [make_paper("Engines", "2001.00001")])
    [second] = shelf.save(store, [make_paper("On Engines", "pmid:5")], ["kept"])
    shelf.set_note(store, second, "Kept.")
    papers.remember(store, [JOINING])
    assert (saved(store, first).tags, saved(store, first).note) == (("kept",), "Kept.")


@pytest.mark.parametrize("notes", [("one", ""), ("", "one"), ("one", "one"), ("all of one", "one"), ("one", "one two")])
def test_joined_notes_say_nothing_twice(store: Store, notes: tuple[str, str]) -> None:
    for number, text in zip(_two_works(store), notes, strict=True):
        shelf.set_note(store, number, text)
    [number] = papers.remember(store, [JOINING])
    assert saved(store, number).note == max(notes, key=len)


def test_papers_that_join_while_a_long_list_is_saved_keep_a_number_that_is_there(store: Store) -> None:
    rest = [make_paper(f"Paper number {n} of all", f"pmid:{n + 100}", author=f"A{n}") for n in range(600)]
    numbers = shelf.save(
        store, [make_paper("Engines", "2001.00001"), make_paper("On Engines", "pmid:5"), *rest, JOINING]
    )
    assert numbers[0] == numbers[1] == numbers[-1]
    assert set(numbers) == shelf.numbers_on_shelf(store)


def test_a_save_that_fails_half_way_leaves_nothing(store: Store) -> None:
    def break_off() -> None:
        with store.writing():
            shelf.save(store, [ENGINES], ["rag"])
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        break_off()
    assert shelf.rows(store) == []
    assert reading_history.interactions(store) == []


def test_a_library_from_before_gets_a_shelf_and_keeps_its_papers(path: Path) -> None:
    db = Database(path)
    LIBRARY.apply(db, stop_before="0003_shelf")
    db.execute("PRAGMA user_version = 2")
    db.conn.commit()
    db.close()
    with Store.open(path) as store:
        assert shelf.rows(store) == []
        [number] = shelf.save(store, [ENGINES])
        assert saved(store, number).paper == ENGINES


def test_a_shelf_is_listed_without_reading_a_record(store: Store) -> None:
    many = [(n, f"Paper {n}", '["Ada Lovelace"]') for n in range(1, 1_001)]
    with store.writing() as db:
        db.executemany(
            "INSERT INTO papers (id, first_seen, last_seen, first_author, title_key, title, venue, authors, abstract,"
            " record) VALUES (?1, '', '', '', '', ?2, '', ?3, '', 'no JSON at all')",
            many,
        )
        db.executemany("INSERT INTO shelf (paper, saved) VALUES (?1, ?2)", [(n, title) for n, title, _ in many])
        db.executemany("INSERT INTO tags (paper, tag) VALUES (?, 'rag')", [(n,) for n, _, _ in many])
    assert len(shelf.rows(store, tag="rag")) == 1_000


def test_a_list_says_whose_authors_are_not_all_known(store: Store) -> None:
    shelf.save(store, [replace(make_paper("One"), et_al=True), make_paper("Two")])
    assert {row.title: row.et_al for row in shelf.rows(store)} == {"One": True, "Two": False}


@given(note=st.text(), tags=st.lists(st.text(max_size=120), max_size=4), pdf=st.text())
def test_any_text_can_be_kept_and_keeping_it_again_changes_nothing(
    store: Store, note: str, tags: list[str], pdf: str
) -> None:
    [number] = shelf.save(store, [ENGINES], tags)
    shelf.set_note(store, number, note)
    shelf.set_files(store, number, [pdf])
    once = saved(store, number)
    shelf.save(store, [ENGINES], once.tags)
    shelf.set_note(store, number, once.note)
    shelf.set_files(store, number, once.files)
    assert saved(store, number) == once


def _joined(path: Path, order: tuple[Paper, ...]) -> tuple[int, tuple[str, ...]]:
    with Store.open(path) as store:
        for paper in order:
            shelf.save(store, [paper], [paper.title])
        [one] = shelf.shelf(store)
        return len(shelf.rows(store)), tuple(sorted(one.tags))


def test_in_whatever_order_the_records_of_a_work_are_saved_they_become_one(tmp_path: Path) -> None:
    records = (make_paper("Engines", "2001.00001"), make_paper("On Engines", "pmid:5"), JOINING)
    found = {_joined(tmp_path / f"{n}.db", order) for n, order in enumerate(permutations(records))}
    assert found == {(1, ("Engines", "On Engines"))}


def test_acts_name_the_run_they_were_done_in_as_long_as_it_is_kept(store: Store) -> None:
    run = runs.start(store, "search", "whales")
    [number] = papers.remember(store, [WHALES])
    reading_history.note_interaction(store, number, "viewed", run, NOON)
    reading_history.note_interaction(store, number, "opened", "no such run", NOON)
    assert [one.run for one in reading_history.interactions(store)] == [None, run]
    runs.forget(store, run)
    assert [one.run for one in reading_history.interactions(store)] == [None, None]


def test_the_reading_history_is_listed_and_forgotten_in_part_or_whole(store: Store) -> None:
    first, second = papers.remember(store, [ENGINES, WHALES])
    for hours, number in enumerate((first, second, first)):
        reading_history.note_interaction(store, number, "viewed", now=NOON + timedelta(hours=hours))
    reading_history.note_interaction(store, 99, "viewed")
    assert [one.number for one in reading_history.interactions(store)] == [first, second, first]
    assert [one.number for one in reading_history.interactions(store, since=NOON + timedelta(hours=1))] == [
        first,
        second,
    ]
    assert len(reading_history.interactions(store, first, limit=1)) == 1
    assert reading_history.forget_interactions(store, paper=first, before=NOON + timedelta(hours=2)) == 1
    assert reading_history.forget_interactions(store) == 2
    assert reading_history.interactions(store) == []
    assert papers.find(store, [name("pmid:2")]) == WHALES


def test_the_shelf_tells_what_was_done_with_its_papers_though_the_history_is_forgotten(store: Store) -> None:
    first, second = shelf.save(store, [ENGINES, WHALES], now=NOON)
    shelf.set_note(store, first, "Compare with Babbage.")
    shelf.rate(store, second, -1)
    shelf.mark_read(store, second, True, NOON + timedelta(days=1))
    reading_history.forget_interactions(store)
    assert sorted(shelf.acts_of_shelf(store)) == [
        (first, "noted", NOON), (first, "saved", NOON), (second, "disliked", NOON),
        (second, "read", NOON + timedelta(days=1)), (second, "saved", NOON),
    ]  # fmt: skip
