"""Streamed text: pieces as they come, clean, and never taken for whole when they are not."""

import asyncio
import json
import threading
from collections.abc import Callable
from contextlib import aclosing
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.llm.budget import Budget, BudgetSpent
from agents.llm.errors import CutOff, ModelDown, ModelError, NotAllowed, Refused, TooSlow, Unusable
from agents.llm.model import Model
from agents.llm.prompt import ModelAnswer, Prompt
from agents.llm.streaming import ThinkingFilter
from agents.llm.usage import Usage
from cache.store import Store
from connectors.records.visible import visible
from tests.agents.llm.use import GOOD, PROMPT, Verdict, access, spoken, use
from tests.library import copied
from tests.services.model import says as says
from tests.services.model.server import Rules, ScriptedModel, in_turn

TEXT = "Sleep strengthens memory.\n\nMost studies agree, für alle."


def test_a_text_comes_in_pieces_and_ends_with_what_it_cost() -> None:
    budget = Budget()
    with ScriptedModel(in_turn(says.ModelSays(TEXT))) as endpoint:
        text, usage, error = use(Model(access(endpoint)), lambda model: spoken(model, budget))
    assert (text, error) == (TEXT, None)
    assert usage == budget.spent
    assert usage is not None
    assert usage.calls == 1
    assert usage.output_tokens == len(TEXT) // 4 + 1


@pytest.mark.parametrize("how", ["between", "inside", "no_end", "error"])
def test_a_stream_that_breaks_off_says_so_after_what_came(how: says.Break) -> None:
    with ScriptedModel(in_turn(says.breaking(TEXT, how))) as endpoint:
        text, usage, error = use(Model(access(endpoint)), lambda model: spoken(model, Budget()))
    assert TEXT.startswith(text)
    assert text
    assert usage is None
    assert isinstance(error, ModelDown)
    assert error.usage.calls == endpoint.calls == 1


def test_a_stream_that_stalls_costs_its_seconds() -> None:
    with ScriptedModel(in_turn(says.breaking(TEXT, "stall"))) as endpoint:
        text, _, error = use(Model(access(endpoint, seconds=1.5)), lambda model: spoken(model, Budget()))
    assert text
    assert isinstance(error, TooSlow)


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        (says.ModelSays(TEXT, finish="length"), CutOff),
        (says.ModelSays(TEXT, finish="content_filter"), Refused),
        (says.refusal(), Refused),
        (says.empty(), Unusable),
        (says.page(), Unusable),
        (says.unauthorized(), NotAllowed),
    ],
)
def test_a_text_that_did_not_end_well_is_an_error(said: says.ModelSays, kind: type[Exception], tmp_path: Path) -> None:
    with ScriptedModel(in_turn(said)) as endpoint, Store.open(copied(tmp_path / "spar.db")) as store:
        for _ in range(2):
            _, usage, error = use(Model(access(endpoint), store), lambda model: spoken(model, Budget()))
            assert isinstance(error, kind)
            assert usage is None
    assert endpoint.calls == 2, "a failure was remembered, or tried again"


@pytest.mark.parametrize(
    "rules", [Rules(stream_usage=False), Rules(temperature=False), Rules(max_tokens=False), Rules(system=False)]
)
def test_a_refused_parameter_is_left_out(rules: Rules) -> None:
    with ScriptedModel(in_turn(says.ModelSays(TEXT)), rules=rules) as endpoint:
        text, usage, error = use(Model(access(endpoint)), lambda model: spoken(model, Budget()))
    assert (text, error) == (TEXT, None)
    assert usage is not None
    assert (usage.calls, endpoint.calls) == (1, 2)


def test_an_endpoint_that_does_not_stream_is_read_all_the_same() -> None:
    whole = says.raw(says.completion(says.ModelSays(TEXT), "scripted-1", 5))
    with ScriptedModel(in_turn(whole)) as endpoint:
        text, usage, _ = use(Model(access(endpoint)), lambda model: spoken(model, Budget()))
    assert text == TEXT
    assert usage is not None
    assert usage.input_tokens == 5


def test_a_text_is_remembered_when_it_is_whole(tmp_path: Path) -> None:
    with (
        ScriptedModel(in_turn(says.breaking(TEXT, "no_end"), says.ModelSays(TEXT))) as endpoint,
        Store.open(copied(tmp_path / "spar.db")) as store,
    ):
        usages = [use(Model(access(endpoint), store), lambda model: spoken(model, Budget()))[:2] for _ in range(3)]
    assert endpoint.calls == 2
    assert usages[2] == (TEXT, Usage(remembered=1))


