"""The protocol of an encoder of texts: a transformer in a local folder, or a model behind an endpoint."""

from collections.abc import Sequence
from typing import Protocol

from agents.llm.usage import Usage


class Encoder(Protocol):
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
