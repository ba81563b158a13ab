"""What a search does with the answers of its sources."""

import asyncio
import time
from datetime import date

from agents.board import Board
from agents.event_rows import from_row, to_row
from agents.events import Event, FoundBy, SourceAnswered, Warned
from agents.search.loop import Desk, Wishes, search
from agents.search.state import SearchState, fold
from connectors.errors import Down, NotConfigured
from tests.agents.scripted import ScriptedSource, paper

SPARSE = paper("Sparse retrieval with learned terms", "10.1000/sparse", abstract="We study sparse retrieval.")
DENSE = paper("Dense retrieval of passages", "10.1000/dense", "2004.04906", date="2019")
YEAST = paper("Baking bread with yeast", "10.1000/yeast", date="2021-05")


def run(
    desk: Desk, question: str = "sparse retrieval", wishes: Wishes | None = None
) -> tuple[SearchState, list[Event]]:
    async def collect() -> list[Event]:
        return [event async for event in search(question, desk, wishes or Wishes(seconds=0.3))]

    events = asyncio.run(collect())
    return fold(events), events


def desk(*live: ScriptedSource, fallback: ScriptedSource | None = None) -> Desk:
    return Desk({one.name: one for one in live}, {}, {fallback.name: fallback} if fallback else {})


def titles(state: SearchState) -> list[str]:
    return [state.found[one.work].paper.title for one in state.ranking]


def test_a_paper_that_several_sources_found_is_listed_once_with_all_of_them() -> None:
    copy = paper("Sparse Retrieval with Learned Terms", "10.1000/sparse", source="pubmed", citation_count=9)
    state, _ = run(desk(ScriptedSource("openalex", [SPARSE, DENSE]), ScriptedSource("pubmed", [copy])))
    assert titles(state)[0].lower() == SPARSE.title.lower()
    found = state.found[state.ranking[0].work]
    assert set(found.found_by) == {
        FoundBy("openalex", "sparse retrieval", 1),
        FoundBy("pubmed", "sparse retrieval", 1),
    }
    assert found.paper.citation_count == 9


def test_counts_are_those_of_prisma() -> None:
    copy = paper(SPARSE.title, "10.1000/sparse")
    first, second = ScriptedSource("openalex", [SPARSE, DENSE, YEAST]), ScriptedSource("pubmed", [copy])
    state, _ = run(desk(first, second), wishes=Wishes(limit=2))
    counts = state.counts
    assert (counts.identified, counts.duplicates, counts.screened, counts.included) == (4, 1, 3, 2)


def test_what_has_the_questions_words_comes_before_what_a_source_likes() -> None:
    state, _ = run(desk(ScriptedSource("openalex", [YEAST, DENSE, SPARSE])))
    assert titles(state).index(SPARSE.title) < titles(state).index(YEAST.title)


def test_a_failing_source_is_named_and_the_others_go_on() -> None:
    broken = ScriptedSource("arxiv", error=Down("arxiv", "is not working right now."))
    state, _ = run(desk(broken, ScriptedSource("openalex", [SPARSE])))
    assert titles(state) == [SPARSE.title]
    assert state.sources["arxiv"].state == "failed"
    assert state.failed_sources == {"arxiv": "is not working right now."}


def test_a_source_that_is_off_is_skipped_and_not_failed() -> None:
    off = ScriptedSource("google", error=NotConfigured("google", "is off."))
    state, _ = run(desk(off, ScriptedSource("openalex", [SPARSE])))
    assert state.sources["google"].state == "skipped"
    assert not state.failed_sources


def test_a_list_that_was_cut_short_is_called_partial() -> None:
    state, _ = run(desk(ScriptedSource("openalex", [SPARSE], partial=True)))
    assert state.sources["openalex"].state == "partial"
    assert state.failed_sources == {"openalex": "cut short."}


def test_a_hanging_source_costs_its_deadline_and_no_more() -> None:
    hanging = ScriptedSource("pubmed", [DENSE], seconds=30.0)
    start = time.monotonic()
    state, _ = run(desk(hanging, ScriptedSource("openalex", [SPARSE])))
    assert time.monotonic() - start < 1.5
    assert titles(state) == [SPARSE.title]
    assert "did not answer" in (state.sources["pubmed"].error or "")


def test_quick_sources_are_told_of_before_slow_ones() -> None:
    slow, quick = ScriptedSource("arxiv", [DENSE], seconds=0.1), ScriptedSource("openalex", [SPARSE])
    _, events = run(desk(slow, quick))
    assert [event.source for event in events if isinstance(event, SourceAnswered)] == ["openalex", "arxiv"]


def test_the_starter_shelf_answers_when_no_live_source_does_and_says_so() -> None:
    shelf = ScriptedSource("starter", [DENSE])
    state, events = run(desk(ScriptedSource("openalex", error=Down("openalex", "is down.")), fallback=shelf))
    assert titles(state) == [DENSE.title]
    assert any(isinstance(event, Warned) for event in events)
    assert state.sources["starter"].found == 1


def test_the_starter_shelf_is_not_asked_when_a_live_source_answers() -> None:
    shelf = ScriptedSource("starter", [DENSE])
    run(desk(ScriptedSource("openalex", [SPARSE]), fallback=shelf))
    assert not shelf.asked


def test_dates_are_checked_here_whatever_the_source_returns() -> None:
    undated = paper("Sparse retrieval without a date", "10.1000/undated", date=None)
    source = ScriptedSource("openalex", [SPARSE, DENSE, YEAST, undated])
    state, _ = run(desk(source), wishes=Wishes(date(2020, 6, 1), date(2021, 5, 31)))
    assert set(titles(state)) == {SPARSE.title, YEAST.title}  # known to the year only, 2020 may be after June
    assert (source.asked[0].since, source.asked[0].until) == (date(2020, 6, 1), date(2021, 5, 31))


def test_a_missing_abstract_comes_from_another_source() -> None:
    told = paper(DENSE.title, "10.1000/dense", abstract="Passages are embedded.", source="pubmed")
    state, _ = run(desk(ScriptedSource("openalex", [DENSE]), ScriptedSource("pubmed", known=[told])))
    assert state.found[state.ranking[0].work].paper.abstract == "Passages are embedded."


def test_replaying_the_kept_events_gives_the_same_state() -> None:
    kept: list[tuple[str, object]] = []
    board = Board(lambda event: kept.append((to_row(event).kind, to_row(event).content)))

    async def drain() -> None:
        broken = ScriptedSource("arxiv", error=Down("arxiv", "is not working right now."))
        async for _ in search(
            "sparse retrieval", desk(broken, ScriptedSource("openalex", [SPARSE, DENSE])), Wishes(), board
        ):
            pass

    asyncio.run(drain())
    replayed = [event for kind, content in kept if (event := from_row(kind, content))]  # type: ignore[arg-type]
    assert fold(replayed) == board.state


def test_an_event_of_a_later_version_is_passed_over() -> None:
    assert from_row("SomethingNew", {"x": 1}) is None
