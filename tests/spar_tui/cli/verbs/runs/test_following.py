"""Following a person or a paper: never the wrong one, each paper once, and no failure told as nothing new."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from cache.store import Store
from cache.watches import set_watch, watch
from tests.services import Fault, Services, Work
from tests.spar_tui.in_process import answer, spar

pytestmark = pytest.mark.usefixtures("quick_pace")


@pytest.fixture
def services() -> Iterator[Services]:
    with Services(rules=False) as running:
        yield running


def most_cited(services: Services) -> Work:
    return max((one for one in services.corpus.works if one.doi and one.openalex and one.s2),
               key=lambda one: len(services.corpus.citations(one)))  # fmt: skip


def prolific(services: Services) -> tuple[str, list[str]]:
    """The name and the ids of somebody who wrote much, under a name of their own."""
    names = [one.name for one in services.corpus.profiles.values()]
    own = [one for one in services.corpus.profiles.values() if names.count(one.name) == 1]
    one = max(own, key=lambda one: len(one.works))
    return one.name, [f"openalex:A{5_000_000_000 + one.number}", f"s2:{one.number}"]


def forget(home: Path, name: str, most: int) -> list[str]:
    """Let `most` papers come into the lists of a watch as if they had not been there; their titles."""
    with Store.open(home / "spar" / "spar.db") as store, store.writing() as db:
        rows = db.execute(
            "SELECT paper, title FROM watch_papers JOIN papers ON papers.id = paper WHERE watch = ?"
            " ORDER BY paper LIMIT ?",
            (name, most),
        ).fetchall()
        db.executemany("DELETE FROM watch_papers WHERE watch = ? AND paper = ?", [(name, paper) for paper, _ in rows])
        db.execute("UPDATE watch_looks SET looked = '1900-01-01T00:00:00.000000Z'")
        return [title for _, title in rows]


def told(home: Path, services: Services, *arguments: str) -> Any:
    (found,) = json.loads(spar(home, "watch", *arguments, "--json", more=services.environment).stdout)["watches"]
    return found


@pytest.mark.parametrize("subject", ["author", "cites"])
def test_what_comes_is_told_once_and_what_was_there_never(subject: str, services: Services, tmp_path: Path) -> None:
    _, ids = prolific(services)
    given = (
        ["--author", ids[0], "--author", ids[1]] if subject == "author" else ["--cites", most_cited(services).doi or ""]
    )
    begun = answer(tmp_path, "watch", *given, "mine", more=services.environment)["watched"]
    assert (begun["name"], begun["kind"], begun["failed"]) == ("mine", subject, {})
    assert begun["there"] > 5
    assert (told(tmp_path, services)["papers"], told(tmp_path, services)["answered"]) == ([], True)
    came = forget(tmp_path, "mine", 3)
    found = told(tmp_path, services)
    assert sorted(paper["title"] for paper in found["papers"]) == sorted(came)
    years = [paper["year"] or 0 for paper in found["papers"]]
    assert years == sorted(years, reverse=True)
    assert told(tmp_path, services)["papers"] == []


def test_how_many_papers_are_no_news_is_told_apart_from_how_many_records_tell_of_them(
    services: Services, tmp_path: Path
) -> None:
    """Of a paper that two sources list there are two records."""
    cited = most_cited(services)
    citing = services.corpus.citations(cited)
    ran = spar(tmp_path, "watch", "--cites", cited.doi or "", "mine", more=services.environment)
    found = re.search(r"(\d+) papers known already, from (\d+) records \((.+?)\);", ran.stderr)
    assert found, ran.stderr
    papers, records = int(found[1]), int(found[2])
    by_source = [int(part.split()[1]) for part in found[3].split(", ")]
    assert records == sum(by_source) > papers
    with Store.open(tmp_path / "spar" / "spar.db") as store, store.reading() as db:
        assert db.execute("SELECT count(*) FROM watch_papers WHERE watch = 'mine'").fetchone() == (papers,)
    assert max(by_source) <= papers <= len(citing)


def test_what_comes_can_be_told_by_a_format_and_is_told_once_all_the_same(services: Services, tmp_path: Path) -> None:
    spar(tmp_path, "watch", "--cites", most_cited(services).doi or "", "mine", more=services.environment)
    came = forget(tmp_path, "mine", 2)
    lines = spar(tmp_path, "watch", "--format", "{watch}: {title}", more=services.environment)
    assert sorted(lines.stdout.splitlines()) == sorted(f"mine: {title}" for title in came)
    assert told(tmp_path, services)["papers"] == []


def test_the_feed_and_the_list_know_only_what_was_told(services: Services, tmp_path: Path) -> None:
    feed = tmp_path / "new.xml"
    spar(tmp_path, "watch", "--cites", most_cited(services).doi or "", "mine", more=services.environment)
    assert "0 papers shown" in spar(tmp_path, "watch", "--list").stdout
    came = forget(tmp_path, "mine", 2)
    assert spar(tmp_path, "watch", "--rss", str(feed), more=services.environment).returncode == 0
    items = ElementTree.parse(feed).getroot().findall("./channel/item")
    assert sorted(item.findtext("title") or "" for item in items) == sorted(came)
    assert "2 papers shown" in spar(tmp_path, "watch", "--list").stdout
    assert spar(tmp_path, "watch", "--drop", "mine").returncode == 0
    assert spar(tmp_path, "watch").returncode == 3


def test_a_name_of_several_people_is_told_with_their_ids_and_nobody_is_followed(
    services: Services, tmp_path: Path
) -> None:
    ran = spar(tmp_path, "watch", "--author", "Zoë Zhang", more=services.environment)
    numbers = [one.number for one in services.corpus.profiles.values() if one.name == "Zoë Zhang"]
    assert (ran.returncode, len(numbers) > 1) == (2, True)
    for number in numbers:
        assert f"openalex:A{5_000_000_000 + number}" in ran.stdout
        assert f"s2:{number}" in ran.stdout
    assert "4 authors match it" in ran.stderr
    assert "no search is stored" in spar(tmp_path, "watch").stderr
    as_json = json.loads(spar(tmp_path, "watch", "--author", "Zoë Zhang", "--json", more=services.environment).stdout)
    assert len(as_json["candidates"]) == 4


def test_a_name_that_one_source_could_not_be_asked_about_is_nobodys_yet(services: Services, tmp_path: Path) -> None:
    name, ids = prolific(services)
    services.shut("semantic_scholar")
    ran = spar(tmp_path, "watch", "--author", name, more=services.environment)
    assert ran.returncode == 2
    assert "semanticscholar" in ran.stderr
    assert "one author matches it" in ran.stderr
    assert ids[0] in ran.stdout


@pytest.mark.parametrize(
    ("given", "code", "said"),
    [
        (("--author", "Nobody Whosoever"), 3, "found no author called"),
        (("--author", "openalex:A999"), 1, "could not be looked up"),
        (("--author", "openalex:A999", "--author", "Ada"), 2, "is not the id of an author"),
        (("--author", "s2:1", "--cites", "10.1000/x"), 2, "cannot be combined"),
        (("--cites", "10.5555/nowhere"), 3, "10.5555/nowhere"),
        (("--cites", "10.1000/x", "--rss", "x.xml"), 2, "only begin a watch"),
        (("--cites", "10.1000/x", "a", "b"), 2, "one name"),
    ],
)
def test_what_cannot_be_followed_is_said(
    given: tuple[str, ...], code: int, said: str, services: Services, tmp_path: Path
) -> None:
    ran = spar(tmp_path, "watch", *given, more=services.environment)
    assert ran.returncode == code
    assert said in ran.stderr


def test_a_name_that_is_taken_keeps_what_it_watches(services: Services, tmp_path: Path) -> None:
    _, ids = prolific(services)
    spar(tmp_path, "watch", "--author", ids[0], "mine", more=services.environment)
    ran = spar(tmp_path, "watch", "--author", ids[1], "MINE", more=services.environment)
    assert (ran.returncode, "mine” already exists" in ran.stderr) == (2, True)
    assert ids[0] in spar(tmp_path, "watch", "--list").stdout


def test_a_list_that_cannot_be_had_is_not_followed(services: Services, tmp_path: Path) -> None:
    _, ids = prolific(services)
    services.add_fault(Fault("500", "openalex", "/works?"))
    ran = spar(tmp_path, "watch", "--author", ids[0], more=services.environment)
    assert (ran.returncode, "nothing was stored" in ran.stderr) == (1, True)
    assert "no search is stored" in spar(tmp_path, "watch").stderr


def test_a_source_that_could_not_be_asked_at_first_tells_no_old_papers_as_new(
    services: Services, tmp_path: Path
) -> None:
    work = most_cited(services)
    services.add_fault(Fault("500", "semantic_scholar"))
    begun = answer(tmp_path, "watch", "--cites", work.doi or "", "mine", more=services.environment)["watched"]
    assert list(begun["failed"]) == ["semanticscholar"]
    services.clear_faults()
    later = spar(tmp_path, "watch", "--json", more=services.environment)
    assert json.loads(later.stdout)["watches"][0]["papers"] == []


def test_no_source_that_answers_is_not_nothing_new(services: Services, tmp_path: Path) -> None:
    _, ids = prolific(services)
    spar(tmp_path, "watch", "--author", ids[0], "mine", more=services.environment)
    services.shut("openalex")
    ran = spar(tmp_path, "watch", more=services.environment)
    assert ran.returncode == 1
    assert "mine: no source answered" in ran.stdout
    assert "nothing new" not in ran.stdout
    assert ids[0] in ran.stderr
    offline = spar(tmp_path, "watch", "--offline", more=services.environment)
    assert (offline.returncode, "spar: mine: not asked" in offline.stderr) == (1, True)


def test_watches_of_one_call_share_their_requests_and_the_next_call_asks_anew(
    services: Services, tmp_path: Path
) -> None:
    _, ids = prolific(services)
    for name in ("one", "two"):
        spar(tmp_path, "watch", "--author", ids[1], name, more=services.environment)
    with Store.open(tmp_path / "spar" / "spar.db") as store:
        set_watch(store, "three", "dense retrieval", {"sources": ["semanticscholar"]})
        set_watch(store, "four", "dense retrieval", watch(store, "three").parameters)
    asked = []
    for _ in range(2):
        before = len(services.log)
        spar(tmp_path, "watch", "--no-model", more=services.environment)
        asked.append([request.target for request in services.log[before:] if request.method == "GET"])
    for targets in asked:
        assert len(targets) == len(set(targets))
        assert sum("/author/" in target for target in targets) == 1
        assert any("/paper/search" in target for target in targets)


def test_a_watch_of_a_later_kind_is_refused_by_name(tmp_path: Path) -> None:
    with Store.open(tmp_path / "spar" / "spar.db") as store:
        set_watch(store, "later", "what only a newer version knows", {"follows": {"kind": "venue"}})
    ran = spar(tmp_path, "watch")
    assert ran.returncode == 1
    assert "newer version" in ran.stderr


def test_a_name_is_asked_only_of_the_sources_in_use(services: Services, tmp_path: Path) -> None:
    name, [_, id] = prolific(services)
    spar(tmp_path, "config", "set", "sources", "semanticscholar")
    spar(tmp_path, "watch", "--author", name, more=services.environment)
    assert {request.service for request in services.log} == {"semantic_scholar"}
    services.reset()
    spar(tmp_path, "config", "set", "sources", "arxiv")
    ran = spar(tmp_path, "watch", "--author", name, more=services.environment)
    assert (ran.returncode, services.log) == (2, [])
    assert "no source in your settings has author ids" in ran.stderr
    assert (
        spar(tmp_path, "watch", "--author", id, "theirs", more=services.environment).returncode == 0
    )  # its own is named
