"""Vectors of a collection's documents for `spar bench --recommend --embeddings`, by the person's encoder."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from agents.llm.errors import ModelError
from spar_tui.errors import Failure, UsageError
from spar_tui.settings import Settings
from spar_tui.terminal import ProgressLine, note
from spar_tui.workspace import Workspace, open_workspace, read_settings

if TYPE_CHECKING:
    from agents.bench.recommending.world import Libraries
    from agents.meaning.kept import KeptVectors, TextEncoder

FOLDER = "bench-vectors"
"""Name of the folder, beside the library."""


@asynccontextmanager
async def measured_vectors() -> "AsyncIterator[KeptVectors]":
    """Yield the encoder for a measurement, with its vectors stored beside the library. Raises `UsageError` if there
    is no encoder."""
    from agents.meaning.kept import KeptVectors
    from cache.store import Store

    settings = read_settings()
    async with open_workspace(settings, [], settings.preferences.offline, model=True) as workspace:
        encoder = encoder_of(workspace, settings)
        with Store.open(settings.places.database.parent / FOLDER / "texts.db") as store:
            yield KeptVectors(encoder, store)


async def vectors_of(libraries: "Libraries", line: ProgressLine) -> tuple[str, dict[int, bytes]]:
    """Return the encoder's name, and the vector of each document by index; first report what is sent where. Raises
    `UsageError` without an encoder, `Failure` if it fails."""
    from agents.bench.recommending.world import papers_of
    from agents.meaning.kept import AT_ONCE, text_for

    texts = [text_for(paper) for paper in papers_of(libraries.documents)]
    async with measured_vectors() as vectors:
        encoder, number = vectors.encoder, 0
        try:
            by_text = await vectors.kept(texts)
            missing = [text for text in dict.fromkeys(texts) if text not in by_text]
            note(f"{libraries.name}: {sent_text(len(missing), encoder)}; {len(by_text):,} vectors are already stored.")
            for start in range(0, len(missing), AT_ONCE):
                fresh, _ = await vectors.of(missing[start : start + AT_ONCE])
                by_text |= fresh
                number += len(fresh)
                line.tell(f"vectors {number:,}/{len(missing):,}")
        except ModelError as error:
            remark = f" {number:,} of {len(missing):,} vectors are stored; run the command again for the others."
            raise Failure(f"{error.sentence}{remark if number else ''}") from None
    if len({len(vector) for vector in by_text.values()}) > 1:
        raise Failure(
            f"the vectors by {encoder.label} have different lengths; delete {FOLDER} and run the command again."
        )
    return encoder.label, {index: by_text[text] for index, text in enumerate(texts)}


def encoder_of(workspace: Workspace, settings: Settings) -> "TextEncoder":
    """Return the person's encoder. Raises `UsageError` if there is none."""
    if workspace.resources.embeddings is None:
        why = " that works offline" if settings.preferences.offline else ""
        raise UsageError(
            f"there is no model for vectors{why}. Set SPAR_SEMANTIC_FOLDER to the folder of one, or "
            "SPAR_EMBEDDING_MODEL to the name of one at your model's address."
        )
    return workspace.resources.embeddings.encoder


def sent_text(count: int, encoder: "TextEncoder") -> str:
    if not count:
        return "nothing to send"
    destination = f"are read by {encoder.label}" if encoder.local else f"go to {encoder.label}"
    return f"{count:,} text{'' if count == 1 else 's'} (title and abstract of a document each) {destination}"
