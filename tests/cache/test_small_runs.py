"""A run takes little room in the library, and runs of earlier versions are made as small without a loss."""

import sqlite3
import zlib
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from cache import runs
from cache.cached_source import Request, recall
from cache.schema import make_schema
from cache.store import Store
from cache.timestamps import stamp
from tests.kept_runs import RUNS, stored_events, unpacked
from tests.services import Services
from tests.spar_tui.in_process import spar

NOON = datetime(2026, 11, 26, 12, tzinfo=UTC)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A library of an earlier version with some runs."""
    return unpacked(tmp_path)


def test_a_packed_run_of_an_earlier_version_has_the_same_events(home: Path) -> None:
    before = {run: stored_events(home, run) for run in RUNS.values()}
    assert all(before.values())
    with Store.open(home / "spar" / "spar.db") as store:
        told = {run: runs.events(store, run) for run in before}
        assert {*runs.unpacked(store)} == {*before}
        for run in before:
            runs.pack(store, run)
        assert runs.unpacked(store) == []
        assert {run: runs.events(store, run) for run in before} == told
    assert {run: stored_events(home, run) for run in before} == before


def test_a_packed_run_takes_a_tenth(home: Path) -> None:
    run, path = RUNS["summary"], home / "spar" / "spar.db"
    with closing(sqlite3.connect(path)) as db:
        (plain,) = db.execute("SELECT sum(length(content)) FROM events WHERE run = ?", (run,)).fetchone()
    with Store.open(path) as store:
        runs.pack(store, run)
        with store.reading() as db:
            ((packed,),) = db.execute("SELECT length(events) FROM event_batches WHERE run = ?", (run,))
    assert packed < plain / 10


def test_a_run_with_an_unreadable_event_stays_as_it_is(home: Path) -> None:
    run = RUNS["plain"]
    with Store.open(home / "spar" / "spar.db") as store:
        with store.writing() as db:
            db.execute("INSERT INTO events VALUES (?, 9999, 'search', 'Warned', '{', NULL, 'never')", (run,))
        before = runs.events(store, run)
        runs.pack(store, run)
        assert run in runs.unpacked(store)
        assert runs.events(store, run) == before


def test_an_event_that_follows_packed_ones_has_the_next_number(home: Path) -> None:
    with Store.open(home / "spar" / "spar.db") as store:
        last = runs.last_event(store, RUNS["plain"])
        assert runs.append(store, RUNS["plain"], "search", "Warned", {"sentence": "One."}) == last + 1
        runs.pack(store, RUNS["plain"])
        assert runs.append(store, RUNS["plain"], "search", "Warned", {"sentence": "Two."}) == last + 2
        assert [event.content["sentence"] for event in runs.events(store, RUNS["plain"], last)] == ["One.", "Two."]


def test_an_answer_that_version_17_kept_beside_its_request_is_found(tmp_path: Path) -> None:
    asked, hour = Request("arxiv", "", "lookup", (("name", "arxiv:2001.00001"),)), timedelta(hours=1)
    cell = zlib.compress(b'{"papers":[{"title":"A title"}],"total":1,"sent":[],"notes":[]}')
    path = tmp_path / "library.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        make_schema(db, 17)
        row = (asked.key, "arxiv", "lookup", "a request", cell, stamp(NOON), stamp(NOON + 2 * hour))
        db.execute("INSERT INTO answers VALUES (?, ?, ?, ?, ?, ?, ?)", row)
    with Store.open(path) as store:
        found = recall(store, asked, NOON + hour)
        with store.reading() as opened:
            kept = opened.execute("SELECT * FROM answers").fetchall()
    assert found is not None
    assert [paper.title for paper in found.papers] == ["A title"]
    assert "a request" not in kept[0]


QUESTIONS = (
    "query expansion", "dense retrieval", "sparse retrieval of passages", "token pruning", "zero-shot document ranking",
)  # fmt: skip


@pytest.mark.usefixtures("quick_pace")
def test_the_whole_file_grows_by_120_kilobytes_a_search_after_the_first(tmp_path: Path) -> None:
    """Papers, words, links, events and remembered answers, over the first questions of one field in a new library. The
    first adds the pages of all tables as well. Within these bounds, 12 questions take 150 KB each on average."""
    path = tmp_path / "spar" / "spar.db"
    spar(tmp_path, "shelf")
    sizes = [path.stat().st_size]
    with Services(rules=False) as services:
        for question in QUESTIONS:
            ran = spar(tmp_path, "search", question, more=services.environment)
            assert ran.returncode == 0, ran.stderr
            sizes.append(path.stat().st_size)
    with Store.open(path) as store:
        assert len([run for run in runs.recent(store) if len(runs.events(store, run.id)) > 100]) > len(QUESTIONS) / 2
    assert sizes[1] - sizes[0] < 480 * 1024
    assert (sizes[-1] - sizes[1]) / (len(QUESTIONS) - 1) < 120 * 1024
