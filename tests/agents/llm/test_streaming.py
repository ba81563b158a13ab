"""Streamed answers: heard as they come, and never taken for whole when they are not."""

import json
import threading
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from typing import Any

from agents.llm.budget import Budget
from agents.llm.errors import ModelDown, ModelError, NotAllowed, Refused, TooSlow, TruncatedAnswer, Unusable
from agents.llm.model import Model
from agents.llm.prompt import ModelAnswer, Prompt
from tests.agents.llm.use import GOOD, PROMPT, Verdict, access, use
from tests.rows import each
from tests.services.model import says as says
from tests.services.model.server import Rules, ScriptedModel, in_turn


def overheard(
    endpoint: ScriptedModel, on_words: Callable[[str], None] = lambda words: None, **more: Any
) -> tuple[list[str], ModelAnswer[Verdict] | ModelError]:
    """What is heard of an answer that has a form, and the answer."""
    words: list[str] = []

    def heard(text: str) -> None:
        words.append(text)
        on_words(text)

    async def asked(model: Model) -> ModelAnswer[Verdict] | ModelError:
        try:
            return await model.ask(PROMPT, Verdict, Budget(), heard=heard)
        except ModelError as error:
            return error

    return words, use(Model(access(endpoint, **more)), asked)


def test_an_answer_that_has_a_form_is_heard_before_its_last_words_are_sent() -> None:
    first = threading.Event()
    with ScriptedModel(in_turn(says.held_back(GOOD, first))) as endpoint:
        words, said = overheard(endpoint, lambda text: first.set())
    assert isinstance(said, ModelAnswer)
    assert said.answer.score == GOOD["score"]
    assert words[-1] == json.dumps(GOOD)
    assert all(later.startswith(earlier) for earlier, later in pairwise(words))
    assert endpoint.requests[0].by_schema
    assert endpoint.requests[0].streamed


@each(
    ("said", "kind"),
    [
        (replace(says.answer(GOOD), finish="length"), TruncatedAnswer),
        (replace(says.answer(GOOD), finish="content_filter"), Refused),
        (says.refusal(), Refused),
        (says.empty(), Unusable),
        (says.page(), Unusable),
        (says.unauthorized(), NotAllowed),
    ],
)
def test_an_answer_that_did_not_end_well_is_an_error(said: says.ModelSays, kind: type[ModelError]) -> None:
    with ScriptedModel(in_turn(said)) as endpoint:
        _, error = overheard(endpoint)
    assert isinstance(error, kind)


@each("rules", [Rules(stream_usage=False), Rules(temperature=False), Rules(max_tokens=False), Rules(system=False)])
def test_a_refused_parameter_is_left_out(rules: Rules) -> None:
    with ScriptedModel(in_turn(says.answer(GOOD)), rules=rules) as endpoint:
        words, said = overheard(endpoint)
    assert isinstance(said, ModelAnswer)
    assert words[-1] == json.dumps(GOOD)
    assert (said.usage.calls, endpoint.calls) == (1, 2)


@each("how", ["between", "inside", "no_end", "error"])
def test_an_answer_that_breaks_off_while_it_is_heard_begins_anew_once(how: says.Break) -> None:
    broken = says.breaking(json.dumps(GOOD), how)
    with ScriptedModel(in_turn(broken, says.answer(GOOD))) as endpoint:
        words, said = overheard(endpoint)
    assert isinstance(said, ModelAnswer)
    assert said.usage.calls == endpoint.calls == 2
    assert words[-1] == json.dumps(GOOD)
    with ScriptedModel(in_turn(broken)) as endpoint:
        words, said = overheard(endpoint)
    assert isinstance(said, ModelDown)
    assert said.usage.calls == endpoint.calls == 2
    assert words


def test_an_endpoint_that_refuses_to_stream_is_asked_for_the_whole_answer_from_then_on() -> None:
    async def twice(model: Model) -> list[str]:
        for score in (0.1, 0.2):
            prompt = Prompt("judge", 1, "You judge papers.", f"Is it about sleep, {score}?")
            await model.ask(prompt, Verdict, Budget(), heard=heard.append)
        return heard

    heard: list[str] = []
    with ScriptedModel(in_turn(says.answer(GOOD)), rules=Rules(stream=False)) as endpoint:
        assert use(Model(access(endpoint)), twice) == [json.dumps(GOOD)] * 2
    assert [request.streamed for request in endpoint.requests] == [True, False, False]


def test_an_endpoint_that_does_not_stream_but_answers_is_heard_at_once() -> None:
    whole = says.raw(says.completion(says.answer(GOOD), "scripted-1", 5))
    with ScriptedModel(in_turn(whole)) as endpoint:
        words, said = overheard(endpoint)
    assert words == [json.dumps(GOOD)]
    assert isinstance(said, ModelAnswer)


def test_an_answer_that_is_heard_may_take_longer_while_its_words_keep_coming() -> None:
    slow = replace(says.answer({"score": 0.5, "reason": "sleep " * 12}), drip=0.1)
    with ScriptedModel(in_turn(slow)) as endpoint:
        _, said = overheard(endpoint, seconds=1.2)
    assert isinstance(said, ModelAnswer)
    with ScriptedModel(in_turn(says.breaking(json.dumps(GOOD), "stall"))) as endpoint:
        _, said = overheard(endpoint, seconds=1.2)
    assert isinstance(said, TooSlow)
