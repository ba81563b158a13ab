"""A model at work in a test: a scripted endpoint, a shape to ask for, and what came of asking."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import openai  # noqa: F401  # loading it takes seconds on a busy machine, and no test's deadline should see them pass
import pytest
from pydantic import BaseModel, Field

from agents.llm.budget import Budget
from agents.llm.config import ModelConfig
from agents.llm.errors import ModelError
from agents.llm.model import Model
from agents.llm.prompt import ModelAnswer, Prompt
from connectors.http.secret import Secret
from tests.services.model.server import ScriptedModel

R = TypeVar("R")
GOOD = {"score": 0.5, "reason": "It is about sleep."}
KEY = "sk-CANARY-0123456789"
PROMPT = Prompt("judge", 1, "You judge papers.", "Is it about sleep?")


class Verdict(BaseModel):
    score: float = Field(ge=0, le=1)
    reason: str


def access(endpoint: ScriptedModel, **more: Any) -> ModelConfig:
    return ModelConfig(**{"name": "scripted-1", "base_url": endpoint.url, "key": Secret(KEY), **more})


def use(model: Model, work: Callable[[Model], Awaitable[R]]) -> R:
    """Do `work` with `model` in an event loop of its own, and close the model."""

    async def run() -> R:
        try:
            return await work(model)
        finally:
            await model.close()

    return asyncio.run(run())


def ask(endpoint: ScriptedModel, budget: Budget | None = None, **more: Any) -> ModelAnswer[Verdict]:
    """One question to a model that knows nothing of the endpoint yet."""
    return use(Model(access(endpoint, **more)), lambda model: model.ask(PROMPT, Verdict, budget or Budget()))


def failure(endpoint: ScriptedModel, kind: type[ModelError], budget: Budget | None = None, **more: Any) -> ModelError:
    """How asking fails; its sentence gives away neither the key nor a page."""
    with pytest.raises(kind) as caught:
        ask(endpoint, budget, **more)
    error: ModelError = caught.value
    assert str(error) == error.sentence
    assert "CANARY" not in error.sentence
    assert "<" not in error.sentence
    assert error.sentence.endswith((".", "?"))
    return error
