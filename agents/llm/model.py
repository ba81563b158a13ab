"""The language model: takes a prompt, returns a checked answer or raises an error of one sentence.

It sends at most two requests per question and reserves their cost first. It learns once what an endpoint cannot do.
Good answers are stored, so the same question costs nothing the second time.
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
"""Number of texts per request."""


class Embeddings:
    """The embedding model of an endpoint. `space` names its vector space: only vectors of the same space are
    comparable."""

    local = False

    def __init__(self, endpoint: Endpoint) -> None:
        assert endpoint.access.embedding
        self._endpoint, self._model = endpoint, endpoint.access.embedding
        self.space = f"{endpoint.access.host} {self._model}"

    @property
    def free(self) -> bool:
        """Whether embeddings are free, by the price that the person set."""
        return self._endpoint.access.input_price == 0

    @property
    def label(self) -> str:
        """Name and host of the embedding model, for the person."""
        return f"{self._model} at {self._endpoint.access.host}"

    async def embed(self, texts: Sequence[str]) -> tuple[list[list[float]], Usage]:
        """Return the unit vectors of `texts`, in order, and their cost. Raises `ModelError`."""
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
    """Return the model that `access` describes; its answers are stored in `store`. Sends and loads nothing yet. Open
    it once per process and event loop: it remembers what the endpoint refuses."""
    return Model(access, store)


class Model:
    """A language model behind an OpenAI-compatible endpoint. With `fresh` it ignores stored answers and replaces
    them. `dialect` is the assumed capabilities of the endpoint until it refuses something."""

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
        """The model's name; "" if the person named none and the endpoint has not been asked yet."""
        return self._endpoint.name

    @property
    def dialect(self) -> Capabilities:
        """The capabilities of the endpoint, as far as known."""
        return self._endpoint.dialect

    def embeddings(self) -> Embeddings | None:
        """The embedding model at the same endpoint; None if the person has named none."""
        return Embeddings(self._endpoint) if self._endpoint.access.embedding else None

    async def ask(
        self,
        prompt: Prompt,
        shape: type[T],
        budget: Budget,
        about: About[T] | None = None,
        heard: Callable[[str], None] | None = None,
    ) -> ModelAnswer[T]:
        """Return the answer to `prompt` as `shape`. Raises `ModelError` with the cost in `usage`, or `BudgetSpent`.

        An answer that assesses no item of `about` is an error. Only complete answers are stored. `heard` is called with
        the unchecked text so far whenever it grows; a second attempt starts from empty text. Stored answers do not call
        it.
        """
        schema = schema_of(prompt.name, shape)
        request = await self._request_key(prompt, json.dumps(schema))
        kept = await self._replies.recall(request)
        if kept is not None and (kept_answer := _as_kept(kept, shape)) is not None:
            return ModelAnswer(kept_answer, _remembered(budget))
        account = Account(budget)
        async with self._endpoint.turn(account):
            attempt = self._endpoint.attempt(prompt, schema)
            answer, whole = await structured.ask(self._endpoint, attempt, shape, account, about, *_reply_reader(heard))
        if whole:
            await self._replies.keep(request, answer.model_dump_json())
        return ModelAnswer(answer, account.spent, whole)

    async def stream(self, prompt: Prompt, budget: Budget) -> AsyncGenerator[str | Usage, None]:
        """Yield the answer to `prompt` as plain text in pieces, then its `Usage`.

        Raises as `ask` does; a text that broke off or was cut raises `ModelError` after its pieces. Read the generator
        to its end, or close it (`contextlib.aclosing`).
        """
        request = await self._request_key(prompt, "text")
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

    async def _request_key(self, prompt: Prompt, shape: str) -> Asked:
        """Return the key under which the answer is stored."""
        name = self.name or await self._endpoint.named()
        text = (prompt.system, prompt.user, str(prompt.max_tokens))
        return Asked(self._endpoint.access.endpoint, name, f"{prompt.name}/{prompt.version}", text, shape)


class _Replies:
    """The answers stored in `store`; without a store it keeps none. With `fresh` it only writes. If the library
    cannot be read or written, answers are not stored, but the model still answers."""

    def __init__(self, store: Store | None, fresh: bool, now: Callable[[], datetime]) -> None:
        self._store = store
        self._fresh = fresh
        self._now = now

    async def recall(self, request: Asked) -> str | None:
        """Return the stored answer to `request`; None if there is none."""
        if self._store is None or self._fresh:
            return None
        try:
            return await asyncio.to_thread(reply_cache.recall, self._store, request, self._now())
        except CacheError:
            return None

    async def keep(self, request: Asked, answer: str) -> None:
        """Store a good answer."""
        if self._store is not None:
            # The sources' replies go into the same library and report why it cannot be written.
            with suppress(CacheError):
                await asyncio.to_thread(reply_cache.keep, self._store, request, answer, self._now())


def _as_kept(text: str, shape: type[T]) -> T | None:
    try:
        return shape.model_validate_json(text)
    except ValidationError:
        return None  # as if it had never been stored


def _reply_reader(heard: Callable[[str], None] | None) -> tuple[structured.Words, float]:
    """Return the function that requests the text of an answer, and the factor on the usual deadline."""
    return (structured.whole, 1.0) if heard is None else (streaming.hearing(heard), PATIENCE)


def _remembered(budget: Budget) -> Usage:
    usage = Usage(remembered=1)
    budget.note(usage)
    return usage
