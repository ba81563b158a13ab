"""Check the language model with one tiny question, or all of its capabilities with three."""

import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from agents.llm.config import ModelConfig
from spar_tui.health.sources import Outcome

if TYPE_CHECKING:
    from agents.llm.errors import ModelError
    from agents.llm.model import Model

_YES = {True: "yes", False: "no"}
SECONDS = 30.0
"""Timeout of a probe in seconds, even if the settings allow more."""


async def check_model(access: ModelConfig | None, offline: bool) -> Outcome:
    """Return the result of three tiny questions to the model behind `access`, with its capabilities."""
    return await try_model(access, offline, _capabilities)


async def try_model(
    access: ModelConfig | None, offline: bool, more: "Callable[[Model, ModelConfig], Awaitable[str]] | None" = None
) -> Outcome:
    """Return the result of one tiny question to the model behind `access`; the sentence that `more` returns about it
    follows the time that the answer took."""
    if why := why_unasked(access, offline):
        return Outcome("note", why)
    import asyncio

    assert access is not None
    access = replace(access, seconds=min(access.seconds, SECONDS))
    model, error_class = await asyncio.to_thread(_loaded, access)
    try:
        start = time.monotonic()
        await _ask(model)
        seconds = time.monotonic() - start
        text = f" after {seconds:.1f} s; {await more(model, access)}" if more else ""
        return Outcome("ok", f"{model.name} at {access.host} answers{text}.", seconds)
    except error_class as error:
        return Outcome("problem", error.sentence)
    finally:
        await model.close()


def why_unasked(access: ModelConfig | None, offline: bool) -> str:
    """Return the reason why no model is asked; "" if one is."""
    if access is None:
        return "none: built-in rules are used. Set OPENAI_API_KEY or OPENAI_BASE_URL to use one."
    if offline and not access.on_this_machine:
        return f"{access.known_name or 'the model'} at {access.host} was not asked (offline)."
    return ""


def _loaded(access: ModelConfig) -> "tuple[Model, type[ModelError]]":
    """Return the model and its error class. Takes most of a second to import."""
    from agents.llm.errors import ModelError
    from agents.llm.model import Model

    return Model(access), ModelError


async def _capabilities(model: "Model", access: ModelConfig) -> str:
    """Return which forms of answers the model gives, and its price."""
    from agents.llm.model import Model
    from agents.llm.prompt import Capabilities

    by_schema = model.dialect.schema
    plain = Model(access, dialect=Capabilities(schema=False))
    try:
        in_text = await _works(_ask(plain)) if by_schema else True
        streams = await _works(_ask(model, lambda text: None)) and model.dialect.stream
    finally:
        await plain.close()
    forms = {"JSON schema": by_schema, "JSON in text": in_text, "streaming": streams}
    usd = access.usd(1_000_000, 1_000_000)
    price = "not known (settings input_price, output_price)" if usd is None else "known" if usd else "nothing"
    return f"{', '.join(f'{form}: {_YES[works]}' for form, works in forms.items())}; price {price}"


async def _ask(model: "Model", progress: Callable[[str], None] | None = None) -> None:
    """Ask for a structured answer, streamed to `progress` if given. Raises `ModelError`, also for a wrong one: a draft
    may have been taken for it."""
    from pydantic import BaseModel

    from agents.llm.budget import Budget
    from agents.llm.errors import Unusable
    from agents.llm.prompt import Prompt

    class Sum(BaseModel):
        total: int

    system = "You add numbers. Answer with the total."
    prompt = Prompt("doctor", 1, system, "2 + 3", max_tokens=500)
    answer = await model.ask(prompt, Sum, Budget(calls=2), heard=progress)
    if answer.answer.total != 5:
        raise Unusable(f"{model.name} says that 2 + 3 is {answer.answer.total}; choose another model.")


async def _works(probe: Awaitable[None]) -> bool:
    from agents.llm.errors import ModelError

    try:
        await probe
    except ModelError:
        return False
    return True