def test_leaving_a_stream_early_gives_the_turn_back_and_counts_the_call() -> None:
    async def leave(model: Model) -> Budget:
        budget = Budget()
        async with aclosing(model.stream(PROMPT, budget)) as pieces:
            async for _ in pieces:
                break
        await spoken(model, budget)
        return budget

    with ScriptedModel(in_turn(says.ModelSays(TEXT))) as endpoint:
        assert use(Model(access(endpoint, concurrency=1)), leave).spent.calls == 2


def test_a_stream_stops_with_the_runs_time() -> None:
    with ScriptedModel(in_turn(says.breaking(TEXT, "stall"))) as endpoint, pytest.raises(BudgetSpent) as caught:
        use(Model(access(endpoint)), lambda model: spoken(model, Budget(seconds=1.0)))
    assert caught.value.usage.calls == 1


def test_thinking_aloud_is_not_part_of_the_text() -> None:
    with ScriptedModel(in_turn(says.ModelSays(f"<think>Let me see.\n</think>\n\n{TEXT}"))) as endpoint:
        text, _, _ = use(Model(access(endpoint)), lambda model: spoken(model, Budget()))
    assert text == TEXT


def seen_in_pieces(text: str, cuts: list[int]) -> str:
    thinking, places = ThinkingFilter(), [0, *sorted(cut % (len(text) + 1) for cut in cuts), len(text)]
    return "".join(thinking.feed(text[a:b]) for a, b in pairwise(places)) + thinking.ended()


@given(st.text(), st.lists(st.integers(0, 200)))
def test_however_a_text_is_cut_nothing_invisible_comes_through(text: str, cuts: list[int]) -> None:
    shown = seen_in_pieces(text, cuts)
    assert all(visible(line) == line for line in shown.split("\n"))


@given(st.text(st.characters(categories=["L", "N", "P"])), st.lists(st.integers(0, 200)))
def test_a_plain_text_comes_through_whole(text: str, cuts: list[int]) -> None:
    expected = visible(text)
    assert seen_in_pieces(f"<thinking>{{draft}}</thinking>x{text}", cuts) == f"x{expected}"
    assert seen_in_pieces(f"x{text}", cuts) == f"x{expected}"


@given(st.lists(st.integers(0, 200)))
def test_however_thoughts_are_marked_and_cut_only_the_answer_is_seen(cuts: list[int]) -> None:
    for thoughts in (
        "[THINK]draft[/THINK]",
        "<think>a</think>\n<think>b</think>",
        "◁think▷draft◁/think▷",
        "<|channel>thought\ndraft<channel|>",
        "<|channel|>analysis<|message|>draft<|end|><|start|>assistant<|channel|>final<|message|>",
    ):
        assert seen_in_pieces(f"{thoughts}The answer.", cuts) == "The answer."
        assert seen_in_pieces(f"The {thoughts}answer.", cuts).split() == ["The", "answer."]


@given(st.lists(st.integers(0, 200)))
def test_a_thought_that_nothing_ends_and_the_token_that_ends_a_reply_are_not_seen(cuts: list[int]) -> None:
    assert seen_in_pieces("The answer.<think>draft {", cuts) == "The answer."
    assert seen_in_pieces("The answer.<|return|>", cuts) == "The answer."


def test_before_an_end_that_nothing_opened_all_is_thought_that_was_not_seen_yet() -> None:
    assert seen_in_pieces("draft</think>The answer.", []) == "The answer."
    assert seen_in_pieces("The answer (a < b) [1].", [3, 14, 20]) == "The answer (a < b) [1]."


def test_two_streams_and_questions_share_the_line() -> None:
    async def both(model: Model) -> list[str]:
        return [one[0] for one in await asyncio.gather(*(spoken(model, Budget()) for _ in range(6)))]

    with ScriptedModel(in_turn(says.ModelSays(TEXT)), latency=0.3) as endpoint:
        assert use(Model(access(endpoint, concurrency=2)), both) == [TEXT] * 6
    assert endpoint.peak == 2


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


@pytest.mark.parametrize("how", ["between", "inside", "no_end", "error"])
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
    with ScriptedModel(in_turn(says.ModelSays(TEXT)), rules=Rules(stream=False)) as endpoint:
        assert use(Model(access(endpoint)), lambda model: spoken(model, Budget()))[0] == TEXT


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
