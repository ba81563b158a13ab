"""Vectors of a collection's documents to measure, by the person's encoder."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from spar_tui.errors import UsageError
from spar_tui.settings import Settings
from spar_tui.workspace import Workspace, open_workspace, read_settings

if TYPE_CHECKING:
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
