"""`spar graph`: who cites whom in a search, drawn or written for other programs."""

import asyncio
import json
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from agents.run.recorder import Recorder
from agents.search.events import Event
from agents.search.kind import SEARCH
from agents.search.options import SearchOptions
from agents.search.state import SearchState
from cache import papers, runs
from cache.store import Store
from spar_tui.citation_map.phrases import NO_LINKS
from tests.agents.scripted import paper
from tests.spar_tui.citation_map.maps import events_of
from tests.spar_tui.in_process import spar
from tests.spar_tui.tui.world import settings_at

OLD = paper("An old paper", "10.1000/old", date="2010")
NEW = paper("A new paper", "10.1000/new", date="2020")


def searched(home: Path, *events: Event, question: str = "old things") -> str:
    """Keep a finished search that told `events`; its name."""

    async def told(recorder: Recorder[SearchState, Event, SearchOptions]) -> None:
        board = SEARCH.board(recorder.post)
        for event in events:
            board.post(event)
        await asyncio.sleep(0)  # it writes what was told together

    with Store.open(settings_at(home / "spar").places.database) as store:
        recorder = Recorder.begun(SEARCH, store, question, SearchOptions())
        asyncio.run(told(recorder))
        return recorder.run


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home with a search in which one paper cites another."""
    searched(tmp_path, *events_of([OLD, replace(NEW, references=OLD.identifiers)]))
    return tmp_path


def test_a_wrong_format_is_said_in_the_persons_words(tmp_path: Path) -> None:
    ran = spar(tmp_path, "graph", "last", "--format", "foo")
    assert ran.returncode == 2
    assert ran.stderr.startswith("spar: Invalid value for '--format': 'foo' is not one of 'dot', 'graphml'")


def test_the_last_search_is_drawn_with_its_years_and_what_is_known(home: Path) -> None:
    ran = spar(home, "graph")
    assert ran.returncode == 0, ran.stderr
    assert "Who cites whom: old things" in ran.stdout
    assert "cites 1" in ran.stdout
    assert "1 citation among 2 relevant papers." in ran.stdout
    assert "not asked (1)" in ran.stdout
    assert "2010   2020" in ran.stdout


@pytest.mark.parametrize("format", ["dot", "graphml", "json", "mermaid", "svg"])
def test_each_format_goes_to_standard_output_and_what_is_known_beside_it(home: Path, format: str) -> None:
    ran = spar(home, "graph", "last", "--format", format)
    assert ran.returncode == 0, ran.stderr
    assert "An old paper" in ran.stdout
    assert "1 citation among" in ran.stderr
    if format == "json":
        assert json.loads(ran.stdout)["links"] == [{"citing": 1, "cited": 0}]
    if format in ("graphml", "svg"):
        ElementTree.fromstring(ran.stdout.encode())


def test_a_file_is_written_in_the_format_of_its_ending(home: Path) -> None:
    file = home / "map.svg"
    ran = spar(home, "graph", "-o", str(file))
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout == ""
    assert ElementTree.parse(file).getroot().tag.endswith("svg")
    ran = spar(home, "graph", "-o", str(home / "map.png"))
    assert ran.returncode == 2
    assert "--format (dot, graphml, json, mermaid, svg)" in ran.stderr


def test_the_beginning_of_a_runs_name_is_enough_and_a_summary_has_no_map(home: Path) -> None:
    other = searched(home, *events_of([OLD]), question="another")
    assert "Who cites whom: another" in spar(home, "graph", other[:-1]).stdout
    with Store.open(settings_at(home / "spar").places.database) as store:
        summary = runs.start(store, "summary", "a topic")
    ran = spar(home, "graph", summary)
    assert ran.returncode == 1
    assert "only searches have a citation map" in ran.stderr


def test_without_known_links_the_drawing_and_the_file_say_so_and_why(tmp_path: Path) -> None:
    searched(tmp_path, *events_of([OLD, NEW]))
    printed = spar(tmp_path, "graph").stdout
    assert NO_LINKS in printed
    assert "not asked (2)" in " ".join(printed.split())
    ran = spar(tmp_path, "graph", "--format", "dot")
    assert ran.returncode == 0
    assert NO_LINKS in ran.stdout
    assert NO_LINKS in ran.stderr


def test_a_search_without_relevant_papers_writes_no_picture_and_exits_with_3(tmp_path: Path) -> None:
    searched(tmp_path, *events_of([OLD], relevant=0))
    ran = spar(tmp_path, "graph", "-o", str(tmp_path / "map.svg"))
    assert (ran.returncode, ran.stdout) == (3, "")
    assert "No paper of this search is judged relevant" in ran.stderr
    assert not (tmp_path / "map.svg").exists()


def test_what_was_learned_of_references_after_the_search_is_on_its_map(tmp_path: Path) -> None:
    searched(tmp_path, *events_of([OLD, NEW]))
    with Store.open(settings_at(tmp_path / "spar").places.database) as store:
        papers.link(store, [NEW], [OLD])
    assert "1 citation among" in spar(tmp_path, "graph").stdout
