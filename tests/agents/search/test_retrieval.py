"""Asking the sources: what is sent, and what is made of their answers and failures."""

import asyncio
from dataclasses import replace
from datetime import date
from typing import Any

from agents.run.events import FoundBy, SourceAnswered, Warned
from agents.run.findings import Board
from agents.run.resources import Resources
from agents.search.events import Event, StageChanged
from agents.search.kind import SEARCH
from agents.search.loop import search
from agents.search.options import SearchOptions
from agents.search.state import SearchState
from connectors.errors import NotConfigured, SourceUnavailable
from connectors.paper import Version
from connectors.source import Answer, Query
from tests.agents.scripted import ScriptedSource, paper
from tests.agents.search.world import Library, by_words, made_up, model_at, scripted, searched

SPARSE = paper("Sparse retrieval with learned terms", "10.1000/sparse", abstract="We study sparse retrieval.")
DENSE = paper("Dense retrieval of passages", "10.1000/dense", "2004.04906", date="2019")
YEAST = paper("Baking bread with yeast", "10.1000/yeast", date="2021-05")


ONCE = SearchOptions(understanding=False, evolution=False, refchain=False)
"""The question as it stands, asked once."""


def run(
    resources: Resources, question: str = "sparse retrieval", options: SearchOptions = ONCE
) -> tuple[SearchState, list[Event]]:
    async def collect() -> list[Event]:
        return [event async for event in search(question, resources, options)]

    events = asyncio.run(collect())
    return SEARCH.folded(events), events


def resources(*live: ScriptedSource | Library, fallback: ScriptedSource | None = None, model: Any = None) -> Resources:
    return Resources({one.name: one for one in live}, {}, {fallback.name: fallback} if fallback else {}, model)


def titles(state: SearchState) -> list[str]:
    return [state.found[entry.work].paper.title for entry in state.ranking]


def test_a_paper_that_several_sources_found_is_listed_once_with_all_of_them() -> None:
    copy = paper("Sparse Retrieval with Learned Terms", "10.1000/sparse", source="pubmed", citation_count=9)
    state, _ = run(resources(ScriptedSource("openalex", [SPARSE, DENSE]), ScriptedSource("pubmed", [copy])))
    assert titles(state)[0].lower() == SPARSE.title.lower()
    found = state.found[state.ranking[0].work]
    assert set(found.found_by) == {
        FoundBy("openalex", "sparse retrieval", 1, record=SPARSE.id),
        FoundBy("pubmed", "sparse retrieval", 1, record=copy.id),
    }
    assert found.paper.citation_count == 9


def test_papers_get_a_score_while_a_source_keeps_silent_and_the_score_is_not_stored() -> None:
    quick, silent = ScriptedSource("openalex", [SPARSE, DENSE]), ScriptedSource("pubmed", seconds=2.5)
    state, events = run(resources(quick, silent))
    order = [type(event).__name__ for event in events]
    last_answer = len(order) - order[::-1].index("SourceAnswered")
    assert "PapersAssessed" in order[:last_answer]
    assert titles(state)[0] == SPARSE.title

    stored: list[Event] = []
    kept = Board(SearchState(), stored.append)

    async def collect() -> list[Event]:
        return [event async for event in search("sparse retrieval", resources(quick, silent), ONCE, kept)]

    assert len(asyncio.run(collect())) > len(stored)
    assert SEARCH.folded(stored).ranking == state.ranking


def test_counts_are_those_of_prisma() -> None:
    copy = paper(SPARSE.title, "10.1000/sparse")
    first, second = ScriptedSource("openalex", [SPARSE, DENSE, YEAST]), ScriptedSource("pubmed", [copy])
    state, _ = run(resources(first, second), options=replace(ONCE, limit=2))
    counts = state.counts
    assert (counts.identified, counts.duplicates, counts.screened) == (4, 1, 3)
    assert counts.included == len(state.included)


