"""What a person gets from live sources: the real program against stand-ins of the services that judge every request."""

import json
import os
import signal
import subprocess
from collections.abc import Iterator
from math import inf
from pathlib import Path

import pytest

from cache import runs
from cache.store import Store
from tests.services import Fault, Services
from tests.spar_tui.in_process import answer, spar
from tests.spar_tui.running import PATIENCE, environment, forked, wait_until

LIVE = {"arxiv", "openalex", "semanticscholar", "pubmed", "europepmc", "crossref"}
ONCE = ("--no-evolution", "--no-refchain")
"""One round of questions: what these tests are about shows in it, and services with slow rates answer soon."""
KEYS = {
    "S2_API_KEY": "s2-good-key",
    "OPENALEX_API_KEY": "oa-good-key",
    "NCBI_API_KEY": "ncbi-good-key",
    "SERPER_API_KEY": "serper-good-key",
}


@pytest.fixture
def services(tmp_path: Path) -> Iterator[Services]:
    """Stand-ins that all answer; on a busy machine some take longer than a person would wait for them."""
    (tmp_path / "spar").mkdir()
    (tmp_path / "spar" / "config.toml").write_text(f"source_seconds = {PATIENCE:g}\n")
    with Services() as running:
        yield running
        assert running.violations == []


def test_a_question_brings_papers_from_every_source_once_each(services: Services, tmp_path: Path) -> None:
    asked = [part for name in (*LIVE, "google") for part in ("--source", name)]
    found = answer(tmp_path, "search", "dense retrieval", *asked, *ONCE, more={**services.environment, **KEYS})
    assert {name for name, told in found["sources"].items() if told["state"] == "ok"} >= {*LIVE, "google"}
    assert found["counts"]["duplicates"] > 0
    names = [paper["id"] for paper in found["papers"]]
    assert len(names) == len(set(names))
    assert any(len({way["source"] for way in paper["found_by"]}) > 1 for paper in found["papers"])


def test_without_any_key_google_is_off_and_the_others_answer(services: Services, tmp_path: Path) -> None:
    ran = spar(tmp_path, "search", "cells and trials", *ONCE, "--json", more=services.environment)
    sources = json.loads(ran.stdout)["sources"]
    assert {name for name, told in sources.items() if told["state"] == "ok"} >= {"openalex", "semanticscholar"}
    assert sources["google"]["state"] == "skipped"
    assert "google" not in ran.stderr


def test_date_bounds_hold_for_every_paper(services: Services, tmp_path: Path) -> None:
    found = answer(
        tmp_path, "search", "retrieval", "--since", "2019", "--until", "2020-06", *ONCE, more=services.environment
    )
    assert found["papers"]
    assert all(2019 <= paper["year"] <= 2020 for paper in found["papers"])
    assert "not all answered" not in spar(tmp_path, "history").stdout


def test_only_the_sources_asked_for_are_asked(services: Services, tmp_path: Path) -> None:
    found = answer(tmp_path, "search", "retrieval", "--source", "openalex", more=services.environment)
    assert set(found["sources"]) == {"library", "openalex"}
    assert {request.service for request in services.log} == {"openalex"}


def test_the_same_question_again_costs_no_search(services: Services, tmp_path: Path) -> None:
    def searches() -> int:
        return sum(b"search" in request.target.encode() + request.body for request in services.log)

    first = answer(tmp_path, "search", "graph networks", "--source", "openalex", *ONCE, more=services.environment)
    asked = searches()
    again = answer(tmp_path, "search", "graph networks", "--source", "openalex", *ONCE, more=services.environment)
    assert asked > 0
    assert searches() == asked
    assert {paper["id"] for paper in first["papers"]} & {paper["id"] for paper in again["papers"]}


def test_references_of_an_arxiv_paper_come_from_sources_that_keep_them(services: Services, tmp_path: Path) -> None:
    corpus = services.corpus
    work = next(work for work in corpus.works if work.arxiv and len(corpus.references(work)) > 2)
    found = answer(tmp_path, "refs", f"arxiv:{work.arxiv}", more={**services.environment, **KEYS})
    assert {"openalex", "semanticscholar"} & {name for name, told in found["sources"].items() if told["found"]}
    assert found["papers"]


def test_a_paper_is_looked_up_by_any_of_its_names(services: Services, tmp_path: Path) -> None:
    first, second = [work for work in services.corpus.works if work.doi and work.pmid][:2]
    more = {**services.environment, **KEYS}
    assert (
        answer(tmp_path, "show", f"https://doi.org/{first.doi}", more=more)["paper"]["identifiers"]["pmid"]
        == first.pmid
    )
    doi = answer(tmp_path, "show", f"pmid:{second.pmid}", more=more)["paper"]["identifiers"]["doi"]
    assert doi == (second.doi or "").lower()


def test_a_doi_that_nobody_knows_is_one_sentence(services: Services, tmp_path: Path) -> None:
    ran = spar(tmp_path, "show", "10.5555/nobody.knows", more={**services.environment, **KEYS})
    assert (ran.returncode, ran.stdout) == (3, "")
    assert "no source knows doi:10.5555/nobody.knows" in ran.stderr


