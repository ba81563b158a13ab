"""An answer piece by piece: as the endpoint sends it, and as plain text that a person may see."""

import asyncio
import re
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing

from agents.llm.budget import Account, Budget, Charge
from agents.llm.capabilities import Attempt
from agents.llm.endpoint import TEXT_CAP, Endpoint
from agents.llm.errors import CutOff, ModelDown, ModelError, Unusable
from agents.llm.replies import Reply
from connectors.records.clean import COMBINING_CAP, visible

PATIENCE = 3
"""A text may take so many times as long as an answer, while its pieces keep coming."""
_OPENINGS = ("<think>", "<thinking>", "<thought>", "<reasoning>")


async def stream(endpoint: Endpoint, attempt: Attempt, account: Account) -> AsyncGenerator[str, None]:
    """The pieces of the answer; asked for a second time only while none has come.

    Raises `ModelError` or `BudgetSpent`, also after pieces: then they are not the whole text.
    """
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
    thinking = ThinkingFilter()
    async with aclosing(_pieces(endpoint, attempt, charge, account)) as raw:
        async for piece in raw:
            if shown := thinking.feed(piece):
                yield shown
    if shown := thinking.ended():
        yield shown


def hearing(heard: Callable[[str], None]) -> Callable[[Endpoint, Attempt, Charge, Account], Awaitable[str]]:
    """Asks for an answer piece by piece; `heard` is told its words so far, unchecked, whenever more of them came. An
    answer that is asked for again begins anew."""

    async def words(endpoint: Endpoint, attempt: Attempt, charge: Charge, account: Account) -> str:
        text = ""
        async with aclosing(_pieces(endpoint, attempt, charge, account)) as raw:
            async for piece in raw:
                text += piece
                heard(text)
        return text

    return words


async def _pieces(endpoint: Endpoint, attempt: Attempt, charge: Charge, account: Account) -> AsyncGenerator[str, None]:
    """The words of the answer to one request as they come, unchecked; all at once from an endpoint that does not
    stream. Raises `ModelError` or `BudgetSpent`, also after pieces: then they are not the whole answer."""
    whole = _Whole()
    end = asyncio.get_running_loop().time() + min(endpoint.access.seconds * PATIENCE, account.budget.seconds_left)
    async with aclosing(_replies(endpoint, attempt)) as replies:
        try:
            while (reply := await _next(endpoint, replies, end, account.budget)) is not None:
                whole.add(reply)
                if reply.text:
                    yield reply.text
                if len(whole.text) > TEXT_CAP:
                    break
        except ModelError as error:
            endpoint.failed(error, charge)
            raise
    charge.usage = endpoint.cost(attempt, whole.input_tokens, whole.output_tokens, whole.text)
    endpoint.breaker.succeeded()
    endpoint.check(attempt, whole.text, whole.finish, whole.refusal)
    if not whole.finish:
        raise ModelDown(f"{endpoint.who} broke off in the middle of its answer; try again later.")


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


class ThinkingFilter:
    """Takes raw pieces, gives what a person may see; lines stay lines.

    No thinking aloud and no control characters come through, however the pieces are cut.
    """

    def __init__(self) -> None:
        self._held: str | None = ""  # the beginning, until it is clear whether it is thinking; None afterwards
        self._closing = ""
        self._tail = ""

    def feed(self, piece: str) -> str:
        """What `piece` adds to the text."""
        return self._seen(self._spoken(piece))

    def ended(self) -> str:
        """What was held back at the end; a thought that never closed is no answer."""
        rest, self._held = ("" if self._closing else self._held or ""), None
        return self._seen(rest)

    def _spoken(self, piece: str) -> str:
        if self._held is None:
            return piece
        self._held += piece
        if not self._closing:
            start = self._held.lstrip().lower()
            opening = next((tag for tag in _OPENINGS if start.startswith(tag)), None)
            if opening is None:
                if any(tag.startswith(start) for tag in _OPENINGS):
                    return ""
                answer, self._held = self._held, None
                return answer
            self._closing = opening.replace("<", "</")
        # Only the end of the thought can hold the beginning of its closing tag.
        thought, found, answer = _split(self._held, self._closing)
        if not found:
            self._held = thought[-len(self._closing) :]
            return ""
        self._held = None
        return answer

    def _seen(self, piece: str) -> str:
        if not self._tail:
            piece = piece.lstrip()
        # Marks are counted per letter, so the letter before the piece must be known.
        shown = "\n".join(visible(line) for line in (self._tail + piece).replace("\r\n", "\n").split("\n"))
        shown = shown[len(self._tail) :]
        self._tail = (self._tail + shown)[-COMBINING_CAP:]
        return shown


def _split(text: str, tag: str) -> tuple[str, bool, str]:
    found = re.search(re.escape(tag), text, re.IGNORECASE)
    return (text[: found.start()], True, text[found.end() :]) if found else (text, False, "")
