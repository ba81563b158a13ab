"""Streamed answers: the raw pieces of an endpoint, and the text in them that a person may see."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing

from agents.llm.answers.replies import LONGEST_TAG, Reply, ending, ends, next_tag, unfinished_tag, without_thoughts
from agents.llm.budget import Account, Budget, Charge
from agents.llm.endpoint import PATIENCE, TEXT_CAP, Endpoint
from agents.llm.errors import CutOff, ModelDown, ModelError, Unusable
from agents.llm.prompt import Attempt
from connectors.records.visible import COMBINING_CAP, visible


async def stream(endpoint: Endpoint, attempt: Attempt, account: Account) -> AsyncGenerator[str, None]:
    """Yield the pieces of the answer; ask a second time only if the first attempt yielded none. Raises `ModelError`
    or `BudgetSpent`, possibly after some pieces: then the text is incomplete."""
    await endpoint.breaker.wait()
    for last in (False, True):
        charge = await endpoint.open(attempt, account)
        came = False
        try:
            with charge.settled():
                async with aclosing(_streamed(endpoint, attempt, charge, account)) as pieces:
                    async for piece in pieces:
                        came = True
                        yield piece
            return
        except ModelError as error:
            second = None if came or last or isinstance(error, Unusable | CutOff) else endpoint.second(attempt, error)
            if second is None or not await endpoint.pause(error, account):
                raise
            attempt = second


async def _streamed(
    endpoint: Endpoint, attempt: Attempt, charge: Charge, account: Account
) -> AsyncGenerator[str, None]:
    thinking, whole = ThinkingFilter(), Reply("", finish="")
    async with aclosing(_growing(endpoint, attempt, charge, account)) as replies:
        async for reply in replies:
            if shown := thinking.feed(reply.text[len(whole.text) :]):
                yield shown
            whole = reply
    if shown := thinking.ended():
        yield shown
    endpoint.check(attempt, whole)
    _check_end(endpoint, whole)


def hearing(heard: Callable[[str], None]) -> Callable[[Endpoint, Attempt, Charge, Account], Awaitable[Reply]]:
    """Return a function that streams an answer and calls `heard` with the unchecked text so far whenever it grows. A
    second attempt starts from empty text."""

    async def words(endpoint: Endpoint, attempt: Attempt, charge: Charge, account: Account) -> Reply:
        whole = Reply("", finish="")
        try:
            async with aclosing(_growing(endpoint, attempt, charge, account)) as replies:
                async for reply in replies:
                    if reply.text != whole.text:
                        heard(reply.text)
                    whole = reply
            if whole.text.strip():  # an empty text is no answer, not a truncated one
                _check_end(endpoint, whole)
        except ModelError as error:
            error.text = whole.text
            raise
        return whole

    return words


async def _growing(
    endpoint: Endpoint, attempt: Attempt, charge: Charge, account: Account
) -> AsyncGenerator[Reply, None]:
    """Yield the growing reply to one request, unchecked; an endpoint that does not stream yields it once. Raises
    `ModelError` or `BudgetSpent`, possibly after some replies: then the answer is incomplete."""
    whole = Reply("", finish="")
    end = asyncio.get_running_loop().time() + min(endpoint.access.seconds * PATIENCE, account.budget.seconds_left)
    async with aclosing(_replies(endpoint, attempt)) as replies:
        try:
            while (reply := await _next(endpoint, replies, end, account.budget)) is not None:
                whole = _joined(whole, reply)
                yield whole
                if len(whole.text) > TEXT_CAP:
                    break
        except ModelError as error:
            endpoint.failed(attempt, error, charge)
            raise
    charge.usage = endpoint.cost(attempt, whole)
    endpoint.breaker.succeeded()


async def _replies(endpoint: Endpoint, attempt: Attempt) -> AsyncGenerator[Reply, None]:
    parameters = attempt.parameters(endpoint.name)
    if not attempt.dialect.stream:
        yield await endpoint.client.ask(endpoint.who, parameters)
        return
    if attempt.dialect.stream_usage:
        parameters["stream_options"] = {"include_usage": True}
    async with aclosing(endpoint.client.stream(endpoint.who, parameters)) as replies:
        async for reply in replies:
            yield reply


def _check_end(endpoint: Endpoint, whole: Reply) -> None:
    if not whole.finish:
        raise ModelDown(f"{endpoint.who} broke off in the middle of its answer; try again later.")


async def _next(endpoint: Endpoint, replies: AsyncGenerator[Reply, None], end: float, budget: Budget) -> Reply | None:
    """Return the next piece; None at the end. Raises `ModelError` or `BudgetSpent`."""
    patience = min(endpoint.access.seconds, end - asyncio.get_running_loop().time())
    try:
        async with asyncio.timeout(max(patience, 0.0)):
            return await anext(replies, None)
    except TimeoutError:
        raise endpoint.too_slow(budget, "stopped in the middle of its answer") from None


def _joined(so_far: Reply, piece: Reply) -> Reply:
    return Reply(
        so_far.text + piece.text,
        piece.finish or so_far.finish,
        so_far.refusal + piece.refusal,
        so_far.input_tokens if piece.input_tokens is None else piece.input_tokens,
        so_far.output_tokens if piece.output_tokens is None else piece.output_tokens,
        so_far.usd if piece.usd is None else piece.usd,
        so_far.thought or piece.thought,
    )


class ThinkingFilter:
    """Filters raw pieces into the text that a person may see, keeping line breaks. It drops the model's reasoning
    and control characters, however the text is split into pieces."""

    def __init__(self) -> None:
        self._held = ""  # end of the text so far, possibly the beginning of a tag
        self._thinks = False
        self._tail = ""

    def feed(self, piece: str) -> str:
        """Return the visible text that `piece` adds."""
        return self._seen(self._spoken(piece))

    def ended(self) -> str:
        """Return the visible text held back at the end; an unclosed thought is dropped."""
        return self._seen("" if self._thinks else without_thoughts(self._held))

    def _spoken(self, piece: str) -> str:
        self._held += piece
        text = ""
        while True:
            if self._thinks:
                if (end := ending(self._held)) is None:
                    self._held = self._held[-LONGEST_TAG:]  # it may contain the beginning of the tag
                    return text
                self._held, self._thinks = self._held[end.end() :], False
            elif tag := next_tag(self._held):
                text = "" if ends(tag) else text + self._held[: tag.start()]  # before a closing tag: a thought
                self._held, self._thinks = self._held[tag.end() :], not ends(tag)
            else:
                position = unfinished_tag(self._held)
                text, self._held = text + self._held[:position], self._held[position:]
                return text

    def _seen(self, piece: str) -> str:
        if not self._tail:
            piece = piece.lstrip()
        # Combining marks are counted per letter, so the filter needs the letter before the piece.
        shown = "\n".join(visible(line) for line in (self._tail + piece).replace("\r\n", "\n").split("\n"))
        shown = shown[len(self._tail) :]
        self._tail = (self._tail + shown)[-COMBINING_CAP:]
        return shown
