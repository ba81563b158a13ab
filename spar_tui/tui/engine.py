"""What a search needs and the app does not: loaded late, and opened for the first search."""

import asyncio
import gc
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from connectors.registry import SOURCES
from spar_tui.settings import Settings
from spar_tui.workspace import open_workspace

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from agents.run.resources import Resources

THREAD_LOCK_SECONDS = 3.0
"""How long a search's threads wait for a library that another process holds: they keep nobody but one who quits."""


@asynccontextmanager
async def all_resources(settings: Settings) -> "AsyncIterator[Resources]":
    """The resources: every source, and the model, that the person set."""
    preferences = settings.preferences
    await asyncio.to_thread(load_engine)
    gc.freeze()
    async with open_workspace(settings, preferences.sources, preferences.offline, True, THREAD_LOCK_SECONDS) as opened:
        yield opened.resources


def load_engine() -> None:
    """Load what a search needs, the better part of a second; in a thread, so that typing goes on meanwhile."""
    import spar_tui.tui.screens.search
    import spar_tui.tui.screens.summary  # noqa: F401

    for spec in SOURCES.values():
        spec.load()
