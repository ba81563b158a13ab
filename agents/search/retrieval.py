"""Asking all chosen sources at once (SPAR §3.2), each under its own deadline, and merging as they answer."""

import asyncio
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass

from agents.events import Event, FoundBy, PaperFound, QueryPlanned, SourceAnswered, SourceState, WorksJoined
from connectors.deadline import deadline
from connectors.errors import NotConfigured, SourceError
from connectors.source import Answer, Query, Source
from connectors.works import Works

SOURCE_SECONDS = 10.0
"""A source that has not answered by then is named, and the search goes on without it."""


@dataclass(frozen=True, slots=True)
class _Outcome:
    source: str
    query: Query
    seconds: float
    answer: Answer | None
    error: SourceError | None


async def retrieve(
    sources: Mapping[str, Source], queries: Sequence[Query], works: Works, seconds: float = SOURCE_SECONDS
) -> AsyncIterator[list[Event]]:
    """Every query to every source. Records go into `works`; each list of events tells of one answer."""
    asked = [(name, query) for name in sources for query in queries]
    yield [QueryPlanned(name, query.text) for name, query in asked]
    tasks = [asyncio.create_task(_ask(name, sources[name], query, seconds)) for name, query in asked]
    try:
        for ready in asyncio.as_completed(tasks):
            outcome = await ready
            yield [_told(outcome), *_taken_in(outcome, works)]
    finally:
        for task in tasks:
            task.cancel()


async def _ask(name: str, source: Source, query: Query, seconds: float) -> _Outcome:
    start = time.monotonic()
    try:
        async with deadline(name, seconds):
            answer = await source.search(query)
    except SourceError as error:
        return _Outcome(name, query, time.monotonic() - start, None, error)
    return _Outcome(name, query, time.monotonic() - start, answer, None)


def _told(outcome: _Outcome) -> SourceAnswered:
    name, query, seconds = outcome.source, outcome.query.text, round(outcome.seconds, 2)
    if outcome.answer is None:
        assert outcome.error is not None
        state: SourceState = "skipped" if isinstance(outcome.error, NotConfigured) else "failed"
        return SourceAnswered(name, query, state, seconds=seconds, error=outcome.error.sentence)
    answer = outcome.answer
    return SourceAnswered(
        name,
        query,
        "partial" if answer.partial else "ok",
        found=len(answer.papers),
        seconds=seconds,
        error=" ".join(answer.notes) if answer.partial else None,
        total=answer.total,
        sent=answer.sent,
        notes=answer.notes,
    )


def _taken_in(outcome: _Outcome, works: Works) -> list[Event]:
    events: list[Event] = []
    for place, paper in enumerate(outcome.answer.papers if outcome.answer else (), start=1):
        work, merged, absorbed = works.add(paper)
        events += [WorksJoined(work, gone) for gone in absorbed]
        events.append(PaperFound(work, merged, FoundBy(outcome.source, outcome.query.text, place)))
    return events
