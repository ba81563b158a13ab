"""With `personal` the person's taste orders papers of about the same relevance, and changes nothing else."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.run.events import Warned
from agents.search import options as depths
from agents.search.events import Event, PapersRanked, PersonallyRanked, Ranked
from agents.search.kind import SEARCH, with_reader
from agents.search.options import SearchOptions
from agents.search.ranking.personal import WEIGHT, by_taste
from agents.search.state import THRESHOLD, SearchState
from agents.taste.context import ReaderContext, UserContext
from agents.taste.records import Ground
from agents.tools import shelf_actions
from cache.store import PaperId, Store
from connectors.paper import Paper, WorkId
from tests.agents.search.world import (
    SMALL,
    Library,
    ScriptedReasoner,
    Searched,
    made_up,
    model_at,
    scripted,
    searched,
    shelf,
)
from tests.library import copied

PLAIN = SearchOptions(choose_sources=False, limit=20)
PERSONAL = replace(PLAIN, personal=True)
PAPERS = made_up(26)
SAVED = [one for one in PAPERS if "dense retrieval" in one.title][:3]
NOW = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(depths.LIMITS, "fast", SMALL)


@cache
def kept() -> Store:
    """A library with the papers that were saved, for tests that change nothing in it."""
    store = Store.open(Path(mkdtemp()) / "spar.db")
    shelf_actions.save(store, SAVED)
    return store


def asked(
    store: Store, options: SearchOptions, model: ScriptedReasoner | None = None, so_far: Sequence[Event] = ()
) -> Searched:
    """A search of all papers by the person whose library `store` is."""
    resources = with_reader(shelf(Library(PAPERS), model=model), store, options)
    return searched(resources, options, so_far=so_far)


def titles(state: SearchState) -> list[str]:
    return [state.found[entry.work].paper.title for entry in state.shown]


def moves(state: SearchState) -> list[tuple[str, int, int, float, tuple[Ground, ...]]]:
    """What taste did, by title: a work's number hangs on who answered first."""
    assert state.personal
    return [
        (state.found[place.work].paper.title, place.before, place.after, place.taste, place.grounds)
        for place in state.personal.places
    ]


def test_papers_like_those_of_the_history_move_up_and_say_what_that_rests_on() -> None:
    state = asked(kept(), PERSONAL).state
    assert state.personal
    history = {paper.number: paper.title for paper in state.personal.history}
    raised = [place for place in state.personal.places if place.after < place.before]
    assert raised
    assert {paper.title for paper in SAVED} >= set(history.values())
    assert all(place.grounds and place.grounds[0].number in history for place in raised)
    assert [place.after for place in state.personal.places] == [
        place for place, entry in enumerate(state.shown, start=1) if state.found[entry.work].paper not in SAVED
    ]


def test_the_same_papers_are_shown_and_relevant_ones_first() -> None:
    plain, personal = asked(kept(), PLAIN).state, asked(kept(), PERSONAL).state
    assert titles(plain) != titles(personal)
    assert sorted(titles(plain)) == sorted(titles(personal))
    assert len(plain.included) == len(personal.included)
    relevant = [entry.relevance >= THRESHOLD for entry in personal.shown]
    assert relevant == sorted(relevant, reverse=True)
    assert [entry.score for entry in plain.shown] == [entry.score for entry in personal.shown]


def test_a_paper_that_the_taste_is_read_from_keeps_its_place() -> None:
    plain, personal = titles(asked(kept(), PLAIN).state), titles(asked(kept(), PERSONAL).state)
    known = [paper.title for paper in SAVED if paper.title in plain]
    assert known
    assert [plain.index(title) for title in known] == [personal.index(title) for title in known]


def test_off_by_default_and_an_option_stored_without_it_is_read_as_off() -> None:
    from pydantic import TypeAdapter

    assert not SearchOptions().personal
    assert TypeAdapter(SearchOptions).validate_python({"limit": 5}) == SearchOptions(limit=5)
    assert not asked(kept(), PLAIN).of(PersonallyRanked)


def test_without_a_history_that_is_said_and_the_order_is_that_of_relevance(store: Store) -> None:
    plain, personal = asked(store, PLAIN), asked(store, PERSONAL)
    assert personal.state.personal == PersonallyRanked()
    assert titles(plain.state) == titles(personal.state)


def test_a_history_of_papers_that_share_nothing_with_those_found_moves_none(store: Store) -> None:
    shelf_actions.save(store, [Paper("Zyzzyva quokka", authors=())])
    state = asked(store, PERSONAL).state
    assert state.personal
    assert state.personal.known == 1
    assert all(place.taste == 0 and place.before == place.after for place in state.personal.places)


def test_a_paper_that_was_dismissed_is_never_moved_up_and_the_reason_names_it(store: Store) -> None:
    shelf_actions.save(store, SAVED)
    before = asked(store, PERSONAL).state
    assert before.personal
    raised = next(place for place in before.personal.places if place.after < place.before)
    shelf_actions.dismiss(store, [before.found[raised.work].paper])
    after = asked(store, PERSONAL).state
    now = after.personal_place(raised.work)
    assert now
    assert (now.taste, now.grounds) == (0, ())
    assert now.after >= now.before
    assert after.personal
    assert now.against
    [named] = [paper for paper in after.personal.history if paper.number == now.against.number]
    assert named.title == after.found[raised.work].paper.title


