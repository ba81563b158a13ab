"""Stored searches and what they have shown."""

from datetime import UTC, datetime, timedelta

import pytest

from cache import papers, watches
from cache.errors import NoSuchWatch
from cache.store import Store
from tests.cache.conftest import make_paper

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
ENGINES = make_paper("Engines", "10.1000/a")
WHALES = make_paper("Whales", "pmid:2", author="Melville")


def test_a_stored_search_is_there_by_its_name_in_any_case(store: Store) -> None:
    assert watches.set_watch(store, " Rag\x1b[31m ", "retrieval", {"limit": 5}, NOON) == "Rag"
    found = watches.watch(store, "RAG")
    assert (found.question, found.parameters, found.made, found.last_asked, found.shown) == (
        "retrieval", {"limit": 5}, NOON, None, 0,
    )  # fmt: skip


def test_only_papers_never_shown_by_this_watch_are_unseen(store: Store) -> None:
    for name in ("a", "b"):
        watches.set_watch(store, name, "question", {}, NOON)
    watches.note_shown(store, "a", [ENGINES], NOON)
    assert watches.unseen(store, "a", [WHALES, ENGINES]) == [WHALES]
    assert watches.unseen(store, "b", [WHALES, ENGINES]) == [WHALES, ENGINES]


def test_a_watch_that_was_asked_has_shown_nothing_by_that(store: Store) -> None:
    for name in ("a", "b"):
        watches.set_watch(store, name, "question", {}, NOON)
    watches.note_asked(store, "a", NOON)
    assert [(watch.last_asked, watch.shown) for watch in watches.watches(store)] == [(NOON, 0), (None, 0)]


def test_a_watch_that_is_changed_remembers_what_it_has_shown(store: Store) -> None:
    watches.set_watch(store, "a", "question", {}, NOON)
    watches.note_shown(store, "a", [ENGINES], NOON)
    watches.set_watch(store, "A", "other question", {"limit": 3}, NOON)
    (found,) = watches.watches(store)
    assert (found.name, found.question, found.shown) == ("a", "other question", 1)


def test_works_that_turn_out_to_be_one_are_seen_when_either_was(store: Store) -> None:
    preprint = make_paper("Great engines of the world", "arxiv:2001.00001")
    other = make_paper("A name that changed", "10.1000/b")
    watches.set_watch(store, "a", "question", {}, NOON)
    papers.remember(store, [other])
    watches.note_shown(store, "a", [preprint], NOON)
    both = make_paper("Great engines of the world", "arxiv:2001.00001", "10.1000/b")
    papers.remember(store, [both])
    assert watches.unseen(store, "a", [other, preprint]) == []


def test_a_dropped_watch_is_gone_and_its_papers_stay(store: Store) -> None:
    watches.set_watch(store, "a", "question", {}, NOON)
    watches.note_shown(store, "a", [ENGINES], NOON)
    watches.drop_watch(store, "a")
    assert watches.watches(store) == []
    assert papers.number_of(store, ENGINES) is not None
    with pytest.raises(NoSuchWatch, match="watch --list"):
        watches.drop_watch(store, "a")


def test_what_watches_have_shown_lately_is_told_apart_from_what_they_showed_before(store: Store) -> None:
    watches.set_watch(store, "a", "engines", {}, NOON)
    watches.note_shown(store, "a", [ENGINES], NOON)
    watches.note_shown(store, "a", [ENGINES, WHALES], NOON + timedelta(days=9))
    assert watches.found_since(store, NOON + timedelta(days=1)) == {papers.number_of(store, WHALES)}


def test_what_was_there_when_a_watch_began_is_neither_news_nor_shown(store: Store) -> None:
    watches.set_watch(store, "a", "papers by Ada", {}, NOON)
    watches.note_there(store, "a", [ENGINES], NOON)
    watches.note_shown(store, "a", [WHALES], NOON)
    assert watches.unseen(store, "a", [WHALES, ENGINES]) == []
    assert [watch.shown for watch in watches.watches(store)] == [1]
    assert [one.paper.title for one in watches.shown_last(store, ["a"], 9)] == ["Whales"]
    assert watches.found_since(store, NOON - timedelta(days=9)) == {papers.number_of(store, WHALES)}


def test_each_source_has_its_own_last_answer_and_one_that_never_answered_the_beginning(store: Store) -> None:
    later = NOON + timedelta(days=1)
    watches.set_watch(store, "a", "question", {}, NOON)
    watches.note_looked(store, "A", ["pubmed"], later)
    watches.note_looked(store, "a", ["pubmed"], NOON)
    found = watches.watch(store, "a")
    assert (found.since("pubmed"), found.since("arxiv")) == (later, NOON)


def test_a_watch_of_an_earlier_version_goes_on_from_when_it_was_last_asked(store: Store) -> None:
    watches.set_watch(store, "a", "question", {}, NOON)
    watches.note_asked(store, "a", NOON + timedelta(days=1))
    assert watches.watch(store, "a").since("pubmed") == NOON + timedelta(days=1)
