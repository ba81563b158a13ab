"""One model at one endpoint, as all questions to it know it: its name, its capabilities, its limits, its price.

Limits are learned: how long a prompt it cannot read, and how much more room than asked for its answers take.
"""

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from typing import Any

from agents.llm.answers.replies import Reply
from agents.llm.budget import Account, Budget, BudgetSpent, Charge
from agents.llm.capabilities import Attempt, Capabilities
from agents.llm.circuit_breaker import LONGEST_WAIT, CircuitBreaker
from agents.llm.client import ModelClient
from agents.llm.config import ModelConfig
from agents.llm.errors import (
    CutOff,
    ModelError,
    NoSuchModel,
    Refused,
    Rejected,
    SlowedDown,
    TooLong,
    TooSlow,
    Unusable,
)
from agents.llm.prompt import Prompt, in_words
from agents.llm.turns import Turns
from agents.llm.usage import Usage, estimated_tokens
from connectors.records.clean import clean_text

TEXT_CAP = 400_000
"""Characters of an answer; more was never asked for."""

MOST_EXTRA = 16_000
"""Tokens that an answer may take beyond what was planned for it: models that think first need them."""
SHORTEST = 1_500
"""Who cannot read a prompt of so many tokens is of no use, and is asked nothing more."""
THINKING = 4
"""So many times the room is given to an answer that was cut while the model thought; else twice."""

_ANOTHER = "another model may do better (SPAR_MODEL)"


