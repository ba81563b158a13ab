"""Check a source by asking it for one well-known paper, which is free at all of them."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from spar_tui import __version__
from spar_tui.health.outcome import Outcome

if TYPE_CHECKING:
    from connectors.identifiers import Scheme
    from connectors.source import Source
    from spar_tui.settings import Settings

SECONDS = 10.0
"""Timeout in seconds for each source."""
_WELL_KNOWN: "dict[Scheme, str]" = {"arxiv": "1706.03762", "pmid": "17284678", "doi": "10.1038/nature14539"}
_WORD = "retrieval"
"""Query for sources that cannot look up a paper by an identifier."""


async def tried(settings: "Settings", names: Iterable[str]) -> dict[str, Outcome]:
    """Ask the live sources called `names` one question each, all at once, and return the results."""
    import asyncio

    from connectors.http.pool import ConnectionPool
    from connectors.opening import open_sources
    from connectors.registry import SOURCES

    wanted = list(names)
    # Loaded in a thread, because it takes a while and the person may be typing.
    await asyncio.gather(*(asyncio.to_thread(SOURCES[name].load) for name in wanted))
    async with ConnectionPool(f"spar/{__version__}") as connections:
        sources = open_sources(wanted, settings.access, connections, settings.places.gates)
        outcomes = await asyncio.gather(*map(_try_source, sources.values()))
    return dict(zip(sources, outcomes, strict=True))


async def _try_source(source: "Source") -> Outcome:
    import time

    from connectors.errors import SourceError
    from connectors.http.deadline import deadline
    from connectors.identifiers import Identifier
    from connectors.opening import ClosedSource
    from connectors.registry import SOURCES
    from connectors.source import Query

    if isinstance(source, ClosedSource):
        return Outcome("note", source.why)
    if SOURCES[source.name].paid:
        return Outcome("note", "charges for every question, so it was not tested.")
    names = [Identifier(scheme, value) for scheme, value in _WELL_KNOWN.items() if scheme in source.schemes]
    start = time.monotonic()
    try:
        async with deadline(source.name, SECONDS):
            await (source.lookup(names[:1]) if names else source.search(Query(_WORD, limit=1)))
    except SourceError as error:
        return Outcome("problem", error.sentence)
    return Outcome("ok", "answers.", time.monotonic() - start)
