"""One model at one endpoint, as all questions to it know it: its name, its capabilities, its limits, its price."""

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

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
    TooSlow,
    Unusable,
)
from agents.llm.prompt import in_words
from agents.llm.usage import Usage, estimated_tokens
from connectors.records.clean import clean_text

TEXT_CAP = 400_000
"""Characters of an answer; more was never asked for."""


class Endpoint:
    """What is known of a model, and learned with every request. `name` is "" until an unnamed one is known."""

    def __init__(self, access: ModelConfig, dialect: Capabilities) -> None:
        self.name = access.known_name or ""
        self.access = access
        self.dialect = dialect
        self.client = ModelClient(access)
        self.breaker = CircuitBreaker()
        self._turns = asyncio.Semaphore(access.concurrency)
        self._naming = asyncio.Lock()

    @property
    def who(self) -> str:
        """How sentences about it begin."""
        return f"The model {clean_text(self.name, 100)} at {self.access.host}".replace("model  at", "endpoint at")

    @asynccontextmanager
    async def turn(self, account: Account) -> AsyncIterator[None]:
        """One of the places for requests under way; failures inside carry what `account` has spent."""
        left = account.budget.seconds_left
        try:
            async with asyncio.timeout(left if left < float("inf") else None):
                await self._turns.acquire()
        except TimeoutError:
            raise self.too_slow(account.budget, "did not answer in time") from None
        try:
            yield
        except (ModelError, BudgetSpent) as error:
            error.usage = account.spent
            raise
        finally:
            self._turns.release()

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
        return await account.open(self._worst(attempt))

    def failed(self, error: ModelError, charge: Charge) -> None:
        """Learn from a request that failed, and take back what it cannot have cost."""
        self.breaker.failed(error)
        if not error.billed:
            charge.usage = Usage(1, 0, 0, self.access.usd(0, 0))

    def cost(self, attempt: Attempt, read: int | None, written: int | None, text: str) -> Usage:
        """What a request cost, by the endpoint's count of tokens or by ours."""
        read = self._worst(attempt).input_tokens if read is None else read
        written = estimated_tokens(text) if written is None else written
        return Usage(1, read, written, self.access.usd(read, written))

    def second(self, attempt: Attempt, error: ModelError) -> Attempt | None:
        """How to ask again after `error`; None where that is useless."""
        match error:
            case Rejected():
                spoken = attempt.dialect.without(error.complaint)
                self.dialect = self.dialect.without(error.complaint)
                return replace(attempt, dialect=spoken) if spoken != attempt.dialect else None
            case CutOff():
                return replace(attempt, max_tokens=attempt.max_tokens * 2)
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

    def check(self, attempt: Attempt, text: str, finish: str, refusal: str) -> None:
        """Raise the `ModelError` of an answer that was refused, cut off, empty or endless."""
        if refusal or finish == "content_filter":
            quote = clean_text(refusal, 200)
            raise Refused(f"{self.who} refuses to answer this" + (f": “{quote}”." if quote else " (a content filter)."))
        if finish == "length":
            raise CutOff(f"{self.who} did not finish its answer within {attempt.max_tokens} tokens; ask for less.")
        if not text.strip():
            raise Unusable(f"{self.who} answered with nothing.", complaint="it was empty.")
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
        return error

    def _worst(self, attempt: Attempt) -> Usage:
        """The most that `attempt` can cost."""
        read = sum(estimated_tokens(message["content"]) for message in attempt.messages)
        if attempt.schema is not None and attempt.dialect.schema:
            read += estimated_tokens(in_words(attempt.schema))
        return Usage(1, read, attempt.max_tokens, self.access.usd(read, attempt.max_tokens))

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
