"""More demonstrations from the model: only those whose plan is made again for the intent that was written for it."""

import asyncio
import json
from collections.abc import Callable, Mapping
from datetime import date
from random import Random
from typing import Any
from zlib import crc32

from pydantic import BaseModel

from agents.assistant.demonstrations import normal, shipped
from agents.bench.demonstrations import Tried, generated
from agents.llm.prompt import Prompt
from agents.tools.table import by_name
from spar_tui.interface import TextInterface
from tests.agents.assistant.world import planned
from tests.rows import each

TOOLS = by_name(TextInterface().tools)
TODAY = date(2026, 3, 1)


class Writer:
    """A model that writes intents, and plans by what its script says."""

    def __init__(self, plan: Callable[[Mapping[str, Any]], object], calls: int = 99) -> None:
        self.plan, self.calls = plan, calls
        self.asked: list[Prompt] = []

    async def ask(self, prompt: Prompt, shape: type[BaseModel]) -> Any:
        if len(self.asked) == self.calls:
            return None
        self.asked.append(prompt)
        return shape.model_validate(self.said(prompt, told(prompt)))

    def said(self, prompt: Prompt, parts: Mapping[str, Any]) -> object:
        if prompt.name == "assistant-intents":
            return {"intents": [{"text": f"papers on moss number {len(self.asked)}{letter}"} for letter in "abcde"]}
        if prompt.name == "assistant-intents-of-plans":
            return {"intents": [{"id": one["id"], "text": request_for(one["plan"])} for one in parts["Plans"]]}
        return self.plan(parts)


def told(prompt: Prompt) -> dict[str, Any]:
    parts = (part.partition(":\n") for part in prompt.user.split("\n\n"))
    return {heading: json.loads(text) for heading, _, text in parts}


WRITTEN: dict[str, list[dict[str, Any]]] = {}
"""The plans that requests were written for."""


def request_for(plan: list[dict[str, Any]]) -> str:
    request = f"please carry out request {crc32(json.dumps(plan).encode())}"
    WRITTEN[request] = plan
    return request


def wanted(parts: Mapping[str, Any]) -> list[tuple[str, Mapping[str, Any]]]:
    """The plan that the request was written for, or a list of what is on moss."""
    moss = [{"tool": "filter", "arguments": {"words": ["moss"]}}, {"tool": "list", "arguments": {}}]
    return [(step["tool"], step["arguments"]) for step in WRITTEN.get(parts["Message"], moss)]


def exactly(parts: Mapping[str, Any]) -> object:
    return planned(*wanted(parts))


def tried(writer: Writer, count: int = 10, seed: int = 1) -> list[Tried]:
    async def run() -> list[Tried]:
        return [one async for one in generated(writer.ask, count, shipped(), TOOLS, TODAY, Random(seed))]

    return asyncio.run(run())


def test_half_are_made_from_intents_and_half_from_plans() -> None:
    found = tried(Writer(exactly))
    assert [one.method for one in found] == ["input-first"] * 5 + ["output-first"] * 5
    assert sum(one.demonstration is not None for one in found) >= 8


def test_each_that_is_kept_can_be_done_and_is_new() -> None:
    known = {one.intent for one in shipped()}
    for one in tried(Writer(exactly)):
        if one.demonstration:
            assert normal(one.demonstration.plan, TOOLS) is not None
            assert one.demonstration.intent not in known


def test_a_plan_that_is_not_made_again_is_not_kept() -> None:
    def careless(parts: Mapping[str, Any]) -> object:
        return planned(("undo", {}))

    found = [one for one in tried(Writer(careless)) if one.method == "output-first"]
    assert found
    assert all(one.demonstration is None for one in found)
    assert {one.against for one in found} == {"the plan made for it is another than the one it was written for"}


def test_the_pair_that_an_intent_was_written_for_is_not_among_the_examples_of_its_check() -> None:
    writer = Writer(exactly)
    found = [one for one in tried(writer) if one.method == "output-first" and one.demonstration]
    assert found
    for one in found:
        assert one.demonstration
        parts = next(told(prompt) for prompt in writer.asked if told(prompt).get("Message") == one.intent)
        source = [seed for seed in shipped() if normal(seed.plan, TOOLS) == normal(one.demonstration.plan, TOOLS)]
        if len(source) == 1:
            assert source[0].intent not in {example["intent"] for example in parts["Examples"]}


def test_the_same_intent_is_tried_once() -> None:
    class Parrot(Writer):
        def said(self, prompt: Prompt, parts: Mapping[str, Any]) -> object:
            if prompt.name == "assistant-intents":
                return {"intents": [{"text": "papers on moss"}, {"text": "Papers on Moss"}]}
            return super().said(prompt, parts)

    first, second = tried(Parrot(exactly), count=2)
    assert first.demonstration
    assert second.against == "it is there already"


def test_where_no_answer_comes_it_ends() -> None:
    assert tried(Writer(exactly, calls=0)) == []
    assert len(tried(Writer(exactly, calls=3))) == 2


@each("text", ["", "????", "论文 关于 苔藓"])
def test_what_is_no_request_is_passed_over(text: str) -> None:
    class Mumbler(Writer):
        def said(self, prompt: Prompt, parts: Mapping[str, Any]) -> object:
            return {"intents": [{"text": text}]} if prompt.name == "assistant-intents" else super().said(prompt, parts)

    assert tried(Mumbler(exactly), count=3) == []


def test_the_model_is_told_demonstrations_alone() -> None:
    writer = Writer(exactly)
    tried(writer)
    for prompt in writer.asked:
        if prompt.name != "assistant-plan":
            assert set(told(prompt)) in ({"Examples", "Count"}, {"Plans"})


def test_an_unusable_plan_says_why() -> None:
    found = tried(Writer(lambda parts: planned(("fly", {}))), count=1)
    assert found[0].against == "Step 1: there is no tool 'fly'"


def test_a_plan_may_be_written_otherwise_and_mean_the_same() -> None:
    def wordy(parts: Mapping[str, Any]) -> object:
        """With every argument, also those that nobody would have to write."""
        whole = (
            (name, TOOLS[name].read(given).model_dump(mode="json", by_alias=True)) for name, given in wanted(parts)
        )
        return planned(*whole)

    assert sum(one.demonstration is not None for one in tried(Writer(wordy))) >= 8
