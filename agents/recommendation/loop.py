"""The recommendation: a person's reading history in, a stream of events out (ARAG §2).

First the user context is read and the recall set chosen. Then the agents work on the blackboard: User Understanding and
NLI alignment at the same time, Context Summary after both, and the Item Ranker. Every agent reads the board and posts
only what the board lacks, so an interrupted run resumes at any point.
"""

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import replace

from agents.recommendation.alignment import align
from agents.recommendation.context_summary import sum_up
from agents.recommendation.events import (
    GroundsLookedUp,
    RecommendationEvent,
    RecommendationFinished,
    RecommendationStarted,
    RecommendationState,
)
from agents.recommendation.options import RecommendOptions
from agents.recommendation.ranking import rank
from agents.recommendation.recall import RecommendationSession, read_history, recall
from agents.recommendation.user_understanding import understand
from agents.run.control import Control
from agents.run.findings import Board
from agents.run.resources import Resources
from agents.taste.comparison import TasteComparison
from agents.taste.fit import ground, ground_of
from agents.taste.records import Ground
from connectors.paper import Paper, WorkId


async def look_up_grounds(session: RecommendationSession) -> None:
    """Post what each shown paper shares with its grounds, unless the board has it."""
    aligned = session.state.aligned
    works = [entry.work for entry in session.state.shown if entry.work in aligned]
    due = [work for work in works if any(not ground.looked_up for ground in aligned[work].grounds)]
    if due:
        comparison = await session.comparison()
        session.post(*await asyncio.to_thread(_looked_up, session, comparison, due))


def _looked_up(session: RecommendationSession, comparison: TasteComparison, due: list[WorkId]) -> list[GroundsLookedUp]:
    return [
        GroundsLookedUp(
            work, tuple(_shared(session, comparison, ground, work) for ground in session.state.aligned[work].grounds)
        )
        for work in due
    ]


def _shared(session: RecommendationSession, comparison: TasteComparison, rests_on: Ground, work: WorkId) -> Ground:
    """Return a ground with what it shares with the candidate; unchanged if its paper left the library meanwhile."""
    if rests_on.looked_up:
        return rests_on
    paper = session.papers[work]
    if rests_on.line:
        return replace(ground(0, rests_on.support, paper, Paper(rests_on.line)), line=rests_on.line)
    return ground_of(comparison, rests_on.number, rests_on.support, paper, session.number(work)) or rests_on


def recommend(
    resources: Resources,
    options: RecommendOptions,
    board: Board[RecommendationState, RecommendationEvent] | None = None,
    control: Control | None = None,
) -> AsyncGenerator[RecommendationEvent, None]:
    """Yield the events of a recommendation, or of the rest of the one on `board`, for the person in the resources.
    Closing the iterator stops it at once. Raises `CacheError`."""
    board = board or Board(RecommendationState())
    return RecommendationSession(resources, options, board, control or Control(options.seconds)).stream(_run)


async def _run(session: RecommendationSession) -> None:
    if session.state.finished:
        return
    if not session.state.started:
        session.post(_started(session))
    if session.state.context is None:
        await read_history(session)
    if session.state.recalled is None:
        await recall(session)
    if session.state.candidates:
        await asyncio.gather(understand(session), align(session))
        if session.state.summarized is None:
            await sum_up(session)
        if session.state.ranked is None:
            await rank(session)
        await look_up_grounds(session)
    session.count_broken_off()
    session.post(RecommendationFinished(session.seconds, session.ending))


def _started(session: RecommendationSession) -> RecommendationStarted:
    options = session.options
    return RecommendationStarted(
        tuple(session.resources.live),
        options.limit,
        options.seed,
        session.now.astimezone().date(),
        session.model_name,
        options.start,
        options.tag,
        options.field if session.context.empty else None,
        session.reader.last if options.only_new else None,
    )