def test_doctor_finds_every_source_working(services: Services, tmp_path: Path) -> None:
    findings = {
        one["subject"]: one["state"] for one in answer(tmp_path, "doctor", more=services.environment)["findings"]
    }
    assert {findings[name] for name in LIVE} == {"ok"}


@pytest.mark.parametrize(
    ("variable", "source"),
    [("OPENALEX_API_KEY", "openalex"), ("S2_API_KEY", "semanticscholar"), ("SERPER_API_KEY", "google")],
)
def test_a_wrong_key_names_the_setting_and_not_the_key(variable: str, source: str, tmp_path: Path) -> None:
    with Services() as running:
        more = {**running.environment, variable: "wrong-CANARY-key"}
        ran = spar(tmp_path, "search", "retrieval", "--source", source, *ONCE, "--json", more=more)
    told = json.loads(ran.stdout)["sources"][source]
    assert told["state"] == "failed"
    assert variable in told["error"]
    kept = b"".join(file.read_bytes() for file in tmp_path.rglob("*") if file.is_file())
    assert "CANARY" not in ran.stdout + ran.stderr
    assert b"CANARY" not in kept


@pytest.mark.parametrize("kind", ["login_as_json", "truncated"])
def test_a_captive_portal_or_cut_reply_is_never_no_results(kind: str, tmp_path: Path) -> None:
    with Services(faults=[Fault(kind)]) as running:
        asked = [part for name in LIVE for part in ("--source", name)]
        ran = spar(tmp_path, "search", "dense retrieval", *asked, *ONCE, "--json", more=running.environment)
        found = json.loads(ran.stdout)
        told = {name: found["sources"][name] for name in LIVE}
        assert {one["state"] for one in told.values()} <= {"failed", "partial"}, told
        assert all(one["error"] for one in told.values())
        assert "Traceback" not in ran.stderr
        running.clear_faults()
        again = answer(tmp_path, "search", "dense retrieval", "--source", "openalex", more=running.environment)
    assert again["sources"]["openalex"]["found"] > 0, "a broken answer was remembered"


def test_two_sources_that_hang_cost_no_more_than_one(tmp_path: Path) -> None:
    """All are asked at once, so there may be more of them: each is asked before another has been given up."""
    question = 'statins for heart disease patients, as in "Cystic fibrosis without a DOI"'
    dead = {"europepmc", "crossref"}
    (tmp_path / "spar").mkdir(parents=True)
    (tmp_path / "spar" / "config.toml").write_text("source_seconds = 5\n")
    with Services(faults=[Fault("hang", service=name) for name in dead]) as running:
        ran = spar(tmp_path, "search", question, *ONCE, "--json", more={**running.environment, **KEYS})
    found = json.loads(ran.stdout)
    assert {name for name, told in found["sources"].items() if told["state"] == "failed"} == dead
    assert found["papers"]
    asked = [request for request in running.log if request.service in dead]
    assert {request.service for request in asked} == dead
    assert max(request.time for request in asked) < min(request.ended or inf for request in asked)


def test_one_hanging_source_costs_its_deadline_and_is_named(tmp_path: Path) -> None:
    (tmp_path / "spar").mkdir()
    (tmp_path / "spar" / "config.toml").write_text("source_seconds = 3\n")
    with Services(faults=[Fault("hang", service="openalex")]) as running:
        ran = spar(tmp_path, "search", "retrieval", *ONCE, "--json", more=running.environment)
    found = json.loads(ran.stdout)
    assert found["sources"]["openalex"]["state"] == "failed"
    assert found["papers"]
    assert f"relevant of {found['counts']['screened']}, not all answered" in spar(tmp_path, "history").stdout


def found_something(home: Path) -> bool:
    """Whether the run that is under way has written down a paper."""
    if not (home / "spar" / "spar.db").exists():
        return False
    with Store.open(home / "spar" / "spar.db") as store:
        return any(event.kind == "PaperFound" for run in runs.recent(store) for event in runs.events(store, run.id))


def test_ctrl_c_ends_at_once_keeps_the_run_and_prints_its_name(tmp_path: Path) -> None:
    (tmp_path / "spar").mkdir()
    (tmp_path / "spar" / "config.toml").write_text("source_seconds = 120\n")
    with Services(faults=[Fault("hang", service="openalex")]) as running:
        process = subprocess.Popen(
            forked("search", "dense retrieval"),
            env=environment(tmp_path, running.environment),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=Path(__file__).parents[3],
        )
        wait_until(lambda: found_something(tmp_path) and any(one.service == "openalex" for one in running.log))
        os.kill(process.pid, signal.SIGINT)
        _, told = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    (run,) = answer(tmp_path, "history")["runs"]
    assert run["state"] == "interrupted"
    assert run["run"] in told
    assert "Traceback" not in told
    assert spar(tmp_path, "show", "@1", "--offline").returncode == 0, "what was found before can be named"
