"""Check the language model with one tiny question, or all of its capabilities with three."""

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from agents.llm.config import ModelConfig
from spar_tui.health.outcome import Outcome

if TYPE_CHECKING:
    from agents.llm.errors import ModelError
    from agents.llm.model import Model

SECONDS = 30.0
"""Timeout of a probe in seconds, even if the settings allow more."""


async def check_model(access: ModelConfig | None, offline: bool) -> tuple[str, str]:
    """Return the state (ok, note or problem) of the model behind `access`, and a sentence about it."""
    if why := why_unasked(access, offline):
        return "note", why
    from agents.llm.errors import ModelError

    assert access is not None
    try:
        return "ok", await _probed(access)
    except ModelError as error:
        return "problem", error.sentence


async def try_model(access: ModelConfig | None, offline: bool) -> Outcome:
    """Ask the model behind `access` one tiny question and return the result."""
    if why := why_unasked(access, offline):
        return Outcome("note", why)
    import asyncio
    import time

    assert access is not None
    model, error_class = await asyncio.to_thread(_opened, access)
    try:
        start = time.monotonic()
        await _form(model)
        return Outcome("ok", f"{model.name} at {access.host} answers.", time.monotonic() - start)
    except error_class as error:
        return Outcome("problem", error.sentence)
    finally:
        await model.close()


def why_unasked(access: ModelConfig | None, offline: bool) -> str:
    """Return the reason why no model is asked; "" if one is."""
    if access is None:
        return "none: built-in reasoning is used. Set OPENAI_API_KEY or OPENAI_BASE_URL to use one."
    if offline and not access.on_this_machine:
        return f"{access.known_name or 'the model'} at {access.host} was not asked (offline)."
    return ""


def _opened(access: ModelConfig) -> "tuple[Model, type[ModelError]]":
    """Return the model with a timeout of at most `SECONDS`, and its error class. Takes most of a second to import."""
    from dataclasses import replace

    from agents.llm.errors import ModelError
    from agents.llm.model import Model

    return Model(replace(access, seconds=min(access.seconds, SECONDS))), ModelError


async def _probed(access: ModelConfig) -> str:
    """Return the capabilities of the model. Raises `ModelError` if it cannot answer at all."""
    import time
    from dataclasses import replace

    from agents.llm.model import Model
    from agents.llm.prompt import Capabilities

    hurried = replace(access, seconds=min(access.seconds, SECONDS))
    model = Model(hurried)
    plain = Model(hurried, dialect=Capabilities(schema=False))
    try:
        start = time.monotonic()
        await _form(model)
        seconds = time.monotonic() - start
        by_schema = model.dialect.schema
        in_text = await _works(_form(plain)) if by_schema else True
        streams = await _works(_form(model, heard=lambda text: None)) and model.dialect.stream
    finally:
        await model.close()
        await plain.close()
    usd = access.usd(1_000_000, 1_000_000)
    price = "not known (settings input_price, output_price)" if usd is None else "known" if usd else "nothing"
    return (
        f"{model.name} at {access.host} answers after {seconds:.1f} s; JSON schema: {_yes(by_schema)}, "
        f"JSON in text: {_yes(in_text)}, streaming: {_yes(streams)}; price {price}."
    )


async def _form(model: "Model", heard: Callable[[str], None] | None = None) -> None:
    """Ask for a structured answer, streamed to `heard` if given. Raises `ModelError`, also for a wrong one: a draft may
    have been taken for it."""
    from pydantic import BaseModel

    from agents.llm.budget import Budget
    from agents.llm.errors import Unusable
    from agents.llm.prompt import Prompt

    class Sum(BaseModel):
        total: int

    system = "You add numbers. Answer with the total."
    prompt = Prompt("doctor", 1, system, "2 + 3", max_tokens=500)
    answer = await model.ask(prompt, Sum, Budget(calls=2), heard=heard)
    if answer.answer.total != 5:
        raise Unusable(f"{model.name} says that 2 + 3 is {answer.answer.total}; choose another model.")


async def _works(probe: Awaitable[None]) -> bool:
    from agents.llm.errors import ModelError

    try:
        await probe
    except ModelError:
        return False
    return True


def _yes(works: bool) -> str:
    return "yes" if works else "no"
