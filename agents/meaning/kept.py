"""Vectors of texts, each computed once and stored in the library by the digest of its text."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Protocol

from agents.builtin import lazy_numpy as np
from agents.builtin.arithmetic import reckons
from agents.llm.errors import ModelError
from agents.llm.usage import Usage
from cache.errors import CacheError
from cache.paper_tokens import keep_vectors, kept_vectors
from cache.store import Store
from connectors.batches import in_batches
from connectors.paper import Paper


class TextEncoder(Protocol):
    """An encoder of texts as vectors of length 1."""

    @property
    def label(self) -> str:
        """The name of the encoder, for the person: `the model in models/minilm`."""

    @property
    def local(self) -> bool:
        """Whether it runs in this process, so that no text leaves the machine."""

    @property
    def free(self) -> bool:
        """Whether it is free of charge, according to the person's settings."""

    @property
    def space(self) -> str:
        """An id of the vector space: only vectors of one space are comparable. May read files. Raises `ModelError`."""

    async def embed(self, texts: Sequence[str]) -> tuple[list[list[float]], Usage]:
        """Return the vectors of `texts` in order, and their cost. Raises `ModelError`."""


LETTERS = 1_200
"""Letters of a paper's title and abstract that are encoded; such models read no more."""
AT_ONCE = 64
"""Number of texts that are encoded and stored at a time."""


def text_for(paper: Paper) -> str:
    """Return the text from which the vector of a paper is computed."""
    return f"{paper.title}. {paper.about}"[:LETTERS]


def packed(vector: Sequence[float]) -> bytes:
    """Pack a vector of length 1 in two bytes per number; this does not change rankings."""
    return np.array(vector, dtype="<f2").tobytes()


def unpacked(vector: bytes) -> "np.Floats":
    """Unpack a vector from `packed`."""
    return np.frombuffer(vector, dtype="<f2").astype(float)


@reckons
def cosines(vectors: Mapping[str, bytes], of: str, texts: Iterable[str]) -> dict[str, float]:
    """Return the cosine of each of `texts` to the text `of`, by packed `vectors`; texts without one are skipped."""
    to = unpacked(vectors[of])
    return {text: float(unpacked(vectors[text]) @ to) for text in texts if text in vectors}


async def by_meaning(paper: Paper, others: Sequence[Paper], vectors: "KeptVectors") -> list[Paper]:
    """Return `others` by nearness to `paper` in meaning; ties keep their order. Raises `ModelError`."""
    vectors_by_text, _ = await vectors.of([text_for(paper), *map(text_for, others)])
    near = cosines(vectors_by_text, text_for(paper), map(text_for, others))
    return sorted(others, key=lambda other: -near[text_for(other)])


class KeptVectors:
    """Vectors by `encoder`, stored in `store`; None stores nothing.

    If the library cannot be read or written, vectors are computed again.
    """

    def __init__(self, encoder: TextEncoder, store: Store | None) -> None:
        self.encoder, self._store = encoder, store

    async def of(self, texts: Sequence[str]) -> tuple[dict[str, bytes], Usage]:
        """Return the packed vector of each text, and the cost of new ones. Raises `ModelError`."""
        space, by_text = await self._space(), await self.kept(texts)
        missing = [text for text in dict.fromkeys(texts) if text not in by_text]
        cost = Usage()
        for some in in_batches(missing, AT_ONCE):
            new_vectors, usage = await self.encoder.embed(some)
            fresh = {text: packed(vector) for text, vector in zip(some, new_vectors, strict=True)}
            await self._keep(space, fresh)
            by_text |= fresh
            cost += usage
        if len({len(vector) for vector in by_text.values()}) > 1:
            encoder_name = self.encoder.label
            raise ModelError(f"{encoder_name[:1].upper()}{encoder_name[1:]} made vectors of different lengths.")
        return by_text, cost

    async def kept(self, texts: Sequence[str]) -> dict[str, bytes]:
        """Return the packed vectors of the texts that have one stored. Raises `ModelError`."""
        space = await self._space()
        if self._store is None:
            return {}
        with suppress(CacheError):
            return await asyncio.to_thread(kept_vectors, self._store, space, texts)
        return {}

    async def _space(self) -> str:
        return await asyncio.to_thread(lambda: self.encoder.space)

    async def _keep(self, space: str, vectors: dict[str, bytes]) -> None:
        if self._store is not None:
            with suppress(CacheError):
                await asyncio.to_thread(keep_vectors, self._store, space, vectors)
