"""Replies as real endpoints gave them, read and replayed."""

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from agents.llm.answers.replies import read_reply
from agents.llm.budget import Budget
from agents.llm.errors import ModelError, QuotaGone, Rejected, SlowedDown, Unusable
from agents.llm.model import Model
from agents.llm.usage import Usage
from tests.agents.llm.use import PROMPT, Verdict, access, failure, use
from tests.services.model.says import ModelSays
from tests.services.model.server import ScriptedModel, in_turn

FIXTURES = Path(__file__).parents[5] / "shared" / "fixtures"


def recorded(*, good: bool) -> Iterator[dict[str, Any]]:
    """The rows of recorded chat completions, those with status 200 or all others."""
    if not FIXTURES.is_dir():
        pytest.skip("recorded replies (../shared/fixtures) are not here")
    for row in json.loads((FIXTURES / "MANIFEST.json").read_text())["fixtures"]:
        if row["service"] == "openai" and row["url"].endswith("/chat/completions") and (row["status"] == 200) == good:
            yield row


def body(row: dict[str, Any]) -> bytes:
    return FIXTURES.joinpath(str(row["file"])).read_bytes()


def test_every_recorded_completion_is_read_as_it_was_meant() -> None:
    rows = [row for row in recorded(good=True) if row["content_type"] == "application/json"]
    for row in rows:
        said = json.loads(body(row))
        reply = read_reply("The model", 200, {}, body(row))
        message = said["choices"][0]["message"]
        called = "".join(call["function"]["arguments"] for call in message.get("tool_calls") or [])
        assert reply.text == (message["content"] or called)
        assert reply.finish == said["choices"][0]["finish_reason"]
        assert reply.input_tokens == said["usage"]["prompt_tokens"]
        assert reply.output_tokens == said["usage"]["completion_tokens"]
    assert len(rows) > 50


def test_every_recorded_error_has_a_name() -> None:
    kinds = set()
    for row in recorded(good=False):
        with pytest.raises(ModelError) as caught:
            read_reply("The model", row["status"], {}, body(row))
        kinds.add(type(caught.value))
    assert {QuotaGone, SlowedDown, Rejected} <= kinds


def test_a_recorded_answer_by_schema_comes_through_the_whole_door() -> None:
    class City(BaseModel):
        city: str
        country: str

    rows = {row["file"]: row for row in recorded(good=True)}
    row = next(rows[name] for name in rows if "openai_native_output__1" in name)
    with ScriptedModel(in_turn(ModelSays(body=body(row)))) as endpoint:
        told = use(Model(access(endpoint)), lambda model: model.ask(PROMPT, City, Budget()))
    assert told.answer == City(city="Mexico City", country="Mexico")
    assert told.usage == Usage(1, 92, 15, None, 0)


def test_recorded_errors_come_through_the_whole_door() -> None:
    for row in recorded(good=False):
        with ScriptedModel(in_turn(ModelSays(status=row["status"], body=body(row)))) as endpoint:
            failure(endpoint, ModelError)
        assert endpoint.calls <= 2


def test_recorded_streams_are_read_whole() -> None:
    rows = [row for row in recorded(good=True) if "event-stream" in row["content_type"]]
    for row in rows:
        said = ModelSays(body=body(row), content_type="text/event-stream")
        words: list[str] = []
        with ScriptedModel(in_turn(said)) as endpoint, pytest.raises(Unusable):  # it was another question's answer
            use(
                Model(access(endpoint)),
                partial(Model.ask, prompt=PROMPT, shape=Verdict, budget=Budget(), heard=words.append),
            )
        events = [json.loads(line[6:]) for line in body(row).decode().splitlines() if line.startswith("data: {")]
        pieces = [choice["delta"].get("content") or "" for event in events for choice in event["choices"]]
        assert "".join(pieces) == (words[-1] if words else "")
    assert len(rows) == 3


def test_recorded_prose_is_never_taken_for_a_verdict() -> None:
    rows = [row for row in recorded(good=True) if row["content_type"] == "application/json"][:20]
    for first, second in zip(rows[::2], rows[1::2], strict=True):
        with ScriptedModel(in_turn(ModelSays(body=body(first)), ModelSays(body=body(second)))) as endpoint:
            failure(endpoint, Unusable)
        assert endpoint.calls == 2
