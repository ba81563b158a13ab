"""Four agents on one blackboard: who is asked when, what that may cost, and that a recommendation always comes."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from agents.recommendation.events import (
    CandidateAligned,
    CandidatesRanked,
    ContextSummarized,
    InterestsUnderstood,
    RecommendationFinished,
)
from agents.recommendation.options import CALLS, QUESTIONS, RecommendOptions
from agents.run.control import Control
from agents.run.events import Spent
from cache.store import Store
from tests.agents.recommendation.world import HONEST, STEPS, Recommended, go, recommended, scripted
from tests.agents.scripted import ScriptedSource, paper
from tests.agents.search.world import model_at
from tests.services.model import says
from tests.services.model.server import ModelRequest, ScriptedModel, by_prompt


def by(found: Recommended) -> list[str]:
    """Who reasoned, step by step; for alignment everybody who did."""
    weighed = {event.by for event in found.of(CandidateAligned)}
    kinds = (InterestsUnderstood, ContextSummarized, CandidatesRanked)
    understood, summed, ranked = (event.by for kind in kinds for event in found.of(kind))  # type: ignore[attr-defined]
    return [understood, " and ".join(sorted(weighed)), summed, ranked]


def everywhere(script: Callable[[ModelRequest], object], *steps: str) -> ScriptedModel:
    """A model that answers all steps, or these, by `script`."""
    return ScriptedModel(by_prompt({**HONEST, **dict.fromkeys(steps or STEPS, script)}))


def test_a_whole_recommendation_asks_six_questions(shared: Store) -> None:
    with scripted() as endpoint:
        found = recommended(shared, model_at(endpoint))
        names = [request.name for request in endpoint.requests]
    assert sorted(names) == sorted(["user-understanding", *["nli"] * 3, "context-summary", "item-ranker"])
    assert len(names) == QUESTIONS
    assert by(found) == ["model", "built-in and model", "model", "model"]
    assert not found.state.findings.warnings
    assert found.state.findings.cost.calls == QUESTIONS


def test_vectors_take_nothing_from_the_questions_and_are_told_apart(shared: Store) -> None:
    with scripted() as endpoint:
        few = RecommendOptions(start=(1, 2, 3, 4, 5, 6))
        found = recommended(shared, model_at(endpoint, embedding="vectors-1"), few)
        assert len(endpoint.requests) == QUESTIONS
        assert endpoint.embedded
    assert {event.step for event in found.of(Spent)} == {*STEPS, "vectors"}
    assert not found.state.findings.warnings


def test_every_step_says_what_it_cost(shared: Store) -> None:
    with scripted() as endpoint:
        found = recommended(shared, model_at(endpoint))
    assert {event.step for event in found.of(Spent)} == set(STEPS)


def test_the_person_is_understood_while_candidates_are_weighed(shared: Store) -> None:
    """The endpoint has all four questions before it answers any."""
    slow = lambda request: says.slow(HONEST[request.name](request), 4.0 if "user" in request.name else 1.0)  # noqa: E731
    with everywhere(slow, "user-understanding", "nli") as endpoint:
        recommended(shared, model_at(endpoint))
        assert {request.name for request in endpoint.requests[:4]} == {"user-understanding", "nli"}
        assert endpoint.peak == 4


def test_a_summary_waits_for_both_and_the_ranker_for_the_summary(shared: Store) -> None:
    with scripted(user_understanding=lambda request: says.slow(HONEST[request.name](request), 0.5)) as endpoint:
        found = recommended(shared, model_at(endpoint))
        names = [request.name for request in endpoint.requests]
    assert names[-2:] == ["context-summary", "item-ranker"]
    assert by(found)[0] == "model"


@pytest.mark.parametrize("calls", range(8))
def test_no_more_is_asked_than_the_budget_allows_and_the_rest_is_built_in(calls: int, shared: Store) -> None:
    with scripted() as endpoint:
        found = recommended(shared, model_at(endpoint), RecommendOptions(calls=calls))
        assert endpoint.calls == min(calls, QUESTIONS)
    weighed = sum(event.by == "model" for event in found.of(CandidateAligned))
    assert weighed == 10 * min(max(calls - 1, 0), 3)
    said = " ".join(found.state.findings.warnings)
    assert ("calls for this run are used up" in said) == (calls < QUESTIONS)
    assert ("The budget lets the model" in said) == (calls < 4)
    assert len(found.state.shown) == 10


def test_a_model_that_always_fails_is_asked_each_question_twice_at_most(shared: Store) -> None:
    plain = recommended(shared)
    with everywhere(lambda request: says.wrong()) as endpoint:
        found = recommended(shared, model_at(endpoint))
        assert endpoint.calls <= CALLS
    assert found.answer == plain.answer
    assert found.of(RecommendationFinished)[0].ending == "complete"


@pytest.mark.parametrize("step", STEPS)
def test_answers_of_no_use_cost_no_step(step: str, shared: Store) -> None:
    """Each question of `step` is asked once more, and those after it all the same."""
    with everywhere(
        lambda request: HONEST[step](request) if request.corrected else says.incomplete(), step
    ) as endpoint:
        found = recommended(shared, model_at(endpoint))
        assert QUESTIONS < endpoint.calls <= CALLS
    assert by(found) == ["model", "built-in and model", "model", "model"]
    assert not found.state.findings.warnings


HOPELESS: dict[str, Any] = {
    "prose": says.prose,
    "nothing": says.empty,
    "no content": says.silent,
    "a refusal": says.refusal,
    "half an answer": lambda: says.cut_off({"candidates": []}),
    "a reset connection": says.dropped,
    "a login page": says.page,
    "401": says.unauthorized,
    "no money": says.quota,
    "500": says.down,
    "too long a context": says.overflow,
    "megabytes": says.endless,
}


@pytest.mark.parametrize("how", HOPELESS)
def test_a_model_that_is_of_no_use_changes_nothing_and_the_reason_is_told(how: str, shared: Store) -> None:
    with everywhere(lambda request: HOPELESS[how]()) as endpoint:
        found = recommended(shared, model_at(endpoint))
        assert endpoint.calls <= CALLS
    assert found.answer == recommended(shared).answer
    warnings = found.state.findings.warnings
    assert warnings
    assert len(warnings) == len(set(warnings))
    assert all(sentence.endswith(".") and "CANARY" not in sentence for sentence in warnings)


@pytest.mark.parametrize("step", STEPS)
def test_a_step_that_fails_is_taken_over_and_the_others_go_on(step: str, shared: Store) -> None:
    with everywhere(lambda request: says.refusal(), step) as endpoint:
        found = recommended(shared, model_at(endpoint))
        assert {request.name for request in endpoint.requests} == set(STEPS)
    reasoned = dict(zip(STEPS, by(found), strict=True))
    assert reasoned.pop(step) == "built-in"
    assert all("model" in who for who in reasoned.values())


def test_a_recommendation_that_is_out_of_time_ends_with_what_the_rules_say(shared: Store) -> None:
    with everywhere(lambda request: says.slow(HONEST[request.name](request), 30.0)) as endpoint:
        found = recommended(shared, model_at(endpoint), RecommendOptions(seconds=2.0))
    assert by(found) == ["built-in"] * 4
    assert found.of(RecommendationFinished)[0].ending == "budget"
    assert len(found.state.shown) == 10


def test_a_recommendation_that_is_stopped_has_every_candidate_in_its_place(shared: Store) -> None:
    control = Control()

    def stopping(request: Any) -> object:
        asyncio.run_coroutine_threadsafe(_stop(control), loop[0])
        return says.slow(HONEST[request.name](request), 20.0)

    loop: list[asyncio.AbstractEventLoop] = []
    with scripted(nli=stopping) as endpoint:

        async def run() -> Recommended:
            loop.append(asyncio.get_running_loop())
            model = model_at(endpoint)
            try:
                return await go(shared, model, control=control)
            finally:
                await model.close()

        found = asyncio.run(run())
    assert found.of(RecommendationFinished)[0].ending == "stopped"
    assert found.state.ranked is not None
    assert sorted(placed.work for placed in found.state.ranked.ranking) == sorted(found.state.candidates)


async def _stop(control: Control) -> None:
    control.stop()


def test_what_live_sources_name_is_weighed_as_well(shared: Store) -> None:
    found_live = [paper(f"Sparse retrieval of {word}", f"10.1000/live.{word}") for word in ("birds", "maps", "coins")]
    with scripted() as endpoint:
        source = ScriptedSource("semanticscholar", found_live)
        found = recommended(shared, model_at(endpoint), live=[source])
    works = {paper.title: work for work, paper in found.state.findings.papers.items()}
    for one in found_live:
        assert works[one.title] in found.state.aligned
        [way] = found.state.findings.found[works[one.title]].found_by[:1]
        assert way.source == "semanticscholar"


def test_the_same_answers_give_the_same_recommendation(shared: Store) -> None:
    answers = []
    for _ in range(2):
        with scripted() as endpoint:
            answers.append(recommended(shared, model_at(endpoint)).answer)
    assert answers[0] == answers[1]
