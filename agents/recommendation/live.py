"""What live sources name as like the papers that the person cares for most."""

import asyncio
import time

from agents.recommendation.session import RecommendationSession
from agents.run.events import FoundBy, QueryPlanned, SourceAnswered, SourceState
from agents.run.retrieval.fetching import taken_in
from agents.taste.comparison import heaviest
from cache import papers
from connectors.capability import Capability
from connectors.errors import NotConfigured, NotFound, SourceError
from connectors.http.deadline import deadline
from connectors.paper import Paper
from connectors.source import Source, usable_names

SEEDS = 3
"""Papers that sources are asked about, the weightiest of the history; one request each."""
EACH = 20


async def ask_live(session: RecommendationSession) -> None:
    """Post the papers that sources call similar to the weightiest of the history, and how each source did; a source
    that has answered is not asked again."""
    sources = [source for source in session.resources.live.values() if Capability.SIMILAR in source.capabilities]
    cared_for = heaviest(session.context.wanted, SEEDS) if sources else []
    seeds = papers.by_ids(session.reader.store, cared_for)
    plans = [(source, seed) for source in sources for seed in seeds if usable_names(seed.identifiers, source.schemes)]
    planned = [QueryPlanned(source.name, _query(seed)) for source, seed in plans]
    session.post(*(plan for plan in planned if plan not in session.findings.planned))
    due = [plan for plan in plans if (plan[0].name, _query(plan[1])) not in session.findings.answered]
    if due and await session.control.ready():
        tasks = [asyncio.create_task(_ask(session, source, seed)) for source, seed in due]
        async for found, answered in session.control.as_done(tasks):
            ways = (FoundBy(answered.source, answered.query, rank) for rank in range(1, len(found) + 1))
            session.post(*taken_in(session.works, zip(found, ways, strict=True)), answered)


async def _ask(session: RecommendationSession, source: Source, seed: Paper) -> tuple[tuple[Paper, ...], SourceAnswered]:
    start = time.monotonic()
    try:
        async with deadline(source.name, session.options.source_seconds):
            answer = await source.similar(seed, EACH)
    except NotFound as error:  # an answer: it knows no such paper
        seconds = round(time.monotonic() - start, 2)
        return (), SourceAnswered(source.name, _query(seed), "ok", seconds=seconds, notes=(error.sentence,))
    except SourceError as error:
        state: SourceState = "skipped" if isinstance(error, NotConfigured) else "failed"
        seconds = round(time.monotonic() - start, 2)
        return (), SourceAnswered(
            source.name, _query(seed), state, seconds=seconds, error=error.sentence, asked=error.asked
        )
    return answer.papers, SourceAnswered(
        source.name,
        _query(seed),
        "partial" if answer.partial else "ok",
        len(answer.papers),
        round(time.monotonic() - start, 2),
        " ".join(answer.notes) if answer.partial else None,
        answer.total,
        answer.sent,
        answer.notes,
    )


def _query(seed: Paper) -> str:
    return f"papers like {seed.id}"
