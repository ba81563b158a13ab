"""The language model: a prompt in, a checked answer or one clear sentence out.

At most two requests per question, both paid for before they are sent. What an endpoint cannot do is learned once.
Good answers are remembered; the same question again costs nothing.
"""

import asyncio
import json
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing, suppress
from datetime import datetime
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from agents.llm import streaming, structured
from agents.llm.budget import Account, Budget, BudgetSpent
from agents.llm.config import ModelConfig
from agents.llm.endpoint import PATIENCE, Endpoint
from agents.llm.errors import ModelError, TooSlow
from agents.llm.prompt import About, Capabilities, ModelAnswer, Prompt, schema_of
from agents.llm.usage import Usage, estimated_tokens
from cache import reply_cache
from cache.errors import CacheError
from cache.reply_cache import Asked
from cache.store import Store
from cache.timestamps import utc_now

BATCH = 64
"""Texts in one request."""


class Embeddings:
    """The model that makes vectors at an endpoint. `space` names what it makes: only vectors of one space are alike."""

    local = False

    def __init__(self, endpoint: Endpoint) -> None:
        assert endpoint.access.embedding
        self._endpoint, self._model = endpoint, endpoint.access.embedding
        self.space = f"{endpoint.access.host} {self._model}"

    @property
    def free(self) -> bool:
        """Whether it costs nothing, by the price that the person set."""
        return self._endpoint.access.input_price == 0

    @property
    def label(self) -> str:
        """Who that is, as a person is told."""
        return f"{self._model} at {self._endpoint.access.host}"

    async def embed(self, texts: Sequence[str]) -> tuple[list[list[float]], Usage]:
        """The vectors of `texts`, each of length 1, in their order, and what they cost. Raises `ModelError`."""
        vectors: list[list[float]] = []
        cost = Usage()
        for start in range(0, len(texts), BATCH):
            some = texts[start : start + BATCH]
            new_vectors, usage = await self._request(some)
            if vectors and len(new_vectors[0]) != len(vectors[0]):
                raise ModelError(f"{self._who} gave vectors of different lengths.")
            vectors += [_of_length_one(vector) for vector in new_vectors]
            cost += usage
        return vectors, cost

    @property
    def _who(self) -> str:
        return f"The model {self.label}"

    async def _request(self, texts: Sequence[str]) -> tuple[list[list[float]], Usage]:
        access = self._endpoint.access
        await self._endpoint.breaker.wait()
        try:
            async with asyncio.timeout(access.seconds):
                vectors, read = await self._endpoint.client.embed(self._who, self._model, texts)
        except TimeoutError:
            raise TooSlow(f"{self._who} did not make its vectors in time; set a higher model_seconds.") from None
        tokens = sum(map(estimated_tokens, texts)) if read is None else read
        usd = access.usd(tokens, 0)
        return vectors, Usage(1, tokens, 0, usd, 0, read is None, bool(usd))


def _of_length_one(vector: Sequence[float]) -> list[float]:
    length = sum(number * number for number in vector) ** 0.5
    return [number / length for number in vector]


__all__ = [
    "About",
    "Budget",
    "BudgetSpent",
    "Model",
    "ModelAnswer",
    "ModelConfig",
    "ModelError",
    "Prompt",
    "Usage",
    "open_model",
]

T = TypeVar("T", bound=BaseModel)
_EVERYTHING = Capabilities()


def open_model(access: ModelConfig, store: Store | None) -> "Model":
    """The model that `access` leads to; what it answers is remembered in `store`. Nothing is asked or loaded yet.

    Open it once per process and event loop: it remembers what the endpoint refuses.
    """
    return Model(access, store)


