"""What runs need and the app does not: loaded late, and opened for the first of them."""

import asyncio
import gc
from contextlib import asynccontextmanager
from functools import cache
from typing import TYPE_CHECKING

from connectors.registry import SOURCES
from spar_tui.settings import Settings
from spar_tui.workspace import open_workspace

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from agents.run.resources import Resources
    from spar_tui.tui.research_app import Anew

THREAD_LOCK_SECONDS = 3.0
"""How long a search's threads wait for a library that another process holds: they keep nobody but one who quits."""


@asynccontextmanager
async def all_resources(settings: Settings, anew: "Anew | None" = None) -> "AsyncIterator[Resources]":
    """The resources: every source, and the model, that the person set; or those sources that are to be asked `anew`."""
    preferences = settings.preferences
    names, since = (anew.sources, anew.since) if anew else (preferences.sources, None)
    await asyncio.to_thread(load_engine)
    gc.freeze()
    async with open_workspace(settings, names, preferences.offline, True, THREAD_LOCK_SECONDS, since) as opened:
        yield opened.resources


def load_engine() -> None:
    """Load what a search needs, the better part of a second; in a thread, so that typing goes on meanwhile."""
    import spar_tui.tui.screens.conversation
    import spar_tui.tui.screens.search
    import spar_tui.tui.screens.summary  # noqa: F401

    for spec in SOURCES.values():
        spec.load()


async def local_resources() -> "Resources":
    """What needs no source and no model."""
    return await asyncio.to_thread(_local_resources)


@cache
def _local_resources() -> "Resources":
    """The starter shelf; with it all is loaded that a recommendation needs, the better part of a second."""
    import numpy  # noqa: F401

    import agents.recommendation.loop  # noqa: F401
    from agents.run.resources import Resources
    from connectors.starter import StarterShelf

    return Resources(fallback={"starter": StarterShelf()})
