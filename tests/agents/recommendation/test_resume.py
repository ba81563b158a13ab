"""A recommendation that was cut off goes on where it was, and comes to the same end."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from random import Random
from typing import Any

import pytest

from agents.recommendation.events import CandidateAligned, RecommendationEvent, RecommendationFinished
from agents.recommendation.kind import RECOMMENDATION
from agents.recommendation.options import RecommendOptions
from agents.run.events import PaperFound, Spent, Warned
from cache.store import Store
from connectors.paper import WorkId
from tests.agents.recommendation.world import Recommended, library, reasoner, recommended, scripted
from tests.agents.scripted import ScriptedSource, paper
from tests.agents.search.world import ScriptedReasoner, model_at

JUDGES = {"built-in": None, "a model": reasoner}
PLENTY = RecommendOptions(calls=40)
"""Where a run may be cut between what a question cost and its answer, that question is asked and paid again."""


@pytest.fixture(scope="module", autouse=True)
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with library(tmp_path_factory.mktemp("resumed")) as opened:
        STORES.append(opened)
        yield
        STORES.clear()
        whole.cache_clear()


STORES: list[Store] = []


def gone_on(
    judge: str, so_far: Sequence[RecommendationEvent] = (), options: RecommendOptions = PLENTY, live: bool = False
) -> tuple[Recommended, ScriptedReasoner | None, ScriptedSource]:
    kind = JUDGES[judge]
    model = kind() if kind else None
    words = ("birds", "maps", "coins")
    some = [paper(f"Sparse retrieval of passages on {one}", f"10.1000/live.{one}") for one in words]
    source = ScriptedSource("semanticscholar", some)
    sources = [source] if live else []
    return recommended(STORES[0], model, options, so_far=so_far, live=sources), model, source


@cache
def whole(judge: str, live: bool = False) -> Recommended:
    return gone_on(judge, live=live)[0]


def said_in(found: Recommended) -> list[object]:
    """What every agent has said. Works go by the names of their papers: a number that was given may not be given
    again, so that numbers depend on where a run was cut."""
    state = found.state
    assert state.summarized is not None
    name = {work: state.findings.papers[work].id for work in state.candidates}
    return [
        state.context,
        [name[work] for work in state.candidates],
        state.understood,
        {name[work]: replace(aligned, work=WorkId(0)) for work, aligned in state.aligned.items()},
        [name[work] for work in state.summarized.accepted],
        [(theme.name, theme.salience, [name[work] for work in theme.works]) for theme in state.summarized.themes],
        state.summarized.text,
        sorted((name[work], share) for work, share in state.summarized.common if work in name),
        [(name[placed.work], placed.score, placed.why, placed.unproven) for placed in state.ranked.ranking]
        if state.ranked
        else None,
    ]


def check(complete: Recommended, after: Recommended, cut: int) -> None:
    where = f"cut after event {cut}: {complete.events[cut - 1 : cut + 1]}"
    assert after.answer == complete.answer, where
    assert said_in(after) == said_in(complete), where
    # What each agent says is said once, and so is what is warned of.
    once = [event for event in after.events if not isinstance(event, PaperFound | Spent | CandidateAligned)]
    kinds = Counter(repr(event) if isinstance(event, Warned) else type(event) for event in once)
    expected = [event for event in complete.events if not isinstance(event, PaperFound | Spent | CandidateAligned)]
    assert kinds == Counter(repr(event) if isinstance(event, Warned) else type(event) for event in expected), where
    works = [event.work for event in after.events if isinstance(event, CandidateAligned)]
    assert len(works) == len(set(works)), where


@pytest.mark.parametrize("live", [False, True])
@pytest.mark.parametrize("judge", JUDGES)
def test_a_recommendation_killed_between_two_writes_comes_to_the_same_list(judge: str, live: bool) -> None:
    """Events that belong together are kept together, so these are the moments at which a kill can hit."""
    complete = whole(judge, live)
    for cut in complete.bursts:
        after, _, _ = gone_on(judge, complete.events[:cut], live=live)
        check(complete, after, cut)
        assert Counter(map(type, after.events)) == Counter(map(type, complete.events))


@pytest.mark.parametrize("live", [False, True])
@pytest.mark.parametrize("judge", JUDGES)
def test_a_recommendation_cut_off_after_any_event_comes_to_the_same_list(judge: str, live: bool) -> None:
    complete = whole(judge, live)
    size = len(complete.events)
    ends = {*range(0, 6, 2), *range(size - 10, size + 1, 2)}
    for cut in sorted({*ends, *Random(live).sample(range(size), 5)}):
        check(complete, gone_on(judge, complete.events[:cut], live=live)[0], cut)


def test_a_finished_recommendation_asks_nothing_more() -> None:
    complete = whole("a model")
    after, model, _ = gone_on("a model", complete.events)
    assert after.events == complete.events
    assert model is not None
    assert model.asked == []


def test_a_source_that_has_answered_is_not_asked_again() -> None:
    from agents.run.events import SourceAnswered

    complete = whole("built-in", True)
    last = max(at for at, event in enumerate(complete.events, 1) if isinstance(event, SourceAnswered))
    after, _, source = gone_on("built-in", complete.events[:last], live=True)
    assert after.answer == complete.answer
    assert source.asked == []
    assert sum(isinstance(event, SourceAnswered) for event in after.events) == 3


@pytest.mark.parametrize("calls", [2, 5])
def test_all_sessions_together_keep_within_the_budget_and_come_to_the_same_list(calls: int) -> None:
    options = RecommendOptions(calls=calls)
    complete, _, _ = gone_on("a model", options=options)
    for cut in complete.bursts:
        after, model, _ = gone_on("a model", complete.events[:cut], options)
        assert model is not None
        assert len(model.asked) == calls - RECOMMENDATION.folded(complete.events[:cut]).findings.cost.calls
        assert after.answer == complete.answer, f"cut after event {cut}"
        assert after.state.findings.cost.calls == calls


def test_what_a_model_over_the_network_has_answered_is_not_asked_again() -> None:
    with scripted() as endpoint:
        complete = recommended(STORES[0], model_at(endpoint))
    weighed = [at for at, event in enumerate(complete.events, 1) if isinstance(event, CandidateAligned)]
    cut = next(at for at in complete.bursts if at > weighed[-1])
    with scripted() as endpoint:
        after = recommended(STORES[0], model_at(endpoint), so_far=complete.events[:cut])
        names = {request.name for request in endpoint.requests}
    assert after.answer == complete.answer
    assert names <= {"context-summary", "item-ranker", "user-understanding"}
    assert "nli" not in names


@pytest.mark.parametrize("judge", JUDGES)
def test_replaying_the_kept_rows_gives_the_same_state(judge: str) -> None:
    complete = whole(judge)
    rows = [RECOMMENDATION.codec.encode(event) for event in complete.events]
    replayed = [event for row in rows if (event := RECOMMENDATION.codec.decode(row.kind, row.content))]
    assert RECOMMENDATION.folded(replayed) == complete.state


def test_a_recommendation_ends_once() -> None:
    for judge in JUDGES:
        assert len(whole(judge).of(RecommendationFinished)) == 1


def test_a_recommendation_kept_before_models_reasoned_can_be_read() -> None:
    """What was added to the events since has a default."""
    added: dict[str, tuple[str, ...]] = {"CandidateAligned": ("rests_on",), "ContextSummarized": ("text",)}
    read = Counter[str]()
    for event in whole("built-in").events:
        row = RECOMMENDATION.codec.encode(event)
        content: Any = {name: value for name, value in row.content.items() if name not in added.get(row.kind, ())}
        read[row.kind] += row.kind in added
        assert RECOMMENDATION.codec.decode(row.kind, content) == event
    assert all(read[kind] for kind in added)
