"""One model at one endpoint: its name, its capabilities, its limits and its price. It learns two limits from
replies: the longest prompt that the model reads, and the extra tokens that its answers need."""

import asyncio
import random
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from copy import copy
from dataclasses import replace
from typing import Any

from agents.llm.answers.replies import ModelReply
from agents.llm.budget import Account, BudgetSpent, Charge
from agents.llm.client import ModelClient
from agents.llm.config import ModelConfig
from agents.llm.errors import (
    ModelDown,
    ModelError,
    ModelUnreachable,
    NoSuchModel,
    Refused,
    Rejected,
    SlowedDown,
    TooLong,
    TooSlow,
    TruncatedAnswer,
    Unusable,
)
from agents.llm.prompt import Attempt, Capabilities, Prompt, in_words
from agents.llm.usage import Usage, estimated_tokens
from connectors.http.pace import Circuit
from connectors.records.clean import clean_text

FIRST = 4
"""Parallel requests to an endpoint before anything is known of it."""
SHORT = 1.0
"""An answer within this many seconds says nothing about the load of its server."""
PATIENCE = 3
"""Factor on the usual time of an answer: for streamed text while pieces keep coming, and for long answers of slow
endpoints."""
GAIN, LOSS = 1.1, 0.5
"""Change in tokens per second, relative to the best so far, from which to allow more or fewer parallel requests."""


class PendingRequest:
    """A request under way; its answer is late after `deadline`."""

    def __init__(self, deadline: asyncio.Timeout, seconds: float) -> None:
        self.deadline, self._seconds = deadline, seconds

    def starts(self) -> None:
        """Restart the clock of this request, because the server may only begin with it now."""
        if not self.deadline.expired():
            self.deadline.reschedule(asyncio.get_running_loop().time() + self._seconds)


