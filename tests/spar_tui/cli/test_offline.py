"""What a person gets without a network."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.services import Services
from tests.spar_tui import running
from tests.spar_tui.in_process import answer, spar
from tests.spar_tui.running import environment, forked, wait_until

LIVE = {"arxiv", "openalex", "semanticscholar", "pubmed"}


def test_with_everything_unreachable_the_shelf_answers_and_each_source_is_named(tmp_path: Path) -> None:
    ran = spar(tmp_path, "search", "variational autoencoders", "--json")
    assert ran.returncode == 0
    found = json.loads(ran.stdout)
    failed = {name for name, told in found["sources"].items() if told["state"] == "failed"}
    assert failed >= LIVE - {"pubmed"}
    assert all(f"spar: {name} " in ran.stderr for name in failed)
    assert found["sources"].keys() - failed >= {"crossref", "google", "library", "starter"}
    assert found["sources"]["starter"]["state"] == "ok"
    assert any(paper["identifiers"]["arxiv"] == "1312.6114" for paper in found["papers"])


def test_a_failed_source_exits_with_4_only_when_asked_to(tmp_path: Path) -> None:
    asked = ("search", "retrieval", "--source", "arxiv", "--source", "openalex", "--no-evolution", "--no-refchain")
    with Services() as services:
        services.shut("arxiv")
        assert spar(tmp_path, *asked, "--strict", more=services.environment).returncode == 4
        assert spar(tmp_path, *asked, more=services.environment).returncode == 0


def test_links_that_no_source_could_list_are_a_failure(tmp_path: Path) -> None:
    (tmp_path / "in.bib").write_text("@article{roe, title={Reeds}, author={Roe, A}, doi={10.5555/reeds}}\n")
    spar(tmp_path, "import", str(tmp_path / "in.bib"))
    for verb in ("refs", "cites"):
        assert spar(tmp_path, verb, "roe").returncode == 1
        assert spar(tmp_path, verb, "roe", "--offline").returncode == 3


def test_offline_asks_nobody_and_says_so(tmp_path: Path) -> None:
    ran = spar(tmp_path, "search", "residual networks for images", "--offline")
    assert ran.returncode == 0
    assert "No live source asked: searched" in ran.stderr
    assert "arxiv" not in ran.stderr
    assert "Deep Residual Learning" in ran.stdout


def test_a_search_is_one_object_with_the_names_of_the_contract(tmp_path: Path) -> None:
    found = answer(tmp_path, "search", "language models are few-shot learners", "--offline", "--limit", "2")
    assert list(found) == ["run", "question", "understanding", "papers", "sources", "counts", "cost"]
    assert list(found["understanding"]) == ["intent", "domain", "since", "until", "sources", "queries", "by"]
    names = "rank id title authors et_al year venue imprint abstract described keywords identifiers citation_count"
    names += " score relevance personal reason proven quote page judged_by unread screened found_by url pdf"
    names += " retracted retraction_notice corrected"
    assert list(found["papers"][0]) == names.split()
    assert list(found["papers"][0]["identifiers"]) == ["doi", "arxiv", "pmid", "s2", "openalex"]
    assert list(found["sources"]["starter"]) == ["state", "outcome", "asked", "found", "included", "seconds", "error"]
    assert list(found["counts"]) == ["identified", "duplicates", "screened", "included", "by", "kept"]
    told = ["calls", "input_tokens", "output_tokens", "tokens_estimated", "usd", "usd_estimated", "seconds"]
    assert list(found["cost"]) == told
    assert [paper["rank"] for paper in found["papers"]] == [1, 2]
    assert found["counts"]["identified"] - found["counts"]["duplicates"] == found["counts"]["screened"]


def test_events_come_as_json_lines(tmp_path: Path) -> None:
    ran = spar(tmp_path, "search", "topic models", "--offline", "--jsonl")
    events = [json.loads(line) for line in ran.stdout.splitlines()]
    assert events[0]["event"] == "RunStarted"
    assert events[-1]["event"] == "Finished"
    assert {"SourceAnswered", "PaperFound", "PapersRanked"} <= {event["event"] for event in events}


def test_nothing_but_the_answer_goes_to_standard_output(tmp_path: Path) -> None:
    ran = spar(tmp_path, "search", "topic models", "--limit", "1")
    lines = ran.stdout.splitlines()
    assert lines[0].startswith("  1. ")
    assert len(lines) == 4
    assert "\x1b" not in ran.stdout + ran.stderr


def test_the_papers_of_the_last_run_are_called_by_their_place(tmp_path: Path) -> None:
    found = answer(tmp_path, "search", "generative adversarial networks", "--offline")
    second = answer(tmp_path, "show", "@2", "--offline")["paper"]
    assert (second["rank"], second["title"]) == (2, found["papers"][1]["title"])
    shown = spar(tmp_path, "show", "@1", "--offline")
    assert found["papers"][0]["title"] in shown.stdout.replace("\n", " ")


def test_references_and_citing_papers_are_each_others_reverse(tmp_path: Path) -> None:
    cited = answer(tmp_path, "refs", "arxiv:1810.04805", "--offline")["papers"]
    attention = next(paper for paper in cited if paper["identifiers"]["arxiv"] == "1706.03762")
    citing = answer(tmp_path, "cites", attention["id"], "--offline")["papers"]
    assert any(paper["identifiers"]["arxiv"] == "1810.04805" for paper in citing)
    assert "1 paper that cites “" in spar(tmp_path, "cites", attention["id"], "--offline", "--limit", "1").stderr
    assert "2 papers that cite “" in spar(tmp_path, "cites", attention["id"], "--offline", "--limit", "2").stderr


def test_similar_papers_are_others_on_the_same_matter(tmp_path: Path) -> None:
    alike = answer(tmp_path, "similar", "1406.2661", "--offline", "--limit", "5")
    assert len(alike["papers"]) == 5
    assert all(paper["identifiers"]["arxiv"] != "1406.2661" for paper in alike["papers"])


def test_open_prints_the_address_and_hands_it_to_the_browser_without_a_shell(tmp_path: Path) -> None:
    opened, browser = tmp_path / "opened", tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\nprintf "%s" "$1" > {opened}\n')
    browser.chmod(0o755)
    more = {"BROWSER": str(browser)}
    ran = spar(tmp_path, "open", "1706.03762", "--pdf", "--offline", more=more)
    assert (ran.returncode, ran.stdout) == (0, "https://arxiv.org/pdf/1706.03762\n")
    wait_until(lambda: opened.exists() and opened.read_text() == "https://arxiv.org/pdf/1706.03762")


def test_without_a_browser_the_address_is_still_printed(tmp_path: Path) -> None:
    ran = spar(tmp_path, "open", "1706.03762", "--offline", more={"PATH": "/nonexistent"})
    assert (ran.returncode, ran.stdout) == (1, "https://arxiv.org/abs/1706.03762\n")
    assert "no browser" in ran.stderr


def test_history_lists_runs_newest_first(tmp_path: Path) -> None:
    assert spar(tmp_path, "history").returncode == 3
    for question in ("first question on trees", "second question on forests"):
        spar(tmp_path, "search", question, "--offline")
    runs = answer(tmp_path, "history")["runs"]
    assert [run["question"] for run in runs] == ["second question on forests", "first question on trees"]
    assert all(run["state"] == "finished" for run in runs)


def test_a_forgotten_run_is_gone_and_its_papers_stay(tmp_path: Path) -> None:
    for question in ("first question on trees", "second question on forests"):
        spar(tmp_path, "search", question, "--offline")
    assert spar(tmp_path, "history", "forget", "last").returncode == 0
    assert [run["question"] for run in answer(tmp_path, "history")["runs"]] == ["first question on trees"]
    assert answer(tmp_path, "search", "forests", "--offline")["sources"]["library"]["found"] > 0
    ran = spar(tmp_path, "history", "forget", "19990101-0000-zzzz")
    assert (ran.returncode, ran.stdout) == (1, "")
    assert "spar history" in ran.stderr


def test_what_was_found_once_is_found_again_in_the_library(tmp_path: Path) -> None:
    answer(tmp_path, "search", "knowledge distillation", "--offline")
    again = answer(tmp_path, "search", "knowledge distillation", "--offline")
    assert again["sources"]["library"]["found"] > 0
    assert {way["source"] for way in again["papers"][0]["found_by"]} == {"library", "starter"}


def test_doctor_tells_of_every_part_and_asks_nobody_offline(tmp_path: Path) -> None:
    told = {finding["subject"]: finding for finding in answer(tmp_path, "doctor", "--offline")["findings"]}
    assert LIVE | {"spar", "settings", "database", "google", "model"} <= set(told)


def test_doctor_names_a_source_that_does_not_work(tmp_path: Path) -> None:
    ran = spar(tmp_path, "doctor")
    assert ran.returncode == 1
    assert "cannot be reached" in ran.stdout


def test_doctor_names_a_stranger_with_one_of_our_package_names(tmp_path: Path) -> None:
    stranger = tmp_path / "site" / "stranger-1.0.dist-info"
    stranger.mkdir(parents=True)
    (stranger / "METADATA").write_text("Metadata-Version: 2.1\nName: stranger\nVersion: 1.0\n")
    (stranger / "top_level.txt").write_text("cache\n")
    ran = running.spar(tmp_path, "doctor", "--offline", more={"PYTHONPATH": str(tmp_path / "site")})
    assert ran.returncode == 1
    assert "stranger also installs a package 'cache'" in ran.stdout


@pytest.mark.parametrize("name", ["LC_ALL=C PYTHONUTF8=0 TERM=dumb", "PYTHONIOENCODING=ascii NO_COLOR=1"])
def test_a_poor_environment_changes_looks_and_nothing_else(name: str, tmp_path: Path) -> None:
    more = dict(part.split("=") for part in name.split())
    ran = running.spar(tmp_path, "search", "word embeddings", "--offline", "--limit", "3", more=more)
    assert ran.returncode == 0
    assert "Traceback" not in ran.stderr


@pytest.mark.parametrize("form", [[], ["--jsonl"]])
def test_a_reader_that_goes_away_is_no_failure(form: list[str], tmp_path: Path) -> None:
    with subprocess.Popen(
        forked("search", "networks", "--offline", *form),
        env=environment(tmp_path),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=Path(__file__).parents[3],
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        told = process.stderr.read().decode()
        assert process.wait(60) == 0, told
    assert "Traceback" not in told
    assert "Exception" not in told


def test_nobody_else_can_read_what_is_kept(tmp_path: Path) -> None:
    spar(tmp_path, "search", "privacy", "--offline")
    assert os.stat(tmp_path / "spar").st_mode & 0o077 == 0
    assert os.stat(tmp_path / "spar" / "spar.db").st_mode & 0o077 == 0


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    """The home of a person who saved a paper with a note."""
    home = tmp_path / "first"
    home.mkdir()
    for arguments in (["search", "attention transformer", "--offline"], ["save", "@1"], ["note", "@1", "read twice"]):
        assert spar(home, *arguments).returncode == 0
    return home


def test_while_no_spar_runs_the_database_is_whole_by_itself(saved: Path, tmp_path: Path) -> None:
    beside = {path.name for path in (saved / "spar").iterdir() if path.name.startswith("spar.db-")}
    assert not beside  # no part of it
    other = tmp_path / "second" / "spar"
    other.mkdir(parents=True)
    shutil.copy(saved / "spar" / "spar.db", other)
    for verb in ("shelf", "history"):
        assert answer(other.parent, verb) == answer(saved, verb)
    assert "read twice" in spar(other.parent, "shelf").stdout


def test_a_copy_that_is_put_back_holds_what_was_there_when_it_was_made(saved: Path, tmp_path: Path) -> None:
    shutil.copy(saved / "spar" / "spar.db", tmp_path / "copy.db")
    assert spar(saved, "unsave", "@1").returncode == 0
    assert spar(saved, "shelf").returncode == 3
    shutil.copy(tmp_path / "copy.db", saved / "spar" / "spar.db")
    assert "read twice" in spar(saved, "shelf").stdout