def test_what_has_the_questions_words_comes_before_what_a_source_likes() -> None:
    state, _ = run(resources(ScriptedSource("openalex", [YEAST, DENSE, SPARSE])))
    assert titles(state).index(SPARSE.title) < titles(state).index(YEAST.title)


def test_a_failing_source_is_named_and_the_others_go_on() -> None:
    broken = ScriptedSource("arxiv", error=SourceUnavailable("arxiv", "is not working right now."))
    state, _ = run(resources(broken, ScriptedSource("openalex", [SPARSE])))
    assert titles(state) == [SPARSE.title]
    assert state.sources["arxiv"].state == "failed"
    assert state.failed_sources == {"arxiv": "is not working right now."}


def test_a_source_that_is_off_is_skipped_and_not_failed() -> None:
    off = ScriptedSource("google", error=NotConfigured("google", "is off."))
    state, _ = run(resources(off, ScriptedSource("openalex", [SPARSE])))
    assert state.sources["google"].state == "skipped"
    assert not state.failed_sources


def test_a_source_that_was_not_chosen_says_why_as_far_as_that_is_known() -> None:
    live = [ScriptedSource(name) for name in ("openalex", "arxiv", "pubmed", "europepmc", "crossref")]

    def why(question: str, source: str) -> str:
        state, _ = run(resources(*live), question, SearchOptions(evolution=False, refchain=False))
        tally = state.sources[source]
        assert (tally.state, tally.asked) == ("skipped", 0)
        return tally.error or ""

    for source in ("pubmed", "europepmc"):
        assert "it does not suit the question" in why(
            "quantum error correction with superconducting qubits in semiconductor physics", source
        )
    assert "it only looks up named papers" in why("statins for stroke prevention", "crossref")


def test_a_list_that_was_cut_short_is_called_partial() -> None:
    state, _ = run(resources(ScriptedSource("openalex", [SPARSE], partial=True)))
    assert state.sources["openalex"].state == "partial"
    assert state.failed_sources == {"openalex": "cut short."}


def test_a_hanging_source_costs_its_deadline_and_no_more() -> None:
    hanging = ScriptedSource("pubmed", [DENSE], seconds=3600.0)
    state, _ = run(resources(hanging, ScriptedSource("openalex", [SPARSE])), options=replace(ONCE, source_seconds=1.0))
    assert titles(state) == [SPARSE.title]
    assert "did not answer" in (state.sources["pubmed"].error or "")


def test_quick_sources_are_told_of_before_slow_ones() -> None:
    slow, quick = ScriptedSource("arxiv", [DENSE], seconds=0.5), ScriptedSource("openalex", [SPARSE])
    _, events = run(resources(slow, quick))
    assert [event.source for event in events if isinstance(event, SourceAnswered)] == ["openalex", "arxiv"]


def test_the_starter_shelf_answers_when_no_live_source_does_and_says_so() -> None:
    shelf = ScriptedSource("starter", [DENSE])
    state, events = run(
        resources(ScriptedSource("openalex", error=SourceUnavailable("openalex", "is down.")), fallback=shelf)
    )
    assert titles(state) == [DENSE.title]
    assert any(isinstance(event, Warned) for event in events)
    assert state.sources["starter"].found == 1


def test_the_starter_shelf_is_not_asked_when_a_live_source_answers() -> None:
    shelf = ScriptedSource("starter", [DENSE])
    run(resources(ScriptedSource("openalex", [SPARSE]), fallback=shelf))
    assert not shelf.asked


def test_dates_are_checked_here_whatever_the_source_returns() -> None:
    undated = paper("Sparse retrieval without a date", "10.1000/undated", date=None)
    source = ScriptedSource("openalex", [SPARSE, DENSE, YEAST, undated])
    state, _ = run(resources(source), options=replace(ONCE, since=date(2020, 6, 1), until=date(2021, 5, 31)))
    assert set(titles(state)) == {SPARSE.title, YEAST.title}  # known to the year only, 2020 may be after June
    assert (source.asked[0].since, source.asked[0].until) == (date(2020, 6, 1), date(2021, 5, 31))


