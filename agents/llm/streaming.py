"""A question whose answer is plain text, told piece by piece."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing

from agents.llm.budget import Account, Budget, Charge
from agents.llm.capabilities import Attempt
from agents.llm.endpoint import TEXT_CAP, Endpoint
from agents.llm.errors import CutOff, ModelDown, ModelError, Unusable
from agents.llm.replies import Reply
from agents.llm.visible_text import ThinkingFilter

PATIENCE = 3
"""A text may take so many times as long as an answer, while its pieces keep coming."""


async def stream(endpoint: Endpoint, attempt: Attempt, account: Account) -> AsyncGenerator[str, None]:
    """The pieces of the answer; asked for a second time only while none has come.

    Raises `ModelError` or `BudgetSpent`, also after pieces: then they are not the whole text.
    """
    await endpoint.rest.over()
    for last in (False, True):
        charge = await endpoint.open(attempt, account)
        came = False
        try:
            with charge.settled():
                async with aclosing(_heard(endpoint, attempt, charge, account)) as pieces:
                    async for piece in pieces:
                        came = True
                        yield piece
            return
        except ModelError as error:
            second = None if came or last or isinstance(error, Unusable | CutOff) else endpoint.second(attempt, error)
            if second is None or not await endpoint.pause(error, account):
                raise
            attempt = second


async def _heard(endpoint: Endpoint, attempt: Attempt, charge: Charge, account: Account) -> AsyncGenerator[str, None]:
    parameters = attempt.parameters(endpoint.name)
    if attempt.dialect.stream_usage:
        parameters["stream_options"] = {"include_usage": True}
    speech, whole = ThinkingFilter(), _Whole()
    end = asyncio.get_running_loop().time() + min(endpoint.access.seconds * PATIENCE, account.budget.seconds_left)
    async with aclosing(endpoint.line.stream(endpoint.who, parameters)) as replies:
        try:
            while (reply := await _next(endpoint, replies, end, account.budget)) is not None:
                whole.add(reply)
                if shown := speech.heard(reply.text):
                    yield shown
                if len(whole.text) > TEXT_CAP:
                    break
        except ModelError as error:
            endpoint.failed(error, charge)
            raise
    if shown := speech.ended():
        yield shown
    charge.usage = endpoint.cost(attempt, whole.input_tokens, whole.output_tokens, whole.text)
    endpoint.rest.worked()
    endpoint.check(attempt, whole.text, whole.finish, whole.refusal)
    if not whole.finish:
        raise ModelDown(f"{endpoint.who} broke off in the middle of its answer; try again later.")


async def _next(endpoint: Endpoint, replies: AsyncGenerator[Reply, None], end: float, budget: Budget) -> Reply | None:
    """The next piece; None at the end. Raises `ModelError` or `BudgetSpent`."""
    patience = min(endpoint.access.seconds, end - asyncio.get_running_loop().time())
    try:
        async with asyncio.timeout(max(patience, 0.0)):
            return await anext(replies, None)
    except TimeoutError:
        raise endpoint.too_slow(budget, "stopped in the middle of its answer") from None


class _Whole:
    """A streamed answer as far as it came."""

    def __init__(self) -> None:
        self.text = ""
        self.finish = ""
        self.refusal = ""
        self.input_tokens: int | None = None
        self.output_tokens: int | None = None

    def add(self, piece: Reply) -> None:
        self.text += piece.text
        self.finish = piece.finish or self.finish
        self.refusal += piece.refusal
        self.input_tokens = piece.input_tokens if piece.input_tokens is not None else self.input_tokens
        self.output_tokens = piece.output_tokens if piece.output_tokens is not None else self.output_tokens