class RequestSlots:
    """Slots for parallel requests, at most `most`; only one while `in_doubt` returns True."""

    def __init__(self, most: int, in_doubt: Callable[[], bool]) -> None:
        self.side_by_side = min(most, FIRST)
        self._most, self._in_doubt = most, in_doubt
        self._taken = 0
        self._waiting: list[asyncio.Future[None]] = []
        self._calls: list[PendingRequest] = []
        self._most_tokens = 0.0
        self._speed = 0.0

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Hold a slot during the block; waits until one is free."""
        while self._taken >= (1 if self._in_doubt() else self.side_by_side):
            free = asyncio.get_running_loop().create_future()
            self._waiting.append(free)
            await free
        self._taken += 1
        try:
            yield
        finally:
            self._taken -= 1
            self._look_again()

    @asynccontextmanager
    async def clocked(self, seconds: float) -> AsyncIterator[PendingRequest]:
        """Raise `TimeoutError` if the block takes longer than `seconds`, which start again whenever a call sent earlier
        is answered."""
        async with asyncio.timeout(seconds) as deadline:
            call = PendingRequest(deadline, seconds)
            self._calls.append(call)
            try:
                yield call
            finally:
                self._calls.remove(call)

    def seconds_for(self, tokens: int, usual: float) -> float:
        """Return the seconds allowed for an answer of `tokens` tokens: `usual`, or more if the endpoint is slow."""
        return max(usual, min(tokens / self._speed, PATIENCE * usual)) if self._speed else usual

    def answered(self, call: PendingRequest) -> None:
        """Note that `call` was answered: the server can begin with the calls sent after it."""
        for later in self._calls[self._calls.index(call) + 1 :]:
            later.starts()

    def used(self, seconds: float, tokens: int) -> None:
        """Adjust the number of slots after a usable answer of `tokens` tokens in `seconds` seconds."""
        self._look_again()  # `in_doubt` may have changed as well
        self._speed = max(self._speed, tokens / max(seconds, 0.001))
        if self._taken < self.side_by_side:
            return  # fewer requests than slots: no evidence for more slots
        rate = self._taken * tokens / seconds if seconds > SHORT else float("inf")
        if rate < self._most_tokens * LOSS:
            self.fewer()
            return
        if rate > self._most_tokens * GAIN:
            self.side_by_side = min(self.side_by_side + 1, self._most)
        if seconds > SHORT:
            self._most_tokens = max(rate, self._most_tokens)

    def fewer(self) -> None:
        """Allow one parallel request fewer, because the server is overloaded, and measure its speed anew."""
        self.side_by_side, self._most_tokens = max(self.side_by_side - 1, 1), 0.0

    def _look_again(self) -> None:
        """Wake all waiting tasks, first in, first out; those without a free slot wait again."""
        waiting, self._waiting = self._waiting, []
        for free in waiting:
            if not free.done():
                free.set_result(None)


LONGEST_WAIT = 20.0
"""Longest Retry-After, in seconds, that is waited for; a longer one is a failure."""
FAILURES = 4
REST = 60.0
"""Seconds without requests after several failures in a row."""
LONG_REST = 900.0
"""Seconds without requests after several useless answers in a row: servers recover, models do not change."""


class CircuitBreaker:
    """Whether, and until when on the running loop's clock, all tasks of a process stop asking the endpoint."""

    def __init__(self) -> None:
        self._circuit: Circuit[ModelError] = Circuit()
        self._answers: Circuit[ModelError] = Circuit()
        self._rested = False

    @property
    def doubtful(self) -> bool:
        """Whether the last answer was useless or the last request failed."""
        return bool(self._circuit.failures or self._answers.failures or self._rested)

    async def wait(self) -> None:
        """Wait until a request may be sent. Raises the last error at once if asking would only repeat it."""
        now = asyncio.get_running_loop().time()
        for circuit in (self._answers, self._circuit):
            if circuit.reason is None or not circuit.is_open(now):
                continue
            wait = circuit.reason.wait if isinstance(circuit.reason, SlowedDown) else None
            if circuit is self._answers or wait is None or wait > LONGEST_WAIT:
                again = copy(circuit.reason)
                again.usage, again.unasked = Usage(), circuit is self._answers
                raise again
            await asyncio.sleep(circuit.open_until - now)

    def succeeded(self) -> None:
        """Record that the endpoint answered, whether or not the answer is usable."""
        self._circuit = self._circuit.succeeded()

    def useful(self) -> None:
        """Record a usable answer."""
        self._answers, self._rested = self._answers.succeeded(), False

    def useless(self, error: ModelError) -> None:
        """Record a useless answer. Right after a long pause, one is enough to pause again."""
        limit = 1 if self._rested else FAILURES
        now = asyncio.get_running_loop().time()
        if self._answers.is_open(now):
            return  # this request was sent before the pause
        self._answers = self._answers.failed(error, now, limit=limit, rest=LONG_REST)
        self._rested = self._rested or self._answers.is_open(now)

    def failed(self, error: ModelError) -> None:
        """Record a failed request."""
        now = asyncio.get_running_loop().time()
        if error.final:
            self._circuit = self._circuit.opened(error, float("inf"))
        elif isinstance(error, SlowedDown) and error.wait is not None:
            self._circuit = self._circuit.opened(error, now + error.wait)
        elif isinstance(error, ModelUnreachable | TooSlow | ModelDown):
            self._circuit = self._circuit.failed(error, now, limit=FAILURES, rest=REST)


TEXT_CAP = 400_000
"""Maximum length of an answer, in characters; no prompt asks for more."""

MOST_EXTRA = 16_000
"""Maximum number of tokens beyond an answer's planned length; reasoning models need them."""
SHORTEST = 500
"""An endpoint that cannot read a prompt of this many tokens is useless and is asked nothing more."""
THINKING = 4
"""Factor on the tokens for an answer that was cut while the model reasoned; otherwise 2."""

ANOTHER = "another model may do better (SPAR_MODEL)"


