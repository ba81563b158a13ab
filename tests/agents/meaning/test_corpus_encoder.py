import asyncio
from pathlib import Path

import pytest

from agents.meaning.corpus_encoder import CorpusEncoder
from agents.meaning.transformer import Transformer
from cache.corpus.table import NoVectors


def test_what_keeps_a_model_from_its_vectors_is_told_to_the_corpus_in_its_own_words(tmp_path: Path) -> None:
    encoder = CorpusEncoder(Transformer(tmp_path))
    assert encoder.label == f"the model in {tmp_path}"
    with pytest.raises(NoVectors) as caught:
        _ = encoder.space
    assert caught.value.sentence == f"{tmp_path / 'model.onnx'} cannot be read (No such file or directory)."
    with pytest.raises(NoVectors):
        asyncio.run(encoder.vectors(["words"]))