def test_a_preprint_within_the_dates_is_kept_though_it_was_published_after_them() -> None:
    published = Version("SIGIR", "2021-02")
    early, late = (
        replace(one, date="2021-02", preprint=Version("arXiv", posted), published=published)
        for one, posted in ((SPARSE, "2019-11-02"), (DENSE, "2020-11-02"))
    )
    source = ScriptedSource("openalex", [early, late])
    state, _ = run(resources(source), options=replace(ONCE, until=date(2019, 12, 31)))
    assert titles(state) == [SPARSE.title]


def test_a_missing_abstract_comes_from_another_source() -> None:
    told = paper(DENSE.title, "10.1000/dense", abstract="Passages are embedded.", source="pubmed")
    state, _ = run(resources(ScriptedSource("openalex", [DENSE]), ScriptedSource("pubmed", known=[told])))
    assert state.found[state.ranking[0].work].paper.abstract == "Passages are embedded."


def test_spars_note_on_a_paper_does_not_keep_its_abstract_from_being_asked_for() -> None:
    noted = paper(DENSE.title, "10.1000/dense", described="Finds passages.", source="starter")
    told = paper(DENSE.title, "10.1000/dense", abstract="Passages are embedded.")
    live, shelf = ScriptedSource("openalex", known=[told]), ScriptedSource("starter", [noted])
    state, _ = run(resources(live, fallback=shelf))
    found = state.found[state.ranking[0].work].paper
    assert (found.abstract, found.described) == ("Passages are embedded.", "Finds passages.")


def test_an_event_of_a_later_version_is_passed_over() -> None:
    assert SEARCH.codec.decode("SomethingNew", {"x": 1}) is None


def test_no_source_is_asked_twice_in_the_same_words() -> None:
    """Of a long text few words may stand for the whole and for a part of it, and each question to OpenAlex costs."""
    text = (
        "Serum lipoprotein concentrations in cystic fibrosis. Children with cystic fibrosis had lower cholesterol "
        "and triglyceride concentrations than healthy siblings. Essential fatty acids and fat-soluble vitamins are "
        "absorbed badly because of pancreatic insufficiency."
    )
    state, _ = run(
        resources(ScriptedSource("openalex", [SPARSE]), ScriptedSource("crossref", [SPARSE])),
        text,
        SearchOptions(choose_sources=False, evolution=False, refchain=False),
    )
    assert state.understood is not None
    words = [query.text_for("openalex").lower() for query in state.understood.read_queries]
    assert len(set(words)) < len(words)
    asked = [(plan.source, plan.words.lower()) for plan in state.planned]
    assert len(set(asked)) == len(asked)
    assert [source for source, _ in asked].count("crossref") == len(words)


def test_all_queries_go_to_all_sources_at_once() -> None:
    under_way = peak = 0

    class Counted(ScriptedSource):
        async def search(self, query: Query) -> Answer:
            nonlocal under_way, peak
            under_way += 1
            peak = max(peak, under_way)
            try:
                return await super().search(query)
            finally:
                under_way -= 1

    sources = [Counted(name, [SPARSE]) for name in ("openalex", "pubmed", "google")]
    question = "comparison of sparse and dense retrieval for passages"
    state, events = run(
        resources(*sources), question, SearchOptions(choose_sources=False, evolution=False, refchain=False)
    )
    assert peak == len(state.planned) == 3 * len(state.understood.queries) > 3  # type: ignore[union-attr]
    assert [event.stage for event in events if isinstance(event, StageChanged)][:2] == ["understanding", "retrieving"]


