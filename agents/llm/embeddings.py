"""Texts as vectors, by a model behind the same endpoint of the OpenAI protocol (`/embeddings`)."""

import asyncio
from collections.abc import Sequence

from agents.llm.endpoint import Endpoint
from agents.llm.errors import ModelError, TooSlow
from agents.llm.usage import Usage, estimated_tokens

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
    def told(self) -> str:
        """Who that is, as a person is told."""
        return f"{self._model} at {self._endpoint.access.host}"

    async def embed(self, texts: Sequence[str]) -> tuple[list[list[float]], Usage]:
        """The vectors of `texts`, each of length 1, in their order, and what they cost. Raises `ModelError`."""
        vectors: list[list[float]] = []
        cost = Usage()
        for start in range(0, len(texts), BATCH):
            some = texts[start : start + BATCH]
            found, usage = await self._request(some)
            if vectors and len(found[0]) != len(vectors[0]):
                raise ModelError(f"{self._who} gave vectors of different lengths.")
            vectors += [_of_length_one(vector) for vector in found]
            cost += usage
        return vectors, cost

    @property
    def _who(self) -> str:
        return f"The model {self.told}"

    async def _request(self, texts: Sequence[str]) -> tuple[list[list[float]], Usage]:
        access = self._endpoint.access
        await self._endpoint.breaker.wait()
        try:
            async with asyncio.timeout(access.seconds):
                found, read = await self._endpoint.client.embed(self._who, self._model, texts)
        except TimeoutError:
            raise TooSlow(f"{self._who} did not make its vectors in time; set a higher model_seconds.") from None
        tokens = sum(map(estimated_tokens, texts)) if read is None else read
        usd = access.usd(tokens, 0)
        return found, Usage(1, tokens, 0, usd, 0, read is None, bool(usd))


def _of_length_one(vector: Sequence[float]) -> list[float]:
    length = sum(number * number for number in vector) ** 0.5
    return [number / length for number in vector]