class Model:
    """A language model behind an OpenAI-compatible endpoint.

    With `fresh` no remembered answer is used, and what is answered replaces it. `dialect` is what the endpoint is
    believed to understand before it has refused anything.
    """

    def __init__(
        self,
        access: ModelConfig,
        store: Store | None = None,
        *,
        fresh: bool = False,
        dialect: Capabilities = _EVERYTHING,
        now: Callable[[], datetime] = utc_now,
    ) -> None:
        self._endpoint = Endpoint(access, dialect)
        self._replies = _Replies(store, fresh, now)

    @property
    def name(self) -> str:
        """The model's name; "" until the endpoint was asked for that of a model the person has not named."""
        return self._endpoint.name

    @property
    def dialect(self) -> Capabilities:
        """What the endpoint has shown to understand so far."""
        return self._endpoint.dialect

    def embeddings(self) -> Embeddings | None:
        """What makes vectors of texts at the same endpoint; None if the person has named no model for that."""
        return Embeddings(self._endpoint) if self._endpoint.access.embedding else None

    async def ask(
        self,
        prompt: Prompt,
        shape: type[T],
        budget: Budget,
        about: About[T] | None = None,
        heard: Callable[[str], None] | None = None,
    ) -> ModelAnswer[T]:
        """The answer to `prompt` as `shape`. Raises `ModelError`, whose `usage` was spent, or `BudgetSpent`.

        An answer that says nothing of what it is to be `about` is none. Only whole ones are remembered. `heard` is told
        the words so far whenever more of them came: unchecked, and begun anew if the model is asked again. A remembered
        answer is not heard.
        """
        schema = schema_of(prompt.name, shape)
        request = await self._asked(prompt, json.dumps(schema))
        kept = await self._replies.recall(request)
        if kept is not None and (kept_answer := _as_kept(kept, shape)) is not None:
            return ModelAnswer(kept_answer, _remembered(budget))
        account = Account(budget)
        async with self._endpoint.turn(account):
            attempt = self._endpoint.attempt(prompt, schema)
            answer, whole = await structured.ask(self._endpoint, attempt, shape, account, about, *_way(heard))
        if whole:
            await self._replies.keep(request, answer.model_dump_json())
        return ModelAnswer(answer, account.spent, whole)

    async def stream(self, prompt: Prompt, budget: Budget) -> AsyncGenerator[str | Usage, None]:
        """The answer to `prompt` as plain text, in pieces as they come, then its `Usage`.

        Raises as `ask` does; a text that broke off or was cut raises `ModelError` after what came. Read it to its
        end, or close it (`contextlib.aclosing`).
        """
        request = await self._asked(prompt, "text")
        kept = await self._replies.recall(request)
        if kept is not None:
            yield kept
            yield _remembered(budget)
            return
        account, text = Account(budget), list[str]()
        async with self._endpoint.turn(account):
            attempt = self._endpoint.attempt(prompt, None)
            async with aclosing(streaming.stream(self._endpoint, attempt, account)) as pieces:
                async for piece in pieces:
                    text.append(piece)
                    yield piece
        await self._replies.keep(request, "".join(text))
        yield account.spent

    async def close(self) -> None:
        """Close the connections."""
        await self._endpoint.client.close()

    async def _asked(self, prompt: Prompt, shape: str) -> Asked:
        """What the answer is remembered under."""
        name = self.name or await self._endpoint.named()
        text = (prompt.system, prompt.user, str(prompt.max_tokens))
        return Asked(self._endpoint.access.endpoint, name, f"{prompt.name}/{prompt.version}", text, shape)


class _Replies:
    """The answers that `store` remembers; none without one. With `fresh` it is only written.

    A library that cannot be read or written costs the memory, never the answer.
    """

    def __init__(self, store: Store | None, fresh: bool, now: Callable[[], datetime]) -> None:
        self._store = store
        self._fresh = fresh
        self._now = now

    async def recall(self, request: Asked) -> str | None:
        """The answer remembered for `request`."""
        if self._store is None or self._fresh:
            return None
        try:
            return await asyncio.to_thread(reply_cache.recall, self._store, request, self._now())
        except CacheError:
            return None

    async def keep(self, request: Asked, answer: str) -> None:
        """Remember a good answer."""
        if self._store is not None:
            # What the sources answer goes into the same library, and says why it cannot be written.
            with suppress(CacheError):
                await asyncio.to_thread(reply_cache.keep, self._store, request, answer, self._now())


def _as_kept(text: str, shape: type[T]) -> T | None:
    try:
        return shape.model_validate_json(text)
    except ValidationError:
        return None  # as good as never kept


def _way(heard: Callable[[str], None] | None) -> tuple[structured.Words, float]:
    """How the words of an answer are asked for, and how many times the usual time they may take."""
    return (structured.whole, 1.0) if heard is None else (streaming.hearing(heard), PATIENCE)


def _remembered(budget: Budget) -> Usage:
    usage = Usage(remembered=1)
    budget.note(usage)
    return usage
