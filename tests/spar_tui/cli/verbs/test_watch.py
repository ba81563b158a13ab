"""Stored searches show what is new, and only once."""

import json
import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from shutil import copytree
from typing import Any
from xml.etree import ElementTree

import pytest

from agents.search.ranking.personal import ALONE
from cache import runs
from cache.store import Store
from cache.watches import watch
from tests.services import Services
from tests.spar_tui.in_process import answer, spar
from tests.spar_tui.running import command, environment, wait_until

pytestmark = pytest.mark.usefixtures("quick_pace")

ASK = ("search", "dense retrieval", "--source", "openalex", "--fast")

ROOT = Path(__file__).parents[4]


@pytest.fixture(scope="module")
def running() -> Iterator[Services]:
    with Services(rules=False) as services:
        yield services


@pytest.fixture
def services(running: Services) -> Services:
    """With the budgets of a new day: a source that has none left answers nothing."""
    running.reset()
    return running


@pytest.fixture(scope="module")
def asked_once(running: Services, tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("asked")
    assert spar(home, *ASK, "--watch", "dense", more=running.environment).returncode == 0
    return home


@pytest.fixture
def home(asked_once: Path, tmp_path: Path) -> Path:
    """The home of somebody who asked once and watches what will be new."""
    return copytree(asked_once, tmp_path, dirs_exist_ok=True)


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


def test_new_papers_are_printed_by_a_template_and_are_news_no_more(services: Services, home: Path) -> None:
    more = services.environment
    forget_looks(home)
    ran = spar(home, "watch", "--format", r"{watch}\t{rank}\t{id}\t{relevance}", more=more)
    rows = [line.split("\t") for line in ran.stdout.splitlines()]
    assert ran.returncode == 0
    assert [row[:2] for row in rows] == [["dense", str(rank)] for rank in range(1, len(rows) + 1)]
    assert all(float(row[3]) >= 0.5 for row in rows)
    again = spar(home, "watch", "--format", "{id}", more=more).stdout.splitlines()
    assert not {row[2] for row in rows} & set(again)
    listed = spar(home, "watch", "--list", "--format", r"{watch}: {question}, {shown}")
    shown = answer(home, "watch", "--list")["watches"][0]["shown"]
    assert listed.stdout == f"dense: dense retrieval, {shown}\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--format", "{tags}"), "--format: unknown field {tags}; choose from rank, key"),
        (
            ("--list", "--format", "{title}"),
            "--format: unknown field {title}; choose from watch, question, asked, shown.",
        ),
        (("--format", "{id}", "--json"), "--format and --json cannot be combined"),
        (("x", "--drop", "--format", "{id}"), "--format and --drop cannot be combined"),
    ],
)
def test_a_template_that_cannot_be_met_asks_nobody(tmp_path: Path, arguments: tuple[str, ...], said: str) -> None:
    ran = spar(tmp_path, "watch", *arguments)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert said in ran.stderr


def test_a_paper_that_appears_later_is_shown_with_its_reason_and_only_once(services: Services, home: Path) -> None:
    more = services.environment
    forget_looks(home)
    first = answer(home, "watch", more=more)["watches"][0]["papers"]
    assert first
    assert any(paper["year"] >= 2020 for paper in first)
    again = json.loads(spar(home, "watch", "--json", more=more).stdout)["watches"][0]["papers"]
    assert not {paper["id"] for paper in first} & {paper["id"] for paper in again}


def test_a_watch_killed_between_finding_and_printing_shows_its_papers_the_next_time(
    services: Services, home: Path
) -> None:
    forget_looks(home)
    with Store.open(home / "spar" / "spar.db") as store:
        found = watch(store, "dense")
        reading, writing = os.pipe()
        os.set_blocking(writing, False)
        with suppress(BlockingIOError):  # into a pipe that is full nothing can be printed
            while os.write(writing, b"x" * 4096):
                pass
        os.set_blocking(writing, True)
        process = subprocess.Popen(
            command("watch"), env=environment(home, services.environment), stdout=writing, cwd=ROOT
        )
        wait_until(lambda: len(runs.recent(store)) == 2 and runs.recent(store)[0].state == "finished")
        time.sleep(0.5)  # for what it does before it prints
        process.kill()
        process.wait()
        os.close(reading)
        os.close(writing)
        assert watch(store, "dense").shown == found.shown
    first = answer(home, "watch", more=services.environment)["watches"][0]["papers"]
    assert first
    with Store.open(home / "spar" / "spar.db") as store:
        assert watch(store, "dense").shown == found.shown + len(first)


