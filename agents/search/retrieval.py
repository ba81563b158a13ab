"""Asking the chosen sources (SPAR §3.2): all queries of a round at once, each under its own deadline, merged as they
answer."""

import asyncio
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from agents.events import (
    AbstractFilled,
    Event,
    FoundBy,
    PaperFound,
    QueryPlanned,
    ReadQuery,
    SourceAnswered,
    SourceState,
    WorksJoined,
)
from agents.search.abstracts import AbstractRefill
from agents.search.session import Session
from agents.search.state import SearchState
from connectors.deadline import deadline
from connectors.errors import NotConfigured, SourceError
from connectors.paper import Paper
from connectors.policy import POLICIES
from connectors.source import Answer, Query, Source
from connectors.works import Works

_IN_TURN = 1.0
"""From this many seconds between two requests on, a source's queries wait for each other."""


async def retrieve(session: Session, round: int) -> None:
    """Ask what is planned for `round`; the fallback too if no live source has given a paper."""
    if not session.enter("retrieving", round):
        return
    if round == 1:
        session.post(*_not_chosen(session))
    refill = AbstractRefill(_asked_sources(session))
    refill.start(list(session.papers.values()))
    try:
        await _ask_all(session, round, _asked_sources(session), refill)
        if session.desk.fallback and not _found_by_any(session.state, session.desk.live):
            if round == 1:
                session.warn(_why_fallback(session))
            await _ask_all(session, round, session.desk.fallback, refill)
        filled = await refill.finish(session.papers)
        for work, paper in filled.items():
            session.works.learn(work, paper)
        session.post(*(AbstractFilled(work, paper) for work, paper in filled.items()))
    finally:
        refill.stop()


def queries_of(state: SearchState, round: int) -> tuple[ReadQuery, ...]:
    """The queries of `round`: those that the question was read into, or those that evolved after the round before."""
    if round == 1:
        understood = state.understood
        assert understood is not None
        return understood.read_queries or tuple(map(ReadQuery, understood.queries))
    evolved = next((one.queries for one in state.evolved if one.round == round - 1), ())
    return tuple(ReadQuery(one.query) for one in evolved if one.chosen)


def _not_chosen(session: Session) -> list[SourceAnswered]:
    """The live sources that do not suit the question, by name and with the reason."""
    why = "was not asked: it does not suit the question's field. --source asks it all the same."
    left = [name for name in session.desk.live if name not in session.understood.sources]
    fresh = [name for name in left if name not in session.state.sources]
    return [SourceAnswered(name, session.question, "skipped", error=why) for name in fresh]


def _asked_sources(session: Session) -> dict[str, Source]:
    """This machine's sources and the chosen live ones; who has failed all along is left alone."""
    answering = session.answering
    return {name: answering[name] for name in (*session.desk.local, *session.understood.sources) if name in answering}


async def _ask_all(session: Session, round: int, sources: Mapping[str, Source], refill: AbstractRefill) -> None:
    already = {(one.source, one.query) for one in session.state.planned}
    plan = [one for one in _plan(session, round, sources) if (one.source, one.query) not in already]
    session.post(*plan)
    due = [
        one
        for one in session.state.planned
        if one.source in sources and one.round == round and (one.source, one.query) not in session.state.answered
    ]
    if not await session.control.ready():
        return
    tasks: list[asyncio.Task[_Outcome]] = []
    last: dict[str, asyncio.Task[_Outcome]] = {}
    for one in due:
        before = last.get(one.source) if _gap(one.source) >= _IN_TURN else None
        last[one.source] = asyncio.create_task(_ask(session, sources[one.source], one, before))
        tasks.append(last[one.source])
    async for outcome in session.control.as_done(tasks):
        # The answer is told after its papers: a run cut off between them asks again rather than lose them.
        session.post(*taken_in(session.works, _ways(outcome)), _told(outcome))
        refill.start(list(session.papers.values()))
    if session.control.stopping:
        session.post(*(_unheard(one) for one in due if (one.source, one.query) not in session.state.answered))


def _plan(session: Session, round: int, sources: Mapping[str, Source]) -> list[QueryPlanned]:
    """Which source is asked which queries, the first ones first.

    A slow source gets as many as its rate lets through in half its time, and later a single one in each round.
    """
    queries = queries_of(session.state, round)
    plan = []
    for name in sources:
        gap = _gap(name)
        most = len(queries) if gap < _IN_TURN else 1 + (round == 1) * int(session.wishes.source_seconds / 2 / gap)
        for query in queries[:most]:
            sent = query.text_for(name)
            plan.append(QueryPlanned(name, query.text, round, sent if sent != query.text else None))
    return plan


def _gap(source: str) -> float:
    return POLICIES[source].gap if source in POLICIES else 0.0


@dataclass(frozen=True, slots=True)
class _Outcome:
    plan: QueryPlanned
    seconds: float
    answer: Answer | None
    error: SourceError | None
    spared: bool = False


async def _ask(
    session: Session, source: Source, plan: QueryPlanned, before: "asyncio.Task[_Outcome] | None"
) -> _Outcome:
    """The answer to a query. A source that is asked in turn is spared the query if it failed at the one `before`."""
    if before is not None:
        earlier = await before
        if earlier.error is not None:
            return _Outcome(plan, 0.0, None, earlier.error, spared=True)
    start = time.monotonic()
    understood = session.understood
    records = max(session.effort.records, session.wishes.limit)
    query = Query(plan.sent or plan.query, understood.since, understood.until, records)
    try:
        async with deadline(source.name, session.wishes.source_seconds):
            answer = await source.search(query)
    except SourceError as error:
        return _Outcome(plan, time.monotonic() - start, None, error)
    return _Outcome(plan, time.monotonic() - start, answer, None)


def _told(outcome: _Outcome) -> SourceAnswered:
    name, query, seconds = outcome.plan.source, outcome.plan.query, round(outcome.seconds, 2)
    if outcome.answer is None:
        assert outcome.error is not None
        off = outcome.spared or isinstance(outcome.error, NotConfigured)
        state: SourceState = "skipped" if off else "failed"
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


def _unheard(plan: QueryPlanned) -> SourceAnswered:
    return SourceAnswered(plan.source, plan.query, "failed", error="had not answered when the search was ended.")


def _ways(outcome: _Outcome) -> list[tuple[Paper, FoundBy]]:
    papers: Sequence[Paper] = outcome.answer.papers if outcome.answer else ()
    plan = outcome.plan
    return [(paper, FoundBy(plan.source, plan.query, place)) for place, paper in enumerate(papers, start=1)]


def taken_in(works: Works, found: Iterable[tuple[Paper, FoundBy]]) -> list[Event]:
    """The events of records that arrive, each with the way it was found; they are merged into `works`."""
    events: list[Event] = []
    for paper, found_by in found:
        work, merged, absorbed = works.add(paper)
        events.append(PaperFound(work, merged, found_by))
        events += [WorksJoined(work, gone) for gone in absorbed]
    return events


def _found_by_any(state: SearchState, sources: Mapping[str, Source]) -> bool:
    return any(state.sources[name].found for name in sources if name in state.sources)


def _why_fallback(session: Session) -> str:
    shelf = f"the {', '.join(session.desk.fallback)} shelf that ships along"
    if not session.desk.live:
        return f"Offline: only this machine was searched, its library and {shelf}."
    asked = [session.state.sources[name].state for name in session.desk.live if name in session.state.sources]
    if set(asked) <= {"failed", "skipped"}:
        return f"No live source answered, so this is as good as offline: the answer is from the library and {shelf}."
    return f"No live source gave a paper: {shelf} was searched as well."