class Endpoint:
    """What is known of a model, and learned with every request. `name` is "" until an unnamed one is known."""

    def __init__(self, access: ModelConfig, dialect: Capabilities) -> None:
        self.name = access.known_name or ""
        self.access = access
        self.dialect = dialect
        self.client = ModelClient(access)
        self.breaker = CircuitBreaker()
        self.turns = Turns(access.concurrency, lambda: self.breaker.doubtful)
        self.extra = 0
        """Tokens of room that answers were seen to need beyond what was planned."""
        self._too_long: tuple[int, TooLong] | None = None
        self._naming = asyncio.Lock()

    @property
    def who(self) -> str:
        """How sentences about it begin."""
        return f"The model {clean_text(self.name, 100)} at {self.access.host}".replace("model  at", "endpoint at")

    @asynccontextmanager
    async def turn(self, account: Account) -> AsyncIterator[None]:
        """One of the places for requests under way; failures inside carry what `account` has spent."""
        left = account.budget.seconds_left
        async with AsyncExitStack() as place:
            try:
                async with asyncio.timeout(left if left < float("inf") else None):
                    await place.enter_async_context(self.turns.turn())
            except TimeoutError:
                raise self.too_slow(account.budget, "did not answer in time") from None
            try:
                yield
            except (ModelError, BudgetSpent) as error:
                error.usage = account.spent
                raise

    async def named(self) -> str:
        """The model's name; the endpoint is asked where the person gave none. Raises `ModelError`."""
        async with self._naming:
            if not self.name:
                await self.breaker.wait()
                try:
                    self.name = await self._only_model()
                except ModelError as error:
                    self.breaker.failed(error)
                    raise
        return self.name

    async def open(self, attempt: Attempt, account: Account) -> Charge:
        """The right to send one request, paid for. Raises `ModelError` or `BudgetSpent`."""
        await self.breaker.wait()
        worst = self._worst(attempt)
        if self._too_long is not None and worst.input_tokens >= self._too_long[0]:
            raise TooLong(self._too_long[1].sentence)
        return await account.open(worst)

    def attempt(self, prompt: Prompt, schema: dict[str, Any] | None) -> Attempt:
        """The first request for an answer to `prompt`, with the room that answers are known to need."""
        return Attempt(prompt, schema, self.dialect, prompt.max_tokens + self.extra)

    def failed(self, attempt: Attempt, error: ModelError, charge: Charge) -> None:
        """Learn from a request that failed, and take back what it cannot have cost."""
        self.breaker.failed(error)
        if not error.billed:
            charge.usage = Usage(0, 0, 0, self.access.usd(0, 0))
        if isinstance(error, TooLong) and attempt.max_tokens == attempt.prompt.max_tokens:
            length = self._worst(attempt).input_tokens
            if self._too_long is None or length < self._too_long[0]:
                self._too_long = length if length > SHORTEST else 0, error
        if isinstance(error, SlowedDown):
            self.turns.fewer()

    def cost(self, attempt: Attempt, reply: Reply) -> Usage:
        """What a request cost, by the endpoint's count of tokens and its own price, or by ours."""
        counted = reply.input_tokens is not None and reply.output_tokens is not None
        read = self._worst(attempt).input_tokens if reply.input_tokens is None else reply.input_tokens
        written = estimated_tokens(reply.text) if reply.output_tokens is None else reply.output_tokens
        usd = self.access.usd(read, written) if reply.usd is None else reply.usd
        return Usage(1, read, written, usd, 0, not counted, reply.usd is None and bool(usd))

    def fitted(self, attempt: Attempt) -> None:
        """Learn from an answer that had room enough."""
        self.breaker.useful()
        if attempt.max_tokens > attempt.prompt.max_tokens + self.extra:
            self.extra = min(attempt.max_tokens - attempt.prompt.max_tokens, MOST_EXTRA)

    def second(self, attempt: Attempt, error: ModelError) -> Attempt | None:
        """How to ask again after `error`; None where that is useless."""
        match error:
            case Rejected():
                spoken = attempt.dialect.without(error.complaint)
                self.dialect = self.dialect.without(error.complaint)
                return replace(attempt, dialect=spoken) if spoken != attempt.dialect else None
            case CutOff():
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

    async def pause(self, error: ModelError, account: Account) -> bool:
        """Wait before asking again as `error` wants it; False where that takes too long."""
        if not error.may_pass:
            return True
        wait = error.wait if isinstance(error, SlowedDown) else None
        seconds = random.uniform(0.2, 1.0) if wait is None else wait
        if seconds > min(LONGEST_WAIT, self.access.seconds, account.budget.seconds_left):
            return False
        await asyncio.sleep(seconds)
        return True

    def check(self, attempt: Attempt, reply: Reply) -> None:
        """Raise the `ModelError` of an answer that was refused, cut off, empty or endless."""
        text = reply.text
        if reply.refusal or reply.finish == "content_filter":
            quote = clean_text(reply.refusal, 200)
            said = f": “{quote}”" if quote else " (a content filter)"
            raise Refused(f"{self.who} refuses to answer this{said}; {_ANOTHER}.")
        if reply.finish == "length":
            spent = ", most of which went into thinking" if reply.thought and not text.strip() else ""
            came = attempt.max_tokens if reply.output_tokens is None else reply.output_tokens
            what = f"{self.who} did not finish its answer, which was cut after {came:,} tokens{spent}; {_ANOTHER}."
            raise CutOff(what, text, reply.thought)
        if not text.strip():
            raise Unusable(f"{self.who} answered with nothing; {_ANOTHER}.", complaint="it was empty.")
        if len(text) > TEXT_CAP:
            raise Unusable(f"{self.who} answered with far more text than asked for.", complaint="it was too long.")

    def too_slow(self, budget: Budget, what: str) -> ModelError | BudgetSpent:
        """The error of a passed deadline: the run's, or the model's own, which is learned from."""
        if budget.seconds is not None and budget.seconds_left <= 0:
            return budget.time_is_over()
        error = TooSlow(
            f"{self.who} {what} ({self.access.seconds:g} s); try again later, or set a higher model_seconds."
        )
        self.breaker.failed(error)
        self.turns.fewer()
        return error

    def _worst(self, attempt: Attempt) -> Usage:
        """The most that `attempt` can cost."""
        read = sum(estimated_tokens(message["content"]) for message in attempt.messages)
        if attempt.schema is not None and attempt.dialect.schema:
            read += estimated_tokens(in_words(attempt.schema))
        usd = self.access.usd(read, attempt.max_tokens)
        return Usage(1, read, attempt.max_tokens, usd, 0, True, bool(usd))

    async def _only_model(self) -> str:
        """The name of the one model that answers there. Raises `NoSuchModel` where there is none or a choice."""
        try:
            async with asyncio.timeout(self.access.seconds):
                names = await self.client.models(self.who)
        except TimeoutError:
            raise TooSlow(f"{self.who} did not tell its models in time; name one with SPAR_MODEL.") from None
        talking = [name for name in names if "embed" not in name.lower()]
        if len(talking) == 1:
            return talking[0]
        shown = ", ".join(clean_text(name, 80) for name in talking[:5]) + (", …" if len(talking) > 5 else "")
        raise NoSuchModel(
            f"{self.access.host} offers {len(talking) or 'no'} models{f' ({shown})' if shown else ''}; "
            "name the one to use with SPAR_MODEL or `spar config set model NAME`."
        )
