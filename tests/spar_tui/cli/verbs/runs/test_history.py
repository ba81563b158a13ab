"""`spar history` lists the runs that its words choose, of all that are kept."""

import json
import re
from datetime import UTC, datetime
from pathlib import Path

import pytest

from cache import runs
from cache.run_lock import RunLock
from cache.runs import Ended
from cache.store import Store
from tests.library import copied
from tests.spar_tui.in_process import answer, spar
from tests.spar_tui.running import spar as process
from tests.spar_tui.tui.world import settings_at

KEPT: tuple[tuple[str, str, dict[str, str], Ended, datetime], ...] = (
    ("search", "dense retrieval", {}, "finished", datetime(2024, 6, 1, 12, tzinfo=UTC)),
    ("summary", "Öffentliche Bibliotheken", {}, "interrupted", datetime(2025, 6, 1, 12, tzinfo=UTC)),
    ("recommendation", "", {"tag": "thesis"}, "finished", datetime(2025, 7, 1, 12, tzinfo=UTC)),
    ("search", "reading comprehension", {}, "finished", datetime(2026, 6, 1, 12, tzinfo=UTC)),
)
DENSE, LIBRARIES, TAGGED, READING = ("dense retrieval", "Öffentliche Bibliotheken", "", "reading comprehension")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    with Store.open(copied(settings_at(tmp_path / "spar").places.database)) as store:
        for kind, question, parameters, state, began in KEPT:
            run = runs.start(store, kind, question, parameters, began)
            runs.finish(store, run, state)
    return tmp_path


@pytest.mark.parametrize(
    ("words", "left"),
    [
        ([], [READING, TAGGED, LIBRARIES, DENSE]),
        (["retrieval"], [DENSE]),
        (["offentliche"], [LIBRARIES]),
        (["search"], [READING, DENSE]),
        (["interrupted"], [LIBRARIES]),
        (["thesis"], [TAGGED]),
        (["-search", "-interrupted"], [TAGGED]),
        (["year:2025"], [TAGGED, LIBRARIES]),
        (["year:2025..", "--limit", "1"], [READING]),
        (["--limit", "1", "dense"], [DENSE]),
        (["dense", "--limit=1"], [DENSE]),
        (['"dense retrieval"'], [DENSE]),
        (["2024-06-01"], [DENSE]),
        (["--", "reading"], [READING]),
        (["--", "-search"], [TAGGED, LIBRARIES]),
    ],
)
def test_words_choose_among_all_runs_that_are_kept(home: Path, words: list[str], left: list[str]) -> None:
    ran = spar(home, "history", "--format", "{kind}: {question}", *words)
    assert ran.returncode == 0, ran.stderr
    assert [line.partition(": ")[2] for line in ran.stdout.splitlines()] == left
    assert [one["question"] for one in answer_of(home, *words)] == left


def answer_of(home: Path, *words: str) -> list[dict[str, str]]:
    ran = spar(home, "history", "--json", *words)
    found: list[dict[str, str]] = json.loads(ran.stdout)["runs"]
    return found


def test_the_template_in_the_help_works(home: Path) -> None:
    help_text = " ".join(spar(home, "history", "--help").stdout.split())
    [template] = re.findall(r"TEMPLATE: '(\S+)'", help_text)
    ran = spar(home, "history", "--format", template)
    assert (ran.returncode, "\t" in ran.stdout) == (0, True)


def test_words_that_no_run_meets_are_not_called_an_empty_history(home: Path) -> None:
    ran = spar(home, "history", "zyzzyva", "-search")
    assert (ran.returncode, ran.stdout) == (3, "")
    assert ran.stderr == "spar: none of 4 runs matches zyzzyva -search; spar history lists them all.\n"
    assert "no runs yet" in spar(home / "empty", "history", "zyzzyva").stderr


def test_what_is_no_filter_of_runs_is_one_sentence(home: Path) -> None:
    ran = spar(home, "history", "tag:x")
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.startswith("spar: tag: cannot be used in the history")


def test_its_own_verbs_come_before_words(home: Path) -> None:
    assert "the reading history is empty" in spar(home, "history", "reading").stderr
    assert "say what to forget" in spar(home, "history", "--limit", "3", "forget").stderr
    [run] = answer_of(home, "dense")
    assert spar(home, "history", "forget", run["run"]).stdout == f"forgot {run['run']}\n"
    assert len(answer(home, "history")["runs"]) == 3


def test_a_run_is_listed_with_the_hour_of_the_clock_on_the_wall(home: Path) -> None:
    told = process(home, "history", "dense", more={"TZ": "Pacific/Kiritimati"})
    assert "  2024-06-02 02:00  search" in told.stdout


def test_a_run_that_another_process_carries_on_is_running_and_is_not_forgotten(home: Path) -> None:
    library = settings_at(home / "spar").places.database
    with Store.open(library) as store:
        run = runs.start(store, "search", "sparse retrieval", {}, datetime(2026, 7, 1, 12, tzinfo=UTC))
    lock = RunLock(library, run)
    assert lock.take()
    try:
        assert "running" in spar(home, "history", "sparse").stdout
        refused = spar(home, "history", "forget", run)
        assert refused.returncode == 1
        assert f"{run} is running in another terminal" in refused.stderr
    finally:
        lock.free()
    assert "unfinished" in spar(home, "history", "sparse").stdout
    assert spar(home, "history", "forget", run).returncode == 0


def test_a_search_is_counted_by_what_was_relevant_and_not_by_the_room_of_its_list(tmp_path: Path) -> None:
    kept = answer(tmp_path, "search", "language models", "--offline", "--limit", "1")["counts"]
    assert kept["kept"] > 1
    assert f"  {kept['kept']} relevant of {kept['screened']} " in spar(tmp_path, "history").stdout
    assert spar(tmp_path, "history", "--format", "{papers}").stdout == f"{kept['kept']}\n"
