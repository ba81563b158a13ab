"""A question whose answer has a shape: at most two requests, the second made so that it can do better."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import TypeVar

from pydantic import BaseModel

from agents.llm.budget import Account, BudgetSpent, Charge
from agents.llm.capabilities import Attempt
from agents.llm.endpoint import Endpoint
from agents.llm.errors import ModelError, Unusable
from agents.llm.json_answers import Misfit, read_answer

T = TypeVar("T", bound=BaseModel)
Words = Callable[[Endpoint, Attempt, Charge, Account], Awaitable[str]]
"""Asks once, and gives the words of the answer, which has ended well. Raises `ModelError` or `BudgetSpent`."""


async def whole(endpoint: Endpoint, attempt: Attempt, charge: Charge, account: Account) -> str:
    """The words of an answer that comes as a whole."""
    try:
        reply = await endpoint.client.ask(endpoint.who, attempt.parameters(endpoint.name))
    except ModelError as error:
        endpoint.failed(error, charge)
        raise
    charge.usage = endpoint.cost(attempt, reply.input_tokens, reply.output_tokens, reply.text)
    endpoint.breaker.succeeded()
    endpoint.check(attempt, reply.text, reply.finish, reply.refusal)
    return reply.text


async def ask(
    endpoint: Endpoint, attempt: Attempt, shape: type[T], account: Account, words: Words = whole, patience: float = 1.0
) -> T:
    """The answer of `shape`, out of the `words` that are asked for. Raises `ModelError` or `BudgetSpent`.

    The deadline, `patience` times that of the endpoint, holds for both tries, on the monotonic clock: no dripping reply
    can outlast it.
    """
    budget = account.budget
    try:
        async with asyncio.timeout(min(endpoint.access.seconds * patience, budget.seconds_left)):
            return await _two_tries(endpoint, attempt, shape, account, words)
    except TimeoutError:
        raise endpoint.too_slow(budget, "did not answer in time") from None


async def _two_tries(endpoint: Endpoint, attempt: Attempt, shape: type[T], account: Account, words: Words) -> T:
    await endpoint.breaker.wait()
    try:
        return await _try(endpoint, attempt, shape, account, words)
    except ModelError as error:
        second = endpoint.second(attempt, error)
        if second is None or not await endpoint.pause(error, account):
            raise
        first = error
    try:
        return await _try(endpoint, second, shape, account, words)
    except BudgetSpent:
        raise first from None  # why the first try was not enough says more than that there is no second


async def _try(endpoint: Endpoint, attempt: Attempt, shape: type[T], account: Account, words: Words) -> T:
    """One request, and its answer checked."""
    charge = await endpoint.open(attempt, account)
    with charge.settled():
        text = await words(endpoint, attempt, charge, account)
    try:
        return await asyncio.to_thread(read_answer, text, shape)
    except Misfit as misfit:
        if misfit.schema_ignored and attempt.dialect.schema:
            endpoint.dialect = replace(endpoint.dialect, schema=False)
        why = misfit.complaint.rstrip(".")
        raise Unusable(
            f"{endpoint.who} did not answer in the form asked for ({why}).", text, misfit.complaint
        ) from None
