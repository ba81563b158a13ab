"""What a caller can rely on when texts become vectors: one of length 1 for each, in their order, or a clear error."""

import asyncio
import math
from collections.abc import Sequence
from typing import Any

import pytest

from agents.llm.errors import ModelDown, ModelError, NotAllowed, Unusable
from agents.llm.model import BATCH, Model
from agents.llm.usage import Usage
from tests.agents.llm.use import access
from tests.rows import each
from tests.services.http.message import Reply, json_reply
from tests.services.model.server import Rules, ScriptedModel, by_words, in_turn


def embed(endpoint: ScriptedModel, texts: Sequence[str], **more: Any) -> tuple[list[list[float]], Usage]:
    async def run() -> tuple[list[list[float]], Usage]:
        model = Model(access(endpoint, embedding="vectors-1", **more))
        embeddings = model.embeddings()
        assert embeddings is not None
        try:
            return await embeddings.embed(texts)
        finally:
            await model.close()

    return asyncio.run(run())


def test_every_text_gets_a_vector_of_length_one_in_its_order() -> None:
    texts = [f"paper {number} on sleep" for number in range(BATCH + 3)]
    with ScriptedModel(in_turn()) as endpoint:
        vectors, usage = embed(endpoint, texts, input_price=1.0, output_price=1.0)
    assert endpoint.embedded == texts
    assert all(math.isclose(sum(number * number for number in vector), 1.0) for vector in vectors)
    first = by_words(texts[0])
    assert vectors[0] == pytest.approx([number / math.hypot(*first) for number in first])
    assert usage.calls == 2
    assert usage.usd is not None
    assert usage.usd > 0


def test_vectors_that_come_in_another_order_are_put_in_that_of_the_texts() -> None:
    def backwards(texts: Sequence[str]) -> Reply:
        rows = [{"index": index, "embedding": [float(index + 1), 0.0, 1.0]} for index in range(len(texts))]
        return json_reply({"data": rows[::-1]})

    with ScriptedModel(in_turn()) as endpoint:
        endpoint.embeds = backwards
        vectors, _ = embed(endpoint, ["one", "two", "three"])
    assert [round(vector[0] / vector[2]) for vector in vectors] == [1, 2, 3]


BAD = [
    {"data": []},
    {"data": [{"index": 0, "embedding": [1.0]}]},
    {"data": [{"index": 0, "embedding": [1.0, 2.0]}, {"index": 1, "embedding": [1.0]}]},
    {"data": [{"index": 0, "embedding": [1.0]}, {"index": 0, "embedding": [2.0]}]},
    {"data": [{"index": 0, "embedding": [0.0, 0.0]}, {"index": 1, "embedding": [1.0, 0.0]}]},
    {"data": [{"index": 0, "embedding": ["1", "2"]}, {"index": 1, "embedding": [1.0, 0.0]}]},
    {"data": "none"},
    [],
]


@each("body", BAD)
def test_a_reply_without_one_good_vector_for_each_text_is_not_used(body: Any) -> None:
    with ScriptedModel(in_turn()) as endpoint:
        endpoint.embeds = lambda texts: json_reply(body)
        with pytest.raises(Unusable, match="one vector for each text"):
            embed(endpoint, ["one", "two"])


@each(("status", "kind"), [(401, NotAllowed), (503, ModelDown)])
def test_a_refusal_is_told_in_a_sentence_without_the_key(status: int, kind: type[ModelError]) -> None:
    with ScriptedModel(in_turn()) as endpoint:
        endpoint.embeds = lambda texts: json_reply({"error": {"message": "no"}}, status)
        with pytest.raises(kind) as caught:
            embed(endpoint, ["one"])
    assert "vectors-1" in str(caught.value)
    assert "CANARY" not in str(caught.value)


def test_without_a_model_for_vectors_there_are_none() -> None:
    with ScriptedModel(in_turn(), rules=Rules()) as endpoint:
        assert Model(access(endpoint)).embeddings() is None
