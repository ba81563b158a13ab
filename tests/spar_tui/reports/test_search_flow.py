"""The flow of records adds up whatever happened in a search, and is what its stored events say."""

import json
import sqlite3
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.run.events import FoundBy, Link, PaperFound, WorksJoined
from agents.search.events import (
    Event,
    FeedbackWithdrawn,
    PaperJudged,
    PapersAssessed,
    PaperScreened,
    PapersRanked,
    QuestionUnderstood,
    Ranked,
)
from agents.search.kind import SEARCH
from agents.search.state import is_relevant
from cache import runs
from cache.store import Store
from connectors.paper import WorkId
from spar_tui.reports.search_flow import flow_picture, search_flow
from spar_tui.screening import REASONS, selection
from tests.agents.scripted import paper
from tests.kept_runs import stored_events
from tests.services import Services
from tests.spar_tui.in_process import answer, spar

pytestmark = pytest.mark.usefixtures("quick_pace")

WORKS = [WorkId(number) for number in range(6)]
work = st.sampled_from(WORKS)
links: list[Link | None] = [None, None, None, "references", "citations"]


@st.composite
def streams(draw: st.DrawFn) -> list[Event]:
    """What may happen in a search: records arrive more than once, are joined, judged, ranked and decided on."""
    events: list[Event] = [QuestionUnderstood(("q",), ("openalex",), since=draw(st.none() | st.just(date(2015, 1, 1))))]
    for one in WORKS:
        year = draw(st.sampled_from([None, "2010", "2020"]))
        record = paper(f"Paper {one}", f"10.1000/{one}", date=year)
        for number in range(draw(st.integers(1, 4))):
            source = draw(st.sampled_from(["openalex", "pubmed", "library"]))
            name = draw(st.sampled_from(["", f"a{one}", f"b{one}"]))
            events.append(
                PaperFound(one, record, FoundBy(source, f"q{number}", 1, draw(st.sampled_from(links)), one, name))
            )
    if draw(st.booleans()):
        events.append(WorksJoined(WORKS[0], WORKS[1]))
    left = [one for one in WORKS if len(events) and not (one == 1 and isinstance(events[-1], WorksJoined))]
    scores = [(one, draw(st.floats(0, 1))) for one in left if draw(st.booleans())]
    events += [PapersAssessed(tuple(scores)), PapersRanked(tuple(Ranked(one, score, score) for one, score in scores))]
    reason = st.sampled_from(["", *REASONS])
    decided = st.builds(
        PaperScreened, st.sampled_from(left), st.sampled_from(["included", "excluded", "later", None]), reason
    )
    rated = st.builds(PaperJudged, st.sampled_from(left), st.sampled_from([0.0, 1.0]), by=st.just("person"))
    withdrawn = st.builds(FeedbackWithdrawn, st.sampled_from(left))
    return events + draw(st.lists(decided | rated | withdrawn, max_size=12))


@given(streams())
def test_every_record_of_a_box_goes_on_or_is_accounted_for_beside_it(events: list[Event]) -> None:
    state = SEARCH.folded(events)
    flow = search_flow(state, events, selection(state))
    ways = [*flow["databases"].values(), *flow["other_methods"].values()]
    assert flow["identified"] == sum(way["records"] for way in ways)
    assert all(way["records"] <= way["returned"] for way in ways)
    assert flow["identified"] - flow["duplicates"] == len(state.found)
    removed = sum(flow["automation"].values()) + sum(flow["other_reasons"].values())
    assert len(state.found) == removed + flow["screened"] + flow["kept"]
    assert flow["screened"] - sum(flow["excluded"].values()) == flow["sought"]
    assert flow["sought"] - flow["not_retrieved"] == flow["assessed"]
    assert flow["assessed"] - sum(flow["reports_excluded"].values()) == flow["included"]
    assert max(map(len, flow_picture(flow).splitlines())) <= 78


@given(streams())
def test_every_work_is_in_one_set_and_what_counts_as_relevant_was_kept_or_included(events: list[Event]) -> None:
    state = SEARCH.folded(events)
    chosen = selection(state)
    every = [*chosen.included, *chosen.excluded, *chosen.kept, *chosen.dismissed, *chosen.ineligible]
    assert sorted(every) == state.works
    assert {one.work for one in state.included} <= set(chosen.relevant)
    decided = {one for one, said in state.screened.items() if said.decision in ("included", "excluded")}
    assert {*chosen.included, *chosen.excluded} == decided


@given(st.floats(0, 1))
def test_the_number_that_is_shown_says_on_which_side_of_the_line_a_paper_is(relevance: float) -> None:
    assert is_relevant(relevance) == (float(f"{relevance:.2f}") >= 0.5)


def test_a_record_that_was_included_first_is_a_report_that_was_read() -> None:
    """One that was taken back and excluded was a slip of the hand."""
    found: list[Event] = [
        PaperFound(one, paper(f"P {one}", f"10.1/{one}"), FoundBy("pubmed", "q", 1)) for one in WORKS[:3]
    ]
    first, second, third = WORKS[:3]
    events = [
        *found,
        PaperScreened(first, "included"), PaperScreened(first, "excluded", "wrong subject"),
        PaperScreened(second, "included"), PaperScreened(second, None), PaperScreened(second, "excluded", "duplicate"),
        PaperScreened(third, "excluded", "no full text"),
    ]  # fmt: skip
    state = SEARCH.folded(events)
    flow = search_flow(state, events, selection(state))
    assert (flow["screened"], flow["excluded"]) == (3, {"duplicate": 1})
    assert (flow["sought"], flow["not_retrieved"], flow["assessed"]) == (2, 1, 1)
    assert (flow["reports_excluded"], flow["included"]) == ({"wrong subject": 1}, 0)


