"""Runs that an earlier version kept are replayed, reported, gone on with and asked again as if it had stayed."""

import gzip
import json
import re
import shutil
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from agents.run.runner import Runner
from agents.search.options import SearchOptions
from cache import papers, runs
from cache.backups import keep_daily
from cache.cached_source import Request, recall
from cache.paper_json import from_json, to_json, to_record
from cache.store import Store
from cache.timestamps import parsed
from spar_tui.reports.search_repetition import read_log
from spar_tui.tui.screens.dialogs.error_log import failures_of
from tests.agents.summary.world import SUMMING
from tests.kept_runs import HERE, RUNS, board, lost, said, stored, stored_events, unpacked
from tests.services import Services
from tests.services.model.server import ScriptedModel, by_prompt
from tests.spar_tui.in_process import answer, spar
from tests.spar_tui.overlap_model import overlap_script

pytestmark = pytest.mark.usefixtures("quick_pace")

FINISHED = ("plain", "model", "feedback", "watch")
SEARCHES = (*FINISHED, "cut-off")


@pytest.fixture(scope="module")
def upgraded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The kept library as the first opening leaves it, with today's backup."""
    home = unpacked(tmp_path_factory.mktemp("upgraded"))
    with Store.open(home / "spar" / "spar.db") as store:
        keep_daily(store.path)
    return home


@pytest.fixture
def home(tmp_path: Path, upgraded: Path) -> Path:
    """A home with a copy of that library; the sources are out of reach."""
    shutil.copytree(upgraded, tmp_path, dirs_exist_ok=True)
    return tmp_path


@pytest.fixture
def untouched(tmp_path: Path) -> Path:
    """A home with the library as the earlier version left it."""
    return unpacked(tmp_path)


def without_miscounts(told: dict[str, Any]) -> dict[str, Any]:
    """`told` without the counts of records that version 0.1.0 got wrong: it summed lists that overlap."""
    counts = {name: many for name, many in told.get("counts", {}).items() if name not in ("identified", "duplicates")}
    return {**told, "counts": counts} if "counts" in told else told


def verb(name: str) -> str:
    return "summarize" if name.startswith("summary") else "search"


# Replayed


@pytest.mark.parametrize("name", [*FINISHED, "summary"])
def test_a_finished_run_gives_its_answer_again(name: str, home: Path) -> None:
    before = without_miscounts(said(f"{name}.json"))
    assert lost(before, answer(home, verb(name), "--resume", RUNS[name])) == []


@pytest.mark.parametrize("name", [*FINISHED, "summary"])
def test_jsonl_tells_every_event_as_it_is_stored(name: str, home: Path) -> None:
    told = spar(home, verb(name), "--resume", RUNS[name], "--jsonl").stdout
    assert [as_stored(line) for line in told.splitlines()] == board(home, RUNS[name])


def test_jsonl_is_to_the_letter_what_it_was_but_for_what_follows_from_it(home: Path) -> None:
    told = spar(home, "search", "--resume", RUNS["feedback"], "--jsonl").stdout
    lines = [json.dumps(as_stored(line), ensure_ascii=False) for line in told.splitlines()]
    assert "\n".join([*lines, ""]) == gzip.decompress((HERE / "feedback.jsonl.gz").read_bytes()).decode()


def as_stored(line: str) -> dict[str, Any]:
    """A line of `--jsonl` without what it tells besides."""
    event: dict[str, Any] = json.loads(line)
    return {name: value for name, value in event.items() if name not in ("outcome", "proven")}


def test_a_finished_summary_says_all_that_it_said(home: Path) -> None:
    """Each sentence with its citations, each row, each reference with its quotes; what stands around may change."""
    told = spar(home, "summarize", "--resume", RUNS["summary"]).stdout
    before = (HERE / "summary.md").read_text("utf-8").replace("\\[", "[").replace("\\]", "]")
    head, _, rest = before.partition("\n\n")
    lines = [line for line in rest.splitlines() if line and not line.startswith((">", "|---"))]
    said = [one for line in lines for one in re.split(r"(?<=\]) (?=[“A-Z])", line.strip("*"))]
    quotes = [re.sub(r"^ +- [^:“]+: “", "“", one) for one in said]  # a quote of two sections stands once, below both
    moved = [re.sub(r"\. (\[[^\]]*\])$", r" \1.", one) for one in quotes]  # a citation stands before the full stop now
    assert [one for one in moved if one not in told] == []
    assert told.startswith(head)