def test_the_question_itself_is_asked_of_every_source_in_the_first_place() -> None:
    sources = [ScriptedSource(name, [SPARSE]) for name in ("openalex", "pubmed", "arxiv", "semanticscholar")]
    question = "which papers compare sparse and dense retrieval for clinical trials?"
    state, _ = run(resources(*sources), question, SearchOptions(choose_sources=False, evolution=False, refchain=False))
    for source in sources:
        planned = [plan.query for plan in state.planned if plan.source == source.name]
        assert planned[0] == question
        assert len(source.asked) == len(planned)


def test_a_source_with_a_slow_rate_is_asked_as_much_as_its_rate_lets_through() -> None:
    """arXiv takes a question every three seconds: in half of ten seconds that is two."""
    slow, quick = ScriptedSource("arxiv", [SPARSE]), ScriptedSource("openalex", [SPARSE])
    options = SearchOptions(choose_sources=False, evolution=False, refchain=False, mode="deep")
    question = "comparison of sparse retrieval, dense retrieval and query expansion for scientific passages"
    run(resources(slow, quick), question, options)
    assert len(slow.asked) == 2 < len(quick.asked)


def test_every_paper_knows_which_query_and_source_found_it_at_which_rank() -> None:
    library = Library(made_up(40))
    state, _ = run(resources(library), "sparse retrieval of scientific passages", SearchOptions(choose_sources=False))
    asked = {(plan.source, plan.query) for plan in state.planned}
    for work, one in state.found.items():
        assert one.found_by
        for way in one.found_by:
            if way.link is None:
                assert (way.source, way.query) in asked
                sent = next(p.sent or p.query for p in state.planned if p.query == way.query)
                assert by_words(sent, library.papers)[way.rank - 1].id == state.found[work].paper.id
            else:
                assert way.link_of is not None
                assert state.work(way.link_of) in state.found


def test_an_abstract_that_was_filled_in_stays_when_the_paper_is_found_again() -> None:
    """The second round finds the same poor record; what another source told of it is not lost."""
    full = made_up(30)
    poor = Library([replace(one, abstract="") if place % 3 == 0 else one for place, one in enumerate(full)])
    rich = ScriptedSource("pubmed", known=[replace(one, provenance=()) for one in full])
    state, _ = run(
        resources(poor, rich), "sparse retrieval of passages", SearchOptions(choose_sources=False, refchain=False)
    )
    second = {plan.query for plan in state.planned if plan.round == 2}
    again = [
        found_paper for found_paper in state.found.values() if second & {way.query for way in found_paper.found_by}
    ]
    assert len(again) > 10
    assert all(found_paper.paper.abstract for found_paper in state.found.values())


def test_nothing_found_anywhere_is_an_empty_list_and_no_failure() -> None:
    state, _ = run(resources(ScriptedSource("openalex")), options=SearchOptions(choose_sources=False))
    assert state.finished
    assert state.ranking == ()
    assert not state.failed_sources


def test_a_search_that_was_ended_names_the_sources_it_did_not_wait_for() -> None:
    hanging = ScriptedSource("pubmed", [DENSE], seconds=3600.0)
    state, _ = run(resources(hanging, ScriptedSource("openalex", [SPARSE])), options=replace(ONCE, seconds=1.0))
    assert titles(state) == [SPARSE.title]
    assert state.failed_sources == {"pubmed": "was stopped before it answered."}


def test_every_need_reaches_a_slow_source_before_any_need_goes_twice() -> None:
    needs = ["sparse retrieval", "amber birch", "cedar dogwood", "elder fir"]
    read = {"meaning": needs[0], "needs": needs, "refined": [{"query": need} for need in needs[1:]]}
    slow, quick = ScriptedSource("arxiv", made_up(40)), ScriptedSource("openalex", made_up(40))
    with scripted(understand=lambda request: read) as endpoint:
        options = SearchOptions(mode="deep", choose_sources=False, refchain=False)
        searched(resources(slow, quick, model=model_at(endpoint)), options, "sparse retrieval?")
    assert [query.text for query in slow.asked] == ["sparse retrieval", *needs[1:]]
    assert len(quick.asked) > len(needs)
