"""A question whose answer has a shape: at most two requests, the second made so that it can do better."""

import asyncio
from collections.abc import Callable
from contextlib import aclosing
from dataclasses import replace
from typing import TypeVar

from pydantic import BaseModel

from agents.llm import streaming
from agents.llm.budget import Account, BudgetSpent, Charge
from agents.llm.capabilities import Attempt
from agents.llm.endpoint import Endpoint
from agents.llm.errors import ModelError, Unusable
from agents.llm.json_answers import Misfit, read_answer

T = TypeVar("T", bound=BaseModel)
Heard = Callable[[str], None]
"""Is told the words of an answer so far, unchecked, whenever more of them came; a second try begins anew."""


async def ask(endpoint: Endpoint, attempt: Attempt, shape: type[T], account: Account, heard: Heard | None = None) -> T:
    """The answer of `shape`; where it is `heard`, the endpoint is asked to send it piece by piece. Raises `ModelError`
    or `BudgetSpent`.

    The deadline holds for both tries, on the monotonic clock: no dripping reply can outlast it. An answer that is heard
    may take longer, while its pieces keep coming.
    """
    budget = account.budget
    patience = endpoint.access.seconds * (streaming.PATIENCE if heard else 1)
    try:
        async with asyncio.timeout(min(patience, budget.seconds_left)):
            return await _two_tries(endpoint, attempt, shape, account, heard)
    except TimeoutError:
        raise endpoint.too_slow(budget, "did not answer in time") from None


async def _two_tries(endpoint: Endpoint, attempt: Attempt, shape: type[T], account: Account, heard: Heard | None) -> T:
    await endpoint.breaker.wait()
    try:
        return await _try(endpoint, attempt, shape, account, heard)
    except ModelError as error:
        second = endpoint.second(attempt, error)
        if second is None or not await endpoint.pause(error, account):
            raise
        first = error
    try:
        return await _try(endpoint, second, shape, account, heard)
    except BudgetSpent:
        raise first from None  # why the first try was not enough says more than that there is no second


async def _try(endpoint: Endpoint, attempt: Attempt, shape: type[T], account: Account, heard: Heard | None) -> T:
    """One request, and its answer checked."""
    charge = await endpoint.open(attempt, account)
    with charge.settled():
        if heard is None:
            text = await _whole(endpoint, attempt, charge)
        else:
            text = await _heard(endpoint, attempt, charge, account, heard)
    try:
        return await asyncio.to_thread(read_answer, text, shape)
    except Misfit as misfit:
        if misfit.schema_ignored and attempt.dialect.schema:
            endpoint.dialect = replace(endpoint.dialect, schema=False)
        why = misfit.complaint.rstrip(".")
        raise Unusable(
            f"{endpoint.who} did not answer in the form asked for ({why}).", text, misfit.complaint
        ) from None


async def _whole(endpoint: Endpoint, attempt: Attempt, charge: Charge) -> str:
    try:
        reply = await endpoint.client.ask(endpoint.who, attempt.parameters(endpoint.name))
    except ModelError as error:
        endpoint.failed(error, charge)
        raise
    charge.usage = endpoint.cost(attempt, reply.input_tokens, reply.output_tokens, reply.text)
    endpoint.breaker.succeeded()
    endpoint.check(attempt, reply.text, reply.finish, reply.refusal)
    return reply.text


async def _heard(endpoint: Endpoint, attempt: Attempt, charge: Charge, account: Account, heard: Heard) -> str:
    text = ""
    async with aclosing(streaming.pieces(endpoint, attempt, charge, account)) as pieces:
        async for piece in pieces:
            text += piece
            heard(text)
    return text