@pytest.mark.parametrize("name", [*FINISHED, "summary"])
def test_a_finished_run_that_is_told_again_stays_as_it_is_stored(name: str, untouched: Path) -> None:
    kept = (
        "SELECT state, parameters, counts FROM runs WHERE id = ?",
        "SELECT rank, paper, entry FROM run_papers WHERE run = ? ORDER BY rank",
    )
    before = [*(stored(untouched, sql, RUNS[name]) for sql in kept), stored_events(untouched, RUNS[name])]
    assert all(before)
    spar(untouched, verb(name), "--resume", RUNS[name])
    assert [*(stored(untouched, sql, RUNS[name]) for sql in kept), stored_events(untouched, RUNS[name])] == before


@pytest.mark.parametrize("name", RUNS)
def test_the_app_opens_a_kept_run(name: str, home: Path) -> None:
    with Store.open(home / "spar" / "spar.db") as store:
        live = Runner.kept_as(store, RUNS[name])
        assert live.status == ("cut off" if name.endswith("cut-off") else "finished")
        assert len(live.state.findings.found)


def test_the_history_lists_the_kept_runs(home: Path) -> None:
    assert lost(said("history.json"), answer(home, "history")) == []


def test_what_failed_in_a_kept_run_is_told(home: Path) -> None:
    with Store.open(home / "spar" / "spar.db") as store:
        told, warned = (
            [
                one.why
                for one in failures_of(runs.get(store, live.run), runs.events(store, live.run), live.state.findings)
            ]
            for live in (Runner.kept_as(store, RUNS[name]) for name in ("plain", "model"))
        )
    assert any(one.startswith("pubmed is not working") for one in told)
    assert any("refuses to answer" in one for one in warned)


def test_what_the_person_said_of_papers_holds(home: Path) -> None:
    told = answer(home, "log", RUNS["feedback"])
    assert sorted(told["opinions"].values()) == [False, True]
    events = [event["event"] for event in board(home, RUNS["feedback"])]
    assert "OpinionWithdrawn" in events


def test_papers_are_read_and_written_as_they_are_stored(untouched: Path) -> None:
    records = stored(untouched, "SELECT record FROM papers ORDER BY id")
    known = [from_json(record) for record in records]
    assert known
    assert [to_json(paper) for paper in known] == records
    with Store.open(untouched / "spar" / "spar.db") as store:
        assert papers.by_ids(store, stored(untouched, "SELECT id FROM papers ORDER BY id")) == known
    assert stored(untouched, "SELECT record FROM papers ORDER BY id") == [to_record(paper) for paper in known]


def test_what_a_source_answered_is_found_again(untouched: Path) -> None:
    ((request, at),) = stored(untouched, "SELECT request, stored_at FROM answers")
    _, source, version, operation, wanted = json.loads(request)
    asked = Request(source, version, operation, tuple((name, value) for name, value in wanted))
    with Store.open(untouched / "spar" / "spar.db") as store:
        found = recall(store, asked, parsed(at))
    assert found
    assert found.papers


# Reported


@pytest.mark.parametrize("name", SEARCHES)
def test_the_log_of_a_kept_search_is_what_it_was(name: str, home: Path) -> None:
    """But for the version that writes it, and for what was wrong in it: the numbers of the flow, two reasons of
    exclusion that stood as one, and the end, which moved when a search was told again."""
    before = {part: told for part, told in said(f"{name}.log.json").items() if part not in ("spar", "finished", "flow")}
    before["excluded"] = [{**one, "excluded_because": None} for one in before["excluded"]]
    now = answer(home, "log", RUNS[name])
    assert all(one["excluded_because"] for one in now["excluded"])
    now["excluded"] = [{**one, "excluded_because": None} for one in now["excluded"]]
    assert lost(before, now) == []


def test_a_kept_log_can_be_asked_again(services: Services, tmp_path: Path) -> None:
    services.midnight()
    assert read_log(HERE / "plain.log.json")[:2] == read_log(HERE / "plain.log.md")[:2]
    found = answer(tmp_path, "search", "--from-log", str(HERE / "plain.log.md"), more=services.environment)
    before, now = said("plain.log.json"), answer(tmp_path, "log")
    assert found["papers"]
    assert (now["question"], now["wishes"]) == (before["question"], {**now["wishes"], **before["wishes"]})
    assert not now["wishes"]["library"]  # which is the person's own, and not in the hands of others
    assert {"library", *(one["source"] for one in now["searches"])} == {one["source"] for one in before["searches"]}


