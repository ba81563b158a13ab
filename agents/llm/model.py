"""The language model: takes a prompt, returns a checked answer or raises an error of one sentence.

It sends at most two requests per question and reserves their cost first. It learns once what an endpoint cannot do.
Good answers are stored, so the same question costs nothing the second time.
"""

import asyncio
import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import datetime
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from agents.llm import structured
from agents.llm.budget import Account, Budget
from agents.llm.config import ModelConfig
from agents.llm.endpoint import Endpoint
from agents.llm.errors import ModelError, TooSlow
from agents.llm.prompt import AssessedItems, Capabilities, ModelAnswer, Prompt, schema_of
from agents.llm.usage import Usage, estimated_tokens
from cache import reply_cache
from cache.errors import CacheError
from cache.reply_cache import ReplyRequest
from cache.store import Store
from cache.timestamps import utc_now
from connectors.batches import in_batches

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
        for some in in_batches(texts, BATCH):
            new_vectors, usage = await self._request(some)
            if vectors and len(new_vectors[0]) != len(vectors[0]):
                raise ModelError(f"{self._who} gave vectors of different lengths.")
            lengths = [sum(number * number for number in vector) ** 0.5 for vector in new_vectors]
            vectors += [[number / length for number in row] for row, length in zip(new_vectors, lengths, strict=True)]
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


T = TypeVar("T", bound=BaseModel)
_EVERYTHING = Capabilities()


class Model:
    """A language model behind an OpenAI-compatible endpoint; its good answers are stored in `store`, if any. If the
    library cannot be read or written, answers are not stored, but the model still answers. `dialect` is the assumed
    capabilities of the endpoint until it refuses something.

    Opening it sends and loads nothing. Open it once per process and event loop: it remembers what the endpoint refuses.
    """

    def __init__(
        self,
        access: ModelConfig,
        store: Store | None = None,
        *,
        dialect: Capabilities = _EVERYTHING,
        now: Callable[[], datetime] = utc_now,
    ) -> None:
        self._endpoint = Endpoint(access, dialect)
        self._store, self._now = store, now

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
        about: AssessedItems[T] | None = None,
        heard: Callable[[str], None] | None = None,
    ) -> ModelAnswer[T]:
        """Return the answer to `prompt` as `shape`. Raises `ModelError` with the cost in `usage`, or `BudgetSpent`.

        An answer that assesses no item of `about` is an error. Only complete answers are stored. `heard` is called with
        the unchecked text so far whenever it grows; a second attempt starts from empty text. Stored answers do not call
        it.
        """
        schema = schema_of(prompt.name, shape)
        request = await self._request_key(prompt, json.dumps(schema))
        if (stored := await self._stored(request, shape)) is not None:
            remembered = Usage(remembered=1)
            budget.note(remembered)
            return ModelAnswer(stored, remembered)
        account = Account(budget)
        async with self._endpoint.turn(account):
            attempt = self._endpoint.attempt(prompt, schema)
            answer, whole = await structured.ask(self._endpoint, attempt, shape, account, about, heard)
        if whole:
            await self._keep(request, answer.model_dump_json())
        return ModelAnswer(answer, account.spent, whole)

    async def close(self) -> None:
        """Close the connections."""
        await self._endpoint.client.close()

    async def _request_key(self, prompt: Prompt, shape: str) -> ReplyRequest:
        """Return the key under which the answer is stored."""
        name = self.name or await self._endpoint.named()
        text = (prompt.system, prompt.user, str(prompt.max_tokens))
        return ReplyRequest(self._endpoint.access.endpoint, name, f"{prompt.name}/{prompt.version}", text, shape)

    async def _stored(self, request: ReplyRequest, shape: type[T]) -> T | None:
        """Return the stored answer to `request`; None if there is none that has the shape."""
        if self._store is None:
            return None
        with suppress(CacheError, ValidationError):
            text = await asyncio.to_thread(reply_cache.recall, self._store, request, self._now())
            return None if text is None else shape.model_validate_json(text)
        return None

    async def _keep(self, request: ReplyRequest, answer: str) -> None:
        if self._store is not None:
            # The sources' replies go into the same library and report why it cannot be written.
            with suppress(CacheError):
                await asyncio.to_thread(reply_cache.keep, self._store, request, answer, self._now())