def test_a_paper_like_one_that_was_dismissed_goes_down(store: Store) -> None:
    shelf_actions.save(store, SAVED)
    before = asked(store, PERSONAL).state.personal
    assert before
    best = max(before.places, key=lambda place: place.taste)
    state = asked(store, PLAIN).state
    shelf_actions.note_interaction(store, state.found[best.work].paper, "dismissed")
    after = asked(store, PERSONAL).state.personal
    assert after
    now = next(place for place in after.places if place.work == best.work)
    assert now.taste < best.taste
    assert now.after >= best.after
    assert now.against
    assert now.against.number in {paper.number for paper in after.history}


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1) | st.none()), max_size=12))
def test_taste_never_outweighs_relevance(made: list[tuple[float, float, float | None]]) -> None:
    """A paper passes another only if its score is hardly behind, and never one that counts as relevant if it does
    not."""
    entries = [Ranked(WorkId(number), score, relevance) for number, (score, relevance, _) in enumerate(made)]
    ranking = sorted(entries, key=lambda entry: (entry.relevance < THRESHOLD, -entry.score))
    tastes = {WorkId(number): taste for number, (*_, taste) in enumerate(made) if taste is not None}
    order = by_taste(ranking, tastes)
    assert sorted(order, key=lambda entry: entry.work) == entries
    for place, entry in enumerate(order):
        for passed in order[place + 1 :]:
            assert entry.score > passed.score - WEIGHT - 1e-9 or entry.relevance >= THRESHOLD > passed.relevance
            assert entry.relevance >= THRESHOLD or passed.relevance < THRESHOLD
        if entry.work not in tastes:
            assert ranking[place] == entry


@pytest.mark.parametrize("judge", [None, ScriptedReasoner])
def test_a_personal_search_cut_off_after_any_event_comes_to_the_same_list(judge: type[ScriptedReasoner] | None) -> None:
    whole = asked(kept(), PERSONAL, judge() if judge else None)
    last = len(whole.events)
    for cut in [*range(0, last - 6, 10), *range(last - 6, last + 1)]:
        after = asked(kept(), PERSONAL, judge() if judge else None, whole.events[:cut])
        assert after.answer == whole.answer, f"cut after event {cut}"
        assert titles(after.state) == titles(whole.state)
        assert moves(after.state) == moves(whole.state)


def test_what_a_cut_off_search_had_found_by_then_is_not_said_to_be_in_the_order_of_taste() -> None:
    whole = asked(kept(), PERSONAL)
    at = next(number for number, event in enumerate(whole.events) if isinstance(event, PersonallyRanked))
    assert SEARCH.folded(whole.events[: at + 1]).personal
    cut_off = SEARCH.folded([*whole.events[: at + 1], *SEARCH.cut_off(SEARCH.folded(whole.events[:at]))])
    assert cut_off.personal is None


def test_replaying_the_kept_rows_gives_the_same_list() -> None:
    whole = asked(kept(), PERSONAL)
    rows = [SEARCH.codec.encode(event) for event in whole.events]
    assert "PersonallyRanked" in {row.kind for row in rows}
    replayed = [event for row in rows if (event := SEARCH.codec.decode(row.kind, row.content))]
    assert SEARCH.folded(replayed) == whole.state


def test_the_order_by_taste_comes_after_that_by_relevance_and_changes_no_number() -> None:
    whole = asked(kept(), PERSONAL)
    ranked = [number for number, event in enumerate(whole.events) if isinstance(event, PapersRanked)]
    assert isinstance(whole.events[ranked[-1] + 1], PersonallyRanked)
    relevance = {entry.work: entry.relevance for entry in asked(kept(), PLAIN).state.ranking}
    assert {entry.work: entry.relevance for entry in whole.state.ranking} == relevance


def test_sources_and_model_are_asked_the_same_with_and_without_it() -> None:
    sent = []
    for options in (PLAIN, PERSONAL):
        source = Library(PAPERS)
        with scripted() as endpoint:
            resources = with_reader(shelf(source, model=model_at(endpoint)), kept(), options)
            searched(resources, options)
            sent.append((source.searched, source.followed, sorted(request.text for request in endpoint.requests)))
    assert sent[0] == sent[1]
    assert sent[0][2]


def test_a_library_that_cannot_be_read_costs_the_order_by_taste_and_nothing_else(tmp_path: Path) -> None:
    with Store.open(copied(tmp_path / "spar.db")) as store:
        reader = ReaderContext(store, UserContext(wanted=dict(zip(shelf_numbers(store), [1.0] * 3, strict=True))), NOW)
        (tmp_path / "spar.db").unlink()
        resources = replace(shelf(Library(PAPERS)), reader=reader)
        found = searched(resources, PERSONAL)
    assert found.state.personal is None
    assert titles(found.state) == titles(asked(kept(), PLAIN).state)
    assert [event.sentence for event in found.of(Warned) if "Your taste could not be read" in event.sentence]


def shelf_numbers(store: Store) -> list[PaperId]:
    """The numbers of the papers that are saved, in `store`, which has them from now on."""
    return list(shelf_actions.save(store, SAVED).after)
