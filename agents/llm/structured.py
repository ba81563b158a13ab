"""Ask the model for an answer of a given shape: at most two requests, the second adjusted to the fault of the first."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Generic, TypeVar

from pydantic import BaseModel

from agents.llm.answers.json_answers import Misfit, Read, read_answer
from agents.llm.answers.replies import Reply
from agents.llm.budget import Account, BudgetSpent, Charge
from agents.llm.endpoint import ANOTHER, Call, Endpoint
from agents.llm.errors import CutOff, ModelError, Rejected, Unusable
from agents.llm.prompt import About, Attempt

T = TypeVar("T", bound=BaseModel)
Words = Callable[[Endpoint, Attempt, Charge, Account], Awaitable[Reply]]
"""Sends one request and returns the reply. Raises `ModelError` or `BudgetSpent`."""


async def whole(endpoint: Endpoint, attempt: Attempt, charge: Charge, account: Account) -> Reply:
    """Request a reply without streaming."""
    try:
        reply = await endpoint.client.ask(endpoint.who, attempt.parameters(endpoint.name))
    except ModelError as error:
        endpoint.failed(attempt, error, charge)
        raise
    charge.usage = endpoint.cost(attempt, reply)
    endpoint.breaker.succeeded()
    return reply


async def ask(
    endpoint: Endpoint,
    attempt: Attempt,
    shape: type[T],
    account: Account,
    about: About[T] | None = None,
    words: Words = whole,
    patience: float = 1.0,
) -> Read[T]:
    """Return the model's answer of `shape`, from the `words` of a request. Raises `ModelError` or `BudgetSpent`.

    One deadline covers both attempts, on the monotonic clock, so that a slowly dripping reply cannot exceed it. It is
    `patience` times the endpoint's, or longer if the endpoint is slow and the answer long.
    """
    budget = account.budget
    usual = endpoint.access.seconds
    seconds = max(patience * usual, endpoint.turns.seconds_for(attempt.max_tokens, usual))
    question = _Question(endpoint, shape, account, about, words, links=not attempt.prompt.reads_strangers)
    try:
        async with endpoint.turns.clocked(seconds, budget.seconds_left) as call:
            return await question.two_tries(attempt, call)
    except TimeoutError:
        return await question.before_the_cut(endpoint.too_slow(budget, "did not answer in time", seconds))


@dataclass(slots=True)
class _Question(Generic[T]):
    endpoint: Endpoint
    shape: type[T]
    account: Account
    about: About[T] | None
    words: Words
    links: bool
    """Whether links in the answer stay active: False if the model has read texts of strangers."""
    cuts: list[str] = field(default_factory=list)
    """Text of answers that were truncated or broke off."""
    _useless: list[ModelError] = field(default_factory=list)
    """Unusable answers that the breaker has not counted yet."""

    async def two_tries(self, attempt: Attempt, call: Call) -> Read[T]:
        await self.endpoint.breaker.wait()
        try:
            return await self._try(attempt, call)
        except ModelError as error:
            second = self.endpoint.second(attempt, error)
            # An answer whose error adjusts the request or only asks for a pause is not useless.
            passing = second is not None and (isinstance(error, Rejected) or getattr(error, "wait", None) is not None)
            if passing:
                self._useless.clear()
            if second is None or not await self.endpoint.pause(error, self.account):
                return await self.before_the_cut(error)
            first = error
            if not isinstance(error, CutOff):  # of which some entries may be complete
                self._count_useless()
        try:
            return await self._try(second, call)
        except BudgetSpent:
            return await self.before_the_cut(first)  # the first error says more than "no second attempt"
        except ModelError as error:
            return await self.before_the_cut(error)

    async def _try(self, attempt: Attempt, call: Call) -> Read[T]:
        try:
            return await self._checked_answer(attempt, call)
        except ModelError as error:
            if error.useless:
                self._useless.append(error)
            if error.text and not isinstance(error, Unusable):
                self.cuts.append(error.text)
            raise

    async def _checked_answer(self, attempt: Attempt, call: Call) -> Read[T]:
        """Send one request and validate its answer."""
        endpoint = self.endpoint
        charge = await endpoint.open(attempt, self.account)
        start = asyncio.get_running_loop().time()
        with charge.settled():
            reply = await self.words(endpoint, attempt, charge, self.account)
        seconds = asyncio.get_running_loop().time() - start
        endpoint.turns.answered(call)
        endpoint.check(attempt, reply)
        read = await self._read(attempt, reply.text)
        endpoint.fitted(attempt)
        endpoint.turns.used(seconds, charge.usage.output_tokens)
        return read

    async def _read(self, attempt: Attempt, text: str) -> Read[T]:
        who = self.endpoint.who
        try:
            read = await asyncio.to_thread(
                read_answer, text, self.shape, partly=self.about is not None, links=self.links
            )
        except Misfit as misfit:
            if misfit.schema_ignored and attempt.dialect.schema:
                self.endpoint.dialect = replace(self.endpoint.dialect, schema=False)
            why = misfit.complaint.rstrip(".")
            raise Unusable(
                f"{who} did not answer in the form asked for ({why}); {ANOTHER}.", text, misfit.complaint
            ) from None
        if self.about and (complaint := self.about.complaint(read.answer)):
            raise Unusable(f"{who} did not answer on what it was asked about; {ANOTHER}.", text, complaint)
        return read

    async def before_the_cut(self, error: ModelError | BudgetSpent) -> Read[T]:
        """Return the complete part of the last truncated answer. Raises `error` if there is none, or if an incomplete
        list would look complete."""
        for cut in reversed(self.cuts):
            if self.about is None:
                break
            with suppress(Misfit):
                read = await asyncio.to_thread(read_answer, cut, self.shape, partly=True, cut=True, links=self.links)
                if not self.about.complaint(read.answer):
                    self.endpoint.breaker.useful()
                    return read
        self._count_useless()
        raise error from None

    def _count_useless(self) -> None:
        for error in self._useless:
            self.endpoint.breaker.useless(error)
        self._useless.clear()
