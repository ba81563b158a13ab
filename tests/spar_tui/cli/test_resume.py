"""A search that was cut off goes on where it was; one that is over prints its answer again."""

import json
import os
import signal
import subprocess
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.services import Services
from tests.services.model.says import ModelSays
from tests.services.model.server import ModelRequest, ScriptedModel
from tests.spar_tui.in_process import answer, spar
from tests.spar_tui.overlap_model import overlap_script
from tests.spar_tui.running import PATIENCE, environment, forked

QUESTION = "query evolution for literature search agents"
SEARCH = ("search", QUESTION, "--source", "openalex")


@pytest.fixture(scope="module")
def services() -> Iterator[Services]:
    with Services() as running:
        yield running


def keyed(services: Services) -> dict[str, str]:
    """The services, with a key: whoever has none may ask OpenAlex for less in a day than these tests do."""
    return {**services.environment, "OPENALEX_API_KEY": "oa-good-key"}


@pytest.fixture(scope="module")
def uninterrupted(services: Services, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The answer of a search that nobody cut off."""
    with ScriptedModel(overlap_script) as model:
        more = {**keyed(services), **model.environment}
        found: dict[str, Any] = answer(tmp_path_factory.mktemp("whole"), *SEARCH, more=more)
    return found


class Hesitant:
    """A script that thinks long about the prompt called `name` until it is told to go on."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.asked, self.going_on = threading.Event(), threading.Event()

    def __call__(self, request: ModelRequest) -> ModelSays:
        says = overlap_script(request)
        if request.name == self.name and not self.going_on.is_set():
            self.asked.set()
            return replace(says, seconds=120.0)
        return says


def cut_off(home: Path, more: dict[str, str], until: threading.Event, how: signal.Signals) -> subprocess.Popen[str]:
    """Begin a search and end it with the signal `how` as soon as `until` is set."""
    process = subprocess.Popen(
        forked(*SEARCH),
        env=environment(home, more),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[3],
    )
    assert until.wait(PATIENCE)
    os.kill(process.pid, how)
    return process


def told(found: dict[str, Any]) -> list[Any]:
    """What a list says of each paper."""
    names = ("id", "score", "relevance", "reason", "quote", "judged_by", "found_by")
    return [[paper[name] for name in names] for paper in found["papers"]]


@pytest.mark.parametrize(("stage", "how"), [("judge", signal.SIGKILL), ("evolve", signal.SIGINT)])
def test_a_search_cut_off_and_resumed_gives_the_list_of_one_that_was_not_and_asks_nothing_again(
    stage: str, how: signal.Signals, services: Services, uninterrupted: dict[str, Any], tmp_path: Path
) -> None:
    script = Hesitant(stage)
    with ScriptedModel(script) as model:
        more = {**keyed(services), **model.environment}
        process = cut_off(tmp_path, more, script.asked, how)
        printed, said = process.communicate(timeout=PATIENCE)
        (cut,) = answer(tmp_path, "history")["runs"]
        assert printed == ""
        assert "Traceback" not in said
        if how == signal.SIGINT:
            assert (process.returncode, cut["state"]) == (130, "interrupted")
            assert said.splitlines()[-1].endswith(f"spar search --resume {cut['run']}")
        script.going_on.set()
        resumed = answer(tmp_path, "search", "--resume", "last", more=more)
        judged = [request.text for request in model.asked("judge-words")]
        assert len(judged) == len(set(judged)) > 0
        assert len(model.asked("understand")) == 1
        assert resumed["cost"]["calls"] <= model.calls
    assert told(resumed) == told(uninterrupted)
    assert resumed["understanding"] == uninterrupted["understanding"]
    assert resumed["counts"] == uninterrupted["counts"]
    (run,) = answer(tmp_path, "history")["runs"]
    assert (run["run"], run["state"]) == (resumed["run"], "finished")
    assert run["run"] == cut["run"]


def test_a_resumed_search_may_go_on_without_the_model_it_began_with(services: Services, tmp_path: Path) -> None:
    script = Hesitant("judge")
    with ScriptedModel(script) as model:
        more = {**keyed(services), **model.environment}
        cut_off(tmp_path, more, script.asked, signal.SIGKILL).communicate(timeout=PATIENCE)
        before = model.calls
        resumed = answer(tmp_path, "search", "--resume", "last", "--no-model", more=more)
        assert model.calls == before
    assert resumed["understanding"]["by"] == "model"
    assert {paper["judged_by"] for paper in resumed["papers"]} == {"built-in"}


def test_a_finished_search_is_printed_again_and_nobody_is_asked(services: Services, tmp_path: Path) -> None:
    with ScriptedModel(overlap_script) as model:
        more = {**keyed(services), **model.environment}
        first = answer(tmp_path, *SEARCH, "--no-evolution", more=more)
        requests, calls = len(services.log), model.calls
        again = answer(tmp_path, "search", "--resume", first["run"], more=more)
        assert (len(services.log), model.calls) == (requests, calls)
    assert again == first


def events(printed: str) -> list[str]:
    """The events that are stored: while sources are slow, assessments of what came so far are only shown."""
    return [line for line in printed.splitlines() if json.loads(line)["event"] != "PapersAssessed"]


def test_jsonl_of_a_resumed_search_is_the_whole_run(tmp_path: Path) -> None:
    first = spar(tmp_path, "search", "topic models", "--offline", "--jsonl")
    again = spar(tmp_path, "search", "--resume", "last", "--jsonl")
    assert events(again.stdout) == events(first.stdout)
    assert (again.returncode, json.loads(first.stdout.splitlines()[-1])["event"]) == (0, "Finished")


def test_the_last_search_and_the_last_summary_do_not_hide_each_other(tmp_path: Path) -> None:
    first = spar(tmp_path, "search", "topic models", "--offline")
    summed = spar(tmp_path, "summarize", "topic models", "--offline", "--depth", "1")
    again = spar(tmp_path, "search", "--resume", "last")
    assert (again.returncode, again.stdout) == (0, first.stdout)
    assert spar(tmp_path, "log").stdout.startswith("# Search log")
    once_more = spar(tmp_path, "summarize", "--resume", "last")
    assert (once_more.returncode, once_more.stdout) == (0, summed.stdout)


def test_before_there_is_a_summary_the_last_one_is_none(tmp_path: Path) -> None:
    spar(tmp_path, "search", "topic models", "--offline")
    ran = spar(tmp_path, "summarize", "--resume", "last")
    assert (ran.returncode, ran.stdout) == (3, "")
    assert "no summary yet" in ran.stderr


@pytest.mark.parametrize("name", ["19990101-0000-zzzz", "last", ""])
def test_a_run_that_is_not_there_is_one_sentence(name: str, tmp_path: Path) -> None:
    ran = spar(tmp_path, "search", "--resume", name)
    assert (ran.returncode, ran.stdout) == (3 if name == "last" else 1, "")
    assert len(ran.stderr.splitlines()) == 1
    assert ran.stderr.startswith("spar: ")


@pytest.mark.parametrize("flags", [("--since", "2020"), ("--source", "arxiv"), ("--deep",)])
def test_what_a_search_decides_at_its_beginning_cannot_be_changed_later(flags: tuple[str, ...], tmp_path: Path) -> None:
    ran = spar(tmp_path, "search", "--resume", "last", *flags)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert flags[0] in ran.stderr


def test_a_question_and_a_run_exclude_each_other(tmp_path: Path) -> None:
    assert spar(tmp_path, "search", "trees", "--resume", "last").returncode == 2
    assert spar(tmp_path, "search").returncode == 2
