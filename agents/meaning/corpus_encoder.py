"""An adapter of the person's encoder for corpora."""

from collections.abc import Sequence

from agents.llm.errors import ModelError
from agents.meaning.kept import TextEncoder
from cache.corpus.table import NoVectors


class CorpusEncoder:
    """Adapts `encoder` to `CorpusVectorizer`: its errors become `NoVectors`."""

    def __init__(self, encoder: TextEncoder) -> None:
        self._encoder = encoder

    @property
    def label(self) -> str:
        return self._encoder.label

    @property
    def space(self) -> str:
        try:
            return self._encoder.space
        except ModelError as error:
            raise NoVectors(error.sentence) from None

    async def vectors(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        try:
            vectors, _ = await self._encoder.embed(texts)
        except ModelError as error:
            raise NoVectors(error.sentence) from None
        return vectors
