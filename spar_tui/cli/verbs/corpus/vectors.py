"""Vectors for `spar corpus build --vectors`, by what makes the person's own."""

import asyncio
from typing import TYPE_CHECKING

from spar_tui.terminal import note

if TYPE_CHECKING:
    from collections.abc import Callable

    from spar_tui.settings import Settings


async def check_encoder(settings: "Settings") -> None:
    """Raises `UsageError` if nothing makes vectors for the person, before hours of building."""
    from spar_tui.cli.bench_vectors import encoder_of
    from spar_tui.workspace import open_workspace

    async with open_workspace(settings, [], offline=settings.preferences.offline, model=True) as workspace:
        encoder_of(workspace, settings)


async def make_vectors(settings: "Settings", heard: "Callable[[int, int], None]") -> str:
    """Make the vectors that the corpus lacks, and tell how many; what is sent where is said before. `heard` hears how
    many are kept, of how many.

    Raises a `CorpusError`; what was made before that is kept."""
    from agents.meaning.corpus_encoder import CorpusEncoder
    from cache.corpus.ingest import writing
    from cache.corpus.vectors import add_vectors, count_missing
    from spar_tui.cli.bench_vectors import encoder_of, sent_text
    from spar_tui.phrases import counted
    from spar_tui.workspace import open_workspace

    async with open_workspace(settings, [], offline=settings.preferences.offline, model=True) as workspace:
        encoder = encoder_of(workspace, settings)
        with writing(settings.corpus):
            missing = await asyncio.to_thread(count_missing, settings.corpus, CorpusEncoder(encoder))
            note(f"vectors: {sent_text(missing, encoder)}.")
            made = await add_vectors(settings.corpus, CorpusEncoder(encoder), lambda count: heard(count, missing))
    return f"{counted(made, 'new vector')} by {encoder.label}"
