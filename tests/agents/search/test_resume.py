"""A search that was cut off goes on where it was, and comes to the same end."""

from collections.abc import Sequence
from functools import cache
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.run.events import SourceAnswered
from agents.search import options as depths
from agents.search.events import Event, Finished, PaperJudged, RunStarted
from agents.search.kind import SEARCH
from agents.search.options import SearchOptions
from agents.search.state import SearchState
from connectors.paper import WorkId
from tests.agents.scripted import ScriptedSource, paper
from tests.agents.search.world import (
    QUESTION,
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

MOMENTS = 12
JUDGES = {"built-in": None, "a model": ScriptedReasoner}
OPTIONS = {
    "a plain search": SearchOptions(choose_sources=False, limit=5),
    "citing papers": SearchOptions(choose_sources=False, limit=5, citing=True),
}


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(depths.LIMITS, "fast", SMALL)
    monkeypatch.setitem(depths.LIMITS, "deep", SMALL)


def world(judge: str) -> tuple[Library, Library, ScriptedReasoner | None]:
    """Two sources that share half of the papers, one of them in poorer records."""
    papers = made_up(26)
    kind = JUDGES[judge]
    return Library(papers[:16]), Library(papers[12:], "pubmed"), kind() if kind else None


@cache
def whole(judge: str, options: str) -> Searched:
    one, other, model = world(judge)
    return searched(shelf(one, other, model=model), OPTIONS[options])


def gone_on(judge: str, options: str, so_far: Sequence[Event]) -> Searched:
    one, other, model = world(judge)
    return searched(shelf(one, other, model=model), OPTIONS[options], so_far=so_far)


def judged_by_model(events: Sequence[Event]) -> list[tuple[str, bool]]:
    """The papers that a model judged, by name and whether by their words alone, once for each judgement; numbers of
    works change names as they join."""
    state = SEARCH.folded(events)
    judged = [event for event in events if isinstance(event, PaperJudged) and event.by == "model"]
    return [(state.found[state.work(event.work)].paper.id, event.by_words) for event in judged]


def check(judge: str, options: str, cut: int) -> None:
    complete = whole(judge, options)
    after = gone_on(judge, options, complete.events[:cut])
    assert after.answer == complete.answer, f"cut after event {cut}: {complete.events[cut - 1 : cut + 1]}"
    judged = judged_by_model(after.events)
    assert len(judged) == len(set(judged))
    assert set(judged) == set(judged_by_model(complete.events))
    assert len([event for event in after.events if isinstance(event, Finished)]) == 1


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("judge", JUDGES)
def test_a_search_killed_between_two_writes_comes_to_the_same_list(judge: str, options: str) -> None:
    """Events that belong together are kept together, so these are the moments at which a kill can hit."""
    bursts = whole(judge, options).bursts
    for cut in sorted(Random(1).sample(bursts, min(MOMENTS, len(bursts)))):
        check(judge, options, cut)


@pytest.mark.parametrize("judge", JUDGES)
def test_a_search_cut_off_after_any_event_comes_to_the_same_list(judge: str) -> None:
    """Between two writes as well, where no kill can hit."""
    for cut in sorted(Random(2).sample(range(len(whole(judge, "a plain search").events) + 1), MOMENTS)):
        check(judge, "a plain search", cut)


@settings(max_examples=8)
@given(st.sampled_from(sorted(JUDGES)), st.lists(st.floats(0, 1), min_size=2, max_size=4))
def test_a_search_may_be_cut_off_again_and_again(judge: str, shares: list[float]) -> None:
    """Each session is cut off at some share of its own new events."""
    depths.LIMITS["fast"], before = SMALL, depths.LIMITS["fast"]
    try:
        events: Sequence[Event] = ()
        for share in shares:
            after = gone_on(judge, "citing papers", events)
            events = after.events[: len(events) + int(share * (len(after.events) - len(events)))]
        assert gone_on(judge, "citing papers", events).answer == whole(judge, "citing papers").answer
    finally:
        depths.LIMITS["fast"] = before


def test_a_finished_search_asks_nothing_more() -> None:
    complete = whole("a model", "a plain search")
    one, other, model = world("a model")
    after = searched(shelf(one, other, model=model), OPTIONS["a plain search"], so_far=complete.events)
    assert after.events == complete.events
    assert model is not None
    assert [*model.asked, *one.searched, *other.searched] == []


def test_answers_that_are_there_are_not_asked_for_again() -> None:
    complete = whole("built-in", "a plain search")
    answered = [at for at, event in enumerate(complete.events, 1) if isinstance(event, SourceAnswered)]
    one, other, _ = world("built-in")
    searched(shelf(one, other), OPTIONS["a plain search"], so_far=complete.events[: answered[0]])
    first = complete.events[answered[0] - 1]
    assert isinstance(first, SourceAnswered)
    source = one if first.source == one.name else other
    assert first.query not in [query.text for query in source.searched]


def test_a_resumed_search_pays_from_what_is_left_of_its_budget() -> None:
    """The calls of all sessions together keep within the bound."""
    one, other, model = world("a model")
    bound = SearchOptions(choose_sources=False, calls=5)
    complete = searched(shelf(one, other, model=model), bound)
    assert complete.state.cost.calls == 5
    for cut in complete.bursts:
        later = ScriptedReasoner()
        after = searched(shelf(one, other, model=later), bound, so_far=complete.events[:cut])
        assert len(later.asked) == 5 - SEARCH.folded(complete.events[:cut]).cost.calls
        assert after.state.cost.calls == 5
        assert [one for one in after.state.warnings if "used up" in one] == [
            "The 5 model calls for this run are used up. spar does the rest without it."
        ]


def test_a_model_over_the_network_is_asked_only_for_what_is_missing() -> None:
    """What was judged before the cut is not sent again."""
    one, other, _ = world("built-in")
    with scripted() as endpoint:
        complete = searched(shelf(one, other, model=model_at(endpoint)), OPTIONS["a plain search"])
    read = [
        (at, complete.state.found[event.work].paper.title)
        for at, event in enumerate(complete.events, 1)
        if isinstance(event, PaperJudged) and not event.by_words
    ]
    cut = next(at for at in complete.bursts if at > read[3][0])
    known = [title for at, title in read if at <= cut]
    with scripted() as endpoint:
        after = searched(
            shelf(one, other, model=model_at(endpoint)), OPTIONS["a plain search"], so_far=complete.events[:cut]
        )
        sent = "".join(request.text for request in endpoint.asked("judge"))
    assert after.answer == complete.answer
    assert known
    assert not [title for title in known if f'"{title}"' in sent]


def test_a_number_of_a_work_that_was_joined_to_another_is_not_given_again() -> None:
    """Else a new paper would be taken for the one that the old number means today."""
    preprint = paper("Sparse retrieval of passages", "2004.04906", date="2020")
    journal = paper("Sparse passage retrieval, revised", "10.1000/journal", date="2020")
    both = paper("Sparse passage retrieval, revised", "10.1000/journal", "2004.04906", date="2020")
    stranger = paper("Sparse retrieval of songs", "10.1000/songs", author="Grace Hopper")
    found = searched(
        shelf(ScriptedSource("openalex", [preprint, journal, both])), SearchOptions(evolution=False, refchain=False)
    )
    assert (found.state.work(WorkId(0)), found.state.work(WorkId(1))) == (0, 0)
    until = next(at for at, event in enumerate(found.events) if isinstance(event, SourceAnswered)) + 1
    later = ScriptedSource("openalex", [stranger])
    after = searched(shelf(later), SearchOptions(evolution=False, refchain=False), so_far=found.events[:until])
    assert all(after.state.work(work) == work for work in after.state.found)


@pytest.mark.parametrize("judge", JUDGES)
def test_replaying_the_kept_rows_gives_the_same_state(judge: str) -> None:
    complete = whole(judge, "citing papers")
    rows = [SEARCH.codec.encode(event) for event in complete.events]
    replayed = [event for row in rows if (event := SEARCH.codec.decode(row.kind, row.content))]
    assert SEARCH.folded(replayed) == complete.state


def without_clocks(state: SearchState) -> list[tuple[str, tuple[tuple[str, str, int], ...]]]:
    return [
        (found_paper.paper.id, tuple(sorted((way.source, way.query, way.rank) for way in found_paper.found_by)))
        for found_paper in sorted(state.found.values(), key=lambda found: found.paper.id)
    ]


@pytest.mark.parametrize("judge", JUDGES)
def test_the_same_seed_gives_the_same_search_whichever_source_is_quicker(judge: str) -> None:
    complete = whole(judge, "a plain search")
    one, other, model = world(judge)
    one.seconds = 0.02
    again = searched(shelf(one, other, model=model), OPTIONS["a plain search"])
    assert again.answer == complete.answer
    assert without_clocks(again.state) == without_clocks(complete.state)


def test_without_a_model_another_seed_asks_other_queries() -> None:
    """Which of the new queries go on is a matter of the seed; a model says itself which come first."""

    def going(seed: int) -> tuple[str, ...]:
        one, other, _ = world("built-in")
        found = searched(shelf(one, other), SearchOptions(choose_sources=False, seed=seed))
        return tuple(query.query for evolved in found.state.evolved for query in evolved.queries if query.chosen)

    assert going(1) == going(1)
    assert len({going(seed) for seed in range(6)}) > 1


def test_the_first_event_tells_what_was_asked() -> None:
    first = whole("built-in", "a plain search").events[0]
    assert isinstance(first, RunStarted)
    assert (first.question, first.mode, first.seed) == (QUESTION, "fast", 0)


def test_a_prefix_of_the_events_is_itself_a_search_with_an_order() -> None:
    """What is shown of a search that was killed: everything found so far, each paper once."""
    from agents.search.kind import ranking_so_far

    complete = whole("built-in", "a plain search")
    for cut in Random(0).sample(range(len(complete.events)), 20):
        state = SEARCH.folded(complete.events[:cut])
        works = [entry.work for entry in ranking_so_far(state).ranking]
        assert len(works) == len(set(works))
        assert set(works) <= set(state.found)
