"""Papers that the person says are one stay one, with all that was said of both, and come apart as they were."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from cache import citation_keys, corrections, merges, originals, page_texts, papers, reading_history, shelf
from cache.originals import Original
from cache.store import PaperId, Store
from tests.cache.conftest import make_paper

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
ENGINES = make_paper("Analytical Engines Considered", "10.1000/a")
NOTES = make_paper("Notes by the Translator", "10.1000/b", author="Menabrea")
AUTHORED_ANEW = replace(NOTES, abstract="Told later, by another source.", citation_count=7)
MADE_AGAIN = frozenset({"paper_tokens", "paper_facts", "sqlite_sequence", "papers_fts_data", "papers_fts_docsize"})


def everything(store: Store) -> dict[str, list[tuple[object, ...]]]:
    """All rows of the library but what is made of them, without when a paper was seen last."""
    with store.reading() as db:
        tables = [name for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        found = {}
        for table in sorted(set(tables) - MADE_AGAIN):
            columns = [row[1] for row in db.execute(f"PRAGMA table_info({table})") if row[1] != "last_seen"]
            found[table] = sorted(db.execute(f"SELECT {', '.join(columns)} FROM {table}"), key=repr)
        return {table: rows for table, rows in found.items() if not table.startswith("papers_fts_")}


@pytest.fixture
def both(store: Store) -> tuple[PaperId, PaperId]:
    first, second = papers.remember(store, [ENGINES, NOTES], NOON)
    return first, second


def entry(key: str) -> Original:
    return Original("bibtex", "article", key, (("title", f"{{{key}}}"),))


def saved_both(store: Store, first: PaperId, second: PaperId) -> None:
    shelf.put(store, [first], ["rag", "mine"], NOON)
    shelf.put(store, [second], ["RAG", "theirs"], NOON)
    for number, text, path in ((first, "First note.", "/a.pdf"), (second, "Second note.", "/b.pdf")):
        shelf.set_note(store, number, text)
        shelf.set_files(store, number, [path])
        citation_keys.keep(store, number, f"key{number}", NOON)
        originals.keep(store, number, entry(f"key{number}"), f"key{number}")
    shelf.mark_read(store, second, True, NOON)


def rated_both(store: Store, first: PaperId, second: PaperId) -> None:
    saved_both(store, first, second)
    shelf.rate(store, first, 1, NOON)
    shelf.rate(store, second, -1, NOON.replace(hour=13))


def saved_second(store: Store, first: PaperId, second: PaperId) -> None:
    shelf.put(store, [second], ["rag"], NOON)
    shelf.set_note(store, second, "Second note.")
    reading_history.note_dismissal(store, first, None, NOON)


def saved_first(store: Store, first: PaperId, second: PaperId) -> None:
    shelf.put(store, [first], ["rag"], NOON)
    reading_history.note_feedback(store, second, 1, None, NOON)


def corrected_both(store: Store, first: PaperId, second: PaperId) -> None:
    corrections.correct(store, first, {"venue": "Taylor"}, NOON)
    corrections.correct(store, second, {"date": "1843"}, NOON)


def corrected_second(store: Store, first: PaperId, second: PaperId) -> None:
    corrections.correct(store, second, {"title": "Sketch"}, NOON)


def linked(store: Store, first: PaperId, second: PaperId) -> None:
    whales = make_paper("Whales", "pmid:2", author="Melville")
    papers.link(store, [ENGINES, NOTES], [whales])
    papers.link(store, [whales], [NOTES])


def nothing(store: Store, first: PaperId, second: PaperId) -> None:
    pass


KEPT = [nothing, saved_both, rated_both, saved_second, saved_first, corrected_both, corrected_second, linked]


@pytest.mark.parametrize("keep", KEPT)
def test_papers_taken_apart_are_as_if_they_had_never_been_merged(
    keep: Callable[[Store, PaperId, PaperId], None], store: Store, both: tuple[PaperId, PaperId]
) -> None:
    keep(store, *both)
    before = everything(store)
    merges.merge(store, *both, NOON)
    assert everything(store) != before
    assert merges.take_apart(store, both[0], NOON) == both[1]
    assert everything(store) == before
    assert merges.take_apart(store, both[0], NOON) is None


def test_a_merged_paper_has_what_was_said_of_both(store: Store, both: tuple[PaperId, PaperId]) -> None:
    saved_both(store, *both)
    merges.merge(store, *both, NOON)
    one = shelf.shelved(store, both[0])
    assert one is not None
    assert (one.tags, one.note) == (("mine", "rag", "theirs"), "First note.\n\nSecond note.")
    assert [str(path) for path in one.files] == ["/a.pdf", "/b.pdf"]
    assert one.read
    assert {citation_keys.paper_of(store, f"key{number}") for number in both} == {both[0]}
    assert citation_keys.keys_of(store, [both[0]]) == {both[0]: f"key{both[0]}"}
    assert len(originals.of_papers(store, [both[0]])[both[0]]) == 2


def test_the_paper_that_was_named_first_keeps_its_key_though_the_other_is_older(
    store: Store, both: tuple[PaperId, PaperId]
) -> None:
    saved_both(store, *both)
    merges.merge(store, both[1], both[0], NOON)
    assert citation_keys.keys_of(store, [both[1]]) == {both[1]: f"key{both[1]}"}


def test_of_two_opinions_the_one_holds_that_was_said_last(store: Store, both: tuple[PaperId, PaperId]) -> None:
    rated_both(store, *both)
    merges.merge(store, *both, NOON)
    one = shelf.shelved(store, both[0])
    assert one is not None
    assert one.rating == reading_history.last_feedback(store, both[0]) == -1


def test_whatever_is_found_later_a_record_of_either_is_of_the_one_paper(
    store: Store, both: tuple[PaperId, PaperId]
) -> None:
    merges.merge(store, *both, NOON)
    nameless = replace(NOTES, identifiers=(), abstract="No names, but its words.")
    stranger = replace(NOTES, identifiers=(make_paper("X", "pmid:77").identifiers), published=None)
    for record in (ENGINES, NOTES, AUTHORED_ANEW, nameless, stranger):
        assert papers.number_of(store, record) == both[0]
        assert papers.numbers_of(store, [record]) == [both[0]]
        assert papers.remember(store, [record], NOON) == [both[0]]


def test_what_the_person_did_since_stays_with_the_paper(store: Store, both: tuple[PaperId, PaperId]) -> None:
    saved_both(store, *both)
    merges.merge(store, *both, NOON)
    shelf.put(store, [both[0]], ["later"], NOON)
    shelf.set_note(store, both[0], "Written since.")
    shelf.untag(store, both[0], ["theirs"])
    corrections.correct(store, both[0], {"venue": "Corrected Since"}, NOON)
    papers.remember(store, [AUTHORED_ANEW], NOON)
    merges.take_apart(store, both[0], NOON)
    first, second = (shelf.shelved(store, number) for number in both)
    assert first is not None
    assert second is not None
    assert (first.tags, first.note) == (("later", "mine", "rag"), "Written since.")
    assert (second.tags, second.note) == (("RAG",), "Second note.")
    assert first.paper.venue == "Corrected Since"
    assert first.paper.identifiers == ENGINES.identifiers
    assert corrections.take_back(store, both[0], NOON) == ENGINES


def test_merges_come_apart_in_the_order_in_which_they_were_made(store: Store, both: tuple[PaperId, PaperId]) -> None:
    [third] = papers.remember(store, [make_paper("Whales", "pmid:2", author="Melville")], NOON)
    before = everything(store)
    merges.merge(store, both[1], third, NOON)
    between = everything(store)
    merges.merge(store, both[0], both[1], NOON)
    assert papers.number_of(store, make_paper("Whales", "pmid:2", author="Melville")) == both[0]
    assert merges.take_apart(store, both[0], NOON) == both[1]
    assert everything(store) == between
    assert merges.take_apart(store, both[1], NOON) == third
    assert everything(store) == before


def test_what_was_merged_comes_apart_though_another_work_has_taken_the_paper_in(store: Store) -> None:
    older, kept, gone = papers.remember(
        store,
        [make_paper("A Sketch of the Engine", "pmid:5"), make_paper("The Engine, Sketched", "10.1000/s"), NOTES],
        NOON,
    )
    merges.merge(store, kept, gone, NOON)
    bridge = make_paper("A Sketch of the Engine", "pmid:5", "10.1000/s")
    assert papers.remember(store, [bridge], NOON) == [older]
    assert merges.take_apart(store, older, NOON) == gone
    assert papers.number_of(store, NOTES) == gone
    assert papers.number_of(store, bridge) == older


@pytest.mark.parametrize("other", [0, 99])
def test_a_paper_is_not_merged_with_itself_nor_with_one_that_is_not_there(
    other: int, store: Store, both: tuple[PaperId, PaperId]
) -> None:
    with pytest.raises(ValueError, match="are not two papers"):
        merges.merge(store, both[0], PaperId(other or both[0]), NOON)


def test_merging_papers_whose_pdfs_were_read_mixes_no_pages_and_can_be_taken_back(
    store: Store, both: tuple[PaperId, PaperId]
) -> None:
    first, second = both
    saved_both(store, first, second)
    for number, file in ((first, "/a.pdf"), (second, "/b.pdf")):
        page_texts.keep(store, number, file, b"digest", [f"The words of {file}."])
    merges.merge(store, first, second, NOON)
    assert page_texts.pages(store, first) in ({1: "The words of /a.pdf."}, {1: "The words of /b.pdf."})
    merges.take_apart(store, first, NOON)
    assert page_texts.pages(store, first) in ({1: "The words of /a.pdf."}, {})
    assert page_texts.pages(store, second) in ({1: "The words of /b.pdf."}, {})