class Endpoint:
    """What is known of a model, and learned with every request. `name` is "" until the endpoint has named its model."""

    def __init__(self, access: ModelConfig, dialect: Capabilities) -> None:
        self.name = access.known_name or ""
        self.access = access
        self.dialect = dialect
        self.client = ModelClient(access)
        self.breaker = CircuitBreaker()
        self.turns = RequestSlots(access.concurrency, lambda: self.breaker.doubtful)
        self.extra = 0
        """Tokens that answers have needed beyond their planned length."""
        self._too_long: tuple[int, TooLong] | None = None
        self._naming = asyncio.Lock()

    @property
    def who(self) -> str:
        """The subject of sentences about the endpoint."""
        return f"The model {clean_text(self.name, 100)} at {self.access.host}".replace("model  at", "endpoint at")

    @asynccontextmanager
    async def turn(self, account: Account) -> AsyncIterator[None]:
        """Hold a slot for a request during the block. Errors raised inside carry the `usage` of `account`."""
        async with self.turns.turn():
            try:
                yield
            except (ModelError, BudgetSpent) as error:
                error.usage = account.spent
                raise

    async def named(self) -> str:
        """Return the model's name; ask the endpoint if the person gave none. Raises `ModelError`."""
        async with self._naming:
            if not self.name:
                await self.breaker.wait()
                try:
                    self.name = await self._only_model()
                except ModelError as error:
                    self.breaker.failed(error)
                    raise
        return self.name

    @asynccontextmanager
    async def charge(self, attempt: Attempt, account: Account) -> AsyncIterator[Charge]:
        """Reserve the cost of one request, which is sent in the block. Raises `ModelError` or `BudgetSpent`."""
        await self.breaker.wait()
        worst = self._worst(attempt)
        if self._too_long is not None and worst.input_tokens >= self._too_long[0]:
            raise TooLong(self._too_long[1].sentence)
        async with account.charge(worst) as charge:
            yield charge

    def attempt(self, prompt: Prompt, schema: dict[str, Any] | None) -> Attempt:
        """Return the first request for an answer to `prompt`, with the extra tokens that answers are known to need."""
        return Attempt(prompt, schema, self.dialect, prompt.max_tokens + self.extra)

    def failed(self, attempt: Attempt, error: ModelError, charge: Charge) -> None:
        """Learn from a failed request, and refund it if it was not billed."""
        self.breaker.failed(error)
        if not error.billed:
            charge.usage = Usage(0, 0, 0, self.access.usd(0, 0))
        if isinstance(error, TooLong) and attempt.max_tokens == attempt.prompt.max_tokens:
            length = self._worst(attempt).input_tokens
            if self._too_long is None or length < self._too_long[0]:
                self._too_long = length if length > SHORTEST else 0, error
        if isinstance(error, SlowedDown):
            self.turns.fewer()

    def cost(self, attempt: Attempt, reply: ModelReply) -> Usage:
        """Return the cost of a request: tokens and price as the endpoint reports them, else estimated."""
        has_counts = reply.input_tokens is not None and reply.output_tokens is not None
        input_tokens = self._worst(attempt).input_tokens if reply.input_tokens is None else reply.input_tokens
        output_tokens = estimated_tokens(reply.text) if reply.output_tokens is None else reply.output_tokens
        usd = self.access.usd(input_tokens, output_tokens) if reply.usd is None else reply.usd
        return Usage(1, input_tokens, output_tokens, usd, 0, not has_counts, reply.usd is None and bool(usd))

    def fitted(self, attempt: Attempt) -> None:
        """Learn the extra tokens that a complete answer had."""
        self.breaker.useful()
        if attempt.max_tokens > attempt.prompt.max_tokens + self.extra:
            self.extra = min(attempt.max_tokens - attempt.prompt.max_tokens, MOST_EXTRA)

    def second(self, attempt: Attempt, error: ModelError) -> Attempt | None:
        """Return the second request after `error`; None if it would be useless."""
        match error:
            case Rejected():
                dialect = attempt.dialect.without(error.complaint)
                self.dialect = self.dialect.without(error.complaint)
                return replace(attempt, dialect=dialect) if dialect != attempt.dialect else None
            case TruncatedAnswer():
                most = attempt.prompt.max_tokens + MOST_EXTRA
                more = max(min(attempt.max_tokens * (THINKING if error.thought else 2), most), attempt.max_tokens)
                if error.thought:
                    self.extra = max(self.extra, more - attempt.prompt.max_tokens)
                return replace(attempt, max_tokens=more) if more > attempt.max_tokens else None
            case TooLong() if attempt.max_tokens > attempt.prompt.max_tokens:
                self.extra = 0
                return replace(attempt, max_tokens=attempt.prompt.max_tokens)
            case Unusable() if error.complaint:
                return replace(attempt, dialect=self.dialect, answered=error.text, complaint=error.complaint)
        return attempt if error.may_pass else None

    async def pause(self, error: ModelError) -> bool:
        """Wait before the second request as long as `error` requires. Return False if that takes too long."""
        if not error.may_pass:
            return True
        wait = error.wait if isinstance(error, SlowedDown) else None
        seconds = random.uniform(0.2, 1.0) if wait is None else wait
        if seconds > min(LONGEST_WAIT, self.access.seconds):
            return False
        await asyncio.sleep(seconds)
        return True

    def check(self, attempt: Attempt, reply: ModelReply) -> None:
        """Raise `ModelError` if the answer was refused, cut off, empty or endless."""
        text = reply.text
        if reply.refusal or reply.finish == "content_filter":
            quote = clean_text(reply.refusal, 200)
            reason = f": “{quote}”" if quote else " (a content filter)"
            raise Refused(f"{self.who} refuses to answer this{reason}; {ANOTHER}.")
        if reply.finish == "length":
            spent = ", most of which went into thinking" if reply.thought and not text.strip() else ""
            length = attempt.max_tokens if reply.output_tokens is None else reply.output_tokens
            sentence = f"{self.who} did not finish its answer, which was cut after {length:,} tokens{spent}; {ANOTHER}."
            raise TruncatedAnswer(sentence, text, reply.thought)
        if not text.strip():
            raise Unusable(f"{self.who} answered with nothing; {ANOTHER}.", complaint="it was empty.")
        if len(text) > TEXT_CAP:
            raise Unusable(f"{self.who} answered with far more text than asked for.", complaint="it was too long.")

    def too_slow(self, what: str, seconds: float | None = None) -> TooSlow:
        """Record a passed deadline as a failure, and return its error."""
        error = TooSlow(
            f"{self.who} {what} ({seconds or self.access.seconds:g} s); try again later, or set a higher model_seconds."
        )
        self.breaker.failed(error)
        self.turns.fewer()
        return error

    def _worst(self, attempt: Attempt) -> Usage:
        """Return the highest cost of `attempt`."""
        read = sum(estimated_tokens(message["content"]) for message in attempt.messages)
        if attempt.schema is not None and attempt.dialect.schema:
            read += estimated_tokens(in_words(attempt.schema))
        usd = self.access.usd(read, attempt.max_tokens)
        return Usage(1, read, attempt.max_tokens, usd, 0, True, bool(usd))

    async def _only_model(self) -> str:
        """Return the name of the endpoint's only chat model. Raises `NoSuchModel` if there is none or more than one."""
        try:
            async with asyncio.timeout(self.access.seconds):
                names = await self.client.models(self.who)
        except TimeoutError:
            raise TooSlow(f"{self.who} did not list its models in time; name one with SPAR_MODEL.") from None
        talking = [name for name in names if "embed" not in name.lower()]
        if len(talking) == 1:
            return talking[0]
        sample = ", ".join(clean_text(name, 80) for name in talking[:5]) + (", …" if len(talking) > 5 else "")
        raise NoSuchModel(
            f"{self.access.host} offers {len(talking) or 'no'} models{f' ({sample})' if sample else ''}; "
            "name the one to use with SPAR_MODEL or `spar config set model NAME`."
        )
