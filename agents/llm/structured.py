"""Ask the model for an answer of a given shape: at most two requests, the second adjusted to the fault of the first."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing, suppress
from dataclasses import dataclass, field, replace
from typing import Generic, TypeVar

from pydantic import BaseModel

from agents.llm.answers.json_answers import Misfit, ParsedAnswer, read_answer
from agents.llm.answers.replies import ModelReply
from agents.llm.budget import Account, BudgetSpent, Charge
from agents.llm.endpoint import ANOTHER, PATIENCE, TEXT_CAP, Endpoint, PendingRequest
from agents.llm.errors import ModelDown, ModelError, Rejected, TruncatedAnswer, Unusable
from agents.llm.prompt import AssessedItems, Attempt

T = TypeVar("T", bound=BaseModel)


async def _reply(
    endpoint: Endpoint, attempt: Attempt, charge: Charge, heard: Callable[[str], None] | None
) -> ModelReply:
    """Send one request and return the reply; with `heard`, stream it. Raises `ModelError`."""
    so_far = ModelReply("", finish="")
    end = asyncio.get_running_loop().time() + endpoint.access.seconds * PATIENCE
    try:
        if heard is None:
            so_far = await endpoint.client.ask(endpoint.who, attempt.parameters(endpoint.name))
        else:
            async with aclosing(_pieces(endpoint, attempt)) as pieces:
                while len(so_far.text) <= TEXT_CAP and (piece := await _next(endpoint, pieces, end)) is not None:
                    so_far = _joined(so_far, piece)
                    if piece.text:
                        heard(so_far.text)
    except ModelError as error:
        endpoint.failed(attempt, error, charge)
        error.text = so_far.text
        raise
    charge.usage = endpoint.cost(attempt, so_far)
    endpoint.breaker.succeeded()
    if so_far.text.strip() and not so_far.finish:  # an empty text is no answer, not a truncated one
        broken = ModelDown(f"{endpoint.who} broke off in the middle of its answer; try again later.")
        broken.text = so_far.text
        raise broken
    return so_far


async def _pieces(endpoint: Endpoint, attempt: Attempt) -> AsyncGenerator[ModelReply, None]:
    """Yield the pieces of a reply; an endpoint that does not stream yields the whole of it."""
    parameters = attempt.parameters(endpoint.name)
    if not attempt.dialect.stream:
        yield await endpoint.client.ask(endpoint.who, parameters)
        return
    if attempt.dialect.stream_usage:
        parameters["stream_options"] = {"include_usage": True}
    async with aclosing(endpoint.client.stream(endpoint.who, parameters)) as pieces:
        async for piece in pieces:
            yield piece


async def _next(endpoint: Endpoint, pieces: AsyncGenerator[ModelReply, None], end: float) -> ModelReply | None:
    """Return the next piece; None at the end. Raises `ModelError`."""
    patience = min(endpoint.access.seconds, end - asyncio.get_running_loop().time())
    try:
        async with asyncio.timeout(max(patience, 0.0)):
            return await anext(pieces, None)
    except TimeoutError:
        raise endpoint.too_slow("stopped in the middle of its answer") from None


def _joined(so_far: ModelReply, piece: ModelReply) -> ModelReply:
    return ModelReply(
        so_far.text + piece.text,
        piece.finish or so_far.finish,
        so_far.refusal + piece.refusal,
        so_far.input_tokens if piece.input_tokens is None else piece.input_tokens,
        so_far.output_tokens if piece.output_tokens is None else piece.output_tokens,
        so_far.usd if piece.usd is None else piece.usd,
        so_far.thought or piece.thought,
    )


async def ask(
    endpoint: Endpoint,
    attempt: Attempt,
    shape: type[T],
    account: Account,
    about: AssessedItems[T] | None = None,
    heard: Callable[[str], None] | None = None,
) -> ParsedAnswer[T]:
    """Return the model's answer of `shape`. Raises `ModelError` or `BudgetSpent`. With `heard` the answer is streamed:
    `heard` is called with the unchecked text so far whenever it grows; a second attempt starts from empty text.

    One deadline covers both attempts, on the monotonic clock, so that a slowly dripping reply cannot exceed it. It is
    longer than the endpoint's for a streamed answer, and if the endpoint is slow and the answer long.
    """
    usual = endpoint.access.seconds
    patience = 1.0 if heard is None else PATIENCE
    seconds = max(patience * usual, endpoint.turns.seconds_for(attempt.max_tokens, usual))
    question = _Question(endpoint, shape, account, about, heard, links=not attempt.prompt.reads_strangers)
    try:
        async with endpoint.turns.clocked(seconds) as call:
            return await question.two_tries(attempt, call)
    except TimeoutError:
        return await question.before_the_cut(endpoint.too_slow("did not answer in time", seconds))


@dataclass(slots=True)
class _Question(Generic[T]):
    endpoint: Endpoint
    shape: type[T]
    account: Account
    about: AssessedItems[T] | None
    heard: Callable[[str], None] | None
    links: bool
    """Whether links in the answer stay active: False if the model has read texts of strangers."""
    cuts: list[str] = field(default_factory=list)
    """Text of answers that were truncated or broke off."""
    _useless: list[ModelError] = field(default_factory=list)
    """Unusable answers that the breaker has not counted yet."""

    async def two_tries(self, attempt: Attempt, call: PendingRequest) -> ParsedAnswer[T]:
        await self.endpoint.breaker.wait()
        try:
            return await self._try(attempt, call)
        except ModelError as error:
            second = self.endpoint.second(attempt, error)
            # An answer whose error adjusts the request or only asks for a pause is not useless.
            passing = second is not None and (isinstance(error, Rejected) or getattr(error, "wait", None) is not None)
            if passing:
                self._useless.clear()
            if second is None or not await self.endpoint.pause(error):
                return await self.before_the_cut(error)
            first = error
            if not isinstance(error, TruncatedAnswer):  # of which some entries may be complete
                self._count_useless()
        try:
            return await self._try(second, call)
        except BudgetSpent:
            return await self.before_the_cut(first)  # the first error says more than "no second attempt"
        except ModelError as error:
            return await self.before_the_cut(error)

    async def _try(self, attempt: Attempt, call: PendingRequest) -> ParsedAnswer[T]:
        try:
            return await self._checked_answer(attempt, call)
        except ModelError as error:
            if error.useless:
                self._useless.append(error)
            if error.text and not isinstance(error, Unusable):
                self.cuts.append(error.text)
            raise

    async def _checked_answer(self, attempt: Attempt, call: PendingRequest) -> ParsedAnswer[T]:
        """Send one request and validate its answer."""
        endpoint = self.endpoint
        async with endpoint.charge(attempt, self.account) as charge:
            start = asyncio.get_running_loop().time()
            reply = await _reply(endpoint, attempt, charge, self.heard)
        seconds = asyncio.get_running_loop().time() - start
        endpoint.turns.answered(call)
        endpoint.check(attempt, reply)
        read = await self._read(attempt, reply.text)
        endpoint.fitted(attempt)
        endpoint.turns.used(seconds, charge.usage.output_tokens)
        return read

    async def _read(self, attempt: Attempt, text: str) -> ParsedAnswer[T]:
        subject = self.endpoint.who
        try:
            read = await asyncio.to_thread(
                read_answer, text, self.shape, partly=self.about is not None, links=self.links
            )
        except Misfit as misfit:
            if misfit.schema_ignored and attempt.dialect.schema:
                self.endpoint.dialect = replace(self.endpoint.dialect, schema=False)
            why = misfit.complaint.rstrip(".")
            raise Unusable(
                f"{subject} did not answer in the form asked for ({why}); {ANOTHER}.", text, misfit.complaint
            ) from None
        if self.about and (complaint := self.about.complaint(read.answer)):
            raise Unusable(f"{subject} answered about something else; {ANOTHER}.", text, complaint)
        return read

    async def before_the_cut(self, error: ModelError | BudgetSpent) -> ParsedAnswer[T]:
        """Return the complete part of the last truncated answer. Raises `error` if there is none, or if an incomplete
        list would look complete."""
        for part in reversed(self.cuts):
            if self.about is None:
                break
            with suppress(Misfit):
                read = await asyncio.to_thread(read_answer, part, self.shape, partly=True, cut=True, links=self.links)
                if not self.about.complaint(read.answer):
                    self.endpoint.breaker.useful()
                    return read
        self._count_useless()
        raise error from None

    def _count_useless(self) -> None:
        for error in self._useless:
            self.endpoint.breaker.useless(error)
        self._useless.clear()
