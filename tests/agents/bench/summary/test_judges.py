"""A language model as the judge of texts: a scripted one behind real HTTP."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agents.bench.summary.judges import BATCH, ModelJudge
from agents.bench.summary.rubrics import Criterion
from agents.llm.budget import Budget
from agents.llm.errors import ModelError
from agents.llm.model import Model
from cache.store import Store
from tests.agents.llm.use import access, use
from tests.library import copied
from tests.services.model.says import error
from tests.services.model.server import ModelRequest, ScriptedModel, by_prompt

PAIRS = [(f"Claim {place}.", f"Quote {place}{' supports' * (place % 3 == 0)}.") for place in range(BATCH + 5)]


def claims(request: ModelRequest) -> list[dict[str, Any]]:
    listed: list[dict[str, Any]] = json.loads(request.text.partition("Claims:\n")[2])
    return listed


def holding(holds: Callable[[dict[str, Any]], bool]) -> Callable[[ModelRequest], object]:
    return lambda request: {"claims": [{"id": one["id"], "holds": holds(one)} for one in claims(request)]}


def test_pairs_are_asked_for_in_batches_and_answers_find_their_pair() -> None:
    script = by_prompt({"entailed": holding(lambda one: "supports" in one["quote"])})
    with ScriptedModel(script) as endpoint:
        told = use(Model(access(endpoint)), lambda model: ModelJudge(model, Budget()).entailed(PAIRS))
    assert list(told) == [place % 3 == 0 for place in range(len(PAIRS))]
    assert endpoint.calls == 2


def test_the_same_question_is_asked_once(tmp_path: Path) -> None:
    script = by_prompt({"entailed": holding(lambda one: True)})
    with ScriptedModel(script) as endpoint, Store.open(copied(tmp_path / "spar.db")) as store:
        for _ in range(2):
            told = use(Model(access(endpoint), store), lambda model: ModelJudge(model, Budget()).entailed(PAIRS[:3]))
            assert list(told) == [True] * 3
    assert endpoint.calls == 1


def test_criteria_are_marked_with_the_text_and_what_they_mean() -> None:
    criteria = [Criterion("It names coral."), Criterion("It names sand.", evidence=("Sand is rock.",))]

    def met(request: ModelRequest) -> object:
        assert request.text.startswith("Text:\nCoral grows. It is warm.\n\n")
        assert [one["passages"] for one in claims(request)] == [[], ["Sand is rock."]]
        return holding(lambda one: "coral" in one["claim"])(request)

    with ScriptedModel(by_prompt({"met": met})) as endpoint:
        judged = use(
            Model(access(endpoint)),
            lambda model: ModelJudge(model, Budget()).met(criteria, ["Coral grows.", "It is warm."]),
        )
        assert endpoint.surprises == []
    assert list(judged) == [1, 0]


def test_what_the_model_leaves_out_or_invents_does_not_hold() -> None:
    script = by_prompt({"entailed": lambda _: {"claims": [{"id": "c9", "holds": True}, {"id": "c1", "holds": False}]}})
    with ScriptedModel(script) as endpoint:
        told = use(Model(access(endpoint)), lambda model: ModelJudge(model, Budget()).entailed(PAIRS[:2]))
    assert list(told) == [False, False]


def test_a_model_that_fails_is_no_judge() -> None:
    with ScriptedModel(lambda _: error(401, "Incorrect API key provided.")) as endpoint, pytest.raises(ModelError):
        use(Model(access(endpoint)), lambda model: ModelJudge(model, Budget()).entailed(PAIRS[:2]))


def test_nothing_to_judge_is_not_asked_for() -> None:
    with ScriptedModel(lambda _: error(500, "asked")) as endpoint:
        judged = asyncio.run(ModelJudge(Model(access(endpoint)), Budget()).entailed([]))
    assert (list(judged), endpoint.calls) == ([], 0)
