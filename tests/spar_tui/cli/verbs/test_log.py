"""The search log: what a search did, in a form that reviewers accept and that can be run again."""

import json
import os
import shutil
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tests.services import Fault, Services
from tests.services.model.server import ScriptedModel
from tests.spar_tui.in_process import spar
from tests.spar_tui.overlap_model import overlap_script
from tests.spar_tui.running import spar_in_terminal

pytestmark = pytest.mark.usefixtures("quick_pace")

ASK = ("search", "dense retrieval since 2018", "--source", "openalex", "--source", "semanticscholar", "--limit", "10")


@pytest.fixture(scope="module")
def home(services: Services, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home in which a model has judged a search."""
    home = tmp_path_factory.mktemp("home")
    with ScriptedModel(overlap_script) as model:
        ran = spar(home, *ASK, "--seed", "7", more={**services.environment, **model.environment})
    assert ran.returncode == 0, ran.stderr
    return home


@pytest.fixture(scope="module")
def log(home: Path) -> Any:
    return json.loads(spar(home, "log", "--json").stdout)


def test_every_query_is_there_as_it_was_sent_with_its_day_and_its_count(log: Any, services: Services) -> None:
    live = [one for one in log["searches"] if one["source"] in ("openalex", "semanticscholar")]
    assert {one["source"] for one in live} == {"openalex", "semanticscholar"}
    asked = {request.target for request in services.log}
    for one in live:
        assert one["state"] == "ok"
        assert one["answered"][:4].isdigit()
        assert any(set(one["sent"]) <= {target} for target in asked), one["sent"]


def test_model_prompts_seed_and_cost_are_named(log: Any) -> None:
    assert log["model"] == "scripted-1"
    assert log["prompts"]["judge"] == 6
    assert log["wishes"]["seed"] == 7
    assert log["cost"]["calls"] > 0
    assert {paper["judged_by"] for paper in log["included"]} == {"model"}


def test_the_readable_log_has_each_item_and_draws_the_flow(home: Path, log: Any) -> None:
    printed = spar(home, "log", "last").stdout
    for item in (
        *(f"\n## [{number}] " for number in range(1, 17)),
        "Run it again",
        "Seed 7",
        log["understanding"]["meaning"],
    ):
        assert item in printed
    assert f"Records identified (n = {log['flow']['identified']})" in printed
    assert "│ Kept by the program's judgement" in printed
    assert "- Own library, as it was before: 0 records (0 returned)" in printed  # searched, though it had nothing
    assert f"(n = {log['flow']['kept']})" in printed
    picture = printed.partition("```text\n")[2].partition("\n```")[0]
    assert max(map(len, picture.splitlines())) <= 78


@pytest.mark.parametrize("form", [(), ("--json",)], ids=["markdown", "json"])
def test_a_search_can_be_run_again_from_either_form_of_its_log(
    form: tuple[str, ...], home: Path, log: Any, services: Services, tmp_path: Path
) -> None:
    file = tmp_path / "log"
    file.write_text(spar(home, "log", *form).stdout)
    services.midnight()  # OpenAlex answers only so many questions a day
    with ScriptedModel(overlap_script) as model:
        more = {**services.environment, **model.environment}
        again = spar(tmp_path / "new", "search", "--from-log", str(file), "--json", more=more)
    told = json.loads(again.stdout)
    assert told["question"] == log["question"]
    assert {paper["id"] for paper in told["papers"]} <= {paper["id"] for paper in log["included"]}
    assert set(told["sources"]) >= {"openalex", "semanticscholar"}
    assert not {"pubmed", "library"} & set(told["sources"])
    assert "spar: same as in the log: " in again.stderr
    items = json.loads(spar(tmp_path / "new", "log", "--json").stdout)["prisma_s"]
    assert items["11"]["lines"] == [f"The strategies are those of search {log['run']}, taken from its log."]
    assert items["12"]["lines"][0].startswith(f"This is search {log['run']}, run again on 2")
    assert log["prisma_s"]["11"]["lines"] == ["spar reused no earlier strategy."]


def test_a_rerun_lists_as_many_papers_as_who_repeats_it_wants(services: Services, tmp_path: Path) -> None:
    services.midnight()
    own, other = tmp_path / "own", tmp_path / "other"
    spar(own, *ASK[:-1], "2", more=services.environment)
    (tmp_path / "log").write_text(spar(own, "log").stdout)
    for flags, listed in (((), 2), (("--limit", "4"), 4)):
        services.midnight()
        again = spar(other, "search", "--from-log", str(tmp_path / "log"), *flags, "--json", more=services.environment)
        assert len(json.loads(again.stdout)["papers"]) == listed
        assert "spar: same as in the log: " in again.stderr


def test_a_rerun_asks_what_the_log_says_though_a_library_took_part(services: Services, tmp_path: Path) -> None:
    services.midnight()
    own, other = tmp_path / "own", tmp_path / "other"
    for question in ("vaccine hesitancy", "malaria vaccine trials"):
        spar(own, "search", question, "--source", "openalex", "--source", "pubmed", more=services.environment)
    log = json.loads(spar(own, "log", "--json").stdout)
    assert log["wishes"]["later_queries"]
    (tmp_path / "log").write_text(json.dumps(log))
    services.midnight()
    again = spar(other, "search", "--from-log", str(tmp_path / "log"), more=services.environment)
    now = json.loads(spar(other, "log", "--json").stdout)
    asked, repeated = ({(one["source"], one["query"], one["found"]) for one in told["searches"]} for told in (log, now))
    assert {one for one in asked if one[0] != "library"} == repeated
    assert "lists that differ" not in again.stderr


def test_what_differs_from_the_log_is_said(home: Path, services: Services, tmp_path: Path) -> None:
    told = json.loads(spar(home, "log", "--json").stdout)
    one = next(one for one in told["searches"] if one["source"] == "openalex" and one["found"])
    one["found"] += 3
    gone = told["kept_by_program"].pop()
    told["searches"].append({**one, "source": "library"})
    (tmp_path / "log").write_text(json.dumps(told))
    services.midnight()
    with ScriptedModel(overlap_script) as model:
        more = {**services.environment, **model.environment}
        again = spar(tmp_path / "new", "search", "--from-log", str(tmp_path / "log"), more=more)
    assert f"openalex for “{one['query']}”: {one['found']} records then, {one['found'] - 3}" in again.stderr
    assert f"1 paper relevant now and not in the log: {gone}." in again.stderr
    assert "found papers in its author's own library; this one did not search a library" in again.stderr
    assert "same as in the log" not in again.stderr


def editing(folder: Path, written: str) -> str:
    """An editor that writes `written` below the heading of item 3."""
    script = folder / "edit.py"
    script.write_text(
        "import pathlib, sys\n"
        "file = pathlib.Path(sys.argv[1])\n"
        "lines = file.read_text('utf-8').split('\\n')\n"
        "place = next(i for i, line in enumerate(lines) if line.startswith('[3]'))\n"
        f"file.write_text('\\n'.join([*lines[:place + 1], {written!r}, *lines[place + 1:]]), 'utf-8')\n",
        "utf-8",
    )
    return f"{sys.executable} {script}"


def test_a_person_answers_the_items_that_a_program_cannot(services: Services, tmp_path: Path) -> None:
    services.midnight()
    spar(tmp_path, *ASK, more=services.environment)
    assert "None searched by spar." in spar(tmp_path, "log").stdout.partition("## [3] ")[2].partition("\n## ")[0]
    ran = spar_in_terminal(tmp_path, editing(tmp_path, "ClinicalTrials.gov, *2 May*"), "log", "--edit")
    assert ran.returncode == 0, ran.stderr
    assert "you answer 1 of 9 items of PRISMA-S (items 3)" in ran.stdout
    section = spar(tmp_path, "log").stdout.partition("## [3] ")[2].partition("\n## ")[0]
    assert "- ClinicalTrials.gov, \\*2 May\\*" in section
    assert "None searched" not in section
    item = json.loads(spar(tmp_path, "log", "--json").stdout)["prisma_s"]["3"]
    assert (item["lines"], item["by_person"]) == (["ClinicalTrials.gov, *2 May*"], True)
    again = spar_in_terminal(tmp_path, "true", "log", "--edit")
    assert "nothing was changed" in again.stdout


def test_without_a_terminal_no_editor_is_started_and_the_other_way_is_named(home: Path) -> None:
    ran = spar(home, "log", "--edit", more={"EDITOR": "false"})
    assert (ran.returncode, ran.stdout) == (2, "")
    assert "there is no terminal for an editor; write the log with --output FILE and add your answers" in ran.stderr


def test_a_form_that_lost_a_heading_changes_nothing_and_its_text_is_printed(home: Path, tmp_path: Path) -> None:
    script = tmp_path / "edit.py"
    script.write_text(
        "import pathlib, sys\n"
        "file = pathlib.Path(sys.argv[1])\n"
        "file.write_text(file.read_text('utf-8').replace('[6] Contacts', 'asked the makers'), 'utf-8')\n",
        "utf-8",
    )
    ran = spar_in_terminal(home, f"{sys.executable} {script}", "log", "--edit")
    assert (ran.returncode, "asked the makers" in ran.stdout) == (1, True)
    assert "the form lacks the headings [6], so nothing was changed." in ran.stderr


def test_the_log_is_written_into_a_file_in_the_form_that_its_ending_says(home: Path, tmp_path: Path) -> None:
    path = {"PATH": os.environ["PATH"]}
    for name, begins in (("log.md", b"# Search log"), ("log.json", b"{")):
        ran = spar(home, "log", "--output", str(tmp_path / name))
        assert ran.returncode == 0, ran.stderr
        assert (tmp_path / name).read_bytes().startswith(begins)
    ran = spar(home, "log", "--output", str(tmp_path / "log.docx"), more=path)
    if shutil.which("pandoc"):
        with zipfile.ZipFile(tmp_path / "log.docx") as document:
            assert "Records identified" in document.read("word/document.xml").decode("utf-8")
    without = spar(home, "log", "--output", str(tmp_path / "other.docx"), more={"PATH": str(tmp_path)})
    assert without.returncode == 1
    assert "pandoc, which is not installed" in without.stderr
    assert not (tmp_path / "other.docx").exists()
    assert spar(home, "log", "--output", str(tmp_path / "log.txt")).returncode == 2


def test_the_log_of_a_conversation_is_written_too_and_its_texts_stay_texts(tmp_path: Path) -> None:
    message = "``` # shown as typed"
    spar(tmp_path, "chat", "--no-model", "--offline", message)
    [run] = json.loads(spar(tmp_path, "history", "--json").stdout)["runs"]
    for name in ("log.md", "log.json"):
        ran = spar(tmp_path, "log", run["run"], "--output", str(tmp_path / name))
        assert ran.returncode == 0, ran.stderr
    title, blank, *steps = (tmp_path / "log.md").read_text("utf-8").splitlines()
    assert (title, blank) == (f"# The log of {run['run']}", "")
    assert all(step.startswith("    ") for step in steps)  # code in Markdown, whatever it says
    assert any(message in step for step in steps)
    assert json.loads((tmp_path / "log.json").read_text("utf-8")) == json.loads(
        spar(tmp_path, "log", run["run"], "--json").stdout
    )
    refused = spar(tmp_path, "log", run["run"], "--edit")
    assert refused.returncode == 2
    assert f"--edit is for searches; {run['run']} is a conversation." in refused.stderr


def test_a_source_that_failed_stands_in_the_log_with_its_reason(tmp_path: Path) -> None:
    with Services(rules=False, faults=[Fault("500", "semantic_scholar")]) as broken:
        spar(tmp_path, *ASK, more=broken.environment)
    told = json.loads(spar(tmp_path, "log", "--json").stdout)
    assert "semanticscholar" in told["failures"]
    printed = spar(tmp_path, "log").stdout.replace("**", "").replace("\\", "")
    assert "(semanticscholar), through the Semantic Scholar Academic Graph API: failed (is not" in printed
    assert "semanticscholar answered" not in printed


def test_sources_that_answered_found_nothing_failed_or_were_never_asked_have_four_sentences(tmp_path: Path) -> None:
    """And the same ones on each query, in the list of sources, and in JSON."""
    flags = [part for name in ("openalex", "semanticscholar", "pubmed", "google") for part in ("--source", name)]
    with Services(rules=False, faults=[Fault("500", "semantic_scholar")]) as services:
        ran = spar(tmp_path, "search", "cells and trials", *flags, more=services.environment)
    assert ran.returncode == 0, ran.stderr
    told = json.loads(spar(tmp_path, "log", "--json").stdout)
    assert {name: one["outcome"] for name, one in told["sources"].items() if name != "library"} == {
        "openalex": "empty", "semanticscholar": "failed", "pubmed": "answered", "google": "not asked",
        "arxiv": "not asked", "europepmc": "not asked", "crossref": "not asked", "dblp": "not asked",
    }  # fmt: skip
    printed = spar(tmp_path, "log").stdout.replace("*", "").replace("\\", "")
    for beginning in (
        f"(esearch, efetch): answered with {told['sources']['pubmed']['found']} records, searched 20",
        "(semanticscholar), through the Semantic Scholar Academic Graph API: failed (is not working right now, HTTP",
        "(openalex), through the OpenAlex REST API: answered with no records, searched 20",
        "- Google (google): was not asked (is off: it needs a key of yours in SERPER_API_KEY",
        "- arXiv (arxiv): was not asked (this search was made without it)",
    ):
        assert beginning in printed
    for one in told["searches"]:
        assert f"{one['sentence']}\n" in printed
    whole = json.loads(spar(tmp_path, "search", "--resume", "last", "--json").stdout)["sources"]
    assert {name: one["outcome"] for name, one in whole.items()}.items() <= {
        name: one["outcome"] for name, one in told["sources"].items()
    }.items()


def test_a_rerun_by_a_watch_names_the_watch(tmp_path: Path) -> None:
    with Services() as services:
        more = services.environment
        spar(tmp_path, "search", "dense retrieval", "--source", "arxiv", "--watch", "dense", more=more)
        spar(tmp_path, "watch", more=more)
    log = json.loads(spar(tmp_path, "log", "--json").stdout)
    assert log["prisma_s"]["11"]["lines"] == ["The strategies are those of the stored search dense."]
    assert log["prisma_s"]["12"]["lines"][0].startswith("This is a rerun of the stored search dense on 2")


def test_a_query_that_failed_stands_as_it_was_sent_and_a_strategy_of_ones_own_is_named(tmp_path: Path) -> None:
    with Services(faults=[Fault("500", "pubmed")]) as services:
        spar(tmp_path, "search", "retrieval AND title:dense", "--source", "pubmed", "--query", "arxiv=all:dense",
             "--no-refchain", more=services.environment)  # fmt: skip
    printed = spar(tmp_path, "log").stdout
    assert "`retrieval AND dense[ti]`" in printed
    assert "- arxiv, round 1, strategy written by the searcher: " in printed


def test_what_was_never_sent_is_no_strategy_in_the_log(tmp_path: Path) -> None:
    with Services(rules=False) as services:
        flags = ("--source", "openalex", "--source", "google")
        spar(tmp_path, "search", "dense retrieval", *flags, more=services.environment)
    strategies = spar(tmp_path, "log").stdout.partition("] Full search strategies")[2].partition("\n## ")[0]
    of_google = [part for part in strategies.split("\n- ") if part.startswith("google")]
    assert of_google
    assert not any("`" in part for part in of_google)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("hello", "not a search log"),
        ("[" * 100_000, "not a search log"),
        ('{"question": "x"}', "does not say how"),
        ('{"question": "x", "wishes": {"mode": "wild"}}', "mode"),
        ('{"question": "x", "wishes": {"sources": ["nobody"]}}', "nobody"),
        ('{"question": "", "wishes": {}}', "no words"),
    ],
)
def test_a_file_that_is_no_log_is_refused_with_a_sentence(content: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "log").write_text(content)
    ran = spar(tmp_path, "search", "--from-log", str(tmp_path / "log"))
    assert ran.returncode == 2
    assert said in ran.stderr


def test_a_log_that_is_not_there_or_no_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "bytes").write_bytes(b"\xff\xfe\x00")
    for name in ("nowhere", "bytes", "."):
        assert spar(tmp_path, "search", "--from-log", str(tmp_path / name)).returncode == 2


def test_there_is_no_log_before_a_search(tmp_path: Path) -> None:
    ran = spar(tmp_path, "log")
    assert ran.returncode == 3
    assert "no run yet" in ran.stderr
