"""Vectors of a collection's documents: each text is sent once, and what came is kept in a file."""

import base64
import binascii
import json
from collections.abc import AsyncIterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path

from agents.bench.collections import Document
from agents.bench.recommending.world import papers_of
from agents.meaning.encoder import Encoder
from agents.meaning.kept import AT_ONCE, packed, text_for


def texts_of(documents: Sequence[Document]) -> list[str]:
    """What the program would make the vector of each document of."""
    return [text_for(paper) for paper in papers_of(documents)]


class VectorFile:
    """Vectors of texts, all by one model: a line each, written as soon as they come."""

    def __init__(self, folder: Path, space: str) -> None:
        self.path = folder / f"{sha256(space.encode()).hexdigest()[:16]}.jsonl"

    def kept(self, texts: Sequence[str]) -> dict[str, bytes]:
        """The vectors of those of `texts` that have one. Lines that were cut off are passed over."""
        if not self.path.exists():
            return {}
        wanted = {_digest(text): text for text in texts}
        found: dict[str, bytes] = {}
        for line in self.path.read_text("utf-8", "replace").splitlines():
            try:
                digest, vector = json.loads(line)
                if digest in wanted:
                    found[wanted[digest]] = base64.b64decode(vector, validate=True)
            except (ValueError, TypeError, binascii.Error):
                continue
        return found

    def keep(self, vectors: Mapping[str, bytes]) -> None:
        """Keep the vectors of texts."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        lines = [json.dumps([_digest(text), base64.b64encode(made).decode()]) for text, made in vectors.items()]
        with self.path.open("a", encoding="utf-8") as file:
            file.write("".join(f"\n{line}" for line in lines))  # after what an interrupted write has left


async def embedded(encoder: Encoder, file: VectorFile, missing: Sequence[str]) -> AsyncIterator[dict[str, bytes]]:
    """The vectors of the `missing` texts, batch after batch as they are kept. Raises `ModelError`."""
    for start in range(0, len(missing), AT_ONCE):
        some = missing[start : start + AT_ONCE]
        found, _ = await encoder.embed(some)
        fresh = {text: packed(vector) for text, vector in zip(some, found, strict=True)}
        file.keep(fresh)
        yield fresh


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()