def test_an_old_paper_that_the_first_list_had_no_room_for_is_no_news(services: Services, tmp_path: Path) -> None:
    more = services.environment
    stored = answer(tmp_path, *ASK, "--limit", "3", "--watch", "dense", more=more)
    assert stored["counts"]["kept"] > 3
    with Store.open(tmp_path / "spar" / "spar.db") as store:
        assert watch(store, "dense").shown == 3
    ran = spar(tmp_path, "watch", more=more)
    assert (ran.returncode, "dense: nothing new" in ran.stdout) == (3, True)


def test_a_watch_in_which_nothing_is_new_says_so(services: Services, tmp_path: Path) -> None:
    more = services.environment
    spar(tmp_path, *ASK, "--since", "2025", "--limit", "500", "--watch", "late", more=more)
    ran = spar(tmp_path, "watch", more=more)
    assert ran.returncode == 3
    assert "late: nothing new" in ran.stdout


def test_stored_searches_can_be_listed_and_forgotten(services: Services, home: Path) -> None:
    listed = spar(home, "watch", "--list")
    assert listed.returncode == 0
    assert "dense retrieval" in listed.stdout
    assert spar(home, "watch", "--drop", "dense").returncode == 0
    assert spar(home, "watch").returncode == 3


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("watch", "nothing"), "--list"),
        (("watch", "--drop"), "names"),
        (("watch", "--drop", "--list", "x"), "cannot be combined"),
    ],
)
def test_what_cannot_be_done_is_said(arguments: tuple[str, ...], said: str, tmp_path: Path) -> None:
    ran = spar(tmp_path, *arguments)
    assert ran.returncode in (1, 2)
    assert said in ran.stderr


def test_where_no_source_answers_the_watch_fails_and_was_not_asked(services: Services, home: Path) -> None:
    forget_looks(home)
    with Store.open(home / "spar" / "spar.db") as store:
        before = watch(store, "dense")
    ran = spar(home, "watch")
    assert ran.returncode == 1
    assert "dense: no source answered" in ran.stdout
    assert "spar: dense: openalex" in ran.stderr
    with Store.open(home / "spar" / "spar.db") as store:
        assert watch(store, "dense") == before


def forget_looks(home: Path) -> None:
    """As if the watches had begun in 1900 and had seen nothing since."""
    with Store.open(home / "spar" / "spar.db") as store, store.writing() as db:
        db.execute("DELETE FROM watch_papers")
        db.execute("UPDATE watch_looks SET looked = '1900-01-01T00:00:00.000000Z'")
        db.execute("UPDATE watches SET made = '1900-01-01T00:00:00.000000Z'")


def news(home: Path, services: Services, *arguments: str) -> Any:
    """What a watch tells when nothing was there before; with `arguments` for the watch."""
    forget_looks(home)
    ran = spar(home, "watch", *arguments, "--json", more=services.environment)
    (told,) = json.loads(ran.stdout)["watches"]
    return told


def test_what_is_new_is_ordered_by_taste_where_something_is_known_of_it_and_nothing_is_left_out(
    services: Services, home: Path
) -> None:
    unknown = news(home, services)
    assert unknown["by"] == "relevance"
    assert [paper["personal"] for paper in unknown["papers"]] == [None] * len(unknown["papers"])
    last = unknown["papers"][-1]["id"]
    spar(home, "mark", last, "--like")
    by_taste, by_relevance = (news(home, services, *by) for by in ((), ("--by", "relevance")))
    assert (by_taste["by"], by_relevance["by"]) == ("taste", "relevance")
    assert sorted(paper["id"] for paper in by_taste["papers"]) == sorted(
        paper["id"] for paper in by_relevance["papers"]
    )
    tastes = [paper["personal"]["score"] for paper in by_taste["papers"] if paper["personal"]]
    nearly = 1 / ALONE  # where tastes are nearer to each other than this, relevance decides
    assert all(taste > later - nearly for place, taste in enumerate(tastes) for later in tastes[place + 1 :])
    assert len(set(tastes)) > 1
    moved = {paper["rank"]: paper["personal"]["moved"] if paper["personal"] else 0 for paper in by_taste["papers"]}
    as_found = sorted(by_taste["papers"], key=lambda paper: paper["rank"] + moved[paper["rank"]])
    scores = [paper["score"] for paper in as_found]
    assert scores == sorted(scores, reverse=True)


