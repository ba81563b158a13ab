"""Who makes vectors of texts: a transformer in a folder of this machine, or a model behind an endpoint."""

from collections.abc import Sequence
from typing import Protocol

from agents.llm.usage import Usage


class Encoder(Protocol):
    """Texts in, vectors of length 1 out."""

    @property
    def label(self) -> str:
        """Who that is, as a person is told: `the model in models/minilm`."""

    @property
    def local(self) -> bool:
        """Whether it works in this process, so that nothing is asked of anybody and nothing leaves the machine."""

    @property
    def free(self) -> bool:
        """Whether it costs nothing, as far as the person has said."""

    @property
    def space(self) -> str:
        """Names what it makes: only vectors of one space are alike. May read files; raises `ModelError`."""

    async def embed(self, texts: Sequence[str]) -> tuple[list[list[float]], Usage]:
        """The vectors of `texts` in their order, and what they cost. Raises `ModelError`."""