# Gone on with


def gone_on(home: Path, name: str, more: dict[str, str]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """What `--json` prints of a run cut off and gone on with, and its new events; the old ones are as they were."""
    before = board(home, RUNS[name])
    found: dict[str, Any] = answer(home, verb(name), "--resume", RUNS[name], more=more)
    after = board(home, RUNS[name])
    assert after[: len(before)] == before
    assert stored(home, "SELECT state FROM runs WHERE id = ?", RUNS[name]) == ["finished"]
    return found, after[len(before) :]


def test_a_deep_search_cut_off_goes_on_and_asks_nothing_twice(services: Services, home: Path) -> None:
    services.midnight()
    before = answer(home, "log", RUNS["cut-off"])
    answered = {
        sent for one in board(home, RUNS["cut-off"]) if one["event"] == "SourceAnswered" for sent in one.get("sent", ())
    }
    judged = {one["id"]: one for one in (*before["included"], *before["excluded"]) if one["judged_by"] == "model"}
    number = len(services.log)
    with ScriptedModel(overlap_script) as model:
        found, new = gone_on(home, "cut-off", {**services.environment, **model.environment})
        assert model.surprises == []
        asked = [json.loads(one.text.partition("Paper:\n")[2])["title"] for one in model.asked("judge")]
        assert model.asked("understand") == []
    assert new[-1]["event"] == "Finished"
    assert asked
    assert not {one["title"] for one in judged.values()} & set(asked)
    requests = {request.target for request in services.log[number:]}
    assert requests
    assert not answered & requests
    after = answer(home, "log", RUNS["cut-off"])
    now = {one["id"]: one for one in (*after["included"], *after["excluded"])}
    assert judged
    assert {name: now[name]["reason"] for name in judged} == {name: one["reason"] for name, one in judged.items()}
    assert lost(before["understanding"], after["understanding"]) == []
    assert found["papers"]


def test_a_summary_cut_off_goes_on_and_asks_nothing_twice(services: Services, home: Path) -> None:
    services.midnight()
    with ScriptedModel(by_prompt(SUMMING)) as model:
        found, new = gone_on(home, "summary-cut-off", {**services.environment, **model.environment})
        assert model.surprises == []
        assert {one.name for one in model.requests} == {"relevant", "write", "support", "repair"}
    assert new[-1]["event"] == "SummaryFinished"
    assert not {"SourceAnswered", "PaperFound", "FacetsPlanned"} & {one["event"] for one in new}
    assert [one["node"] for one in new if one["event"] == "FacetVerified"] == [""]  # not judged by earlier versions
    assert found["tree"]["written_by"] == "model"
    assert found["tree"]["sentences"]
    assert found["papers"]


# Asked again


def test_a_kept_watch_tells_only_what_is_new_and_only_once(services: Services, home: Path) -> None:
    services.midnight()
    shown = "SELECT title FROM papers JOIN watch_papers ON paper = id"
    known = set(stored(home, shown))
    assert lost(said("watch.list.json"), answer(home, "watch", "--list")) == []
    with Store.open(home / "spar" / "spar.db") as store, store.writing() as db:  # as if it was asked long ago
        db.execute("UPDATE watches SET asked = '1900-01-01T00:00:00.000000Z'")
    new = watched(home, more=services.environment)
    assert new
    assert not known & set(new)
    assert set(stored(home, shown)) == known | set(new)
    assert not {*known, *new} & set(watched(home, "--offline"))


def watched(home: Path, *flags: str, more: Mapping[str, str] | None = None) -> list[str]:
    """The titles that `spar watch` tells."""
    (told,) = json.loads(spar(home, "watch", *flags, "--json", more=more).stdout)["watches"]
    assert told["failed"] == {}
    return [paper["title"] for paper in told["papers"]]


def test_the_options_of_a_kept_run_are_read_as_they_were_given(home: Path) -> None:
    parameters = json.loads(stored(home, "SELECT parameters FROM runs WHERE id = ?", RUNS["cut-off"])[0])
    with Store.open(home / "spar" / "spar.db") as store:
        options = Runner.kept_as(store, RUNS["cut-off"]).options
    assert isinstance(options, SearchOptions)
    assert lost(parameters, json.loads(json.dumps(asdict(options), default=str))) == []
