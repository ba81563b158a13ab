"""What is stored keeps its names: runs, watches, settings and tables of earlier versions are read for good."""

from pathlib import Path
from typing import get_args

from agents.search.events import Event
from agents.search.kind import SEARCH
from agents.summary.events import SummaryEvent
from agents.summary.kind import SUMMARY
from tests.kept_runs import RUNS, lost, said, stored, unpacked
from tests.kept_runs.names import names_today

WHAT_IT_DOES = (
    "A stored name, value or default was lost or changed. Whatever people have kept under it (runs, watches, settings, "
    "the library) can then not be read, or means something else. Keep the stored name, whatever its class is called; "
    "stored_names.json is never edited but for what is new."
)

DROPPED = {"/tables/answers/request"}
"""Columns that a migration removes because no version has read them."""


def test_every_stored_name_is_what_it_was(tmp_path: Path) -> None:
    gone = [name for name in lost(said("stored_names.json"), names_today(tmp_path / "spar.db")) if name not in DROPPED]
    assert not gone, f"{WHAT_IT_DOES}\n" + "\n".join(gone)


def test_a_run_of_each_kind_can_store_each_of_its_events_and_no_other() -> None:
    assert set(SEARCH.codec.events.values()) == set(get_args(Event))
    assert set(SUMMARY.codec.events.values()) == set(get_args(SummaryEvent))


def test_a_class_has_one_name() -> None:
    for codec in (SEARCH.codec, SUMMARY.codec):
        assert len(set(codec.events.values())) == len(codec.events)


def test_an_event_that_is_not_known_is_passed_over() -> None:
    assert SEARCH.codec.decode("PaperEaten", {"work": 1}) is None
    assert SEARCH.codec.decode("SummaryFinished", {}) is None
    assert SUMMARY.codec.decode("Finished", {}) is None


def test_the_kept_runs_have_every_event(tmp_path: Path) -> None:
    sql = "SELECT DISTINCT kind FROM events WHERE run IN (SELECT id FROM runs WHERE kind = ?)"
    home, frozen = unpacked(tmp_path), said("stored_names.json")
    searches, summaries = set(stored(home, sql, "search")), set(stored(home, sql, "summary"))
    assert searches == set(frozen["events of a search"])
    assert summaries >= set(frozen["events of a summary"]) - set(frozen["events of a search"])
    assert set(RUNS.values()) == set(stored(home, "SELECT id FROM runs"))