def test_news_are_sorted_by_any_order_of_records(services: Services, home: Path) -> None:
    told = news(home, services, "--sort", "year", "--reverse")
    years = [paper["year"] for paper in told["papers"]]
    assert told["by"] == "year"
    assert years == sorted(years)
    assert len(set(years)) > 1


def test_each_list_of_news_says_how_it_is_ordered(services: Services, home: Path) -> None:
    first = news(home, services)["papers"][0]["id"]
    for saved, arguments, said in (
        (False, (), ", ordered by relevance"),
        (True, (), ", ordered by your taste (--by relevance: by relevance)"),
        (True, ("--by", "relevance"), ", ordered by relevance"),
    ):
        if saved:
            spar(home, "save", first, "--offline")
        forget_looks(home)
        assert said in spar(home, "watch", *arguments, more=services.environment).stdout


def test_who_asks_for_an_order_by_taste_of_which_nothing_is_known_is_told(services: Services, tmp_path: Path) -> None:
    spar(tmp_path, *ASK, "--limit", "3", "--watch", "dense", more=services.environment)
    forget_looks(tmp_path)
    ran = spar(tmp_path, "watch", "--by", "taste", more=services.environment)
    assert "spar does not know yet what you like" in ran.stderr
    assert "ordered by relevance" in ran.stdout


def test_a_watch_is_stored_as_it_was_whatever_order_it_is_shown_in(services: Services, tmp_path: Path) -> None:
    spar(tmp_path, *ASK, "--personal", "--watch", "dense", more=services.environment)
    with Store.open(tmp_path / "spar" / "spar.db") as store:
        before = watch(store, "dense").parameters
        assert before["personal"] is True
    spar(tmp_path, "watch", "--by", "relevance", more=services.environment)
    with Store.open(tmp_path / "spar" / "spar.db") as store:
        assert watch(store, "dense").parameters == before


def test_what_was_shown_stands_in_a_feed_and_stays_there(services: Services, home: Path) -> None:
    more, feed = services.environment, home / "new.xml"
    forget_looks(home)
    told = answer(home, "watch", "--rss", str(feed), more=more)["watches"][0]["papers"]
    items = ElementTree.parse(feed).getroot().findall("./channel/item")
    titles = [item.findtext("title") for item in items]
    assert told
    assert {paper["title"] for paper in told} <= set(titles)
    assert len({item.findtext("guid") for item in items}) == len(items)
    spar(home, "watch", "--rss", str(feed), more=more)
    assert {item.findtext("guid") for item in ElementTree.parse(feed).getroot().findall("./channel/item")} >= {
        item.findtext("guid") for item in items
    }


def test_a_file_that_is_no_feed_is_left_alone(services: Services, home: Path) -> None:
    feed = home / "mine.txt"
    feed.write_text("mine")
    ran = spar(home, "watch", "--rss", str(feed), more=services.environment)
    assert (ran.returncode, "is not a feed; it was not changed." in ran.stderr) == (1, True)
    assert feed.read_text() == "mine"


@pytest.mark.parametrize("listed", [[], ["--list"]])
def test_without_a_stored_search_the_json_lists_none(listed: list[str], tmp_path: Path) -> None:
    ran = spar(tmp_path, "watch", *listed, "--json")
    assert (ran.returncode, json.loads(ran.stdout)) == (3, {"watches": []})


def test_the_history_tells_what_a_watch_has_run_from_what_the_person_asked(services: Services, home: Path) -> None:
    spar(home, "watch", more=services.environment)
    asked, watched = (spar(home, "history", kind).stdout.splitlines() for kind in ("search", "watch"))
    assert [("dense retrieval" in line, "watch" in line) for line in (*asked, *watched)] == [
        (True, False),
        (True, True),
    ]