# A real search


@pytest.fixture(scope="module")
def running() -> Iterator[Services]:
    with Services(rules=False) as services:
        yield services


@pytest.fixture
def services(running: Services) -> Services:
    """The local services at the beginning of a day: OpenAlex answers only so many questions a day."""
    running.midnight()
    return running


ASK = ("search", "dense retrieval", "--source", "openalex", "--source", "semanticscholar", "--source", "arxiv")


@pytest.fixture(scope="module")
def home(running: Services, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with a search, made after another one had filled the library."""
    home = tmp_path_factory.mktemp("home")
    for question in ("query expansion", "dense retrieval"):
        running.midnight()
        ran = spar(home, "search", question, *ASK[2:], more=running.environment)
        assert ran.returncode == 0, ran.stderr
    return home


def rows(home: Path, sql: str, *values: str) -> list[Any]:
    with closing(sqlite3.connect(home / "spar" / "spar.db")) as db:
        return db.execute(sql, values).fetchall()


def last_run(home: Path) -> str:
    (run,) = rows(home, "SELECT id FROM runs ORDER BY started DESC, id DESC LIMIT 1")[0]
    return str(run)


def events_of(home: Path) -> list[tuple[str, Any]]:
    return [(kind, content) for _, _, kind, content, *_ in stored_events(home, last_run(home))]


def test_the_flow_is_recounted_from_the_stored_events(home: Path) -> None:
    flow = answer(home, "log")["flow"]
    records: dict[str, set[Any]] = defaultdict(set)
    ways: dict[str, set[Any]] = defaultdict(set)
    works: set[int] = set()
    for kind, content in events_of(home):
        if kind == "PaperFound":
            way = content["found_by"]
            name = way.get("link") or way["source"]
            records[name].add(way.get("record") or content["work"])
            ways[name].add((content["work"], json.dumps(way)))
            works.add(content["work"])
        elif kind == "WorksJoined":
            works.discard(content["gone"])
    told = {**flow["databases"], **flow["other_methods"]}
    assert {name: way["records"] for name, way in told.items()} == {name: len(some) for name, some in records.items()}
    assert {name: way["returned"] for name, way in told.items()} == {name: len(some) for name, some in ways.items()}
    assert set(flow["databases"]) == {"openalex", "semanticscholar", "arxiv"}
    assert flow["identified"] - flow["duplicates"] == len(works)
    answered: dict[str, int] = defaultdict(int)
    for kind, content in events_of(home):
        if kind == "SourceAnswered":
            answered[content["source"]] += content.get("found", 0)
    assert {name: way["returned"] for name, way in flow["databases"].items()} == {
        name: answered[name] for name in flow["databases"]
    }


def test_the_library_gives_only_what_it_held_before_the_search_began(home: Path) -> None:
    (started,) = rows(home, "SELECT started FROM runs WHERE id = ?", last_run(home))[0]
    names = "SELECT scheme, value FROM identifiers JOIN papers ON id = paper WHERE first_seen < ?"
    before = set(rows(home, names, started))
    given = [
        {tuple(name) for name in content["paper"]["identifiers"]}
        for kind, content in events_of(home)
        if kind == "PaperFound" and content["found_by"]["source"] == "library" and "link" not in content["found_by"]
    ]
    assert given
    assert all(names_of_one & before for names_of_one in given)


def test_without_the_library_nothing_of_it_takes_part(services: Services, home: Path, tmp_path: Path) -> None:
    flags = ("--no-library", "--seed", "2")
    logs = []
    for place in (home, tmp_path):
        services.midnight()
        spar(place, *ASK, *flags, more=services.environment)
        logs.append(answer(place, "log"))
    full, empty = logs
    assert not full["wishes"]["library"]
    assert "library" not in full["flow"]["other_methods"]
    assert full["flow"]["databases"] == empty["flow"]["databases"]
    assert {one["id"] for one in full["included"]} == {one["id"] for one in empty["included"]}


def test_the_summary_line_of_a_search_adds_up_and_screening_later_does_not_move_its_end(
    services: Services, tmp_path: Path
) -> None:
    told = next(
        line for line in spar(tmp_path, *ASK, more=services.environment).stderr.splitlines() if " records (" in line
    )
    before = answer(tmp_path, "log")
    flow = before["flow"]
    assert "library" not in flow["other_methods"]  # which was empty
    assert told.startswith(f"{flow['identified']} records (")
    inside = told.partition("(")[2].partition(")")[0].split(", ")
    assert sum(int(part.rsplit(" ", 1)[1]) for part in inside) == flow["identified"]
    with Store.open(tmp_path / "spar" / "spar.db") as store:
        run = before["run"]
        state = SEARCH.replayed(runs.events(store, run))
        assert state.finished
        decision = PaperScreened(state.ranking[0].work, "included")
        later: Sequence[Event] = [decision, PapersRanked(state.ranking), state.finished]
        runs.extend(store, run, [runs.Post(*SEARCH.codec.encode(event)) for event in later])
        runs.finish(store, run, "finished")
    assert answer(tmp_path, "log")["finished"] == before["finished"]
