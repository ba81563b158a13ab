"""Vectors for `spar corpus build --vectors`, by the person's encoder."""

import asyncio
from collections.abc import Callable

from spar_tui.cli.bench_vectors import encoder_of, sent_text
from spar_tui.phrases import counted
from spar_tui.settings import Settings
from spar_tui.terminal import note
from spar_tui.workspace import open_workspace


async def check_encoder(settings: Settings) -> None:
    """Raise `UsageError` if the person has no encoder, before hours of building."""
    async with open_workspace(settings, [], offline=settings.preferences.offline, model=True) as workspace:
        encoder_of(workspace, settings)


async def make_vectors(settings: Settings, heard: Callable[[int, int], None]) -> str:
    """Compute the vectors that the corpus lacks, and return how many; first report what is sent where. `heard` is
    called with the number stored and the total.

    Raises a `CorpusError`; earlier vectors are stored.
    """
    from agents.meaning.corpus_encoder import CorpusEncoder
    from cache.corpus.ingest import writing
    from cache.corpus.vectors import add_vectors, count_missing

    async with open_workspace(settings, [], offline=settings.preferences.offline, model=True) as workspace:
        encoder = encoder_of(workspace, settings)
        with writing(settings.corpus):
            missing = await asyncio.to_thread(count_missing, settings.corpus, CorpusEncoder(encoder))
            note(f"vectors: {sent_text(missing, encoder)}.")
            made = await add_vectors(settings.corpus, CorpusEncoder(encoder), lambda count: heard(count, missing))
    return f"{counted(made, 'new vector')} by {encoder.label}"
