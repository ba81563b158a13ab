"""Stored searches show what is new, and only once."""

import json
import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from cache import runs
from cache.store import Store
from cache.watches import set_watch, watch
from tests.services import Services
from tests.spar_tui.in_process import answer, spar
from tests.spar_tui.running import command, environment, wait_until

ASK = ("search", "dense retrieval", "--source", "openalex", "--fast")

ROOT = Path(__file__).parents[4]


@pytest.fixture(scope="module")
def services() -> Iterator[Services]:
    with Services() as running:
        yield running


def test_no_paper_is_shown_twice_however_often_the_watch_is_asked(services: Services, tmp_path: Path) -> None:
    more = services.environment
    stored = spar(tmp_path, *ASK, "--limit", "4", "--watch", "dense", "--json", more=more)
    assert stored.returncode == 0
    assert "watched as dense" in stored.stderr
    shown = [paper["id"] for paper in json.loads(stored.stdout)["papers"]]
    for _ in range(3):
        ran = spar(tmp_path, "watch", "DENSE", "--json", more=more)
        (told,) = json.loads(ran.stdout)["watches"]
        assert ran.returncode == (0 if told["papers"] else 3)
        assert all(paper["relevance"] >= 0.5 and paper["reason"] for paper in told["papers"])
        shown += [paper["id"] for paper in told["papers"]]
    assert len(shown) == len(set(shown))


def test_a_paper_that_appears_later_is_shown_with_its_reason_and_only_once(services: Services, tmp_path: Path) -> None:
    more = services.environment
    spar(tmp_path, *ASK, "--until", "2019", "--watch", "dense", more=more)
    with Store.open(tmp_path / "spar" / "spar.db") as store:  # as if the papers since then had not been there yet
        found = watch(store, "dense")
        set_watch(store, "dense", found.question, {**found.parameters, "until": None})
    first = answer(tmp_path, "watch", more=more)["watches"][0]["papers"]
    assert first
    assert any(paper["year"] >= 2020 for paper in first)
    again = json.loads(spar(tmp_path, "watch", "--json", more=more).stdout)["watches"][0]["papers"]
    assert not {paper["id"] for paper in first} & {paper["id"] for paper in again}


def test_a_watch_killed_between_finding_and_printing_shows_its_papers_the_next_time(
    services: Services, tmp_path: Path
) -> None:
    spar(tmp_path, *ASK, "--until", "2005", "--watch", "dense", more=services.environment)
    with Store.open(tmp_path / "spar" / "spar.db") as store:
        found = watch(store, "dense")
        set_watch(store, "dense", found.question, {**found.parameters, "until": None})
        reading, writing = os.pipe()
        os.set_blocking(writing, False)
        with suppress(BlockingIOError):  # into a pipe that is full nothing can be printed
            while os.write(writing, b"x" * 4096):
                pass
        os.set_blocking(writing, True)
        process = subprocess.Popen(
            command("watch"), env=environment(tmp_path, services.environment), stdout=writing, cwd=ROOT
        )
        wait_until(lambda: len(runs.recent(store)) == 2 and runs.recent(store)[0].state == "finished")
        time.sleep(0.5)  # for what it does before it prints
        process.kill()
        process.wait()
        os.close(reading)
        os.close(writing)
        assert watch(store, "dense").shown == found.shown
    first = answer(tmp_path, "watch", more=services.environment)["watches"][0]["papers"]
    assert first
    with Store.open(tmp_path / "spar" / "spar.db") as store:
        assert watch(store, "dense").shown == found.shown + len(first)


def test_a_relevant_paper_that_the_first_list_had_no_room_for_is_still_news(services: Services, tmp_path: Path) -> None:
    more = services.environment
    stored = answer(tmp_path, *ASK, "--limit", "3", "--watch", "dense", more=more)
    assert stored["counts"]["included"] > 3
    with Store.open(tmp_path / "spar" / "spar.db") as store:
        assert watch(store, "dense").shown == 3
    (told,) = answer(tmp_path, "watch", more=more)["watches"]
    assert len(told["papers"]) == min(3, stored["counts"]["included"] - 3)


def test_a_watch_in_which_nothing_is_new_says_so(services: Services, tmp_path: Path) -> None:
    more = services.environment
    spar(tmp_path, *ASK, "--since", "2025", "--limit", "500", "--watch", "late", more=more)
    ran = spar(tmp_path, "watch", more=more)
    assert ran.returncode == 3
    assert "late: nothing new" in ran.stdout


def test_stored_searches_can_be_listed_and_forgotten(services: Services, tmp_path: Path) -> None:
    spar(tmp_path, *ASK, "--watch", "dense", more=services.environment)
    listed = spar(tmp_path, "watch", "--list")
    assert listed.returncode == 0
    assert "dense retrieval" in listed.stdout
    assert spar(tmp_path, "watch", "--drop", "dense").returncode == 0
    assert spar(tmp_path, "watch").returncode == 3


@pytest.mark.parametrize(
    ("arguments", "said"),
    [(("watch", "nothing"), "--list"), (("watch", "--drop"), "names"), (("watch", "--drop", "--list", "x"), "exclude")],
)
def test_what_cannot_be_done_is_said(arguments: tuple[str, ...], said: str, tmp_path: Path) -> None:
    ran = spar(tmp_path, *arguments)
    assert ran.returncode in (1, 2)
    assert said in ran.stderr


def test_a_source_that_fails_is_named_and_nothing_counts_as_shown_that_was_not(tmp_path: Path) -> None:
    with Services() as services:
        spar(tmp_path, *ASK, "--until", "2015", "--watch", "dense", more=services.environment)
    ran = spar(tmp_path, "watch", more={})
    assert "openalex" in ran.stderr
    assert ran.returncode == 3
