"""The search: one question in, a stream of events out."""

import time
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from datetime import date

from agents.board import Board
from agents.events import (
    AbstractFilled,
    Event,
    Finished,
    PapersRanked,
    QuestionUnderstood,
    RunStarted,
    Warned,
)
from agents.search.abstracts import AbstractRefill
from agents.search.filters import within
from agents.search.ranking import rank
from agents.search.retrieval import SOURCE_SECONDS, retrieve
from agents.search.state import SearchState
from connectors.paper import Paper
from connectors.source import Query, Source
from connectors.works import Works

RECORDS_A_SOURCE = 50
"""How many records each source is asked for; more than are shown, because sources order differently."""


@dataclass(frozen=True, slots=True)
class Desk:
    """The sources at hand: `live` over the network, `local` on this machine, `fallback` for when nothing answers."""

    live: Mapping[str, Source] = field(default_factory=dict)
    local: Mapping[str, Source] = field(default_factory=dict)
    fallback: Mapping[str, Source] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Wishes:
    """What the person asked for besides the question."""

    since: date | None = None
    until: date | None = None
    limit: int = 20
    seconds: float = SOURCE_SECONDS


async def search(question: str, desk: Desk, wishes: Wishes, board: Board | None = None) -> AsyncIterator[Event]:
    """Ask every source of `desk` and rank what they find. Failures of sources are events, never exceptions."""
    start = time.monotonic()
    board = board or Board()
    works = Works()
    asked = {**desk.local, **desk.live}
    query = Query(question, wishes.since, wishes.until, max(RECORDS_A_SOURCE, wishes.limit))
    yield board.post(RunStarted(question, tuple(asked), wishes.since, wishes.until, wishes.limit))
    yield board.post(QuestionUnderstood((question,), tuple(asked), wishes.since, wishes.until))
    refill = AbstractRefill(asked)
    try:
        async for events in retrieve(asked, [query], works, wishes.seconds):
            for event in events:
                yield board.post(event)
            refill.start(list(_papers(board.state).values()))
        if not _found_by_any(board.state, desk.live):
            if desk.fallback:
                yield board.post(Warned(_why_fallback(desk, board.state)))
            async for events in retrieve(desk.fallback, [query], works, wishes.seconds):
                for event in events:
                    yield board.post(event)
        for work, paper in (await refill.finish(_papers(board.state))).items():
            yield board.post(AbstractFilled(work, paper))
    finally:
        refill.stop()
    yield board.post(ranked(question, board.state, wishes))
    yield board.post(Finished(board.state.counts, round(time.monotonic() - start, 2)))


def _found_by_any(state: SearchState, sources: Mapping[str, Source]) -> bool:
    return any(state.sources[name].found for name in sources if name in state.sources)


def _why_fallback(desk: Desk, state: SearchState) -> str:
    shelf = f"the {', '.join(desk.fallback)} shelf that ships along"
    if not desk.live:
        return f"Offline: only this machine was searched, its library and {shelf}."
    states = {state.sources[name].state for name in desk.live}
    if states <= {"failed", "skipped"}:
        return f"No live source answered, so this is as good as offline: the answer is from the library and {shelf}."
    return f"No live source gave a paper: {shelf} was searched as well."


def _papers(state: SearchState) -> dict[int, Paper]:
    return {work: found.paper for work, found in state.found.items()}


def ranked(question: str, state: SearchState, wishes: Wishes) -> PapersRanked:
    """The works found so far within the person's bounds, best first, as many as were asked for."""
    allowed = {work: paper for work, paper in _papers(state).items() if within(paper, wishes.since, wishes.until)}
    found_by = {work: state.found[work].found_by for work in allowed}
    return PapersRanked(rank(question, allowed, found_by)[: wishes.limit])
