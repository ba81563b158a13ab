"""Check a source by asking it for one well-known paper, which is free at all of them; report keys, but never the keys
themselves."""

import time
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from connectors.errors import SourceError
from connectors.spec import SourceSpec
from spar_tui import __version__

if TYPE_CHECKING:
    from connectors.identifiers import Scheme
    from connectors.source import Source
    from spar_tui.settings import Settings


class Outcome(NamedTuple):
    """`state` is ok, note or problem; `seconds` is the time until the answer, None if there was none."""

    state: str
    sentence: str
    seconds: float | None = None


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

    requested_names = list(names)
    # Loaded in a thread, because it takes a while and the person may be typing.
    await asyncio.gather(*(asyncio.to_thread(SOURCES[name].load) for name in requested_names))
    async with ConnectionPool(f"spar/{__version__}") as connections:
        sources = open_sources(requested_names, settings.access, connections, settings.places.gates)
        outcomes = await asyncio.gather(*map(_try_source, sources.values()))
    return dict(zip(sources, outcomes, strict=True))


async def _try_source(source: "Source") -> Outcome:
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


def key_told(spec: SourceSpec, settings: "Settings") -> str:
    """Return a sentence about a source's key; "" if the source is off without one and reports that itself."""
    service = spec.service(settings.access)
    if service.name in settings.access.keys:
        return _from(service.name, service.key_variable, settings)
    if not service.key_variable:
        return "It needs no key."
    return "" if spec.needs_key else f"No key ({service.key_variable} is not set)."


def key_status(spec: SourceSpec, settings: "Settings") -> str:
    """Like `key_told`, but for a missing required key also name the variable to set."""
    variables = [service.key_variable for service in spec.services if service.key_variable]
    if origin := key_told(spec, settings):
        return origin
    return f"No key, so it is off; set {' or '.join(variables)}."


def model_key_status(settings: "Settings") -> str:
    """Return a sentence about the language model's key."""
    if "model" in settings.access.keys:
        return _from("model", "OPENAI_API_KEY", settings)
    return "No key (OPENAI_API_KEY is not set)."


def _from(service: str, variable: str, settings: "Settings") -> str:
    return f"Key from {variable}" + (" in the system's keyring." if service in settings.keyring else ".")
