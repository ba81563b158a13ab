"""A run keeps what happened in it, in order, and its result answers to a rank."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cache import papers, runs
from cache.errors import NoSuchRun
from cache.runs import Post, StoredRank
from cache.store import Store
from cache.timestamps import parsed
from tests.cache.conftest import make_paper

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)

_json = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


def test_a_run_has_a_short_readable_name_that_sorts_by_start(store: Store) -> None:
    ids = [runs.start(store, "search", "whales", now=NOON + timedelta(minutes=n)) for n in range(3)]
    assert ids == sorted(ids)
    assert all(re.fullmatch(r"\d{8}-\d{4}-[2-9a-z]{4}", run) for run in ids)


_content = _json | st.builds(
    lambda work, paper: {"work": work, "paper": {"title": paper}}, st.integers(1, 3), st.text()
)


@given(contents=st.lists(_content, max_size=9), ended=st.booleans())
def test_events_come_back_as_they_were_appended_and_in_order(store: Store, contents: list[object], ended: bool) -> None:
    run = runs.start(store, "search", "whales")
    half = len(contents) // 2
    for content in contents[:half]:
        runs.append(store, run, "searcher", "found", content, 0.5)
    if ended:
        before = runs.events(store, run)
        runs.finish(store, run, "finished")
        assert runs.events(store, run) == before
    runs.extend(store, run, [Post("judge", "judged", content) for content in contents[half:]])
    events = runs.events(store, run)
    assert [event.content for event in events] == contents
    assert [event.id for event in events] == list(range(1, len(contents) + 1))
    assert runs.last_event(store, run) == len(contents)
    assert runs.events(store, run, after=half) == events[half:]


def test_a_finished_run_tells_its_counts_and_its_papers_by_rank(store: Store) -> None:
    run = runs.start(store, "search", "whales", {"limit": 2}, NOON)
    first, second = make_paper("Blue whales", "pmid:1"), make_paper("Grey whales", author="")
    ranked = [StoredRank(first, {"score": 0.9}), StoredRank(second, {"score": 0.5})]
    runs.finish(store, run, "finished", {"included": 2}, ranked, NOON + timedelta(seconds=8))
    told = runs.get(store, run)
    assert (told.state, told.counts, told.parameters) == ("finished", {"included": 2}, {"limit": 2})
    assert told.finished == told.started + timedelta(seconds=8)
    assert runs.result(store, run) == ranked
    assert [runs.paper_at(store, run, rank) for rank in (1, 2, 3)] == [first, second, None]


def test_a_result_keeps_its_ranks_when_two_of_its_papers_turn_out_to_be_one(store: Store) -> None:
    run = runs.start(store, "search", "engines")
    one, other = make_paper("Engines of thought and reason", "2001.00001"), make_paper("Engines", "pmid:5")
    runs.finish(store, run, "finished", {}, [StoredRank(one, {}), StoredRank(other, {})])
    papers.remember(store, [make_paper("Engines", "2001.00001", "pmid:5")])
    found = [runs.paper_at(store, run, rank) for rank in (1, 2)]
    assert found[0] == found[1]
    assert found[0] is not None
    assert found[0].identifier("pmid") == "5"


def test_a_run_that_nobody_ended_is_still_running_with_its_events(store: Store) -> None:
    run = runs.start(store, "search", "whales")
    runs.append(store, run, "searcher", "found", "one")
    with Store.open(store.path) as later:
        assert runs.get(later, run).state == "running"
        assert [event.content for event in runs.events(later, run)] == ["one"]


def test_the_newest_run_of_a_kind_is_the_last(store: Store) -> None:
    assert runs.last(store) is None
    search = runs.start(store, "search", "whales", now=NOON)
    summary = runs.start(store, "summary", "whales", now=NOON + timedelta(hours=1))
    assert [run.id for run in runs.recent(store)] == [summary, search]
    found = [runs.last(store, *kinds) for kinds in (["search"], ["search", "summary"], [])]
    assert [run and run.id for run in found] == [search, summary, summary]


def test_a_run_is_named_by_the_beginning_of_its_id_or_as_the_last(store: Store) -> None:
    with pytest.raises(NoSuchRun, match="no run yet"):
        runs.resolve(store, "last")
    first = runs.start(store, "search", "whales", now=NOON)
    second = runs.start(store, "search", "whales", now=NOON + timedelta(days=1))
    assert runs.resolve(store, "last") == second
    assert runs.resolve(store, first) == runs.resolve(store, first[:8]) == first
    with pytest.raises(NoSuchRun, match="Several runs"):
        runs.resolve(store, "2026")
    for unknown in ("1999", "", "%", "_" * 8):
        with pytest.raises(NoSuchRun, match="No run"):
            runs.resolve(store, unknown)


def test_the_last_of_a_kind_is_not_hidden_by_a_newer_run_of_another(store: Store) -> None:
    runs.start(store, "search", "one", now=NOON)
    second = runs.start(store, "search", "two", now=NOON + timedelta(hours=1))
    summary = runs.start(store, "summary", "three", now=NOON + timedelta(hours=2))
    assert (runs.resolve(store, "last", "search"), runs.resolve(store, "last", "summary")) == (second, summary)
    runs.forget(store, summary)
    with pytest.raises(NoSuchRun, match="no summary yet"):
        runs.resolve(store, "last", "summary")


def test_a_run_that_nobody_asked_for_is_not_listed_and_never_the_last(store: Store) -> None:
    asked = runs.start(store, "search", "whales", now=NOON)
    made = runs.start(store, "recommendation", "", {"unasked": True}, now=NOON + timedelta(minutes=1))
    runs.finish(store, made, "finished", now=NOON + timedelta(minutes=2))
    assert [run.id for run in runs.recent(store)] == [asked]
    last = runs.last(store, "search", "recommendation")
    assert last
    assert last.id == asked
    assert runs.last_end(store, "recommendation") is None
    assert [run.id for run in runs.recent(store, unasked=True)] == [made, asked]
    runs.set_parameter(store, made, "unasked", False)  # somebody has looked at it
    assert [run.id for run in runs.recent(store)] == [made, asked]


def test_what_was_shown_often_is_told_without_what_nobody_saw(store: Store) -> None:
    paper = make_paper("Whale song", "10.1000/w")
    for unasked in (False, False, True):
        run = runs.start(store, "recommendation", "", {"unasked": unasked})
        runs.finish(store, run, "finished", ranked=[StoredRank(paper, {})])
    [number] = papers.remember(store, [paper])
    assert runs.shown_often(store, "recommendation", 2) == {number}
    assert runs.shown_often(store, "recommendation", 3) == set()
    assert runs.shown_often(store, "search", 1) == set()


def test_an_unknown_run_takes_no_events(store: Store) -> None:
    with pytest.raises(NoSuchRun):
        runs.append(store, "20261121-0941-none", "searcher", "found", 1)


def test_a_forgotten_run_leaves_its_papers(store: Store) -> None:
    run = runs.start(store, "search", "whales")
    paper = make_paper("Blue whales", "pmid:1")
    runs.append(store, run, "searcher", "found", 1)
    runs.finish(store, run, "finished", {}, [StoredRank(paper, {})])
    runs.forget(store, run)
    assert runs.recent(store) == []
    assert runs.events(store, run) == []
    assert papers.find(store, paper.identifiers) == paper


def test_a_question_that_no_file_can_hold_is_stored_as_far_as_it_can_be(store: Store) -> None:
    run = runs.start(store, "search", "whales \udcff", {"text": "\udcff"})
    assert runs.get(store, run).question == "whales ?"


@pytest.mark.parametrize("cell", ["x'fffe'", "'zz'", "9e999", "'9999-99-99T00:00:00.000000Z'"])
def test_the_last_end_is_that_of_a_row_that_can_be_read(store: Store, cell: str) -> None:
    ended = [runs.start(store, "recommend", "") for _ in range(2)]
    for run in ended:
        runs.finish(store, run, "finished")
    with store.writing() as db:
        db.execute(f"UPDATE runs SET finished = {cell} WHERE id = ?", (ended[1],))
        [whole] = db.execute("SELECT finished FROM runs WHERE id = ?", (ended[0],)).fetchone()
    assert runs.last_end(store, "recommend") == parsed(whole)
